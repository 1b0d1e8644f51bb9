// The order of a step: halves, checks, callbacks, counters.

#include "smooth/zoo.h"

static int calls;

static void count_call(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  calls++;
}

static void two_halves_make_a_step(void** state) {
  (void)state;
  mjModel* m = zoo_compile(ZOO_XML);
  mjData *whole = mj_makeData(m), *halves = mj_makeData(m);
  zoo_randomize(m, whole, 4);
  zoo_randomize(m, halves, 4);
  for (int i = 0; i < 20; i++) {
    mj_step(m, whole);
    mj_step1(m, halves);
    mj_step2(m, halves);
  }
  assert_memory_equal(whole->qpos, halves->qpos, m->nq * sizeof(mjtNum));
  assert_memory_equal(whole->qvel, halves->qvel, m->nv * sizeof(mjtNum));
  assert_memory_equal(whole->act, halves->act, m->na * sizeof(mjtNum));
  assert_int_equal(halves->timer[mjTIMER_STEP].number, 20);
  assert_int_equal(halves->timer[mjTIMER_ADVANCE].number, 20);
  assert_int_equal(whole->timer[mjTIMER_FORWARD].number, 20);
  mj_deleteData(whole);
  mj_deleteData(halves);
  mj_deleteModel(m);
}

static void skipped_stages_are_taken_as_done(void** state) {
  (void)state;
  mjModel* m = zoo_compile(ZOO_XML);
  mjData* d = mj_makeData(m);
  zoo_randomize(m, d, 4);
  mj_forward(m, d);
  mjtNum height = d->xpos[3 * 2 + 2], qacc = d->qacc[0];
  d->qpos[2] += 1;
  mj_forwardSkip(m, d, mjSTAGE_VEL, 1);
  assert_true(d->xpos[3 * 2 + 2] == height && d->qacc[0] == qacc);
  mj_forward(m, d);
  assert_near(d->xpos[3 * 2 + 2], height + 1, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a bad number resets the state and is counted once; without the reset it is counted twice and stays
static void bad_numbers_are_reset_and_counted(void** state) {
  (void)state;
  mjModel* m = zoo_compile(ZOO_XML);
  mjData* d = mj_makeData(m);
  d->warning[mjWARN_BADQPOS].number = d->warning[mjWARN_BADQVEL].number = 5;
  d->time = 3;
  d->qpos[2] = (mjtNum)NAN;
  mj_checkPos(m, d);
  assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
  assert_int_equal(d->warning[mjWARN_BADQPOS].lastinfo, 2);
  assert_true(d->time == 0 && d->qpos[2] == m->qpos0[2]);

  m->opt.disableflags |= mjDSBL_AUTORESET;
  d->warning[mjWARN_BADQVEL].number = 5;
  d->qvel[1] = (mjtNum)1e11;
  mj_checkVel(m, d);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 7);
  assert_true(d->qvel[1] == (mjtNum)1e11);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void control_callback_runs_unless_actuation_is_off(void** state) {
  (void)state;
  mjModel* m = zoo_compile(ZOO_XML);
  mjData* d = mj_makeData(m);
  mjcb_control = count_call;
  calls = 0;
  mj_forward(m, d);
  assert_int_equal(calls, 1);
  m->opt.disableflags |= mjDSBL_ACTUATION;
  mj_forward(m, d);
  assert_int_equal(calls, 1);
  mj_step1(m, d);
  assert_int_equal(calls, 2);
  mjcb_control = NULL;

  mjcb_passive = count_call;
  mj_forward(m, d);
  assert_int_equal(calls, 3);
  mjcb_passive = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void energy_is_zero_unless_asked_for(void** state) {
  (void)state;
  mjModel* m = zoo_compile(ZOO_XML);
  mjData* d = mj_makeData(m);
  zoo_randomize(m, d, 4);
  d->energy[0] = d->energy[1] = 1;
  mj_forward(m, d);
  assert_true(d->energy[0] == 0 && d->energy[1] == 0);
  m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(m, d);
  assert_true(d->energy[0] != 0 && d->energy[1] > 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_halves_make_a_step),
      cmocka_unit_test(skipped_stages_are_taken_as_done),
      cmocka_unit_test(bad_numbers_are_reset_and_counted),
      cmocka_unit_test(control_callback_runs_unless_actuation_is_off),
      cmocka_unit_test(energy_is_zero_unless_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
