// A program that lets ten models move and prints a hash of each one's states, for repeat.sh: what
// it prints may depend neither on the process nor on how the states were reached.
//
// usage: repeat HOW STEPS SOURCE_DIR, HOW:
//   run        one after the other
//   copy       half of the way in a copy of the data
//   mjb        with the models saved to binary files and loaded
//   THREADS    so many threads share the models, each with a pool of as many for its islands
//   nudge      from states whose first position is moved by a last digit: other hashes

#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char* file;
  mjtIntegrator integrator;
  mjtSolver solver;
  mjtCone cone;
  const char* contact;  // condyle.contact, NULL: the model's own
  int noslip;
  uint64_t hash;
} Scene;

static Scene scenes[] = {
    {"models/humanoid.xml", mjINT_EULER, mjSOL_NEWTON, mjCONE_PYRAMIDAL, NULL, 0, 0},
    {"models/hand.xml", mjINT_IMPLICITFAST, mjSOL_NEWTON, mjCONE_ELLIPTIC, NULL, 0, 0},
    {"models/rubble.xml", mjINT_EULER, mjSOL_CG, mjCONE_ELLIPTIC, NULL, 0, 0},
    {"models/rubble.xml", mjINT_EULER, mjSOL_PGS, mjCONE_PYRAMIDAL, NULL, 3, 0},
    {"models/rubble.xml", mjINT_EULER, mjSOL_NEWTON, mjCONE_ELLIPTIC, "stick", 0, 0},
    {"models/limits.xml", mjINT_IMPLICIT, mjSOL_PGS, mjCONE_ELLIPTIC, NULL, 0, 0},
    {"models/chain.xml", mjINT_RK4, mjSOL_NEWTON, mjCONE_PYRAMIDAL, NULL, 0, 0},
    {"tests/models/actuator_muscle.xml", mjINT_IMPLICIT, mjSOL_CG, mjCONE_PYRAMIDAL, NULL, 0, 0},
    {"tests/models/flex_contact_solid.xml", mjINT_EULER, mjSOL_NEWTON, mjCONE_ELLIPTIC, NULL, 0, 0},
    {"tests/models/hard_stack.xml", mjINT_EULER, mjSOL_NEWTON, mjCONE_ELLIPTIC, "hard", 0, 0},
};

enum {
  NSCENE = sizeof(scenes) / sizeof(scenes[0])
};

static const char *how, *source;
static int steps, threads;  // threads: 0 for none
static atomic_int next;     // scene that no thread has taken

static void fail(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(2);
}

static mjModel* load(const Scene* scene) {
  char path[1000], error[1000] = "";
  snprintf(path, sizeof path, "%s/%s", source, scene->file);
  mjSpec* spec = mj_parseXML(path, NULL, error, sizeof error);
  if (!spec) {
    fail(path, error);
  }
  if (scene->contact && !mjs_findElement(spec, mjOBJ_TEXT, "condyle.contact")) {
    mjsText* text = mjs_addText(spec);
    mjs_setName(text->element, "condyle.contact");
    mjs_setString(text->data, scene->contact);
  }
  spec->option.integrator = scene->integrator;
  spec->option.solver = scene->solver;
  spec->option.cone = scene->cone;
  spec->option.noslip_iterations = scene->noslip;
  mjModel* m = mj_compile(spec, NULL);
  if (!m) {
    fail(path, mjs_getError(spec));
  }
  mj_deleteSpec(spec);
  return m;
}

// The model after it was written to a file and read again.
static mjModel* pass_through_file(mjModel* m) {
  char path[] = "/tmp/repeatXXXXXX.mjb";
  int file = mkstemps(path, 4);
  if (file < 0) {
    fail(path, "can't be made");
  }
  close(file);
  mj_saveModel(m, path, NULL, 0);
  mj_deleteModel(m);
  m = mj_loadModel(path, NULL);
  unlink(path);
  if (!m) {
    fail(path, "can't be read");
  }
  return m;
}

static uint64_t hash_numbers(uint64_t hash, const mjtNum* numbers, size_t n) {
  const unsigned char* byte = (const unsigned char*)numbers;
  for (size_t i = 0; i < n * sizeof(mjtNum); i++) {
    hash = (hash ^ byte[i]) * 1099511628211u;
  }
  return hash;
}

static uint64_t hash_step(uint64_t hash, const mjModel* m, const mjData* d) {
  hash = hash_numbers(hash, d->qpos, (size_t)m->nq);
  hash = hash_numbers(hash, d->qvel, (size_t)m->nv);
  hash = hash_numbers(hash, d->act, (size_t)m->na);
  hash = hash_numbers(hash, d->qacc_warmstart, (size_t)m->nv);
  hash = hash_numbers(hash, d->efc_force, (size_t)d->nefc);
  for (int i = 0; i < d->ncon; i++) {
    hash = hash_numbers(hash, d->contact[i].pos, 3);
  }
  return hash_numbers(hash, d->sensordata, (size_t)m->nsensordata);
}

static void run(Scene* scene) {
  mjModel* m = load(scene);
  if (!strcmp(how, "mjb")) {
    m = pass_through_file(m);
  }
  mjData* d = mj_makeData(m);
  mjThreadPool* pool = threads ? mju_threadPoolCreate((size_t)threads) : NULL;
  if (pool) {
    mju_bindThreadPool(d, pool);
  }
  if (!strcmp(how, "nudge")) {
    d->qpos[0] = (mjtNum)(d->qpos[0] + 1e-6 * (1 + fabs((double)d->qpos[0])));
  }
  uint64_t seed = 1;
  scene->hash = 14695981039346656037u;
  for (int i = 0; i < steps; i++) {
    for (int k = 0; k < m->nu; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      d->ctrl[k] = (mjtNum)((double)(seed >> 11) / 9007199254740992.0 - 0.5);
    }
    mj_step(m, d);
    scene->hash = hash_step(scene->hash, m, d);
    if (i == steps / 2 && !strcmp(how, "copy")) {
      mjData* copy = mj_copyData(NULL, m, d);
      mj_deleteData(d);
      d = copy;
    }
  }
  mj_deleteData(d);
  if (pool) {
    mju_threadPoolDestroy(pool);
  }
  mj_deleteModel(m);
}

static void* work(void* unused) {
  (void)unused;
  for (int i; (i = atomic_fetch_add(&next, 1)) < NSCENE;) {
    run(scenes + i);
  }
  return NULL;
}

int main(int argc, char** argv) {
  enum {
    MOST = 16
  };
  if (argc != 4) {
    fail(argv[0], "usage: repeat run|copy|mjb|THREADS|nudge STEPS SOURCE_DIR");
  }
  how = argv[1];
  steps = atoi(argv[2]);
  source = argv[3];
  threads = atoi(how);
  threads = threads > MOST ? MOST : threads;
  pthread_t thread[MOST];
  for (int i = 0; i < threads; i++) {
    if (pthread_create(thread + i, NULL, work, NULL)) {
      fail("a thread", "can't be made");
    }
  }
  if (!threads) {
    work(NULL);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
  }
  for (int i = 0; i < NSCENE; i++) {
    printf("%016llx %d %s\n", (unsigned long long)scenes[i].hash, i, scenes[i].file);
  }
  return 0;
}
