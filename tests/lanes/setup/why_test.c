// Whatever of a model lanes are not known to have is refused with a reason; what they accept comes
// out as by mj_step. So a new type can't pass as an old one.

#include "lanes/setup/why.h"

#include <condyle/batch.h>

#include "lanes/models.h"
#include "support/near.h"

enum {
  BEYOND = 40  // more than any list of types has
};

// A little of everything of which there are types.
static const char kModel[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 .119'>"
    "<joint name='j' axis='0 1 0' pos='.1 0 .3'/><geom name='g' type='box' size='.2 .1 .12'/>"
    "<site name='a' pos='.1 0 .2'/><body pos='.4 0 0'><joint name='k' axis='1 0 .3'/>"
    "<geom size='.11' pos='.1 .08 0'/><site name='b' pos='0 .1 .3'/></body></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
    "<equality><joint joint1='j' joint2='k'/></equality><actuator><general joint='j' gainprm='2 1 "
    "1'"
    " biasprm='1 2 3' dynprm='.3'/><general joint='k' dyntype='filter' dynprm='.2'/></actuator>"
    "</mujoco>";

// One step of a model in lanes, if they take it, beside mj_step. Returns whether they do.
static int is_taken(mjModel* m) {
  char text[200] = "";
  const char* options = why_options(m, 0);
  if (why_model(text, sizeof(text), m) || options) {
    assert_true(options || strlen(text) > 10);
    return 0;
  }
  mjData* d = test_data(m);
  cndBatch* batch = cnd_makeBatch(m, 3, 0);
  cndArray acc;
  uint64_t seed = 3;
  lane_state(d, m, &seed, 0.02, 0.3);
  for (int i = 0; i < 3; i++) {
    cnd_batchSetData(batch, i, d);
  }
  cnd_batchExpose(&acc, batch, "qacc");
  assert_that(cnd_batchLanes(batch, cndLANES_DOUBLE), >, 0);
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
  assert_int_equal(cnd_batchLeft(batch), 0);
  mj_step(m, d);
  assert_numbers(acc.data, d->qacc, m->nv, 1e-4, 1.0);
  cnd_deleteBatch(batch);
  test_release(d);
  return 1;
}

// Sets a type to all values there are and more; returns those that lanes take, as bits.
static uint64_t taken(mjModel* m, int* type) {
  int own = *type;
  uint64_t bits = 0;
  for (int value = -1; value < BEYOND; value++) {
    *type = value;
    if (is_taken(m)) {
      assert_that(value, >=, 0);
      bits |= (uint64_t)1 << value;
    }
  }
  *type = own;
  return bits;
}

#define OF(type) ((uint64_t)1 << (type))

static void assert_taken(mjModel* m, int* type, uint64_t want) {
  assert_int_equal(taken(m, type), want);
}

TEST(types_of_actuators_that_are_not_known_are_refused) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kModel);
  assert_taken(m, m->actuator_gaintype, OF(mjGAIN_FIXED) | OF(mjGAIN_AFFINE) | OF(mjGAIN_MUSCLE));
  assert_taken(m, m->actuator_biastype, OF(mjBIAS_NONE) | OF(mjBIAS_AFFINE) | OF(mjBIAS_MUSCLE));
  m->actuator_trnid[1] = 1;  // a second site, for kinds that have one
  assert_taken(m, m->actuator_trntype,
               OF(mjTRN_JOINT) | OF(mjTRN_JOINTINPARENT) | OF(mjTRN_SLIDERCRANK) |
                   OF(mjTRN_TENDON) | OF(mjTRN_SITE) | OF(mjTRN_BODY));
  assert_taken(m, m->actuator_dyntype + 1,
               OF(mjDYN_INTEGRATOR) | OF(mjDYN_FILTER) | OF(mjDYN_FILTEREXACT) | OF(mjDYN_NONE) |
                   OF(mjDYN_MUSCLE));
}

TEST(options_that_are_not_known_are_refused) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kModel);
  assert_taken(m, &m->opt.integrator,
               OF(mjINT_EULER) | OF(mjINT_RK4) | OF(mjINT_IMPLICIT) | OF(mjINT_IMPLICITFAST));
  assert_taken(m, &m->opt.cone, OF(mjCONE_PYRAMIDAL) | OF(mjCONE_ELLIPTIC));
  assert_taken(m, &m->opt.solver, OF(mjSOL_PGS) | OF(mjSOL_CG) | OF(mjSOL_NEWTON));
  assert_taken(m, &m->opt.jacobian, OF(mjJAC_DENSE) | OF(mjJAC_SPARSE) | OF(mjJAC_AUTO));
}

TEST(PGS_with_a_pair_of_fixed_geoms_is_refused) {
  static const char xml[] =
      "<mujoco><option solver='%s'/><worldbody><geom name='a' size='.1'/><body pos='0 0 .15'>"
      "<geom name='b' size='.1'/></body><body pos='0 0 .3'><joint/><geom name='c' "
      "size='.1'/></body>"
      "</worldbody><contact><pair geom1='a' geom2='%s'/></contact></mujoco>";
  static const struct {
    const char *solver, *other;
    int refused;
  } cases[] = {{"PGS", "b", 1}, {"PGS", "c", 0}, {"Newton", "b", 0}};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof(text), xml, cases[i].solver, cases[i].other);
    const char* reason = why_options(test_model(text), 0);
    assert_that(reason != NULL, ==, cases[i].refused);
  }
}

// Each flag alone.
static uint64_t flags_taken(mjModel* m, int* flags) {
  uint64_t bits = 0;
  for (int k = 0; k < 31; k++) {
    *flags = 1 << k;
    bits |= is_taken(m) ? OF(k) : 0;
  }
  *flags = 0;
  return bits;
}

TEST(flags_that_are_not_known_are_refused) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kModel);
  assert_int_equal(flags_taken(m, &m->opt.disableflags), OF(mjNDISABLE) - 1);
  assert_int_equal(flags_taken(m, &m->opt.enableflags), OF(mjNENABLE) - 1);
}

// Only refusals can be tried on a compiled model: its arrays fit the type that it has.
static void assert_unknown(mjModel* m, int* type, uint64_t known) {
  char text[200];
  int own = *type;
  for (int value = -1; value < BEYOND; value++) {
    if (value < 0 || !(known >> value & 1)) {
      *type = value;
      if (!why_model(text, sizeof(text), m)) {
        fail_msg("%d is taken", value);
      }
    }
  }
  *type = own;
}

TEST(types_of_the_structure_that_are_not_known_are_refused) {
  mjModel* m = test_model(kModel);
  assert_unknown(m, m->jnt_type,
                 OF(mjJNT_FREE) | OF(mjJNT_BALL) | OF(mjJNT_SLIDE) | OF(mjJNT_HINGE));
  assert_unknown(m, m->geom_type + 1,
                 OF(mjGEOM_PLANE) | OF(mjGEOM_HFIELD) | OF(mjGEOM_SPHERE) | OF(mjGEOM_CAPSULE) |
                     OF(mjGEOM_ELLIPSOID) | OF(mjGEOM_CYLINDER) | OF(mjGEOM_BOX) | OF(mjGEOM_MESH));
  assert_unknown(m, m->geom_condim, OF(1) | OF(3) | OF(4) | OF(6));
  assert_unknown(m, m->eq_type,
                 OF(mjEQ_CONNECT) | OF(mjEQ_WELD) | OF(mjEQ_JOINT) | OF(mjEQ_TENDON));
  assert_unknown(m, m->wrap_type, OF(mjWRAP_JOINT) | OF(mjWRAP_SITE) | OF(mjWRAP_PULLEY));
}

// A path of sites, a geom that may be in the way, and a pulley.
TEST(paths_that_are_not_known_are_refused) {
  mjModel* m = test_model(
      "<mujoco><worldbody><site name='a' pos='0 0 1'/><body><joint/><geom name='g' size='.1'/>"
      "<site name='b' pos='.2 0 0'/></body></worldbody><tendon><spatial><site site='a'/>"
      "<geom geom='g'/><site site='b'/><pulley divisor='2'/><site site='a'/><site site='b'/>"
      "</spatial></tendon></mujoco>");
  char text[200];
  assert_int_equal(why_model(text, sizeof(text), m), 0);
  unsigned known = OF(mjWRAP_SITE) | OF(mjWRAP_PULLEY) | OF(mjWRAP_SPHERE) | OF(mjWRAP_CYLINDER);
  assert_unknown(m, m->wrap_type + 1, known);
  assert_unknown(m, m->wrap_type, OF(mjWRAP_SITE));
  assert_unknown(m, m->wrap_type + 2, OF(mjWRAP_SITE));
  m->tendon_armature[0] = 1;
  assert_int_equal(why_model(text, sizeof(text), m), 1);
}

// Every kind of sensor is in the table of lanes, where tests compare it, or refused.
TEST(sensors_that_are_not_known_are_refused) {
  mjModel* m = test_model(LANE_SENSES(""));
  char text[200];
  for (int type = -1; type < 80; type++) {
    m->sensor_type[0] = type;
    assert_int_equal(why_sensors(text, sizeof(text), m) != 0, sensor_need(m, 0) == NEEDS_LANES);
  }
}
