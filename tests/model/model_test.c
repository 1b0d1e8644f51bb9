// model.c, layout.c: making, copying and freeing models.

#include "model/model.h"

#include <limits.h>
#include <mujoco/mjxmacro.h>

#include "model/layout.h"
#include "support/bridge.h"
#include "support/caught.h"
#include "support/small_model.h"
#include "support/test.h"

TEST(arrays_follow_each_other_aligned) {
  mjModel* m = small_model();
  const char* end = (const char*)m->qpos0;
  const char* first = end;
  assert_int_equal((uintptr_t)first % 64, 0);
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc)                     \
  assert_int_equal((uintptr_t)m->name % 64, 0);   \
  assert_that((const char*)m->name, >=, end);     \
  assert_that((const char*)m->name - end, <, 64); \
  end = (const char*)m->name + sizeof(type) * (size_t)(m->nr * (nc));
  MJMODEL_POINTERS
#undef X
  assert_int_equal(end - first, m->nbuffer);
  mj_deleteModel(m);
}

TEST(new_model_is_zero_with_default_settings) {
  mjModel sizes = small_model_sizes();
  mjModel* m = model_make(&sizes);
  const char* bytes = (const char*)m->qpos0;
  for (size_t i = 0; i < m->nbuffer; i++) {
    assert_int_equal(bytes[i], 0);
  }
  assert_that(m->opt.timestep, ==, (mjtNum)0.002);
  assert_int_equal(m->vis.global.cameraid, -1);
  assert_that(m->stat.extent, ==, 2);
  assert_that(m->stat.meansize, ==, (mjtNum)0.2);
  mj_deleteModel(m);
}

TEST(impossible_sizes_make_no_model) {
  mjModel sizes = small_model_sizes();
  sizes.nbody = -1;
  assert_null(model_make(&sizes));

  sizes = small_model_sizes();
  sizes.nkey = INT_MAX;
  sizes.nmocap = INT_MAX;
  assert_null(model_make(&sizes));

  sizes = small_model_sizes();
  sizes.nbody = INT_MAX;
  sizes.nuser_body = INT_MAX;
  sizes.ngeom = INT_MAX;
  sizes.nuser_geom = INT_MAX;
  assert_null(model_make(&sizes));
}

TEST(layout_notices_overflow) {
  Layout layout = {NULL, 0, 0};
  layout_add(&layout, 1LL << 40, 1LL << 40, 8);
  assert_int_equal(layout.overflow, 1);
  layout = (Layout){NULL, 0, 0};
  layout_add(&layout, 3, -1, 8);
  assert_int_equal(layout.overflow, 1);

  // memory might hold it, but no int its indices
  layout = (Layout){NULL, 0, 0};
  layout_add(&layout, 1 << 16, 1 << 15, 8);
  assert_int_equal(layout.overflow, 1);
  layout = (Layout){NULL, 0, 0};
  layout_add(&layout, (1 << 16) - 1, 1 << 15, 8);
  assert_int_equal(layout.overflow, 0);
  layout = (Layout){NULL, 0, 0};
  layout_add(&layout, 3, 1, 8);
  layout_add(&layout, 0, 1, 8);
  layout_add(&layout, 1, 1, 1);
  assert_int_equal(layout.overflow, 0);
  assert_int_equal(layout.size, 65);
}

TEST(copy_equals_the_original) {
  mjModel* m = small_model();
  m->opt.timestep = (mjtNum)0.25;
  m->vis.global.azimuth = 12;
  mjModel* copy = mj_copyModel(NULL, m);
  assert_int_equal(bridge_compare_models(copy, m, NULL, 0), 0);
  assert_int_equal(copy->signature, 42);
  assert_ptr_not_equal(copy->qpos0, m->qpos0);

  m->qpos0[3] = -8;
  assert_ptr_equal(mj_copyModel(copy, m), copy);
  assert_that(copy->qpos0[3], ==, -8);
  assert_ptr_equal(mj_copyModel(m, m), m);
  mj_deleteModel(copy);
  mj_deleteModel(m);
}

TEST(copying_to_another_size_is_an_error) {
  mjModel* m = small_model();
  mjModel sizes = small_model_sizes();
  sizes.nuserdata++;
  mjModel* other = model_make(&sizes);
  other->qpos0[0] = 7;
  assert_error(mj_copyModel(other, m),
               "mj_copyModel: dest and src have different sizes: nuserdata");

  // which is what it was, and its owner's to free
  assert_int_equal(other->nuserdata, m->nuserdata + 1);
  assert_that(other->qpos0[0], ==, 7);
  mj_deleteModel(other);
  mj_deleteModel(m);
}

TEST(deleting_nothing_is_fine) {
  mj_deleteModel(NULL);
}

TEST(size_counts_header_settings_and_arrays) {
  mjModel* m = small_model();
  size_t bytes = (5 + 84) * sizeof(int) + 2 * sizeof(mjtSize) +
                 offsetof(mjOption, sleep_tolerance) + sizeof(mjVisual) + sizeof(mjStatistic);
#define X(type, name, nr, nc) bytes += sizeof(type) * (size_t)(m->nr * (nc));
  MJMODEL_POINTERS
#undef X
  assert_int_equal(mj_sizeModel(m), bytes);
  mj_deleteModel(m);
}
