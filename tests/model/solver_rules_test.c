// Later rules of solvers, and the exact diagonal, with the numbers of 4.0.0.

#include <string.h>

#include "model/behaviour.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char kStack[] = "tests/models/since/stack.xml";

static mjData* at_state(const mjModel* m) {
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)0.3 * mju_sin((mjtNum)(1 + i));
  }
  return d;
}

static void solve_as_recorded(mjModel* m, mjData* d, int islands, int iterations) {
  char name[60];
  m->opt.iterations = iterations;
  m->opt.disableflags = mjDSBL_WARMSTART | (islands ? 0 : mjDSBL_ISLAND);
  m->opt.solver = mjSOL_PGS;
  mj_forward(m, d);
  snprintf(name, sizeof(name), "stack_pgs_%d_%d_%d", m->opt.cone, islands, iterations);
  assert_recorded(name, d->efc_force, (size_t)d->nefc);
  if (iterations <= 3) {
    m->opt.solver = mjSOL_CG;
    mj_forward(m, d);
    snprintf(name, sizeof(name), "stack_cg_%d_%d_%d", m->opt.cone, islands, iterations);
    // its line search ends within its tolerance, wherever rounding leads it
    assert_recorded_near(name, d->qacc, (size_t)m->nv, 1e-7);
    m->opt.noslip_iterations = iterations;
    mj_forward(m, d);
    snprintf(name, sizeof(name), "stack_noslip_%d_%d_%d", m->opt.cone, islands, iterations);
    assert_recorded_near(name, d->efc_force, (size_t)d->nefc, 1e-7);
    m->opt.noslip_iterations = 0;
  }
}

// PGS visits rows in a shuffled order with momentum, CG takes directions of Hager and Zhang.
TEST(few_iterations_lead_where_those_of_the_newest_release_do) {
  DOUBLE_ONLY();
  static const int counts[] = {1, 2, 3, 10, 30};
  mjModel* m = test_model_file(kStack);
  m->opt.tolerance = 0;
  mjData* d = at_state(m);
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    for (int islands = 0; islands < 2; islands++) {
      for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        solve_as_recorded(m, d, islands, counts[k]);
      }
    }
  }
}

// Of the first direction of Newton's method, after few points on the line. The first of them costs
// more than the start.
TEST(few_points_on_a_line_lead_where_they_do_in_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(kStack);
  m->opt.behaviour |= 1 << cndBEHAVIOUR_solverexit;
  m->opt.tolerance = 0;
  m->opt.iterations = 1;
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    for (int points = 1; points <= 4; points++) {
      char name[40];
      m->opt.ls_iterations = points;
      mjData* d = at_state(m);
      mju_scl(d->qvel, d->qvel, -3, m->nv);
      for (int i = 0; i < m->nv; i++) {
        d->qacc_warmstart[i] = 100 * mju_sin((mjtNum)(1 + i));
      }
      mj_forward(m, d);
      snprintf(name, sizeof(name), "stack_line_%d_%d", cone, points);
      assert_recorded(name, d->qacc, (size_t)m->nv);
    }
  }
}

// All solvers and rules end at one minimum. (PGS doesn't on the rolling sphere's elliptic cone, nor
// does that of the release.)
TEST(rules_of_solvers_share_their_minimum) {
  DOUBLE_ONLY();
  for (int cone = 0; cone < 2; cone++) {
    mjtNum least[64];
    mjModel* m = test_model_file(kStack);
    m->opt.tolerance = 0;
    m->opt.cone = cone;
    m->opt.behaviour = 0;
    mjData* d = at_state(m);
    mj_forward(m, d);
    mju_copy(least, d->qacc, m->nv);
    m->opt.behaviour = 1 << cndBEHAVIOUR_solverexit;
    for (int solver = cone ? mjSOL_CG : mjSOL_PGS; solver <= mjSOL_NEWTON; solver++) {
      m->opt.solver = solver;
      m->opt.iterations = 1000;
      d = at_state(m);
      mj_forward(m, d);
      mju_subFrom(d->qacc, least, m->nv);
      assert_near(mju_norm(d->qacc, m->nv), 0, 2e-4);
    }
  }
}

// A box at rest needs no iterations, and its acceleration stays as it was to the last bit.
TEST(what_rests_stays_to_the_last_bit) {
  DOUBLE_ONLY();
  for (int solver = mjSOL_CG; solver <= mjSOL_NEWTON; solver++) {
    mjModel* m = test_model(
        "<mujoco><option><behaviour solverexit='enable'/></option><worldbody><geom type='plane' "
        "size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .2 .1'/></body>"
        "</worldbody></mujoco>");
    m->opt.solver = solver;
    mjData* d = test_data(m);
    for (int i = 0; i < 4000; i++) {
      mj_step(m, d);
    }
    int resting = 0;
    for (int i = 0; i < 100; i++) {
      mjtNum before[6];
      mju_copy(before, d->qacc_warmstart, 6);
      mj_step(m, d);
      int same = memcmp(before, d->qacc, sizeof(before)) == 0;
      resting += same;
      assert_that(same || d->solver_niter[0] > 0, ==, 1);
    }
    assert_that(resting, >, 80);
  }
}

// A chain of 30 dofs falls on one end, with few rows: how many iterations 4.0.0 takes after every
// fourth step, each of which decides all that comes later.
TEST(newton_on_few_rows_ends_where_that_of_the_newest_release_does) {
  DOUBLE_ONLY();
  static const int count[] = {4, 4, 3, 0, 0, 2, 2, 2, 2, 0, 0, 2, 2, 2, 4, 4, 5, 5, 5, 4};
  char text[3000];
  size_t used = (size_t)snprintf(
      text, sizeof(text),
      "<mujoco><option cone='elliptic' impratio='3'><behaviour solverexit='enable'/></option>"
      "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .3' euler='0 10 0'><freejoint/>"
      "<geom size='.05' mass='1'/>");
  for (int i = 0; i < 12; i++) {
    used += (size_t)snprintf(text + used, sizeof(text) - used,
                             "<body pos='.2 0 0'><joint axis='0 1 0' damping='.1'/>"
                             "<joint axis='0 0 1' damping='.1'/><geom size='.05' mass='1'/>");
  }
  for (int i = 0; i < 13; i++) {
    used += (size_t)snprintf(text + used, sizeof(text) - used, "</body>");
  }
  snprintf(text + used, sizeof(text) - used, "</worldbody></mujoco>");
  mjModel* m = test_model(text);
  mjData* d = at_state(m);
  for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
    for (int k = 0; k < 4; k++) {
      mj_step(m, d);
    }
    assert_int_equal(d->solver_niter[0], count[i]);
  }
}

TEST(rules_of_solvers_matter_where_iterations_are_few) {
  mjModel* m = test_model_file(kStack);
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_solverexit), 0);
  m->opt.iterations = 5;
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_solverexit), 1);
  m->opt.iterations = 100;
  m->opt.solver = mjSOL_PGS;
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_solverexit), 1);
}

TEST(the_exact_diagonal_is_that_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(kStack);
  m->opt.tolerance = 0;
  m->opt.enableflags = mjENBL_DIAGEXACT;
  for (int cone = 0; cone < 2; cone++) {
    char name[40];
    m->opt.cone = cone;
    mjData* d = at_state(m);
    mj_forward(m, d);
    size_t n = (size_t)d->nefc;
    snprintf(name, sizeof(name), "diagonals_efc_R_%d", cone);
    assert_recorded(name, d->efc_R, n);
    snprintf(name, sizeof(name), "diagonals_efc_diagA_%d", cone);
    assert_recorded(name, d->efc_diagApprox, n);
    snprintf(name, sizeof(name), "diagonals_efc_force_%d", cone);
    assert_recorded(name, d->efc_force, n);
    snprintf(name, sizeof(name), "diagonals_qacc_%d", cone);
    assert_recorded(name, d->qacc, (size_t)m->nv);
    mj_inverse(m, d);
    assert_near(mju_norm(d->qfrc_inverse, m->nv), 0, 1e-6);
  }
}

// It is the diagonal of J M^-1 J' itself, in every layout and for dual solvers, too.
TEST(the_exact_diagonal_is_that_of_the_products) {
  DOUBLE_ONLY();
  for (int jacobian = mjJAC_DENSE; jacobian <= mjJAC_SPARSE; jacobian++) {
    mjModel* m = test_model_file(kStack);
    m->opt.cone = mjCONE_ELLIPTIC;
    m->opt.jacobian = jacobian;
    m->opt.solver = mjSOL_PGS;
    m->opt.enableflags = mjENBL_DIAGEXACT;
    mjData* d = at_state(m);
    mj_forward(m, d);
    for (int i = 0; i < d->ne + d->nf + d->nl; i++) {
      int adr = jacobian == mjJAC_DENSE ? i * d->nefc : d->efc_AR_rowadr[i], k = 0;
      while (d->efc_AR_colind[adr + k] != i) {
        k++;
      }
      mjtNum exact = d->efc_AR[adr + k] - d->efc_R[i];
      assert_near(d->efc_diagApprox[i], exact, 1e-9 * exact);
    }
  }
}
