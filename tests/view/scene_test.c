// Scenes of both engines from the same data: every member of mjvScene, for every model, with every
// flag, label, frame, group, camera, kind of push and category.

#include "support/models.h"
#include "view/same_scene.h"

enum {
  MAXGEOM = 30000,
  STATES = 5,
};

typedef struct Stage_ {
  Bridge* b;
  const char* model;
  mjvScene ours, theirs;
  mjvOption opt;
  mjvPerturb pert;
  mjvCamera cam;
  int catmask;
  int surfaces;  // have been computed
  int scenes, bad;
} Stage;

typedef void Update(void*, void*, const mjvOption*, const mjvPerturb*, mjvCamera*, int, mjvScene*);
typedef void Make(void*, mjvScene*, int);
typedef void Free(mjvScene*);

static void set_usual(Stage* s) {
  mjv_defaultOption(&s->opt);
  mjv_defaultPerturb(&s->pert);
  mjv_defaultFreeCamera(s->b->m, &s->cam);
  s->catmask = mjCAT_ALL;
}

static void set_all_flags(Stage* s) {
  set_usual(s);
  memset(s->opt.flags, 1, sizeof s->opt.flags);
  s->opt.flags[mjVIS_SDFITER] = getenv("SDFITER") != NULL;
}

// The ends of searches of distance fields stand for what their place held before in the reference.
static void forgive_ends(Stage* s) {
  int n = s->ours.ngeom < s->theirs.ngeom ? s->ours.ngeom : s->theirs.ngeom;
  for (int i = 0; i < n; i++) {
    mjvGeom *a = s->ours.geoms + i, *b = s->theirs.geoms + i;
    if (a->type == mjGEOM_SPHERE && b->type == mjGEOM_SPHERE && a->objtype == mjOBJ_UNKNOWN &&
        a->category == mjCAT_DECOR && (a->rgba[0] == 1 || a->rgba[2] == 1) && a->rgba[1] == 0) {
      memcpy(&b->objtype, &a->objtype, sizeof a->objtype);
      b->objid = a->objid;
      b->category = a->category;
      b->segid = a->segid;
    }
  }
}

// Updates both scenes, compares them, and says what was asked for if they differ.
static void compare(Stage* s, const char* what, int number) {
  static Update* update;
  update = update ? update : (Update*)bridge_function("mjv_updateScene");
  mjvCamera cam = s->cam;
  mjv_updateScene(s->b->m, s->b->d, &s->opt, &s->pert, &s->cam, s->catmask, &s->ours);
  update(s->b->ref_m, s->b->ref_d, &s->opt, &s->pert, &cam, s->catmask, &s->theirs);
  s->surfaces = s->surfaces || (s->opt.flags[mjVIS_FLEXSKIN] && s->opt.flags[mjVIS_SKIN]);
  s->scenes++;
  if (s->opt.flags[mjVIS_SDFITER]) {
    forgive_ends(s);
  }
  int differ = scenes_differ(s->b->m, &s->ours, &s->theirs, s->surfaces) +
               (memcmp(&cam, &s->cam, sizeof cam) != 0);
  if (differ) {
    s->bad++;
    print_error("%d differences in %s, %s %d\n", differ, s->model, what, number);
  }
}

static void each_flag(Stage* s) {
  for (int i = 0; i < mjVIS_SDFITER; i++) {
    set_usual(s);
    s->opt.flags[i] = !s->opt.flags[i];
    compare(s, "flag", i);
    set_all_flags(s);
    s->opt.flags[i] = 0;
    compare(s, "without flag", i);
  }
}

static void each_label(Stage* s) {
  for (int i = 0; i < mjNLABEL; i++) {
    set_usual(s);
    s->opt.label = i;
    compare(s, "label", i);
    set_all_flags(s);
    s->opt.label = i;
    s->pert.select = s->b->m->nbody > 1 ? s->b->m->nbody / 2 : 0;
    compare(s, "label with all", i);
  }
}

static void each_frame(Stage* s) {
  for (int i = 0; i < mjNFRAME; i++) {
    set_usual(s);
    s->opt.frame = i;
    compare(s, "frame", i);
    set_all_flags(s);
    s->opt.frame = i;
    compare(s, "frame with all", i);
  }
}

static void each_group(Stage* s) {
  for (int i = 0; i < mjNGROUP; i++) {
    set_all_flags(s);
    mjtByte* groups[] = {s->opt.geomgroup,   s->opt.sitegroup,     s->opt.jointgroup,
                         s->opt.tendongroup, s->opt.actuatorgroup, s->opt.flexgroup,
                         s->opt.skingroup};
    for (int k = 0; k < 7; k++) {
      groups[k][i] = !groups[k][i];
      compare(s, "group", 10 * k + i);
      groups[k][i] = !groups[k][i];
    }
  }
}

static void each_category(Stage* s) {
  for (int mask = 0; mask <= mjCAT_ALL; mask++) {
    set_usual(s);
    s->catmask = mask;
    compare(s, "categories", mask);
    set_all_flags(s);
    s->catmask = mask;
    compare(s, "categories of all", mask);
    s->opt.frame = mjFRAME_BODY;
    s->opt.label = mjLABEL_BODY;
    s->opt.flags[mjVIS_INERTIA] = 0;
    compare(s, "categories of frames", mask);
  }
}

static void each_camera(Stage* s) {
  const mjModel* m = s->b->m;
  for (int i = 0; i < 4; i++) {
    set_usual(s);
    s->cam.azimuth = 37 * i;
    s->cam.elevation = 20 * i - 30;
    s->cam.distance *= i + 1;
    compare(s, "free camera", i);
    compare(s, "free camera again", i);
    s->cam.type = mjCAMERA_TRACKING;
    s->cam.trackbodyid = i * (m->nbody - 1) / 3;
    compare(s, "tracking body", s->cam.trackbodyid);
    if (m->ncam) {
      s->cam.type = mjCAMERA_FIXED;
      s->cam.fixedcamid = i * (m->ncam - 1) / 3;
      compare(s, "camera", s->cam.fixedcamid);
    }
    s->cam.type = mjCAMERA_USER;
    compare(s, "user's camera", i);
  }
}

static void each_push(Stage* s) {
  const mjModel* m = s->b->m;
  for (int i = 0; i < 16; i++) {
    for (int k = 0; k < 3; k++) {
      set_usual(s);
      s->pert.select = 1 + k * (m->nbody - 2) / 2;
      s->pert.flexselect = k - 1;
      s->pert.skinselect = k - 1;
      s->pert.active = i % 4;
      s->pert.active2 = i / 4;
      s->opt.flags[mjVIS_SELECT] = 1;
      s->opt.flags[mjVIS_INERTIA] = k == 1;
      s->opt.label = i % 2 ? mjLABEL_SELECTION : mjLABEL_SELPNT;
      for (int x = 0; x < 3; x++) {
        s->pert.refpos[x] = (mjtNum)(0.1 * (x + i));
        s->pert.refselpos[x] = (mjtNum)(0.2 * x - 0.1 * i);
        s->pert.localpos[x] = (mjtNum)(0.05 * x);
        s->pert.refquat[x + 1] = (mjtNum)(0.1 * x * i);
      }
      mju_normalize4(s->pert.refquat);
      if (m->nbody > 1) {
        compare(s, "push", 10 * i + k);
      }
    }
  }
}

static void each_level(Stage* s) {
  for (int i = 0; i < 5; i++) {
    set_usual(s);
    s->opt.flags[mjVIS_BODYBVH] = s->opt.flags[mjVIS_MESHBVH] = 1;
    s->opt.bvh_depth = i;
    compare(s, "level of boxes", i);
    set_usual(s);
    s->opt.flags[mjVIS_FLEXSKIN] = 0;
    s->opt.flags[mjVIS_FLEXFACE] = 1;
    s->opt.flex_layer = i;
    compare(s, "layer", i);
  }
}

static void random_options(Stage* s, uint64_t* seed) {
  for (int trial = 0; trial < 40; trial++) {
    set_usual(s);
    for (int i = 0; i < mjVIS_SDFITER; i++) {
      s->opt.flags[i] = uniform_random(seed) > 0;
    }
    s->opt.label = (int)((uniform_random(seed) + 1) / 2 * mjNLABEL);
    s->opt.frame = (int)((uniform_random(seed) + 1) / 2 * mjNFRAME);
    s->pert.select = (int)((uniform_random(seed) + 1) / 2 * s->b->m->nbody);
    s->pert.active = trial % 4;
    compare(s, "random options", trial);
  }
}

// Puts both engines into a state: at rest, then random ones, some of them after steps.
static void set_state(Bridge* b, int state) {
  if (state == 0) {
    bridge_run(b, "mj_resetData");
    bridge_run(b, "mj_forward");
  } else {
    bridge_random(b, (unsigned int)state, state % 2 ? 0.3 : 0.05);
    for (int i = 0; i < 20 * (state / 2); i++) {
      bridge_run(b, "mj_step");
    }
    bridge_run(b, "mj_forward");
  }
  // plugins keep in memory of their own, which is not pulled, what they draw
  bridge_pull(b, NULL);
  mj_passive(b->m, b->d);
  mj_collision(b->m, b->d);
  bridge_pull(b, NULL);
}

static int failed, total;

static void scenes_agree(const char* path) {
  Bridge* b = bridge_load(path);
  if (!b) {
    print_message("%s: not loaded\n", path);
    return;
  }
  Make* make = (Make*)bridge_function("mjv_makeScene");
  Free* release = (Free*)bridge_function("mjv_freeScene");
  static Stage stage;
  memset(&stage, 0, sizeof stage);
  stage.b = b;
  stage.model = path;
  mjv_makeScene(b->m, &stage.ours, MAXGEOM);
  make(b->ref_m, &stage.theirs, MAXGEOM);
  uint64_t seed = 3;
  for (int state = 0; state < STATES; state++) {
    set_state(b, state);
    set_usual(&stage);
    compare(&stage, "usual, state", state);
    each_flag(&stage);
    each_label(&stage);
    each_frame(&stage);
    each_group(&stage);
    each_category(&stage);
    each_camera(&stage);
    each_push(&stage);
    each_level(&stage);
    random_options(&stage, &seed);
  }
  mjv_freeScene(&stage.ours);
  release(&stage.theirs);
  bridge_free(b);
  failed += stage.bad;
  total += stage.scenes;
}

TEST(try_one) {
  BRIDGE_OR_SKIP();
  mju_user_warning = silent;
  const char* path = getenv("SCENE_MODEL");
  if (path) {
    scenes_agree(path);
  } else {
    models_each("", scenes_agree);
  }
  print_message("%d of %d scenes differ\n", failed, total);
  assert_int_equal(failed, 0);
}
