// What the mouse selects, beside the reference: body, geom, flex, skin and point of every place of
// a grid.

#include "support/models.h"
#include "support/near.h"
#include "support/ref_scene.h"

enum {
  GRID = 24
};

typedef int Select(void*, void*, const mjvOption*, mjtNum, mjtNum, mjtNum, const RefScene*, mjtNum*,
                   int*, int*, int*);

static int hits;

// Compares one place; 1 if it differs. Both scenes are the same.
static int place_differs(const Bridge* b, const mjvOption* opt, const mjvScene* scn,
                         const RefScene* ref_scn, mjtNum x, mjtNum y) {
  Select* select = (Select*)bridge_function("mjv_select");
  int ours[3], theirs[3];
  mjtNum point[3] = {0}, expected[3] = {0};
  int body = mjv_select(b->m, b->d, opt, (mjtNum)1.5, x, y, scn, point, ours, ours + 1, ours + 2);
  int same = select(b->ref_m, b->ref_d, opt, (mjtNum)1.5, x, y, ref_scn, expected, theirs,
                    theirs + 1, theirs + 2);
  hits += same >= 0;
  if (body != same || memcmp(ours, theirs, sizeof ours)) {
    print_error("  at %.3f %.3f: body %d geom %d flex %d skin %d, expected %d %d %d %d\n",
                (double)x, (double)y, body, ours[0], ours[1], ours[2], same, theirs[0], theirs[1],
                theirs[2]);
    return 1;
  }
  return numbers_differ("point", point, expected, 3, 1e-9, 1);
}

static int grid_differs(const Bridge* b, const mjvOption* opt, const mjvScene* scn) {
  const RefScene* ref_scn = ref_scene_enter(scn);
  int differ = 0;
  for (int i = 0; i < GRID * GRID; i++) {
    differ += place_differs(b, opt, scn, ref_scn, (i / GRID + (mjtNum)0.31) / GRID,
                            (i % GRID + (mjtNum)0.47) / GRID);
  }
  return differ;
}

static int all_differ;

static void selection_agrees(const char* path) {
  Bridge* b = bridge_load(path);
  if (!b) {
    return;
  }
  bridge_random(b, 3, 0.2);
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(b->m, &scn, 1000);
  mjvOption opt;
  mjv_defaultOption(&opt);
  mjvCamera cam;
  for (int trial = 0; trial < 6; trial++) {
    mjv_defaultFreeCamera(b->m, &cam);
    cam.azimuth += 60 * trial;
    opt.flags[mjVIS_STATIC] = trial != 2;
    opt.geomgroup[0] = trial != 3;
    opt.flags[mjVIS_FLEXFACE] = trial == 4;
    opt.flags[mjVIS_FLEXVERT] = trial == 5;
    opt.flags[mjVIS_FLEXSKIN] = trial < 4;
    opt.flags[mjVIS_FLEXEDGE] = trial != 5;
    if (trial && b->m->ncam) {
      cam.type = mjCAMERA_FIXED;
      cam.fixedcamid = trial % b->m->ncam;
    }
    mjv_updateScene(b->m, b->d, &opt, NULL, &cam, mjCAT_ALL, &scn);
    int differ = grid_differs(b, &opt, &scn);
    if (differ) {
      print_error("%d places of %s, view %d\n", differ, path, trial);
    }
    all_differ += differ;
  }
  mjv_freeScene(&scn);
  bridge_free(b);
}

TEST(what_is_selected_agrees) {
  BRIDGE_OR_SKIP();
  mju_user_warning = silent;
  const char* path = getenv("SCENE_MODEL");
  if (path) {
    selection_agrees(path);
  } else {
    models_each("", selection_agrees);
  }
  print_message("%d hits\n", hits);
  // rays that graze an edge are decided by rounding
  assert_in_range(all_differ, 0, hits / 20000);
}
