// Simple actuators, alternative orientations, sensor sizes: numbers recorded from the reference.

#include "support/near.h"
#include "support/test.h"

static mjsActuator fresh(void) {
  mjsActuator actuator;
  mjs_defaultActuator(&actuator);
  return actuator;
}

static void assert_types(const mjsActuator* actuator, mjtDyn dyn, mjtGain gain, mjtBias bias) {
  assert_int_equal(actuator->dyntype, dyn);
  assert_int_equal(actuator->gaintype, gain);
  assert_int_equal(actuator->biastype, bias);
}

TEST(servos_set_gain_and_bias) {
  double kv = 3, ratio = 0.5, time = 0.25;
  mjsActuator a = fresh();
  a.gainprm[0] = 9;
  assert_string_equal(mjs_setToMotor(&a), "");
  assert_types(&a, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  assert_near(a.gainprm[0], 1, 0);

  a = fresh();
  assert_string_equal(mjs_setToPosition(&a, 10, &kv, NULL, NULL, 0), "");
  assert_types(&a, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  assert_near(a.gainprm[0], 10, 0);
  assert_numbers(a.biasprm, ((const double[]){0, -10, -3}), 3, 1e-15, 1);
  assert_string_equal(mjs_setToPosition(&a, 10, NULL, &ratio, &time, 0), "");
  assert_types(&a, mjDYN_FILTEREXACT, mjGAIN_FIXED, mjBIAS_AFFINE);
  assert_near(a.biasprm[2], 0.5, 0);
  assert_near(a.dynprm[0], 0.25, 0);

  a = fresh();
  assert_string_equal(mjs_setToIntVelocity(&a, 10, &kv, NULL, NULL, 0), "");
  assert_types(&a, mjDYN_INTEGRATOR, mjGAIN_FIXED, mjBIAS_AFFINE);
  assert_int_equal(a.actlimited, mjLIMITED_TRUE);

  a = fresh();
  a.biasprm[1] = 5;
  assert_string_equal(mjs_setToVelocity(&a, 2), "");
  assert_types(&a, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  assert_numbers(a.biasprm, ((const double[]){0, 0, -2}), 3, 1e-15, 1);
}

TEST(other_kinds_set_what_they_mention) {
  mjsActuator a = fresh();
  assert_string_equal(mjs_setToDamper(&a, 4), "");
  assert_types(&a, mjDYN_NONE, mjGAIN_AFFINE, mjBIAS_NONE);
  assert_numbers(a.gainprm, ((const double[]){0, 0, -4}), 3, 1e-15, 1);
  assert_int_equal(a.ctrllimited, mjLIMITED_TRUE);

  a = fresh();
  assert_string_equal(mjs_setToCylinder(&a, 0.5, 2, 3, -1), "");
  assert_types(&a, mjDYN_FILTER, mjGAIN_FIXED, mjBIAS_AFFINE);
  assert_near(a.gainprm[0], 3, 0);
  mjs_setToCylinder(&a, 0.5, 2, 3, 2);
  assert_near(a.gainprm[0], 3.14159265358979312, 1e-15);
  assert_near(a.biasprm[0], 2, 0);

  a = fresh();
  assert_string_equal(mjs_setToAdhesion(&a, 6), "");
  assert_types(&a, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  assert_near(a.gainprm[0], 6, 0);
  assert_int_equal(a.ctrllimited, mjLIMITED_TRUE);
}

TEST(a_muscle_replaces_generic_values_only) {
  double time[2] = {-1, 0.08}, range[2] = {0.5, -1};
  mjsActuator a = fresh();
  a.gainprm[3] = 150;
  assert_string_equal(mjs_setToMuscle(&a, time, 0.1, range, 70, -1, -1, -1, -1, -1, -1), "");
  assert_types(&a, mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE);
  const double expected[10] = {0.5, 1.05, 70, 150, 0.5, 1.6, 1.5, 1.3, 1.2, 0};
  assert_numbers(a.gainprm, expected, 10, 1e-15, 1);
  assert_numbers(a.biasprm, expected, 10, 1e-15, 1);
  assert_numbers(a.dynprm, ((const double[]){0.01, 0.08, 0.1}), 3, 1e-15, 1);
}

TEST(impossible_arguments_are_named) {
  double one = 1, minus = -1;
  mjsActuator a = fresh();
  assert_string_equal(mjs_setToPosition(&a, 1, &one, &one, NULL, 0),
                      "kv and dampratio cannot both be defined");
  assert_string_equal(mjs_setToPosition(&a, 1, &minus, NULL, NULL, 0), "kv cannot be negative");
  assert_string_equal(mjs_setToPosition(&a, 1, NULL, &minus, NULL, 0),
                      "dampratio cannot be negative");
  assert_string_equal(mjs_setToPosition(&a, 1, NULL, NULL, &minus, 0),
                      "timeconst cannot be negative");
  assert_string_equal(mjs_setToDamper(&a, -1), "damping coefficient cannot be negative");
  assert_string_equal(mjs_setToAdhesion(&a, -1), "adhesion gain cannot be negative");
  a.ctrlrange[0] = -1;
  a.actrange[1] = 1;
  assert_string_equal(mjs_setToPosition(&a, 1, NULL, NULL, NULL, 1),
                      "ctrlrange and inheritrange cannot both be defined");
  assert_string_equal(mjs_setToIntVelocity(&a, 1, NULL, NULL, NULL, 1),
                      "actrange and inheritrange cannot both be defined");
  assert_string_equal(mjs_setToDamper(&a, 1), "damper control range cannot be negative");
  assert_string_equal(mjs_setToAdhesion(&a, 1), "adhesion control range cannot be negative");
  assert_string_equal(mjs_setToMuscle(&a, NULL, -1, NULL, 0, 0, 0, 0, 0, 0, 0),
                      "muscle tausmooth cannot be negative");
}

TEST(sensors_know_their_size) {
  static const struct {
    mjtSensor type;
    int dim;
  } expected[] = {
      {mjSENS_TOUCH, 1},      {mjSENS_ACCELEROMETER, 3}, {mjSENS_CAMPROJECTION, 2},
      {mjSENS_BALLQUAT, 4},   {mjSENS_FRAMEQUAT, 4},     {mjSENS_FRAMEXAXIS, 3},
      {mjSENS_GEOMDIST, 1},   {mjSENS_GEOMFROMTO, 6},    {mjSENS_INSIDESITE, 1},
      {mjSENS_USER, 9},       {mjSENS_PLUGIN, 0},        {mjSENS_CONTACT, 4 * (1 + 3 + 3)},
      {mjSENS_SUBTREECOM, 3}, {mjSENS_CLOCK, 1},
  };
  mjSpec* s = mj_makeSpec();
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->dim = 9;
  sensor->intprm[0] = 1 | 2 | 32;  // found, force, normal
  sensor->intprm[2] = 4;
  for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
    sensor->type = expected[i].type;
    assert_int_equal(mjs_sensorDim(sensor), expected[i].dim);
  }

  // one vector per vertex of a mesh that is given as numbers
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, "skin");
  mjs_setFloat(mesh->uservert, (const float[12]){0}, 12);
  sensor->type = mjSENS_TACTILE;
  sensor->objtype = mjOBJ_MESH;
  mjs_setString(sensor->objname, "skin");
  assert_int_equal(mjs_sensorDim(sensor), 12);
  mj_deleteSpec(s);
}
