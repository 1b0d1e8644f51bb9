// Exact derivatives of sensors that measure surfaces: contacts, rays, nearest points.

#include "derivative/ladder.h"

// Contacts of every kind of number, by every reduction, and from both sides; elliptic cones of 3 to
// 6 dimensions.
static const char kContacts[] =
    "<mujoco><option timestep='.002' cone='elliptic'/><worldbody><geom name='floor' type='plane' "
    "size='3 3 1'/><site name='box' type='box' size='1 1 1'/><body name='a' pos='0 0 "
    ".19'><freejoint/><geom name='ball' size='.2' condim='6' friction='1 .02 .01'/><body "
    "name='arm' pos='0 0 .3'><joint type='ball'/><geom type='capsule' size='.05 .2' euler='0 60 "
    "0' pos='.1 0 0'/></body></body><body name='b' pos='.38 0 .18'><freejoint/><geom type='box' "
    "size='.2 .15 .18' condim='4'/></body></worldbody><sensor><contact site='box' data='found "
    "force torque dist pos normal tangent' num='6'/><contact site='box' data='found force torque "
    "dist pos normal tangent' num='3' reduce='mindist'/><contact site='box' data='force torque "
    "pos' num='2' reduce='maxforce'/><contact subtree1='a' data='found force torque dist pos "
    "normal tangent' reduce='netforce'/><contact geom1='ball' geom2='floor' data='force torque "
    "dist pos normal tangent'/><contact body1='b' body2='a' data='force torque dist pos normal "
    "tangent'/><contact body1='a' body2='b' data='force torque dist pos normal "
    "tangent'/><contact body1='b' body2='a' data='dist linvel angvel' cutoff='.01'/>"
    "<contact geom1='floor' geom2='ball' data='force linvel angvel'/><contact site='box' "
    "data='linvel angvel' num='4' reduce='mindist'/><distance geom1='ball' body2='b' "
    "cutoff='2'/><normal geom1='ball' body2='b' "
    "cutoff='2'/><fromto geom1='ball' body2='b' cutoff='2'/><fromto body1='b' body2='arm' "
    "cutoff='2'/><normal body1='arm' body2='b' cutoff='2'/></sensor></mujoco>";

// Nearest points of shapes that do not collide, in both orders of their types.
static const char kNearest[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='3 3 1' pos='0 0 -1' contype='0' "
    "conaffinity='0'/><body name='a' pos='0 0 .19'><freejoint/><geom contype='0' conaffinity='0' "
    "type='ellipsoid' size='.1 .2 .15'/></body><body name='b' pos='.6 0 .18'><freejoint/><geom "
    "contype='0' conaffinity='0' type='cylinder' size='.2 .15'/></body><body name='c' pos='.6 .7 "
    ".18'><freejoint/><geom contype='0' conaffinity='0' type='box' size='.2 .1 "
    ".15'/></body><body name='d' pos='-.6 .4 .18'><freejoint/><geom contype='0' conaffinity='0' "
    "type='capsule' size='.1 .15'/></body></worldbody><sensor><fromto body1='d' body2='c' "
    "cutoff='3'/><fromto body1='c' body2='b' cutoff='3'/><normal geom1='floor' body2='b' "
    "cutoff='3'/><normal body1='c' body2='d' cutoff='3'/><fromto body1='b' geom2='floor' "
    "cutoff='3'/><fromto geom1='floor' body2='a' cutoff='3'/><normal geom1='floor' body2='c' "
    "cutoff='3'/><distance geom1='floor' body2='c' cutoff='3'/></sensor></mujoco>";

// Rays onto a mesh and a height field: its slopes, its sides, and past them.
static const char kRays[] =
    "<mujoco><option timestep='.004'/><asset><mesh name='p' builtin='supersphere' params='7 .8 "
    "1.2' scale='.3 .4 .2'/><hfield name='h' nrow='4' ncol='5' size='1 1.2 .3 .1' elevation='0 "
    ".1 .4 .2 .5 .3 .2 .8 .1 .2 .6 .7 .1 .2 .3 .5 .4 .1 .9 .2'/></asset><worldbody><geom "
    "type='hfield' hfield='h' pos='.1 .2 -.5' euler='3 4 5' contype='0' conaffinity='0'/><body "
    "pos='0 0 .6'><freejoint/><geom type='mesh' mesh='p' contype='0' conaffinity='0'/><body "
    "pos='0 0 -.3'><joint type='ball'/><geom size='.02' contype='0' conaffinity='0'/><site "
    "name='down' euler='170 10 0'/><site name='side' euler='80 10 0'/><site name='up' euler='10 "
    "10 0'/><site name='up2' euler='20 0 0' pos='.05 0 "
    "0'/></body></body></worldbody><sensor><rangefinder site='down'/><rangefinder "
    "site='side'/><rangefinder site='up'/><rangefinder site='up2'/></sensor></mujoco>";

static void check(const char* xml, const char* name, mjtNum ccd_tolerance, int states) {
  unsigned seed = 5;
  mjModel* m = test_model(xml);
  m->opt.ccd_tolerance = ccd_tolerance;
  m->opt.tolerance = 0;
  Steps s = steps_make(m);
  for (int i = 0; i < states; i++) {
    mj_resetData(m, s.d);
    steps_scatter(&s, &seed, (mjtNum)0.3);
    int wrong = ladder_wrong(&s, 1e-6);
    if (wrong) {
      fail_msg("%s, state %d: %d entries are not those of differences", name, i, wrong);
    }
  }
  steps_free(&s);
  test_release(m);
}

// What tells a past value is refused by its name, and only if sensors are asked for; a buffer alone
// changes nothing.
static void check_history(const char* history, int is_past) {
  char xml[600];
  snprintf(xml, sizeof xml,
           "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
           "<actuator><motor joint='j' nsample='3'/></actuator>"
           "<sensor><jointpos name='s' joint='j' %s/></sensor></mujoco>",
           history);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mjtNum A[4], C[2];
  assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), 0);
  if (is_past) {
    assert_error(cnd_transitionExact(m, d, A, NULL, C, NULL),
                 "sensor 0 (s) has no exact "
                 "derivative: it tells a past value");
    mj_resetData(m, d);
  } else {
    cnd_transitionExact(m, d, A, NULL, C, NULL);
    assert_near(C[0], 1, 1e-12);
  }
  m->actuator_delay[0] = (mjtNum).004;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "the model uses actuator_delay");
}

TEST(past_values_have_no_derivative) {
  check_history("nsample='3' delay='.01'", 1);
  check_history("nsample='3' interval='.01'", 1);
  check_history("nsample='3'", 0);
  check_history("interval='.01'", 0);
}

TEST(contacts_agree_with_differences) {
  DOUBLE_ONLY();
  check(kContacts, "contacts", (mjtNum)1e-6, 3);
}

TEST(rays_agree_with_differences) {
  DOUBLE_ONLY();
  check(kRays, "rays", (mjtNum)1e-6, 5);
}

TEST(nearest_points_agree_with_differences) {
  DOUBLE_ONLY();
  check(kNearest, "nearest points", (mjtNum)1e-14, 2);
}

// Of faces that are flat against each other any point is nearest: one is taken.
TEST(flat_faces_touch_with_a_point_of_theirs) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='a' type='box' size='1 1 1' contype='0'/><body pos='0 0 1.2'>"
      "<joint name='j' type='slide' axis='0 0 1'/><geom name='b' type='box' size='.1 .1 .1' "
      "contype='0'/></body></worldbody><sensor><distance geom1='a' geom2='b' cutoff='1'/>"
      "<fromto geom1='a' geom2='b' cutoff='1'/></sensor></mujoco>");
  mjData* d = test_data(m);
  mjtNum C[14];
  cnd_transitionExact(m, d, NULL, NULL, C, NULL);
  assert_near(C[0], 1, 1e-12);      // distance
  assert_near(C[2 * 3], 0, 1e-12);  // z of the point of the box at rest
  assert_near(C[2 * 6], 1, 1e-12);  // and of the one that moves
}
