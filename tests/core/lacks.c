// A program that asks the core for what it lacks, for check.sh: each is refused by name.
//
// usage: lacks CONVEX.mjb BATCH.mjb ARCHIVE.mjz/FILE

#include <condyle/batch.h>
#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>

typedef struct Stepping_ {
  mjModel* m;
  mjData* d;
} Stepping;

static void step(void* argument) {
  Stepping* s = argument;
  for (int i = 0; i < 1000; i++) {
    mj_step(s->m, s->d);
  }
}

int main(int argc, char** argv) {
  char error[1000];
  Stepping s = {argc == 4 ? mj_loadModel(argv[1], NULL) : NULL, NULL};
  if (!s.m) {
    return 1;
  }
  s.m->opt.disableflags |= mjDSBL_NATIVECCD;
  s.d = mj_makeData(s.m);
  printf("%s\n", cnd_try(step, &s, error, sizeof(error)) ? error : "steps without nativeccd");

  mjModel* m = mj_loadModel(argv[2], NULL);
  cndBatch* batch = cnd_makeBatch(m, 8, 0);
  printf("%d lanes: %s\n", cnd_batchLanes(batch, cndLANES_DOUBLE), cnd_batchWhy(batch));
  printf("%s\n", cnd_batchStep(batch, NULL, NULL, 10) == cndRUN_DONE ? "stepped" : "not stepped");

  mjResource* resource = mju_openResource("", argv[3], NULL, error, sizeof(error));
  printf("%s\n", resource ? "opened the archive" : error);
  mju_closeResource(resource);
  cnd_deleteBatch(batch);
  mj_deleteData(s.d);
  mj_deleteModel(s.m);
  mj_deleteModel(m);
}
