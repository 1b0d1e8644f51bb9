// Forces of rows: minus the gradient of the cost, and how they change with what rows measure.

#include "derivative/constraint/row_law.h"

#include "constraint/rows/directions.h"
#include "derivative/constraint/contact_scenes.h"

// An equality, friction loss, limits of both sides.
static const char kRows[] =
    "<mujoco><default><joint damping='.1' solimplimit='.5 .9 2 .4 3'/></default><worldbody><body>"
    "<joint name='a' type='slide' frictionloss='2' solimpfriction='.3 .3'/>"
    "<joint name='b' axis='0 1 0' range='20 90'/><joint name='c' type='slide' axis='0 1 0' "
    "range='-2 -.5'/><geom size='.1'/></body></worldbody><equality>"
    "<joint joint1='a' joint2='b' polycoef='.1 .5 -.3 .2 .4'/></equality></mujoco>";

static Rows rows_at(RowLaw* law, const mjtNum* y) {
  Rows rows = rows_whole(law->m, law->d);
  mju_copy(law->y, y, law->d->nefc);
  law_cost(law->force, law->zone, &rows, law->y, 0);
  return rows;
}

static void cost_at(mjtNum* cost, const mjtNum* y, void* of) {
  const RowLaw* law = of;
  mjtNum force[MOST_ROWS];
  int zone[MOST_ROWS];
  Rows rows = rows_whole(law->m, law->d);
  *cost = law_cost(force, zone, &rows, y, 0);
}

static void force_at(mjtNum* force, const mjtNum* y, void* of) {
  const RowLaw* law = of;
  int zone[MOST_ROWS];
  Rows rows = rows_whole(law->m, law->d);
  law_cost(force, zone, &rows, y, 0);
}

// The sizes of y at which rows change their zones.
static void random_y(mjtNum* y, const RowLaw* law, uint64_t* seed) {
  random_fill(y, law->d->nefc, seed);
  for (int i = 0; i < law->d->nefc; i++) {
    mjtNum bound = law->d->efc_R[i] * law->d->efc_frictionloss[i];
    y[i] *= 2 * (bound > 0 ? bound : 1);
  }
}

TEST(forces_are_minus_the_gradient_of_the_cost) {
  DOUBLE_ONLY();
  uint64_t seed = 5;
  for (int scene = -1; scene < NCONTACT_SCENE; scene++) {
    Scene s = scene < 0 ? scene_make(kRows, 0.1) : contact_scene(scene);
    int n = s.d->nefc;
    const mjtNum* x = scene_numbers(&s, s.nv, 9);
    mjtNum *y = scene_zeros(&s, n), *gradient = scene_zeros(&s, n);
    RowLaw law = row_law_make(s.m, s.d, x);
    mj_mulJacVec(s.m, s.d, y, x);
    mju_subFrom(y, s.d->efc_aref, n);
    assert_close(law.y, y, n, 1e-13);
    for (int trial = 0; trial < 10; trial++) {
      if (trial) {
        random_y(y, &law, &seed);
        rows_at(&law, y);
      }
      differences(gradient, cost_at, &law, y, 1, n, (mjtNum)1e-4);
      mju_scl(gradient, gradient, -1, n);
      // a kink of the second derivative between the steps costs digits
      assert_numbers(law.force, gradient, n, 1e-4, largest_of(law.force, n) + 1e-6);
    }
    scene_free(&s);
  }
}

TEST(stiffness_of_a_row_is_minus_the_change_of_its_force) {
  DOUBLE_ONLY();
  Scene s = scene_make(kRows, 0.1);
  int n = s.d->nefc, zones = 0;
  assert_int_equal(n, 4);
  uint64_t seed = 6;
  RowLaw law = row_law_make(s.m, s.d, s.d->qacc);
  mjtNum *y = scene_zeros(&s, n), *J = scene_zeros(&s, n * n);
  for (int trial = 0; trial < 20; trial++) {
    random_y(y, &law, &seed);
    rows_at(&law, y);
    differences(J, force_at, &law, y, n, n, (mjtNum)1e-6);
    for (int i = 0; i < n; i++) {
      assert_relative(row_stiffness(&law, i), -J[n * i + i], 1e-5, 1e-3);
      zones |= 1 << law.zone[i];
    }
  }
  assert_int_equal(zones, 1 << mjCNSTRSTATE_SATISFIED | 1 << mjCNSTRSTATE_QUADRATIC |
                              1 << mjCNSTRSTATE_LINEARNEG | 1 << mjCNSTRSTATE_LINEARPOS);
  scene_free(&s);
}

// A contact, and y of all rows
typedef struct {
  RowLaw* law;
  const mjContact* con;
  const mjtNum* y;
} Directed;

static void forces_by_directions(mjtNum* force, const mjtNum* by, void* of) {
  const Directed* at = of;
  const mjContact* con = at->con;
  mjtNum y[MOST_ROWS], f[MOST_ROWS];
  int row = con->efc_address;
  int is_pyramid = at->law->d->efc_type[row] == mjCNSTR_CONTACT_PYRAMIDAL;
  mju_copy(y, at->y, at->law->d->nefc);
  for (int k = is_pyramid; k < con->dim; k++) {
    if (is_pyramid) {
      y[row + 2 * k - 2] += by[0] + con->friction[k - 1] * by[k];
      y[row + 2 * k - 1] += by[0] - con->friction[k - 1] * by[k];
    } else {
      y[row + k] += by[k];
    }
  }
  force_at(f, y, at->law);
  mju_zero(force, 6);
  directions_force(force, con, is_pyramid, f + row);
}

// Of pyramids, and of cones in all their zones, the middle one too.
TEST(stiffness_of_a_contact_is_minus_the_change_of_its_forces) {
  DOUBLE_ONLY();
  uint64_t seed = 7;
  int zones = 0;
  for (int scene = 0; scene < NCONTACT_SCENE; scene++) {
    Scene s = contact_scene(scene);
    RowLaw law = row_law_make(s.m, s.d, s.d->qacc);
    mjtNum *y = scene_zeros(&s, s.d->nefc), zero[6] = {0};
    for (int trial = 0; trial < 20; trial++) {
      Directed at = {&law, s.d->contact + trial % s.d->ncon, y};
      mjtNum force[6], Hs[36], damping[6], expected[36], J[36], f[6];
      random_y(y, &law, &seed);
      rows_at(&law, y);
      contact_law(force, Hs, damping, &law, at.con);
      forces_by_directions(f, zero, &at);
      assert_close(force, f, 6, 1e-12);
      differences(J, forces_by_directions, &at, zero, 6, 6, (mjtNum)1e-6);
      mju_scl(expected, J, -1, 36);
      assert_numbers(Hs, expected, 36, 1e-6, largest_of(expected, 36) + 1e-3);
      zones |= 1 << law.zone[at.con->efc_address];
    }
    scene_free(&s);
  }
  assert_int_equal(
      zones, 1 << mjCNSTRSTATE_SATISFIED | 1 << mjCNSTRSTATE_QUADRATIC | 1 << mjCNSTRSTATE_CONE);
}

// aref and log D of the row of the limit of "c", whose residual falls as the joint moves up
static void limit_at(mjtNum* out, const mjModel* m, mjData* d, void* of) {
  int row = *(int*)of;
  mj_fwdPosition(m, d);
  mju_zero(d->qvel, m->nv);
  mj_referenceConstraint(m, d);
  out[0] = d->efc_aref[row];
  out[1] = mju_log(d->efc_D[row]);
}

TEST(spring_and_sigma_are_changes_by_the_residual) {
  DOUBLE_ONLY();
  Scene s = scene_make(kRows, 0.1);
  int row = s.d->nefc - 1, dof = s.m->jnt_dofadr[scene_id(&s, mjOBJ_JOINT, "c")];
  RowLaw law = row_law_make(s.m, s.d, s.d->qacc);
  mjtNum* J = scene_zeros(&s, 2 * s.nv);
  assert_int_equal(s.d->efc_type[row], mjCNSTR_LIMIT_JOINT);
  differences_by_dofs(J, limit_at, &row, s.m, s.d, 2, (mjtNum)1e-4);
  assert_relative(row_spring(&law, row), J[dof], 1e-8, 1);
  law.zone[row] = mjCNSTRSTATE_QUADRATIC;
  assert_that(mju_abs(J[s.nv + dof]), >, (mjtNum)0.1);
  assert_relative(row_sigma(&law, row), -J[s.nv + dof], 1e-8, 1);
  law.zone[row] = mjCNSTRSTATE_LINEARPOS;
  assert_near(row_sigma(&law, row), 0, 0);
  scene_free(&s);
}

TEST(rows_in_the_border_have_their_answer_instead_of_stiffness) {
  Scene s = scene_make(kRows, 0.1);
  RowLaw law = row_law_make(s.m, s.d, s.d->qacc);
  int index[4] = {0, -1, -1, -1};
  mjtNum answer = 5;
  const mjtNum D = row_stiffness(&law, 0);
  BorderedRows border = {.n = 1, .index = index, .response = &answer};
  assert_that(D, >, 0);
  assert_near(row_response(&law, 0, 3), -3 * D, 1e-12 * D);
  law.bordered = &border;
  assert_near(row_stiffness(&law, 0), 0, 0);
  assert_near(row_response(&law, 0, 3), 5, 0);
  scene_free(&s);
}

TEST(bounds_of_the_law_are_kinks) {
  Scene s = scene_make(kRows, 0.1);
  RowLaw law = row_law_make(s.m, s.d, s.d->qacc);
  const mjtNum away[4] = {1, (mjtNum)1e-3, 1, -1};
  mju_copy(law.y, away, 4);
  assert_int_equal(s.d->efc_type[1], mjCNSTR_FRICTION_DOF);
  assert_int_equal(row_kinks(&law), 0);
  law.y[0] = 0;
  assert_int_equal(row_kinks(&law), 0);
  law.y[1] = -s.d->efc_R[1] * s.d->efc_frictionloss[1];
  assert_int_equal(row_kinks(&law), 1);
  law.y[2] = 0;
  assert_int_equal(row_kinks(&law), 2);
  scene_free(&s);
  s = contact_scene(3);
  law = row_law_make(s.m, s.d, s.d->qacc);
  assert_int_equal(row_kinks(&law), 0);
  const mjContact* con = s.d->contact;
  int row = con->efc_address;
  // N = mu T:  x0 = T, one friction direction
  law.y[row] = (mjtNum)0.3;
  law.y[row + 1] = (mjtNum)0.3 / con->friction[0];
  law.y[row + 2] = 0;
  assert_int_equal(row_kinks(&law), 1);
  scene_free(&s);
}
