// Long and starved runs: the state stays finite, memory that runs out is a warning.

#include "support/models.h"

static int warnings;
static jmp_buf out;

static void count_warning(const char* text) {
  (void)text;
  warnings++;
}

static void leave(const char* text) {
  (void)text;
  longjmp(out, 1);
}

static void assert_finite(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nq; i++) {
    assert_finite_number(d->qpos[i]);
  }
  for (int i = 0; i < m->nv; i++) {
    assert_finite_number(d->qvel[i]);
    assert_finite_number(d->qacc[i]);
  }
}

// No warning, nothing infinite, nothing that flies away.
static void endures(const char* model, int steps, double control) {
  mjModel* m = our_model(model);
  mjData* d = test_data(m);
  uint64_t seed = 3;
  for (int i = 0; i < steps; i++) {
    for (int k = 0; k < m->nu && control > 0 && i % 10 == 0; k++) {
      d->ctrl[k] = (mjtNum)(control * uniform_random(&seed));
    }
    mj_step(m, d);
  }
  assert_finite(m, d);
  for (int i = 0; i < mjNWARNING; i++) {
    if (d->warning[i].number) {
      fail_msg("warning %d raised %d times: %s", i, d->warning[i].number,
               mju_warningText(i, (size_t)d->warning[i].lastinfo));
    }
  }
  assert_that(fabs((double)d->time / (double)m->opt.timestep / steps - 1), <, 1e-3);
  test_release(m);
}

TEST(humanoid_rests_for_100000_steps) {
  endures(kHumanoid, kThorough ? 100000 : 5000, 0);
}

TEST(humanoid_thrashes_for_100000_steps) {
  endures(kHumanoid, kThorough ? 100000 : 5000, 1);
}

TEST(limits_hold_for_100000_steps) {
  endures(kLimits, kThorough ? 100000 : 5000, 1);
}

TEST(rubble_lies_for_20000_steps) {
  endures(kRubble, kThorough ? 20000 : 2000, 0);
}

// 50 boxes in one place, with ever less memory: contacts, then rows, then the stack run out. The
// first two are warnings, the last is an error; none is a crash, and what moves stays finite.
TEST(arena_that_is_full_is_a_warning) {
  size_t room = 20000;
  char *xml = malloc(room), *end = xml;
  assert_non_null(xml);
  end += sprintf(end, "<mujoco><worldbody><geom type='plane' size='5 5 1'/>");
  for (int i = 0; i < 50; i++) {
    end +=
        sprintf(end, "<body pos='%g %g %g'><freejoint/><geom type='capsule' size='.05 .1'/></body>",
                0.05 * (i % 4), 0.05 * (i / 4 % 4), 0.05 + 0.08 * (i / 16));
  }
  sprintf(end, "</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  free(xml);

  mju_user_warning = count_warning;
  mju_user_error = leave;
  static volatile int contacts_full, rows_full, errors;
  contacts_full = rows_full = errors = 0;
  for (mjtSize bytes = 4000000; bytes > 500; bytes = bytes * 4 / 5) {
    m->narena = bytes;
    mjData* volatile d = mj_makeData(m);
    assert_non_null(d);
    if (setjmp(out)) {
      errors++;
    } else {
      for (int i = 0; i < 20; i++) {
        mj_step(m, d);
        assert_that(d->parena + d->pstack, <=, (size_t)d->narena);
      }
      assert_finite(m, d);
      contacts_full += d->warning[mjWARN_CONTACTFULL].number > 0;
      rows_full += d->warning[mjWARN_CNSTRFULL].number > 0;
    }
    mj_deleteData(d);
  }
  mju_user_warning = NULL;
  mju_user_error = NULL;
  test_release(m);
  assert_that(contacts_full, >, 0);
  assert_that(rows_full, >, 0);
  assert_that(warnings, >, 0);
}

// Nonsense in the state or the inputs: a warning and a fresh start, or zero controls.
TEST(nonsense_is_a_warning) {
  mju_user_warning = count_warning;
  mjModel* m = our_model(kHumanoid);
  mjData* d = test_data(m);
  const mjtNum nonsense[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-1e30};
  for (int k = 0; k < 3; k++) {
    mj_resetData(m, d);
    d->qpos[9] = nonsense[k];
    mj_step(m, d);
    assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
    assert_int_equal(d->warning[mjWARN_BADQPOS].lastinfo, 9);
    assert_finite(m, d);

    mj_resetData(m, d);
    d->qvel[7] = nonsense[k];
    mj_step(m, d);
    assert_int_equal(d->warning[mjWARN_BADQVEL].number, 1);
    assert_finite(m, d);

    mj_resetData(m, d);
    d->qfrc_applied[3] = nonsense[k];
    mj_step(m, d);
    assert_int_equal(d->warning[mjWARN_BADQACC].number, 1);
    assert_finite(m, d);

    mj_resetData(m, d);
    d->ctrl[2] = nonsense[k];
    mj_step(m, d);
    // what is too large is clamped before it is looked at
    assert_int_equal(d->warning[mjWARN_BADCTRL].number, isnan(nonsense[k]) != 0);
    assert_finite(m, d);
  }
  test_release(m);
  mju_user_warning = NULL;
}
