// pair.c: data go with every model that has the sizes they follow, and with no other.

#include "model/field.h"
#include "support/caught.h"
#include "support/small_model.h"
#include "support/test.h"

// A size that an array follows and that is not compared would let that array be overrun.
TEST(every_size_of_an_array_is_compared) {
#define PLACE(name) offsetof(mjModel, name),
  static const size_t compared[] = {CND_DATA_SIZES(PLACE)};
#undef PLACE
  int used[CND_NDATASIZE] = {0};
  for (int i = 0; i < field_data.count; i++) {
    const Count* count[] = {&field_data.shape[i].rows, &field_data.shape[i].columns};
    for (int k = 0; k < 2; k++) {
      int is_model = (count[k]->owner & ~COUNT_WIDE) == COUNT_MODEL, found = !is_model;
      for (int s = 0; s < CND_NDATASIZE; s++) {
        int same = is_model && compared[s] == count[k]->offset;
        found |= same;
        used[s] |= same;
      }
      if (!found) {
        fail_msg("a size of mjData.%s is not in CND_DATA_SIZES", field_data.field[i].name);
      }
    }
  }
  for (int s = 0; s < CND_NDATASIZE; s++) {
    if (!used[s]) {
      fail_msg("no array of mjData follows size %d of CND_DATA_SIZES", s);
    }
  }
}

TEST(models_of_the_same_sizes_take_the_data) {
  mjModel* m = small_model();
  mjData* d = mj_makeData(m);
  mjModel* copy = mj_copyModel(NULL, m);
  copy->body_mass[1] *= 2;
  copy->signature++;
  mj_resetData(copy, d);

  // as bytes
  int size = mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mjVFS vfs;
  mj_saveModel(m, NULL, bytes, size);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes, size);
  mjModel* read = mj_loadModel("m.mjb", &vfs);
  assert_non_null(read);
  mj_resetData(read, d);
  mj_deleteVFS(&vfs);
  free(bytes);

  // sizes alone
  mjModel sizes = small_model_sizes();
  mjtNum number[100];
  assert_that(mj_stateSize(m, mjSTATE_FULLPHYSICS), <, 100);
  mj_getState(&sizes, d, number, mjSTATE_FULLPHYSICS);
  mj_deleteModel(read);
  mj_deleteModel(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(a_size_that_differs_is_named) {
  mjModel* m = small_model();
  mjData* d = mj_makeData(m);
  mjModel more = small_model_sizes();
  more.nuserdata++;
  char text[200];
  snprintf(text, sizeof(text),
           "mj_setState: d was made for another model: nuserdata is %d, in m it is %d",
           m->nuserdata, more.nuserdata);
  mjModel* other = mj_copyModel(NULL, m);
  other->nuserdata++;
  mjtNum number[1000] = {0};
  assert_error(mj_setState(&more, d, number, mjSTATE_USERDATA), text);

  // what a program has changed since counts for data that are made then
  mjData* now = mj_makeData(other);
  mj_setState(other, now, number, mjSTATE_USERDATA);
  assert_error(mj_setState(m, now, number, mjSTATE_USERDATA), "d was made for another model");
  mj_setState(m, d, number, mjSTATE_USERDATA);
  mj_deleteData(now);
  mj_deleteModel(other);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// nothing is lost before the error
TEST(a_reset_with_another_model_changes_nothing) {
  mjModel* m = small_model();
  mjData* d = mj_makeData(m);
  mjModel other = small_model_sizes();
  other.nuserdata++;
  d->time = 7;
  d->qpos[0] = 8;
  assert_error(mj_resetData(&other, d), "mj_resetData: d was made for another model: nuserdata");
  assert_that(d->time, ==, 7);
  assert_that(d->qpos[0], ==, 8);
  mj_resetData(m, d);
  assert_that(d->time, ==, 0);
  assert_that(d->qpos[0], ==, m->qpos0[0]);
  mj_resetData(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
}
