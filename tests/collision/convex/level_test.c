// Flat faces at distance zero: what is kept of them stands for the same question only, and changes
// no answer.

#include "collision/convex/level.h"

#include <math.h>

#include "collision/pair_case.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/test.h"
#include "support/text.h"

static const mjtNum HALF = (mjtNum)0.03125;

// Two prisms of twelve sides with their axes along z, the second one on top of the first.
static mjModel* prisms(void) {
  Text t = {0};
  text_add(&t, "<mujoco><asset><mesh name='p' vertex='");
  for (int i = 0; i < 24; i++) {
    const double turn = mjPI * (i / 2) / 6;
    text_add(&t, "%.9g %.9g %.9g ", 0.05 * cos(turn), 0.05 * sin(turn),
             (double)(i % 2 ? HALF : -HALF));
  }
  text_add(&t,
           "'/></asset><worldbody><geom type='mesh' mesh='p'/>"
           "<body pos='0 0 .0625'><freejoint/><geom type='mesh' mesh='p'/></body>"
           "</worldbody></mujoco>");
  mjModel* m = test_model(t.text);
  free(t.text);
  return m;
}

static int collide(const mjModel* m, mjData* d, mjContact con[mjMAXCONPAIR]) {
  memset(con, 0, mjMAXCONPAIR * sizeof(*con));
  return mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH](m, d, con, 0, 1, 0);
}

static const int geom[2] = {0, 1};

static int is_kept(const mjModel* m, const mjData* d) {
  return level_is_kept(touch_slot(d, 0, 1), m, d, geom);
}

// changes a number by its last bits, and back
#define ASSERT_MATTERS(number)          \
  do {                                  \
    __typeof__(number) same = (number); \
    (number) += (number) / 1000000 + 1; \
    assert_false(is_kept(m, d));        \
    (number) = same;                    \
    assert_true(is_kept(m, d));         \
  } while (0)

TEST(poses_stand_for_the_same_question_only) {
  DOUBLE_ONLY();
  mjModel* m = prisms();
  mjData* d = test_data(m);
  mjContact con[mjMAXCONPAIR];
  mj_kinematics(m, d);
  assert_false(is_kept(m, d));
  assert_int_equal(collide(m, d, con), 0);
  assert_true(is_kept(m, d));
  ASSERT_MATTERS(m->mesh_vert[0]);
  ASSERT_MATTERS(m->mesh_vert[3 * m->nmeshvert - 1]);
  ASSERT_MATTERS(m->geom_aabb[3]);
  ASSERT_MATTERS(m->geom_aabb[11]);
  ASSERT_MATTERS(m->opt.ccd_iterations);
  ASSERT_MATTERS(m->opt.ccd_tolerance);
  ASSERT_MATTERS(m->opt.disableflags);
  for (int k = 0; k < 6; k++) {
    const mjtNum same = d->geom_xpos[k];
    d->geom_xpos[k] = (mjtNum)nextafter((double)same, 1);
    assert_false(is_kept(m, d));
    d->geom_xpos[k] = same;
  }
  for (int k = 0; k < 18; k++) {
    const mjtNum same = d->geom_xmat[k];
    d->geom_xmat[k] = (mjtNum)nextafter((double)same, 2);
    assert_false(is_kept(m, d));
    d->geom_xmat[k] = same;
  }
  assert_true(is_kept(m, d));
  apart_clear(d);
  assert_false(is_kept(m, d));
}

// The second prism is moved aside, turned about the axis, and moved by so little along it that
// rounding decides; it rests between moves. Both prisms are turned by the same angle, too.
TEST(what_is_kept_changes_no_contact) {
  DOUBLE_ONLY();
  mjModel* m = prisms();
  mjData *kept = test_data(m), *cleared = test_data(m);
  uint64_t seed = 6;
  int contacts = 0, none = 0, poses = 0;
  mj_kinematics(m, kept);
  for (int n = 0; n < 3000; n++) {
    static const double by[] = {0, 0, 0, 1e-16, 1e-13, 1e-9, 1e-5};
    mjContact con[2][mjMAXCONPAIR];
    poses += is_kept(m, kept);
    mju_copy(cleared->geom_xpos, kept->geom_xpos, 6);
    mju_copy(cleared->geom_xmat, kept->geom_xmat, 18);
    apart_clear(cleared);
    const int num = collide(m, cleared, con[0]);
    assert_int_equal(collide(m, kept, con[1]), num);
    assert_memory_equal(con[0], con[1], sizeof(con[0]));
    contacts += num;
    none += !num;
    if (n % 3 == 0) {
      mjtNum* x = kept->geom_xpos + 3;
      const double aside = case_int(&seed, 3) ? 0 : 0.01;
      x[0] = (mjtNum)case_real(&seed, -aside, aside);
      x[1] = (mjtNum)case_real(&seed, -aside, aside);
      x[2] = 2 * HALF + (mjtNum)(by[case_int(&seed, 7)] * case_real(&seed, -1, 1));
      mjtNum turn[9], axis[3] = {0, 0, 1}, q[4];
      mju_axisAngle2Quat(q, axis, (mjtNum)(case_int(&seed, 3) * case_real(&seed, -0.01, 0.01)));
      mju_quat2Mat(turn, q);
      mju_mulMatMat(kept->geom_xmat + 9, turn, kept->geom_xmat, 3, 3, 3);
    }
  }
  assert_that(contacts, >, 300);
  assert_that(none, >, 300);
  assert_that(poses, >, 100);
}
