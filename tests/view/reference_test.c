// Cameras, the mouse and pushed bodies beside the reference, from the same numbers.

#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/ref_scene.h"
#include "support/test.h"
#include "view/view_model.h"

static const char perspective[] = VIEW_MODEL("false"), parallel[] = VIEW_MODEL("true");

// Functions of the reference take its model and data as pointers to anything.
#define THEIRS(type, name, ...) type (*name)(__VA_ARGS__) = bridge_function("mjv_" #name)

static mjtNum draw(uint64_t* seed, double size) {
  return (mjtNum)(size * uniform_random(seed));
}

static mjvCamera random_camera(uint64_t* seed, const mjModel* m, int trial) {
  mjvCamera cam;
  mjv_defaultCamera(&cam);
  cam.type = trial % 3;
  cam.fixedcamid = trial / 3 % m->ncam;
  cam.trackbodyid = 1 + trial / 3 % (m->nbody - 1);
  cam.orthographic = trial / 6 % 2;
  cam.distance = 2 + draw(seed, 1.5);
  cam.azimuth = draw(seed, 180);
  cam.elevation = draw(seed, 89);
  for (int k = 0; k < 3; k++) {
    cam.lookat[k] = draw(seed, 1);
  }
  return cam;
}

static int eyes_differ(const char* label, const mjvGLCamera* a, const mjvGLCamera* b) {
  const float* x = (const float*)(const void*)a;
  const float* y = (const float*)(const void*)b;
  return numbers_differ(label, x, y, sizeof(*a) / sizeof(float) - 1, 3e-7, 1) ||
         a->orthographic != b->orthographic;
}

static int cameras_differ(const char* label, const mjvCamera* a, const mjvCamera* b) {
  return numbers_differ(label, a->lookat, b->lookat, 3, 1e-9, 1) +
         numbers_differ(label, &a->distance, &b->distance, 3, 1e-9, 1) +
         (a->type != b->type || a->orthographic != b->orthographic);
}

// Sets the eyes of a scene by a camera, and at times the transform.
static void random_scene(mjvScene* scn, uint64_t* seed, const mjModel* m, const mjData* d,
                         int trial) {
  mjv_defaultScene(scn);
  scn->scale = 1;
  scn->rotate[0] = 1;
  mjvCamera cam = random_camera(seed, m, trial);
  mjv_updateCamera(m, d, &cam, scn);
  if (trial % 2) {
    mjtNum quat[4];
    for (int k = 0; k < 4; k++) {
      quat[k] = draw(seed, 1);
      scn->translate[k < 3 ? k : 0] = (float)draw(seed, 1);
    }
    mju_normalize4(quat);
    mju_n2f(scn->rotate, quat, 4);
    scn->scale = (float)(1.5 + draw(seed, 1));
    scn->enabletransform = 1;
  }
}

static Bridge* moving(const char* xml, unsigned int seed) {
  Bridge* b = test_bridge(xml);
  bridge_random(b, seed, 0.5);
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  return b;
}

TEST(eyes_of_scenes_agree) {
  BRIDGE_OR_SKIP();
  THEIRS(void, updateCamera, void*, void*, mjvCamera*, RefScene*);
  THEIRS(mjvGLCamera, averageCamera, const mjvGLCamera*, const mjvGLCamera*);
  static mjvScene ours, theirs;
  uint64_t seed = 5;
  int bad = 0;
  for (int trial = 0; trial < 120; trial++) {
    Bridge* b = moving(trial % 2 ? perspective : parallel, (unsigned int)trial);
    mjvCamera cam = random_camera(&seed, b->m, trial), same = cam;
    memset(&ours, 0, sizeof ours);
    memset(&theirs, 0, sizeof theirs);
    mjv_updateCamera(b->m, b->d, &cam, &ours);
    updateCamera(b->ref_m, b->ref_d, &same, ref_scene_enter(&theirs));
    ref_scene_leave(&theirs);
    bad += cameras_differ("camera", &cam, &same);
    for (int k = 0; k < 2; k++) {
      bad += eyes_differ("eye", ours.camera + k, theirs.camera + k);
    }
    mjvGLCamera mean = mjv_averageCamera(ours.camera, ours.camera + 1);
    mjvGLCamera reference = averageCamera(ours.camera, ours.camera + 1);
    bad += eyes_differ("average", &mean, &reference);
    test_release(b);
  }
  assert_int_equal(bad, 0);
}

TEST(spaces_of_room_and_model_agree) {
  BRIDGE_OR_SKIP();
  typedef void InScene(mjtNum*, mjtNum*, mjtNum*, const RefScene*);
  typedef void Change(mjtNum*, mjtNum*, const mjtNum*, const mjtNum*, const RefScene*);
  InScene *in_room = bridge_function("mjv_cameraInRoom"),
          *in_model = bridge_function("mjv_cameraInModel");
  Change *to_model = bridge_function("mjv_room2model"),
         *to_room = bridge_function("mjv_model2room");
  THEIRS(mjtNum, frustumHeight, const RefScene*);
  THEIRS(void, alignToCamera, mjtNum*, const mjtNum*, const mjtNum*);
  Bridge* b = moving(perspective, 3);
  static mjvScene scn;
  uint64_t seed = 6;
  int bad = 0;
  for (int trial = 0; trial < 200; trial++) {
    random_scene(&scn, &seed, b->m, b->d, trial);
    const RefScene* ref_scn = ref_scene_enter(&scn);
    mjtNum x[9] = {0}, y[9] = {0}, vec[3], quat[4], p[7], q[7];
    mjv_cameraInModel(x, x + 3, x + 6, &scn);
    in_model(y, y + 3, y + 6, ref_scn);
    bad += numbers_differ("in model", x, y, 9, 1e-12, 1);
    mjv_cameraInRoom(x, x + 3, x + 6, &scn);
    in_room(y, y + 3, y + 6, ref_scn);
    bad += numbers_differ("in room", x, y, 9, 1e-12, 1);
    for (int k = 0; k < 4; k++) {
      quat[k] = draw(&seed, 1);
      vec[k % 3] = draw(&seed, 1);
    }
    mjv_room2model(p, p + 3, vec, quat, &scn);
    to_model(q, q + 3, vec, quat, ref_scn);
    bad += numbers_differ("to model", p, q, 7, 1e-12, 1);
    mjv_model2room(p, p + 3, vec, quat, &scn);
    to_room(q, q + 3, vec, quat, ref_scn);
    bad += numbers_differ("to room", p, q, 7, 1e-12, 1);
    mjtNum height = mjv_frustumHeight(&scn), expected = frustumHeight(ref_scn);
    bad += numbers_differ("height", &height, &expected, 1, 1e-12, 1);
    mjv_alignToCamera(p, vec, x + 3);
    alignToCamera(q, vec, x + 3);
    bad += numbers_differ("aligned", p, q, 3, 1e-12, 1);
  }
  assert_int_equal(bad, 0);
}

TEST(mouse_moves_cameras_and_models_as_the_reference_does) {
  BRIDGE_OR_SKIP();
  THEIRS(void, moveCamera, void*, int, mjtNum, mjtNum, const RefScene*, mjvCamera*);
  THEIRS(void, moveModel, void*, int, mjtNum, mjtNum, const mjtNum*, RefScene*);
  static mjvScene scn, same_scn;
  uint64_t seed = 7;
  int bad = 0;
  for (int flat = 0; flat < 2; flat++) {
    Bridge* b = moving(flat ? parallel : perspective, 4);
    for (int trial = 0; trial < 300; trial++) {
      random_scene(&scn, &seed, b->m, b->d, trial);
      mjvCamera cam = random_camera(&seed, b->m, trial), same = cam;
      int action = 1 + trial % mjMOUSE_MOVE_H_REL;
      mjtNum x = draw(&seed, 2), y = draw(&seed, 2);
      mjv_moveCamera(b->m, action, x, y, &scn, &cam);
      moveCamera(b->ref_m, action, x, y, ref_scene_enter(&scn), &same);
      bad += cameras_differ("moved camera", &cam, &same);

      mjtNum up[3] = {draw(&seed, 1), draw(&seed, 1), 1};
      mju_normalize3(up);
      same_scn = scn;
      mjv_moveModel(b->m, action, x, y, up, &scn);
      moveModel(b->ref_m, action, x, y, up, ref_scene_enter(&same_scn));
      ref_scene_leave(&same_scn);
      bad += numbers_differ("moved model", scn.translate, same_scn.translate, 8, 3e-7, 1);
    }
    test_release(b);
  }
  assert_int_equal(bad, 0);
}

static int perturbs_differ(const char* label, const mjvPerturb* a, const mjvPerturb* b) {
  return numbers_differ(label, a->refpos, b->refpos,
                        (sizeof(*a) - offsetof(mjvPerturb, refpos)) / sizeof(mjtNum), 1e-9, 1);
}

TEST(pushed_bodies_go_where_the_reference_sends_them) {
  BRIDGE_OR_SKIP();
  THEIRS(void, initPerturb, void*, void*, const RefScene*, mjvPerturb*);
  THEIRS(void, movePerturb, void*, void*, int, mjtNum, mjtNum, const RefScene*, mjvPerturb*);
  THEIRS(void, applyPerturbPose, void*, void*, const mjvPerturb*, int);
  THEIRS(void, applyPerturbForce, void*, void*, const mjvPerturb*);
  static mjvScene scn;
  uint64_t seed = 8;
  int bad = 0;
  for (int trial = 0; trial < 200; trial++) {
    Bridge* b = moving(trial % 2 ? perspective : parallel, (unsigned int)trial);
    random_scene(&scn, &seed, b->m, b->d, trial);
    mjvPerturb pert;
    mjv_defaultPerturb(&pert);
    pert.select = trial / 2 % b->m->nbody;
    for (int k = 0; k < 3; k++) {
      pert.localpos[k] = draw(&seed, 0.2);
    }
    mjvPerturb same = pert;
    mjv_initPerturb(b->m, b->d, &scn, &pert);
    const RefScene* ref_scn = ref_scene_enter(&scn);
    initPerturb(b->ref_m, b->ref_d, ref_scn, &same);
    bad += perturbs_differ("start", &pert, &same);

    for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
      mjtNum x = draw(&seed, 1), y = draw(&seed, 1);
      mjv_movePerturb(b->m, b->d, action, x, y, &scn, &pert);
      movePerturb(b->ref_m, b->ref_d, action, x, y, ref_scn, &same);
      bad += perturbs_differ("goal", &pert, &same);
    }

    pert.active = same.active = trial % 4;
    pert.active2 = same.active2 = trial / 4 % 3;
    mjv_applyPerturbForce(b->m, b->d, &pert);
    applyPerturbForce(b->ref_m, b->ref_d, &same);
    bad += bridge_compare(b, "xfrc_applied", 1e-9);
    mjv_applyPerturbPose(b->m, b->d, &pert, trial / 3 % 2);
    applyPerturbPose(b->ref_m, b->ref_d, &same, trial / 3 % 2);
    bad += bridge_compare(b, "qpos mocap_pos mocap_quat", 1e-9);
    test_release(b);
  }
  assert_int_equal(bad, 0);
}

// Both engines fill a struct, ours one of garbage: not a byte differs.
#define SAME_DEFAULT(type, fill)                         \
  do {                                                   \
    type *a = malloc(sizeof *a), *c = malloc(sizeof *c); \
    memset(a, 0x5a, sizeof *a);                          \
    memset(c, 0, sizeof *c);                             \
    THEIRS(void, default##fill, type*);                  \
    mjv_default##fill(a);                                \
    default##fill(c);                                    \
    assert_memory_equal(a, c, sizeof *a);                \
    free(a);                                             \
    free(c);                                             \
  } while (0)

TEST(default_settings_are_the_same_bytes) {
  BRIDGE_OR_SKIP();
  SAME_DEFAULT(mjvCamera, Camera);
  SAME_DEFAULT(mjvPerturb, Perturb);
  SAME_DEFAULT(mjvOption, Option);
  SAME_DEFAULT(mjvFigure, Figure);
  THEIRS(void, defaultFreeCamera, void*, mjvCamera*);
  Bridge* b = test_bridge(perspective);
  mjvCamera ours, theirs;
  mjv_defaultFreeCamera(b->m, &ours);
  defaultFreeCamera(b->ref_m, &theirs);
  assert_int_equal(cameras_differ("free camera", &ours, &theirs), 0);
}

TEST(default_scenes_are_the_same_bytes) {
  BRIDGE_OR_SKIP();
  THEIRS(void, defaultScene, RefScene*);
  static mjvScene ours, theirs;
  memset(&ours, 0x5a, sizeof ours);
  memset(&theirs, 0, sizeof theirs);
  RefScene* ref_scn = ref_scene_enter(&theirs);
  memset(ref_scn, 0x5a, sizeof *ref_scn);
  mjv_defaultScene(&ours);
  defaultScene(ref_scn);
  ref_scene_leave(&theirs);
  assert_memory_equal(&ours, &theirs, sizeof ours);
}

// Lists of names, exported as data.
TEST(names_are_the_same) {
  BRIDGE_OR_SKIP();
  const struct {
    const char *name, *const *ours;
    int n;
  } lists[] = {
      {"mjLABELSTRING", mjLABELSTRING, mjNLABEL},
      {"mjFRAMESTRING", mjFRAMESTRING, mjNFRAME},
      {"mjVISSTRING", mjVISSTRING[0], 3 * mjNVISFLAG},
      {"mjRNDSTRING", mjRNDSTRING[0], 3 * mjNRNDFLAG},
  };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    const char* const* theirs = bridge_function(lists[i].name);
    assert_non_null(theirs);
    for (int k = 0; k < lists[i].n; k++) {
      assert_string_equal(lists[i].ours[k], theirs[k]);
    }
  }
}
