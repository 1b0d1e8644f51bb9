// Small islands that are solved side by side.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define BOX \
  "<body pos='%d 0 .095' euler='%d 5 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
#define BALL "<body pos='%d 1 .045'><freejoint/><geom size='.05' condim='6'/></body>"
#define ARM                                                                            \
  "<body pos='%d 2 1'><joint name='a%d' axis='0 1 0' range='-5 5' frictionloss='.3'/>" \
  "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>"                            \
  "<body pos='.3 0 0'><joint name='b%d' axis='0 1 0' frictionloss='.01'/>"             \
  "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body></body>"

// n things of each kind, all apart: arms with limits, friction and an equality, boxes and balls on
// the floor.
static mjModel* scene(const char* options, int n) {
  static char xml[100000];
  size_t at = 0;
#define ADD(...) at += (size_t)snprintf(xml + at, sizeof(xml) - at, __VA_ARGS__)
  ADD("<mujoco>%s<worldbody><geom type='plane' size='9 9 1' friction='.4'/>", options);
  for (int i = 0; i < n; i++) {
    ADD(BOX, i, 3 * i);
    ADD(ARM, i, i, i);
    ADD(BALL, i);
  }
  ADD("</worldbody><equality>");
  for (int i = 0; i < n; i += 2) {
    ADD("<joint joint1='a%d' joint2='b%d'/>", i, i);
  }
  ADD("</equality></mujoco>");
#undef ADD
  return test_model(xml);
}

// The state after some steps in which things slide, tilt and swing.
static mjData* moved(const mjModel* m, int n) {
  mjData* d = test_data(m);
  int each = m->nv / n;
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = sin(i / each + 2.5 * (i % each));
  }
  for (int i = 0; i < 7; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  return d;
}

// The minimum is that of the whole system, in which nothing is side by side.
static void check_whole(const char* options) {
  const int n = 17;
  mjModel* m = scene(options, n);
  m->opt.tolerance = 1e-14;
  mjData* d = moved(m, n);
  assert_in_range(d->nisland, 2 * n + 1, 3 * n);
  mjtNum* acc = malloc(sizeof(mjtNum) * (size_t)m->nv);
  mjtNum* force = malloc(sizeof(mjtNum) * (size_t)d->nefc);
  int* state = malloc(sizeof(int) * (size_t)d->nefc);
  memcpy(acc, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
  memcpy(force, d->efc_force, sizeof(mjtNum) * (size_t)d->nefc);
  for (int i = 0; i < d->nefc; i++) {
    state[d->map_iefc2efc[i]] = d->iefc_state[i];
  }
  m->opt.disableflags |= mjDSBL_ISLAND;
  m->opt.tolerance = 0;
  mj_forward(m, d);
  for (int i = 0; i < m->nv; i++) {
    if (fabs(acc[i] - d->qacc[i]) > 1e-8 * (1 + fabs(d->qacc[i]))) {
      fail_msg("%s: qacc[%d] is %.17g, not %.17g", options, i, acc[i], d->qacc[i]);
    }
  }
  for (int i = 0; i < d->nefc; i++) {
    if (fabs(force[i] - d->efc_force[i]) > 1e-7 * (1 + fabs(d->efc_force[i]))) {
      fail_msg("%s: force %d is %.17g, not %.17g", options, i, force[i], d->efc_force[i]);
    }
    assert_int_equal(state[i], d->efc_state[i]);
  }
  free(acc);
  free(force);
  free(state);
}

TEST(the_minimum_is_that_of_the_whole_system) {
  check_whole("");
  check_whole("<compiler dialect='4.0'/>");
  check_whole("<option cone='elliptic'/>");
  check_whole("<option jacobian='sparse'/>");
  check_whole("<option jacobian='dense'/>");
  check_whole("<option integrator='implicitfast'/>");
}

// Things on a plane that touch with 1, 2 or 4 points, by letters b, c and x, in any order.
static mjModel* row_of_things(const char* things) {
  static char xml[20000];
  size_t at =
      (size_t)snprintf(xml, sizeof xml, "<mujoco><worldbody><geom type='plane' size='9 9 1'/>");
  for (int i = 0; things[i]; i++) {
    const char* shape = things[i] == 'b'   ? "size='.1'"
                        : things[i] == 'c' ? "type='capsule' size='.1 .1' euler='0 90 0'"
                                           : "type='box' size='.1 .1 .1'";
    at += (size_t)snprintf(xml + at, sizeof(xml) - at,
                           "<body pos='%d 0 .099'><freejoint/><geom %s/></body>", i, shape);
  }
  snprintf(xml + at, sizeof(xml) - at, "</worldbody></mujoco>");
  return test_model(xml);
}

// Groups are of islands of as many dofs, sorted by rows: neighbours in a group needn't be
// neighbours in the scene, even where its first and last are as far apart as it has islands.
TEST(islands_of_a_group_stand_anywhere) {
  static const char* const kThings[] = {"bxxcbbxx", "xxbcbbcxxcbxxbcb", "cbcbxbcbxxxcbcbbccxxbbcx"};
  for (int k = 0; k < 3; k++) {
    mjModel* m = row_of_things(kThings[k]);
    m->opt.tolerance = 1e-14;
    mjData* d = test_data(m);
    mjData* whole = test_data(m);
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = whole->qvel[i] = sin(1.7 * i) / 5;
    }
    mj_forward(m, d);
    assert_int_equal(d->nisland, (int)strlen(kThings[k]));
    m->opt.disableflags |= mjDSBL_ISLAND;
    mj_forward(m, whole);
    for (int i = 0; i < m->nv; i++) {
      assert_near(d->qacc[i], whole->qacc[i], 1e-8 * (1 + fabs(whole->qacc[i])));
      assert_near(d->qfrc_constraint[i], whole->qfrc_constraint[i],
                  1e-8 * (1 + fabs(whole->qfrc_constraint[i])));
    }
  }
}

// Accelerations of a thing don't depend on which others share its vectors: those of half of the
// things are the same when the others have left the floor.
TEST(neighbours_change_no_bit) {
  const int n = 17;
  mjModel* m = scene("<option><flag warmstart='disable'/></option>", n);
  mjData* d = moved(m, n);
  mjtNum* acc = malloc(sizeof(mjtNum) * (size_t)m->nv);
  memcpy(acc, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
  int each = m->nv / n, islands = d->nisland;
  for (int k = 1; k < n; k += 2) {
    d->qpos[k * (each + 2) + 2] += 1;
    d->qpos[k * (each + 2) + 11] += 1;
  }
  mj_forward(m, d);
  assert_in_range(d->nisland, 1, islands - 5);
  for (int k = 0; k < n; k += 2) {
    assert_memory_equal(acc + k * each, d->qacc + k * each, sizeof(mjtNum) * (size_t)each);
  }
  free(acc);
}

// A thing whose cost overflows is left to the scalar solver, which changes nothing for the others.
TEST(a_lane_without_a_descent_is_solved_alone) {
  const int n = 17;
  mjModel* m = scene("", n);
  mjData *d = moved(m, n), *calm = moved(m, n);
  mjtNum* velocity = d->qvel + m->nv - 6;  // of the last ball
  for (int i = 0; i < 6; i++) {
    velocity[i] = 1e180;
  }
  mj_forward(m, d);
  mj_forward(m, calm);
  assert_memory_equal(d->qacc, calm->qacc, sizeof(mjtNum) * (size_t)(m->nv - 6));
}

// Statistics of an island are those that it has alone.
TEST(statistics_are_kept) {
  mjModel* m = scene("", 17);
  mjData* d = moved(m, 17);
  int begun = 0;
  for (int b = 0; b < mjNISLAND && b < d->nisland; b++) {
    const mjSolverStat* last = d->solver + b * mjNSOLVER + d->solver_niter[b] - 1;
    assert_in_range(d->solver_niter[b], 0, 10);
    if (!d->solver_niter[b]) {  // starts at its solution
      continue;
    }
    begun++;
    if (!(last->improvement < m->opt.tolerance || last->gradient < m->opt.tolerance)) {
      fail_msg("island %d ends with an improvement of %g, a gradient of %g", b, last->improvement,
               last->gradient);
    }
    assert_in_range(last->nactive, 0, d->island_nefc[b]);
    assert_in_range(last->neval, 1, m->opt.ls_iterations);
  }
  assert_that(begun, >, 10);
}

// Finite differences keep the products of the start with J; those of one island are not another's.
TEST(differences_of_a_crowd_are_those_of_its_steps) {
  static char xml[40000];
  size_t at = 0;
#define ADD(...) at += (size_t)snprintf(xml + at, sizeof(xml) - at, __VA_ARGS__)
  ADD("<mujoco><worldbody><geom type='plane' size='99 99 1'/>");
  for (int i = 0; i < 9; i++) {
    ADD(BOX, i, 3 * i);
  }
  for (int k = 0; k < 2; k++) {  // chains of 36 and of 30 dofs
    const int links = 30 - 6 * k;
    ADD("<body pos='%d 5 .06'><freejoint/><geom size='.06'/>", 4 * k);
    for (int i = 0; i < links; i++) {
      ADD("<body pos='.1 0 0'><joint axis='0 %d %d' stiffness='1'/><geom size='.06'/>", i % 2,
          !(i % 2));
    }
    for (int i = 0; i <= links; i++) {
      ADD("</body>");
    }
  }
  ADD("</worldbody></mujoco>");
#undef ADD
  mjModel* m = test_model(xml);
  mjData *d = test_data(m), *copy = test_data(m);
  for (int i = 0; i < 50; i++) {
    mj_step(m, d);
  }
  mju_fill(d->qacc_warmstart, 1, m->nv);  // all islands begin alike
  int n = 2 * m->nv, last = m->nv - 40;   // within the first chain
  const mjtNum eps = (mjtNum)1e-6;
  mjtNum* A = malloc(sizeof(mjtNum) * (size_t)n * (size_t)n);
  mjd_transitionFD(m, d, eps, 1, A, NULL, NULL, NULL);
  for (int k = 0; k < 2; k++, last += 30) {
    mjtNum after[2][300];
    for (int side = 0; side < 2; side++) {
      mj_copyData(copy, m, d);
      copy->qvel[last] += side ? eps : -eps;
      mj_step(m, copy);
      mju_copy(after[side], copy->qvel, m->nv);
    }
    for (int i = 0; i < m->nv; i++) {
      mjtNum slope = (after[1][i] - after[0][i]) / (2 * eps);
      assert_that(fabs(slope - A[(size_t)(m->nv + i) * (size_t)n + (size_t)(m->nv + last)]), <,
                  1e-4);
    }
  }
  free(A);
}
