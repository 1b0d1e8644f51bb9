// Rows of contacts of free bodies: the same numbers compressed as dense, where each entry is
// computed by itself.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// A table whose leg is fixed to it, a box on it, a sphere on both, a plate that does not move, and
// one that turns on a hinge.
static const char SCENE[] =
    "<mujoco><option><flag multiccd='enable'/></option>"
    "<default><geom condim='%d' friction='.7 .03 .002'/></default>"
    "<worldbody><geom type='plane' size='3 3 1'/>"
    "<body name='plate' pos='.9 0 .3'><geom type='box' size='.2 .2 .02'/></body>"
    "<body name='box' pos='.1 0 .43' euler='10 5 20'><freejoint/>"
    "<geom type='box' size='.1 .1 .1'/></body>"
    "<body name='table' pos='0 0 .3' euler='3 2 30'><freejoint/>"
    "<geom type='box' size='.4 .4 .05'/>"
    "<body pos='.3 .3 -.1'><geom type='box' size='.03 .03 .21'/></body></body>"
    "<body name='ball' pos='.2 .1 .42'><freejoint/><geom size='.09'/></body>"
    "<body name='ball2' pos='.9 .1 .41'><freejoint/><geom size='.1'/></body>"
    "<body name='door' pos='-.5 0 .3'><joint axis='0 0 1'/><geom type='box' size='.2 .02 .2'/>"
    "</body></worldbody></mujoco>";

static mjModel* scene(int condim, int cone, int jacobian) {
  char xml[sizeof(SCENE) + 8];
  snprintf(xml, sizeof(xml), SCENE, condim);
  mjModel* m = test_model(xml);
  m->opt.cone = cone;
  m->opt.jacobian = jacobian;
  return m;
}

static void assert_same(const mjtNum* a, const mjtNum* b, int n) {
  assert_close(a, b, n, 1e-12);
}

static void compare(int condim, int cone) {
  mjModel *sparse = scene(condim, cone, mjJAC_SPARSE), *dense = scene(condim, cone, mjJAC_DENSE);
  mjData *a = test_data(sparse), *b = test_data(dense);
  mj_forward(sparse, a);
  mj_forward(dense, b);
  assert_that(a->ncon, >, 8);
  assert_that(a->nefc, ==, b->nefc);
  mjtNum* J = malloc(sizeof(mjtNum) * (size_t)(a->nefc * sparse->nv));
  mju_sparse2dense(J, a->efc_J, a->nefc, sparse->nv, a->efc_J_rownnz, a->efc_J_rowadr,
                   a->efc_J_colind);
  assert_same(J, b->efc_J, a->nefc * sparse->nv);
  free(J);
  assert_same(a->efc_KBIP, b->efc_KBIP, 4 * a->nefc);
  assert_same(a->efc_R, b->efc_R, a->nefc);
  assert_same(a->efc_diagApprox, b->efc_diagApprox, a->nefc);
  assert_same(a->efc_aref, b->efc_aref, a->nefc);
}

TEST(compressed_rows_are_the_dense_ones) {
  static const int condim[] = {1, 3, 4, 6};
  for (int k = 0; k < 4; k++) {
    compare(condim[k], mjCONE_PYRAMIDAL);
    compare(condim[k], mjCONE_ELLIPTIC);
  }
}

// contacts of the same two geoms share their spring, but each warns of one of mixed signs
TEST(each_contact_warns_of_a_mixed_reference) {
  mjModel* m = test_model(
      "<mujoco><option jacobian='sparse'/><worldbody>"
      "<geom type='plane' size='1 1 1' solref='.02 1'/><body pos='0 0 .099'><freejoint/>"
      "<geom type='box' size='.1 .1 .1' priority='1'/></body></worldbody></mujoco>");
  m->geom_solref[mjNREF * 1] = -100;
  m->geom_solref[mjNREF * 1 + 1] = 1;
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 4);
  assert_that(d->cnd_warning[cndWARN_SOLREF - cndWARN_FIRST].number, ==, 4);
}

// contacts whose parameters a program changes are told apart from the others of their geoms
TEST(a_contact_of_other_friction_has_its_own_rows) {
  mjModel* m = scene(3, mjCONE_PYRAMIDAL, mjJAC_SPARSE);
  mjData* d = test_data(m);
  mj_fwdPosition(m, d);
  int box = -1;
  for (int i = 0; i + 1 < d->ncon && box < 0; i++) {
    box = d->contact[i].geom1 == d->contact[i + 1].geom1 &&
                  d->contact[i].geom2 == d->contact[i + 1].geom2
              ? i
              : -1;
  }
  assert_that(box, >=, 0);
  d->contact[box + 1].friction[0] = 2;
  d->contact[box + 1].friction[1] = 2;
  mj_makeConstraint(m, d);
  const mjContact *one = d->contact + box, *other = one + 1;
  assert_that(one->mu, ==, one->friction[0]);
  assert_that(other->mu, ==, 2);
  mjtNum ratio = d->efc_R[other->efc_address] / d->efc_R[one->efc_address];
  assert_that(ratio, >, 2);
}
