// What the velocities of hard rows leave out: the rows ask for J v = 0 at the end of a step with
// the J of its beginning; with h J' v besides (J' the rate of J) they would ask for it with the J
// of the end. Both are of first order, so one is as good as the other by a multiple of h.
//                                                                   theory/contact/hard-contacts.md

#include "support/models.h"
#include "support/zoo.h"

// a double pendulum on balls whose end is held at a point, and swings about the line to it
static const char kLoop[] =
    "<mujoco><custom><text name='condyle.contact' data='hard'/>"
    "<numeric name='condyle.tolerance' data='1e-14'/></custom>"
    "<option jacobian='dense'/><default><geom contype='0' conaffinity='0'/></default><worldbody>"
    "<body><joint type='ball'/><geom type='capsule' size='.03' fromto='0 0 0 .3 .1 0'/>"
    "<body name='end' pos='.3 .1 0'><joint type='ball'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 -.1 .1'/></body></body></worldbody>"
    "<equality><connect body1='end' body2='world' anchor='.3 -.1 .1'/></equality></mujoco>";

enum {
  NV = 6,
  ROWS = 3
};

// out = J v at the configuration that is reached with v after a time
static void rows_after(mjtNum out[ROWS], const mjModel* m, mjData* work, const mjData* d,
                       const mjtNum* v, mjtNum time) {
  mju_copy(work->qpos, d->qpos, m->nq);
  mj_integratePos(m, work->qpos, v, time);
  mj_fwdPosition(m, work);
  assert_int_equal(work->nefc, ROWS);
  mj_mulJacVec(m, work, out, v);
}

// Semi-implicit Euler with J (v + h a) + rate h J' v = 0, solved as it stands.
static void step_with_rate(const mjModel* m, mjData* d, mjData* work, mjtNum rate) {
  mjtNum h = m->opt.timestep, b[ROWS], before[ROWS], after[ROWS], K[ROWS * ROWS], answer[ROWS * NV];
  mjtNum impulse[ROWS], change[NV];
  const mjtNum little = (mjtNum)1e-5;
  mj_forward(m, d);
  mju_addToScl(d->qvel, d->qacc_smooth, h, NV);
  mj_mulJacVec(m, d, b, d->qvel);
  mju_addToScl(d->qvel, d->qacc_smooth, -h, NV);
  rows_after(before, m, work, d, d->qvel, -little);
  rows_after(after, m, work, d, d->qvel, little);
  for (int i = 0; i < ROWS; i++) {
    b[i] += rate * h * (after[i] - before[i]) / (2 * little);
  }
  mj_solveM(m, d, answer, d->efc_J, ROWS);
  mju_mulMatMatT(K, answer, d->efc_J, ROWS, NV, ROWS);
  assert_int_equal(mju_cholFactor(K, ROWS, 0), ROWS);
  mju_cholSolve(impulse, K, b, ROWS);
  mju_mulMatTVec(change, answer, impulse, ROWS, NV);
  mju_addToScl(d->qvel, d->qacc_smooth, h, NV);
  mju_subFrom(d->qvel, change, NV);
  mj_integratePos(m, d->qpos, d->qvel, h);
}

static mjData* at_start(const mjModel* m) {
  mjData* d = mj_makeData(m);
  d->qvel[0] = 1;
  mj_forward(m, d);
  return d;
}

// How far apart both end after half a second.
static double distance(mjModel* m, mjtNum h) {
  m->opt.timestep = h;
  mjData *with = at_start(m), *without = at_start(m), *work = mj_makeData(m);
  mjtNum change[NV];
  for (int i = (int)round(0.5 / (double)h); i > 0; i--) {
    step_with_rate(m, with, work, 1);
    step_with_rate(m, without, work, 0);
  }
  mj_differentiatePos(m, change, 1, with->qpos, without->qpos);
  mj_deleteData(with);
  mj_deleteData(without);
  mj_deleteData(work);
  return (double)mju_norm(change, NV);
}

TEST(the_difference_is_of_first_order) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kLoop);
  double at[3];
  for (int i = 0; i < 3; i++) {
    at[i] = distance(m, (mjtNum)ldexp(2e-3, -i));
  }
  for (int i = 0; i < 2; i++) {
    if (!(at[0] > 1e-5 && fabs(at[i] / at[i + 1] - 2) < 0.1)) {
      fail_msg("apart by %g, %g, %g with steps half as long each", at[0], at[1], at[2]);
    }
  }
}

// And ours is the one without, where positions are not corrected.
TEST(steps_are_those_without) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kLoop);
  m->cnd_contact.correction = 0;
  mjData *d = at_start(m), *own = at_start(m), *work = mj_makeData(m);
  for (int i = 0; i < 50; i++) {
    mj_step(m, d);
    step_with_rate(m, own, work, 0);
    if (numbers_differ("velocities", d->qvel, own->qvel, NV, 1e-9, 1)) {
      fail();
    }
  }
  mj_deleteData(d);
  mj_deleteData(own);
  mj_deleteData(work);
}
