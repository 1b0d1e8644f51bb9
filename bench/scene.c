// scene.c: times mjv_updateScene with the usual settings, all flags, and each flag, label and frame
// alone; compiled once against Condyle and once against the reference.
//
//   scene MODEL [WHAT]
//
// Prints one line of JSON: the number of shapes, and nanoseconds per call for each of the settings,
// or of the one named, in the fastest of many short batches.

#include <string.h>

#include "common.h"

enum {
  BATCHES = 1000  // fewer if they take more than a tenth of a second
};

typedef struct Stage_ {
  mjModel* m;
  mjData* d;
  mjvScene scn;
  mjvOption opt;
  mjvPerturb pert;
  mjvCamera cam;
  const char* wanted;
} Stage;

static void update(Stage* s) {
  mjv_updateScene(s->m, s->d, &s->opt, &s->pert, &s->cam, mjCAT_ALL, &s->scn);
}

// Times the settings that were made and goes back to the usual ones.
static void time_one(Stage* s, const char* kind, const char* name) {
  char what[200];
  snprintf(what, sizeof what, *kind ? "%s %s" : "%s%s", kind, name);
  if (!s->wanted || !strcmp(s->wanted, what)) {
    double start = now(), best = 1;
    int n = 0;
    while (now() - start < 2e-5 || n < 2) {
      update(s);
      n++;
    }
    double begin = now();
    for (int b = 0; b < BATCHES && now() - begin < 0.1; b++) {
      start = now();
      for (int k = 0; k < n; k++) {
        update(s);
      }
      double elapsed = (now() - start) / n;
      best = elapsed < best ? elapsed : best;
    }
    printf(", \"%s\": %.1f", what, 1e9 * best);
  }
  mjv_defaultOption(&s->opt);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: scene MODEL [WHAT]\n");
    return 2;
  }
  static Stage s;
  s.m = load(&s.d, argv[1]);
  s.wanted = argc > 2 ? argv[2] : NULL;
  if (s.m->nv < 200) {
    settle(s.m, s.d);
  }
  mj_forward(s.m, s.d);
  mjv_defaultScene(&s.scn);
  mjv_makeScene(s.m, &s.scn, 200000);
  mjv_defaultOption(&s.opt);
  mjv_defaultPerturb(&s.pert);
  mjv_defaultFreeCamera(s.m, &s.cam);
  update(&s);

  printf("{\"shapes\": %d", s.scn.ngeom);
  time_one(&s, "", "usual");
  memset(s.opt.flags, 1, sizeof s.opt.flags);
  time_one(&s, "", "all flags");
  for (int i = 0; i < mjNVISFLAG; i++) {
    s.opt.flags[i] ^= 1;
    time_one(&s, s.opt.flags[i] ? "with" : "without", mjVISSTRING[i][0]);
  }
  for (int i = 1; i < mjNLABEL; i++) {
    s.opt.label = i;
    time_one(&s, "label", mjLABELSTRING[i]);
  }
  for (int i = 1; i < mjNFRAME; i++) {
    s.opt.frame = i;
    time_one(&s, "frame", mjFRAMESTRING[i]);
  }
  printf("}\n");
  mjv_freeScene(&s.scn);
  mj_deleteData(s.d);
  mj_deleteModel(s.m);
  return 0;
}
