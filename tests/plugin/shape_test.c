// Shapes against the reference's: numbers, boxes and distances at random points.

#include "support/bridge.h"
#include "support/test.h"

static const struct {
  const char* name;
  const char* value[5];  // of the attributes, in their order
} shapes[] = {
    {"mujoco.sdf.torus", {"", ""}},
    {"mujoco.sdf.torus", {".4", ".1"}},
    {"mujoco.sdf.bowl", {"", "", ""}},
    {"mujoco.sdf.bowl", {"-.2", ".7", ".05"}},
    {"mujoco.sdf.bolt", {""}},
    {"mujoco.sdf.bolt", {".3"}},
    {"mujoco.sdf.nut", {""}},
    {"mujoco.sdf.nut", {".2"}},
    {"mujoco.sdf.gear", {"", "", "", "", ""}},
    {"mujoco.sdf.gear", {".3", "2", "17", ".3", ".5"}},
};

static uint64_t seed = 1;

static mjtNum draw(mjtNum size) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return size * (mjtNum)((double)(seed >> 40) / (1 << 23) - 1);
}

// The struct of a plugin is the same in both.
TEST(shapes_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  assert_null(
      mj_compile(NULL, NULL));  // a static library comes with plugins if it comes with the compiler
  const mjpPlugin* (*find)(const char*, int*) = bridge_function("mjp_getPlugin");
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    const mjpPlugin *ours = mjp_getPlugin(shapes[s].name, NULL),
                    *other = find(shapes[s].name, NULL);
    mjtNum a[5], b[5], box[6], other_box[6];
    const char *names[5] = {0}, *values[5] = {0};
    assert_non_null(other);
    assert_int_equal(ours->nattribute, other->nattribute);
    assert_int_equal(ours->capabilityflags, other->capabilityflags);
    for (int i = 0; i < ours->nattribute; i++) {
      assert_string_equal(ours->attributes[i], other->attributes[i]);
      names[i] = ours->attributes[i];
      values[i] = shapes[s].value[i];
    }
    ours->sdf_attribute(a, names, values);
    other->sdf_attribute(b, names, values);
    ours->sdf_aabb(box, a);
    other->sdf_aabb(other_box, b);
    for (int i = 0; i < 6; i++) {
      assert_that(mju_abs(box[i] - other_box[i]), <, 1e-12);
    }
    for (int trial = 0; trial < 5000; trial++) {
      mjtNum p[3] = {draw(2 * box[3]), draw(2 * box[4]), draw(2 * box[5])};
      mjtNum x = ours->sdf_staticdistance(p, a), y = other->sdf_staticdistance(p, b);
      if (!(mju_abs(x - y) < 1e-11)) {
        fail_msg("%s at %g %g %g: ours %.17g, other %.17g", shapes[s].name, (double)p[0],
                 (double)p[1], (double)p[2], (double)x, (double)y);
      }
    }
  }
}
