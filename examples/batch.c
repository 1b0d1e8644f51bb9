// batch.c: how far a model falls or walks when nobody knows the friction of the floor: many worlds
// with friction and masses of their own, stepped together.
//
//   batch MODEL.xml WORLDS THREADS
//
// Prints the spread of the height of the first body after a second.

#include <condyle/batch.h>
#include <condyle/error.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

// A number between low and high, the same ones in every run.
static mjtNum draw(mjtNum low, mjtNum high) {
  static int count = 0;
  return low + (high - low) * mju_Halton(++count, 2);
}

// Multiplies all numbers of a parameter of each world by one number.
static void scale(cndBatch* batch, const char* name, mjtNum low, mjtNum high) {
  cndArray array;
  cnd_batchVary(&array, batch, name);
  size_t size = array.rows * array.columns;
  for (size_t world = 0; world < (size_t)cnd_batchSize(batch); world++) {
    mjtNum factor = draw(low, high);
    for (size_t k = 0; k < size; k++) {
      ((mjtNum*)array.data)[world * size + k] *= factor;
    }
  }
}

static void simulate(void* argument) {
  cndBatch* batch = argument;
  const mjModel* m = cnd_batchModel(batch);
  cndArray xpos;
  cnd_batchExpose(&xpos, batch, "xpos");
  scale(batch, "geom_friction", (mjtNum)0.5, (mjtNum)1.5);
  scale(batch, "body_mass", (mjtNum)0.8, (mjtNum)1.2);
  int nstep = (int)(1 / m->opt.timestep), n = cnd_batchSize(batch);

  // inverse weights and masses of subtrees follow from the masses
  cndtRun run = cnd_batchSetConst(batch, NULL);
  if (run == cndRUN_DONE) {
    run = cnd_batchStep(batch, NULL, NULL, nstep);
  }
  if (run != cndRUN_DONE) {
    mju_error("%s", cnd_batchError(batch));
  }
  mjtNum low = mjMAXVAL, high = -mjMAXVAL, sum = 0;
  for (int world = 0; world < n; world++) {
    mjtNum height = ((mjtNum*)xpos.data)[(world * m->nbody + 1) * 3 + 2];
    low = mju_min(low, height);
    high = mju_max(high, height);
    sum += height;
  }
  printf("height after %d steps of %d worlds: %.4f to %.4f, mean %.4f\n", nstep, n, (double)low,
         (double)high, (double)sum / n);
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc != 4) {
    fputs("usage: batch MODEL.xml WORLDS THREADS\n", stderr);
    return 2;
  }
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m || m->nbody < 2) {
    fprintf(stderr, "%s\n", m ? "the model has no body" : error);
    mj_deleteModel(m);
    return 1;
  }
  cndBatch* batch = cnd_makeBatch(m, atoi(argv[2]), atoi(argv[3]));
  int failed = !batch || cnd_try(simulate, batch, error, sizeof(error));
  if (failed) {
    fprintf(stderr, "%s\n", batch ? error : "there is not enough memory");
  }
  cnd_deleteBatch(batch);
  mj_deleteModel(m);
  return failed;
}
