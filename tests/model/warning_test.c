// warning.c, callbacks.c, defaults.c: counted warnings, hooks and settings.

#include "support/caught.h"
#include "support/load.h"
#include "support/small_model.h"
#include "support/test.h"

static char heard[1100];
static int heard_count;

static void hear(const char* message) {
  snprintf(heard, sizeof(heard), "%s", message);
  heard_count++;
}

TEST(only_the_first_of_a_kind_is_reported) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  d->time = (mjtNum)1.25;
  heard_count = 0;
  mju_user_warning = hear;
  mj_warning(d, mjWARN_BADQVEL, 3);
  mj_warning(d, mjWARN_BADQVEL, 5);
  assert_int_equal(heard_count, 1);
  assert_string_equal(heard,
                      "Nan, Inf or huge value in QVEL at DOF 3. The simulation is unstable. "
                      "Time = 1.2500.");
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 2);
  assert_int_equal(d->warning[mjWARN_BADQVEL].lastinfo, 5);
  mj_warning(d, mjWARN_CONTACTFULL, 9);
  assert_int_equal(heard_count, 2);
  mju_user_warning = NULL;
  mju_user_warning = hear;
  mj_warning(d, cndWARN_SOLREF, 3);
  mj_warning(d, cndWARN_SOLREF, 4);
  assert_int_equal(heard_count, 3);
  mju_user_warning = NULL;
  assert_int_equal(d->cnd_warning[cndWARN_SOLREF - cndWARN_FIRST].number, 2);
  assert_error(mj_warning(d, mjNWARNING, 0), "mj_warning: invalid warning type");
  assert_error(mj_warning(d, cndWARN_END, 0), "mj_warning: invalid warning type");
  mj_deleteModel(m);
}

TEST(every_kind_has_its_own_text) {
  char before[1024] = "";
  for (int i = 0; i < mjNWARNING; i++) {
    const char* text = mju_warningText(i, 7);
    assert_non_null(strstr(text, "7"));
    assert_string_not_equal(text, before);
    snprintf(before, sizeof(before), "%s", text);
  }
  assert_string_equal(mju_warningText(99, 0), "Unknown warning type 99.");
}

static void generic(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
}

TEST(callbacks_are_taken_back) {
  mjcb_passive = mjcb_control = generic;
  mj_resetCallbacks();
  assert_null(mjcb_passive);
  assert_null(mjcb_control);
  assert_null(mjcb_time);
}

TEST(flags_and_timers_have_names) {
  for (int i = 0; i < mjNDISABLE; i++) {
    assert_string_equal(cnd_DISABLESTRING[i], mjDISABLESTRING[i]);
  }
  for (int i = 0; i < mjNENABLE; i++) {
    assert_string_equal(cnd_ENABLESTRING[i], mjENABLESTRING[i]);
  }
  assert_string_equal(mjTIMERSTRING[mjTIMER_POS_MAKE], "pos_make");
  assert_string_equal(mjTIMERSTRING[mjNTIMER - 1], "col_narrowphase");
}

TEST(settings_have_defaults) {
  mjOption opt;
  mj_defaultOption(&opt);
  assert_that(opt.gravity[2], ==, (mjtNum)-9.81);
  assert_that(opt.o_solimp[1], ==, (mjtNum)0.95);
  assert_int_equal(opt.solver, mjSOL_NEWTON);
  mjLROpt lr;
  mj_defaultLROpt(&lr);
  assert_that(lr.accel, ==, 20);
  assert_that(lr.mode, ==, mjLRMODE_MUSCLE);
  mjtNum solref[2];
  mj_defaultSolRefImp(solref, NULL);
  mj_defaultSolRefImp(NULL, NULL);
  assert_that(solref[0], ==, (mjtNum)0.02);
  assert_that(solref[1], ==, 1);
}
