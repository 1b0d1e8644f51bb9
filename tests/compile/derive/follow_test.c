// What follows from changed numbers of a model: cnd_setConst against numbers of 4.0.0.

#include "compile/derive/follow.h"

#include <condyle/condyle.h>

#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MODEL(capsule)                                                                           \
  "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 2 .5 .2' elevation='0 1 0 "         \
  "1'/></asset>"                                                                                 \
  "<worldbody><geom name='hf' type='hfield' hfield='h'/><body name='a' pos='0 0 2'>"             \
  "<joint name='j' axis='0 1 0'/><geom name='g' type='box' size='.1 .2 .3' "                     \
  "fluidshape='ellipsoid' "                                                                      \
  "margin='.01'/><geom name='c' type='capsule' size='.1 .2' pos='.5 0 0' " capsule               \
  "/>"                                                                                           \
  "<site name='s' pos='.1 0 0'/><camera/><light/></body><body name='b' pos='0 3 2'><freejoint/>" \
  "<geom size='.1'/></body></worldbody><tendon><fixed name='t'><joint joint='j' "                \
  "coef='2'/></fixed>"                                                                           \
  "</tendon><actuator><position joint='j' kp='10' dampratio='1'/></actuator></mujoco>"

// Changes what others follow from.
static void edit(mjModel* m) {
  mju_copy(m->geom_size + 3, ((mjtNum[]){(mjtNum)0.2, (mjtNum)0.3, (mjtNum)0.4}), 3);
  mju_copy(m->hfield_size, ((mjtNum[]){2, 3, 1, (mjtNum)0.5}), 4);
  m->geom_margin[2] = (mjtNum)0.05;
  m->body_mass[1] = 3;
  m->site_pos[0] = m->geom_pos[6] = 0;
  m->body_gravcomp[1] = 1;
  m->geom_contype[2] = 3;
  m->actuator_biasprm[2] = 1;
}

TEST(what_follows_from_an_edit_is_what_the_newest_reference_computes) {
  mjModel* m = test_model(MODEL(""));
  mjData* d = test_data(m);
  edit(m);
  cnd_setConst(m, d);
  static const double aabb[] = {0, 0, 0.25, 2,  3,  0.75, 0, 0, 0, 0.2, 0.3, 0.4,
                                0, 0, 0,    .1, .1, .3,   0, 0, 0, .1,  .1,  .1};
  assert_close(m->geom_aabb, aabb, 24, 1e-14);
  static const double rbound[] = {3.7416573867739413, 0.5385164807134505, 0.3, 0.1};
  assert_close(m->geom_rbound, rbound, 4, 1e-14);
  static const double fluid[] = {1,
                                 0.5,
                                 0.25,
                                 1.5,
                                 1,
                                 1,
                                 0.09419389997819501,
                                 0.044119199934830856,
                                 0.026927611207033676,
                                 0.0001983333087934633,
                                 0.001204226686641558,
                                 0.00033563082558683214};
  assert_close(m->geom_fluid + mjNFLUID, fluid, 12, 1e-12);
  assert_close(m->body_margin, ((double[]){0, .05, 0}), 3, 1e-15);
  assert_int_equal(m->body_contype[1], 3);
  assert_int_equal(m->geom_sameframe[2], mjSAMEFRAME_BODY);
  assert_int_equal(m->site_sameframe[0], mjSAMEFRAME_BODY);
  static const double box[] = {0, 0, -0.12937316969948573, 0.3, 0.4, 0.2};
  assert_close(m->bvh_aabb + 6 * m->body_bvhadr[1], box, 6, 1e-12);
  assert_near(m->body_subtreemass[0], 7.188790204786391, 1e-12);
  assert_near(m->dof_M0[0], 5.201274480711702, 1e-12);
  assert_int_equal(m->ngravcomp, 1);
}

TEST(words_of_authors_and_poses_of_cameras_stay) {
  mjModel* m = test_model(MODEL(""));
  mjData* d = test_data(m);
  mjtNum inertia = m->stat.meaninertia;
  edit(m);
  d->cam_xpos[0] = 7;
  cnd_setConst(m, d);
  assert_near(m->actuator_biasprm[2], 1, 0);
  assert_near(m->stat.meaninertia, inertia, 0);
  assert_near(d->cam_xpos[0], 7, 0);
}

TEST(an_edit_that_the_model_has_no_place_for_is_an_error) {
  mjModel* m = test_model(MODEL(""));
  mjData* d = test_data(m);
  m->body_ipos[6] = (mjtNum)0.1;
  assert_error(cnd_setConst(m, d), "body 2 'b' was compiled as one with a diagonal inertia");
  m = test_model(MODEL("contype='0' conaffinity='0'"));
  d = test_data(m);
  m->geom_contype[2] = 1;
  assert_error(cnd_setConst(m, d), "body 1 'a' has 2 geoms that collide");
}

#define WELDS                                                                   \
  "<worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>"  \
  "<body name='b' pos='1 0 1'><freejoint/><geom size='.1'/></body></worldbody>" \
  "<equality><weld body1='a' body2='b' anchor='1 2 3'/>"                        \
  "<weld body1='a' body2='b' relpose='0 1 0 2 0 0 0'/></equality></mujoco>"

// What the parameters of a weld hold: from the model, and after its second body has moved.
static void assert_weld_poses(int rule, double moved) {
  mjModel* m = test_model(rule ? "<mujoco><option><behaviour weldpose='enable'/></option>" WELDS
                               : "<mujoco>" WELDS);
  m->qpos0[7] = 2;
  mj_setConst(m, test_data(m));
  assert_close(m->eq_data + 3, ((double[]){moved, 2, 3, 1, 0, 0, 0}), 7, 1e-14);
  assert_close(m->eq_data + mjNEQDATA + 3, ((double[]){0, 1, 0, 1, 0, 0, 0}), 7, 1e-14);
}

TEST(welds_without_a_pose_follow_an_edit_by_the_later_rule_alone) {
  assert_weld_poses(0, 2);
  assert_weld_poses(1, 3);
}
