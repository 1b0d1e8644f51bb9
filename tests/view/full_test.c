// Scenes without enough room, and scenes that don't fit: what is left out, and what is said.

#include "support/caught.h"
#include "support/load.h"
#include "support/models.h"
#include "support/ref_scene.h"
#include "view/same_scene.h"

typedef void Update(void*, void*, const mjvOption*, const mjvPerturb*, mjvCamera*, int, RefScene*);

// A scene of so many shapes in both engines; returns how many there are.
static int fill(Bridge* b, const mjvOption* opt, int maxgeom) {
  Update* update = (Update*)bridge_function("mjv_updateScene");
  mjvScene ours, theirs;
  mjv_defaultScene(&ours);
  mjv_defaultScene(&theirs);
  mjv_makeScene(b->m, &ours, maxgeom);
  ref_scene_make(b, &theirs, maxgeom);
  mjvCamera cam;
  mjv_defaultFreeCamera(b->m, &cam);
  mjv_updateScene(b->m, b->d, opt, NULL, &cam, mjCAT_ALL, &ours);
  update(b->ref_m, b->ref_d, opt, NULL, &cam, mjCAT_ALL, ref_scene_enter(&theirs));
  ref_scene_leave(&theirs);
  int differ = scenes_differ(b->m, &ours, &theirs, opt->flags[mjVIS_FLEXSKIN]);
  const mjWarningStat* warning = bridge_ref_data(b, "warning", NULL);
  differ += b->d->warning[mjWARN_VGEOMFULL].number != warning[mjWARN_VGEOMFULL].number ||
            b->d->warning[mjWARN_VGEOMFULL].lastinfo != warning[mjWARN_VGEOMFULL].lastinfo;
  if (differ) {
    fail_msg("%d differences with room for %d shapes", differ, maxgeom);
  }
  int filled = ours.ngeom;
  mjv_freeScene(&ours);
  ref_scene_free(&theirs);
  return filled;
}

static void fills_alike(const char* path) {
  Bridge* b = bridge_load(path);
  if (!b) {
    return;
  }
  bridge_random(b, 2, 0.2);
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  mjvOption opt;
  for (int all = 0; all < 2; all++) {
    mjv_defaultOption(&opt);
    if (all) {
      memset(opt.flags, 1, sizeof opt.flags);
      opt.flags[mjVIS_SDFITER] = 0;
      opt.label = mjLABEL_BODY;
      opt.frame = mjFRAME_BODY;
    }
    int most = fill(b, &opt, 5000);
    int stride = 1 + most / 150;
    for (int room = 0; room <= most + 1; room += stride) {
      fill(b, &opt, room);
    }
  }
  bridge_free(b);
}

TEST(full_scenes_leave_out_what_the_reference_does) {
  BRIDGE_OR_SKIP();
  mju_user_warning = silent;
  void (**handler)(const char*) = bridge_function("mju_user_warning");
  *handler = silent;
  models_matching(MODELS "humanoid.xml", fills_alike);
  models_each("camera", fills_alike);
  models_each("equality", fills_alike);
  models_each("actuator_all", fills_alike);
  models_each("flex_cloth", fills_alike);
  models_each("tendon_e", fills_alike);
  models_each("skin", fills_alike);
}

static const char plain[] =
    "<mujoco><worldbody><geom size='1'/><body pos='0 0 3'><freejoint/><geom name='ball' "
    "size='1'/></body></worldbody></mujoco>";

TEST(a_full_scene_is_a_warning) {
  mjModel* m = test_model(plain);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 1);
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  mju_user_warning = keep_warning;
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  mju_user_warning = NULL;
  assert_int_equal(scn.ngeom, 1);
  assert_int_equal(scn.status, 1);
  assert_int_equal(d->warning[mjWARN_VGEOMFULL].number, 1);
  assert_non_null(strstr(warning_text, "geom"));
  mjv_freeScene(&scn);
}

TEST(a_scene_of_another_model_is_an_error) {
  mjModel* m = test_model_file("tests/models/flex_cloth.xml");
  mjModel* other = test_model(plain);
  mjModel* skinned = test_model_file("tests/models/skin.xml");
  mjData *d = test_data(m), *skinned_d = test_data(skinned);
  mj_forward(m, d);
  mj_forward(skinned, skinned_d);
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjtNum point[3];
  mjv_defaultScene(&scn);
  mjv_makeScene(other, &scn, 100);
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  assert_error(mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn),
               "mjv_updateScene: the scene was made for a model with other flexes or skins");
  assert_error(mjv_updateSkin(skinned, skinned_d, &scn), "mjv_updateSkin: the scene was made");
  assert_error(mjv_select(skinned, skinned_d, &opt, 1, 0, 0, &scn, point, NULL, NULL, NULL),
               "mjv_select: the scene was made");
  mjv_freeScene(&scn);
}

TEST(lights_need_a_camera) {
  mjModel* m = test_model(plain);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjvScene scn;
  mjvOption opt;
  mjtNum point[3];
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 100);
  mjv_defaultOption(&opt);
  assert_error(mjv_updateScene(m, d, &opt, NULL, NULL, mjCAT_ALL, &scn), "frustum_near");
  assert_error(mjv_makeLights(m, d, &scn), "frustum_near");
  assert_error(mjv_select(m, d, &opt, 1, 0, 0, &scn, point, NULL, NULL, NULL), "frustum_near");
  m->vis.headlight.active = 0;
  mjv_updateScene(m, d, &opt, NULL, NULL, mjCAT_ALL, &scn);
  assert_int_equal(scn.nlight, 0);
  mjv_freeScene(&scn);
}

TEST(numbers_out_of_range_select_and_show_nothing) {
  mjModel* m = test_model(plain);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjvPerturb pert;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 100);
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  int usual = scn.ngeom;
  const int wrong[] = {-1, -2147483647 - 1, 2147483647, 1000};
  for (int i = 0; i < 4; i++) {
    mjv_defaultOption(&opt);
    mjv_defaultPerturb(&pert);
    opt.label = opt.frame = opt.bvh_depth = opt.flex_layer = wrong[i];
    pert.select = pert.flexselect = pert.skinselect = wrong[i];
    pert.active = pert.active2 = 3;
    opt.flags[mjVIS_SELECT] = opt.flags[mjVIS_BODYBVH] = 1;
    mjv_updateScene(m, d, &opt, &pert, &cam, mjCAT_STATIC | mjCAT_DYNAMIC, &scn);
    assert_int_equal(scn.ngeom, usual);
    mjv_updateScene(m, d, &opt, &pert, &cam, mjCAT_ALL, &scn);
  }
  mjv_freeScene(&scn);
}
