// states.c: worlds in lanes against mj_step, on states that random controls and kicks lead to.
//
//   states N MODEL.xml ...        N: states of each model
//
// Each call steps 64 worlds once in lanes, and each of them by mj_step from the same state, with a
// tolerance of the solver of 1e-12. They agree if qpos and qvel differ by 1e-9 of the largest
// entry, or by no more than a hundred times what mj_step itself makes of changes of 1e-13. Per
// model: states that agree to 1e-9, that agree within their own jitter, that differ, and from which
// a world explodes; worlds left to mj_step, and of them those whose solver ended short of the
// minimum.

#include <condyle/batch.h>
#include <math.h>
#include <string.h>

#include "../common.h"

enum {
  WORLDS = 64,
  HOLD = 8,     // calls for which controls stay
  BEGIN = 100,  // calls after which worlds begin anew
  JITTERS = 3
};

// Both come to the minimum, not only near it.
static const mjtNum LEAST_TOLERANCE = 1e-12;

// What counts as rest, and speeds that no motion has.
static const double REST = 1e-3, EXPLODING = 1e4;

static void silent(const char* message) {
  (void)message;
}

typedef struct Tally {
  long same, jitters, differs, explode, left, unsolved;
} Tally;

static mjtNum num_least(mjtNum a, mjtNum b) {
  return a < b ? a : b;
}

static double uniform(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void draw_controls(mjtNum* ctrl, const mjModel* m, unsigned* seed) {
  for (int i = 0; i < m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    int limited = m->actuator_ctrllimited[i];
    double middle = limited ? (double)(range[0] + range[1]) / 2 : 0;
    double half = limited ? (double)(range[1] - range[0]) / 2 : 1;
    ctrl[i] = (mjtNum)(middle + half * uniform(seed));
  }
}

// A start: a keyframe if there is one, with a kick for every second world.
static void begin(mjData* d, const mjModel* m, int world, unsigned* seed) {
  if (m->nkey) {
    mj_resetDataKeyframe(m, d, world % m->nkey);
  } else {
    mj_resetData(m, d);
  }
  for (int i = 0; world % 2 && i < m->nv; i++) {
    d->qvel[i] += (mjtNum)(0.5 * uniform(seed));
  }
}

// The largest difference, relative to the largest entry; infinite if it is no number.
static double difference(const mjtNum* a, const mjtNum* b, int n) {
  double most = 0, size = REST;
  for (int i = 0; i < n; i++) {
    double error = fabs((double)(a[i] - b[i]));
    most = error <= most ? most : error > most ? error : INFINITY;
    size = fmax(size, fabs((double)b[i]));
  }
  return most / size;
}

static double state_difference(const mjtNum* qpos, const mjtNum* qvel, const mjtNum* p,
                               const mjtNum* v, const mjModel* m) {
  return fmax(difference(qpos, p, m->nq), difference(qvel, v, m->nv));
}

// What mj_step makes of small changes of a state, beside its result p, v for the state itself.
static double jitter(const mjModel* m, mjData* d, const mjtNum* state, const mjtNum* p,
                     const mjtNum* v, unsigned* seed) {
  double most = 0;
  for (int k = 0; k < JITTERS; k++) {
    mj_setState(m, d, state, mjSTATE_INTEGRATION);
    for (int i = 0; i < m->nq; i++) {
      d->qpos[i] *= (mjtNum)(1 + 1e-13 * uniform(seed));
    }
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] *= (mjtNum)(1 + 1e-13 * uniform(seed));
    }
    mj_step(m, d);
    most = fmax(most, state_difference(d->qpos, d->qvel, p, v, m));
  }
  return most;
}

static void compare(Tally* tally, const mjModel* m, mjData* d, mjData* other, const mjtNum* state,
                    const mjtNum* after, unsigned* seed) {
  mj_setState(m, d, state, mjSTATE_INTEGRATION);
  mj_step(m, d);
  for (int i = 0; i < m->nv; i++) {
    if (!(fabs((double)d->qacc[i] * (double)m->opt.timestep) < EXPLODING)) {
      tally->explode++;
      return;
    }
  }
  double error = state_difference(after, after + m->nq, d->qpos, d->qvel, m);
  if (error <= 1e-9) {
    tally->same++;
  } else if (error <= 100 * jitter(m, other, state, d->qpos, d->qvel, seed)) {
    tally->jitters++;
  } else {
    tally->differs++;
  }
}

static Tally measure(const char* file, long states) {
  mjData *d = NULL, *other;
  mjModel* m = load(&d, file);
  m->opt.tolerance = num_least(m->opt.tolerance, LEAST_TOLERANCE);
  cndBatch* batch = cnd_makeBatch(m, WORLDS, 1);
  Tally tally = {0};
  if (!cnd_batchLanes(batch, cndLANES_DOUBLE)) {
    printf("%-60s %s\n", file, cnd_batchWhy(batch));
    states = 0;
  }
  other = mj_makeData(m);
  size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  size_t moved = (size_t)(m->nq + m->nv);
  mjtNum* before = malloc(WORLDS * size * sizeof(mjtNum));
  mjtNum* after = malloc(WORLDS * moved * sizeof(mjtNum));
  mjtNum* ctrl = calloc((size_t)(WORLDS * m->nu + 1), sizeof(mjtNum));
  unsigned seed = 7;
  for (long call = 0; call * WORLDS < states; call++) {
    for (int w = 0; w < WORLDS; w++) {
      if ((call + w) % BEGIN == 0 || !call) {
        begin(d, m, w, &seed);
        cnd_batchSetData(batch, w, d);
      }
      if ((call + w) % HOLD == 0 || !call) {
        draw_controls(ctrl + w * m->nu, m, &seed);
      }
    }
    cnd_batchStep(batch, NULL, ctrl, 0);  // takes the controls
    cnd_batchGetState(batch, NULL, before, mjSTATE_INTEGRATION);
    cnd_batchStep(batch, NULL, ctrl, 1);
    cnd_batchGetState(batch, NULL, after, mjSTATE_QPOS | mjSTATE_QVEL);
    cndBatchStats stats;
    cnd_batchStats(&stats, batch);
    tally.left += stats.left;
    tally.unsolved += stats.unsolved;
    for (int w = 0; w < WORLDS; w++) {
      compare(&tally, m, d, other, before + (size_t)w * size, after + (size_t)w * moved, &seed);
    }
  }
  if (states) {
    printf("%-60s same %ld jitter %ld differ %ld explode %ld left %ld unsolved %ld\n", file,
           tally.same, tally.jitters, tally.differs, tally.explode, tally.left, tally.unsolved);
    fflush(stdout);
  }
  cnd_deleteBatch(batch);
  free(before);
  free(after);
  free(ctrl);
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(m);
  return tally;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fputs("usage: states N MODEL.xml ...\n", stderr);
    return 2;
  }
  Tally sum = {0};
  mju_user_warning = silent;
  for (int i = 2; i < argc; i++) {
    Tally one = measure(argv[i], atol(argv[1]));
    sum.same += one.same;
    sum.jitters += one.jitters;
    sum.differs += one.differs;
    sum.explode += one.explode;
    sum.left += one.left;
    sum.unsolved += one.unsolved;
  }
  printf("all: same %ld jitter %ld differ %ld explode %ld left %ld unsolved %ld\n", sum.same,
         sum.jitters, sum.differs, sum.explode, sum.left, sum.unsolved);
  return sum.differs > 0;
}
