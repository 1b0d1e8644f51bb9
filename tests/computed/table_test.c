// The table of the arrays of later releases: shapes, origins, constants.

#include <condyle/computed.h>

#include "support/caught.h"
#include "support/load.h"
#include "support/models.h"
#include "support/near.h"
#include "support/test.h"

// Fills an array between two walls of bytes; returns 0 if it wrote over one of them.
static int fills_what_it_says(const mjModel* m, const mjData* d, const cndComputed* row) {
  cndArray array = {0};
  assert_int_equal(cnd_computedArray(&array, m, d, row->field.name), 1);
  assert_true(array.field == &row->field);
  assert_true(!array.data);
  size_t bytes = array.rows * array.columns * array.field->size;
  unsigned char* block = malloc(bytes + 128);
  int ok = 1;
  for (int pass = 0; pass < 2; pass++) {
    // every element is written, and nothing beside
    memset(block, pass ? 0xa5 : 0x5a, bytes + 128);
    array.data = block + 64;
    cnd_computedArray(&array, m, d, row->field.name);
    for (size_t i = 0; i < 128; i++) {
      ok = ok && block[i < 64 ? i : bytes + i] == (pass ? 0xa5 : 0x5a);
    }
    for (size_t i = 0; pass && i + array.field->size <= bytes; i += array.field->size) {
      size_t same = 0;
      for (size_t k = 0; k < array.field->size; k++) {
        same += block[64 + i + k] == 0xa5;
      }
      ok = ok && same < array.field->size;
    }
  }
  free(block);
  return ok;
}

static void check_model(const char* path) {
  char error[500];
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) {
    return;
  }
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  int bad = 0;
  for (int i = 0; i < cnd_computedCount(); i++) {
    const cndComputed* row = cnd_computedField(i);
    if (!fills_what_it_says(m, row->origin == cndORIGIN_DATA ? d : NULL, row)) {
      print_error("%s: %s\n", path, row->field.name);
      bad++;
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  assert_int_equal(bad, 0);
}

TEST(arrays_are_filled_within_their_shape) {
  models_each("computed_", check_model);
  models_each("flex", check_model);
  models_matching(CONDYLE_SOURCE_DIR "/tests/reference/computed/*.xml", check_model);
  models_each("tendon", check_model);
  models_matching(MODELS "*.xml", check_model);
}

TEST(names_are_unique_and_known) {
  mjModel* m = test_model("<mujoco/>");
  mjData* d = test_data(m);
  for (int i = 0; i < cnd_computedCount(); i++) {
    const cndComputed* row = cnd_computedField(i);
    cndArray array;
    for (int k = 0; k < i; k++) {
      assert_string_not_equal(row->field.name, cnd_computedField(k)->field.name);
    }
    // additions: no name of 3.3.7 means something else in the same struct
    int known = row->is_data ? cnd_dataArray(&array, m, d, row->field.name)
                             : cnd_modelArray(&array, m, row->field.name);
    assert_int_equal(known, 0);
    assert_true(i == 0 || row->is_data >= cnd_computedField(i - 1)->is_data);
  }
  assert_null(cnd_computedField(-1));
  assert_null(cnd_computedField(cnd_computedCount()));
  cndArray none = {.data = &none};
  assert_int_equal(cnd_computedArray(&none, m, d, "no_such"), 0);
  assert_null(none.data);
}

TEST(projections_of_cameras_are_known_under_both_names) {
  mjModel* m =
      test_model("<mujoco><worldbody><camera/><camera orthographic='true'/></worldbody></mujoco>");
  int projection[2] = {7, 7};
  cndArray array = {.data = projection};
  assert_int_equal(cnd_computedArray(&array, m, NULL, "cam_projection"), 1);
  assert_int_equal(projection[0], 0);
  assert_int_equal(projection[1], 1);
}

// The matrices of data are those of the quaternions.
TEST(quaternions_are_those_of_the_matrices) {
  mjModel* m = test_model_file("tests/models/computed_trees.xml");
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.1 * i);
  }
  mj_integratePos(m, d->qpos, d->qvel, 1);
  mj_kinematics(m, d);
  const struct {
    const char* name;
    const mjtNum* mat;
  } cases[] = {{"xiquat", d->ximat}, {"geom_xquat", d->geom_xmat}, {"site_xquat", d->site_xmat}};
  for (int k = 0; k < 3; k++) {
    mjtNum quat[400];
    cndArray array = {.data = quat};
    cnd_computedArray(&array, m, d, cases[k].name);
    for (size_t i = 0; i < array.rows; i++) {
      mjtNum mat[9];
      mju_quat2Mat(mat, quat + 4 * i);
      assert_close(mat, cases[k].mat + 9 * i, 9, 1e-14);
    }
  }
}
