// Scenes of both engines from the same data: every member of mjvScene, for every model, with every
// flag, label, frame, group, camera, kind of push and category.
//
// SCENE_STATES is the number of states of each model, at most 5.

#include "support/caught.h"
#include "support/models.h"
#include "support/ref_scene.h"
#include "view/same_scene.h"

enum {
  MAXGEOM = 30000,
};

typedef struct Stage_ {
  Bridge* b;
  const char* model;
  mjvScene ours, theirs;
  mjvOption opt;
  mjvPerturb pert;
  mjvCamera cam;
  int catmask;
  int surfaces;   // have been computed
  int has_torus;  // whose searches the reference doesn't draw
  int scenes, bad;
} Stage;

typedef void Update(void*, void*, const mjvOption*, const mjvPerturb*, mjvCamera*, int, RefScene*);

static void set_usual(Stage* s) {
  mjv_defaultOption(&s->opt);
  mjv_defaultPerturb(&s->pert);
  mjv_defaultFreeCamera(s->b->m, &s->cam);
  s->catmask = mjCAT_ALL;
}

static void set_all_flags(Stage* s) {
  set_usual(s);
  memset(s->opt.flags, 1, sizeof s->opt.flags);
  s->opt.flags[mjVIS_SDFITER] = !s->has_torus;
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
  update(s->b->ref_m, s->b->ref_d, &s->opt, &s->pert, &cam, s->catmask,
         ref_scene_enter(&s->theirs));
  ref_scene_leave(&s->theirs);
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
  for (int i = 0; i < mjNVISFLAG; i++) {
    set_usual(s);
    s->opt.flags[i] = !s->opt.flags[i] && !(i == mjVIS_SDFITER && s->has_torus);
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
    for (int i = 0; i < mjNVISFLAG; i++) {
      s->opt.flags[i] = uniform_random(seed) > 0 && !(i == mjVIS_SDFITER && s->has_torus);
    }
    s->opt.label = (int)((uniform_random(seed) + 1) / 2 * mjNLABEL);
    s->opt.frame = (int)((uniform_random(seed) + 1) / 2 * mjNFRAME);
    s->pert.select = (int)((uniform_random(seed) + 1) / 2 * s->b->m->nbody);
    s->pert.active = trial % 4;
    compare(s, "random options", trial);
  }
}

// Puts both engines into a state: at rest, or random, then after steps.
static void set_state(Bridge* b, int state) {
  static const struct {
    double random;
    int steps;
  } states[] = {{0, 0}, {0.3, 0}, {0, 20}, {0.05, 20}, {0.3, 40}};
  bridge_run(b, "mj_resetData");
  if (states[state].random > 0) {
    bridge_random(b, (unsigned int)state, states[state].random);
  }
  for (int i = 0; i < states[state].steps; i++) {
    bridge_run(b, "mj_step");
  }
  bridge_run(b, "mj_forward");

  // plugins keep in memory of their own, which is not pulled, what they draw
  bridge_pull(b, NULL);
  mj_passive(b->m, b->d);
  mj_collision(b->m, b->d);
  bridge_pull(b, NULL);
}

// 0 if the reference ends in an error: its stack may be too small.
static int try_state(Bridge* b, int state) {
  void (**handler)(const char*) = bridge_function("mju_user_error");
  *handler = caught_jump;
  volatile int done = 0;
  if (!setjmp(caught_place)) {
    set_state(b, state);
    done = 1;
  }
  *handler = NULL;
  return done;
}

static int has_torus(const mjModel* m) {
  for (int i = 0; i < m->nplugin; i++) {
    if (!strcmp(mjp_getPluginAtSlot(m->plugin[i])->name, "mujoco.sdf.torus")) {
      return 1;
    }
  }
  return 0;
}

static void compare_all(Stage* s, int state, uint64_t* seed) {
  set_usual(s);
  compare(s, "usual, state", state);
  each_flag(s);
  each_label(s);
  each_frame(s);
  each_group(s);
  each_category(s);
  each_camera(s);
  each_push(s);
  each_level(s);
  random_options(s, seed);
}

static int states, failed, total, models, unstable;

static void scenes_agree(const char* path) {
  Bridge* b = bridge_load(path);
  if (!b) {
    return;  // a part of a model
  }
  static Stage stage;
  memset(&stage, 0, sizeof stage);
  stage.b = b;
  stage.model = path;
  stage.has_torus = has_torus(b->m);
  mjv_makeScene(b->m, &stage.ours, MAXGEOM);
  ref_scene_make(b, &stage.theirs, MAXGEOM);  // of zeros: plugins don't fill shapes in whole
  uint64_t seed = 3;
  for (int state = 0; state < states; state++) {
    if (try_state(b, state)) {
      compare_all(&stage, state, &seed);
    } else {
      unstable++;
    }
  }
  mjv_freeScene(&stage.ours);
  ref_scene_free(&stage.theirs);
  bridge_free(b);
  models++;
  failed += stage.bad;
  total += stage.scenes;
}

static void begin(long usual) {
  BRIDGE_OR_SKIP();
  mju_user_warning = silent;
  void (**handler)(const char*) = bridge_function("mju_user_warning");
  *handler = silent;
  states = (int)test_setting("SCENE_STATES", usual);
  states = states < 1 ? 1 : states > 5 ? 5 : states;
  failed = total = models = unstable = 0;
}

static void end(void) {
  print_message("%d models, %d scenes, %d states in which the reference fails\n", models, total,
                unstable);
  assert_that(total, >, 0);
  assert_int_equal(failed, 0);
}

TEST(scenes_of_our_models_agree) {
  begin(kThorough ? 2 : 1);
  models_matching(MODELS "*.xml", scenes_agree);
  end();
}

TEST(scenes_of_test_models_agree) {
  begin(kThorough ? 2 : 1);
  models_each("", scenes_agree);
  end();
}

TEST(scenes_of_shared_models_agree) {
  shared_or_skip();
  begin(1);
  models_matching(SHARED_MODELS "*/*.xml", scenes_agree);
  models_matching(SHARED_MODELS "*/*/*.xml", scenes_agree);
  end();
}
