// field.c: the tables of fields at run time.

#include <condyle/condyle.h>
#include <mujoco/mjxmacro.h>

#include "support/load.h"
#include "support/small_model.h"
#include "support/test.h"

TEST(every_public_array_is_listed) {
  int count = 0;
#define X(kind, array, nr, nc)                                 \
  assert_string_equal(cnd_modelField(count)->name, #array);    \
  assert_string_equal(cnd_modelField(count)->type, #kind);     \
  assert_int_equal(cnd_modelField(count)->size, sizeof(kind)); \
  count++;
  MJMODEL_POINTERS
#undef X
  assert_int_equal(count, 429);
  assert_that(cnd_modelFieldCount(), >=, count);
  assert_null(cnd_modelField(-1));
  assert_null(cnd_modelField(cnd_modelFieldCount()));

  count = 0;
#define X(size) assert_string_equal(cnd_sizeField(count++)->name, #size);
  MJMODEL_INTS
#undef X
  assert_int_equal(count, 86);
}

TEST(every_field_has_a_meaning) {
  const cndField* (*const lists[])(int) = {cnd_sizeField, cnd_modelField, cnd_optionField,
                                           cnd_dataField};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; lists[k](i); i++) {
      const cndField* field = lists[k](i);
      assert_that(strlen(field->meaning), >, 3u);
      assert_int_equal(field->hidden, !strncmp(field->name, "cnd_", 4));
    }
  }
}

TEST(shapes_are_worked_out) {
  mjModel* m = small_model();
  cndArray array;
  assert_int_equal(cnd_modelArray(&array, m, "body_pos"), 1);
  assert_ptr_equal(array.data, m->body_pos);
  assert_int_equal(array.rows, 4);
  assert_int_equal(array.columns, 3);
  assert_string_equal(array.field->columns, "3");

  assert_int_equal(cnd_modelArray(&array, m, "key_mquat"), 1);
  assert_int_equal(array.rows, 2);
  assert_int_equal(array.columns, 4);
  assert_int_equal(cnd_modelArray(&array, m, "body_user"), 1);
  assert_int_equal(array.columns, 0);
  assert_string_equal(array.field->columns, "nuser_body");
  assert_int_equal(cnd_modelArray(&array, m, "mat_texid"), 1);
  assert_int_equal(array.columns, mjNTEXROLE);

  assert_int_equal(cnd_modelArray(&array, m, "nv"), 1);
  assert_ptr_equal(array.data, &m->nv);
  assert_int_equal(cnd_modelArray(&array, m, "opt.gravity"), 1);
  assert_ptr_equal(array.data, m->opt.gravity);
  assert_int_equal(array.rows * array.columns, 3);
  assert_int_equal(cnd_modelArray(&array, m, "timestep"), 1);
  assert_ptr_equal(array.data, &m->opt.timestep);
  mj_deleteModel(m);
}

TEST(arrays_of_data_have_their_present_shape) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  cndArray array;
  assert_int_equal(cnd_dataArray(&array, m, d, "ten_J"), 1);
  assert_int_equal(array.rows, 0);
  assert_int_equal(array.columns, 7);
  assert_int_equal(cnd_dataArray(&array, m, d, "warning"), 1);
  assert_ptr_equal(array.data, d->warning);
  assert_int_equal(array.rows, mjNWARNING);
  assert_int_equal(cnd_dataArray(&array, m, d, "solver"), 1);
  assert_int_equal(array.rows * array.columns, mjNISLAND * mjNSOLVER);

  // rows in the arena are there or not
  assert_int_equal(cnd_dataArray(&array, m, d, "efc_KBIP"), 1);
  assert_null(array.data);
  assert_int_equal(array.field->arena, 1);
  mjtNum rows[8];
  d->efc_KBIP = rows;
  d->nefc = 2;
  cnd_dataArray(&array, m, d, "efc_KBIP");
  assert_int_equal(array.rows, 2);
  assert_int_equal(array.columns, 4);
  mj_deleteModel(m);
}

TEST(unknown_names_are_not_found) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  cndArray array;
  assert_int_equal(cnd_modelArray(&array, m, "body"), 0);
  assert_null(array.data);
  assert_int_equal(cnd_modelArray(&array, m, "opt."), 0);
  assert_int_equal(cnd_dataArray(&array, m, d, ""), 0);
  mj_deleteModel(m);
}

TEST(versions_are_told) {
  assert_int_equal(mj_version(), 337);
  assert_int_equal(mj_version(), mjVERSION_HEADER);
  assert_string_equal(mj_versionString(), "3.3.7");
  assert_string_equal(cnd_version(), "0.1.0");
}
