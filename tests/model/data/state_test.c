// state.c: the state of a simulation as one vector.

#include <limits.h>

#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/small_model.h"
#include "support/test.h"

TEST(size_beyond_an_int_is_an_error) {
  mjModel sizes = small_model_sizes();
  sizes.nuserdata = INT_MAX;
  assert_int_equal(mj_stateSize(&sizes, mjSTATE_USERDATA), INT_MAX);
  assert_error(mj_stateSize(&sizes, mjSTATE_USER), "more than an int counts");
}

TEST(sizes_add_up) {
  mjModel* m = small_model();
  assert_int_equal(mj_stateSize(m, 0), 0);
  assert_int_equal(mj_stateSize(m, mjSTATE_HISTORY | mjSTATE_PLASTIC), 0);
  assert_int_equal(mj_stateSize(m, mjSTATE_TIME), 1);
  assert_int_equal(mj_stateSize(m, mjSTATE_PHYSICS), 8 + 7 + 1);
  assert_int_equal(mj_stateSize(m, mjSTATE_USER), 1 + 7 + 24 + 1 + 3 + 4 + 3);
  int sum = 0;
  for (int i = 0; i < mjNSTATE; i++) {
    sum += mj_stateSize(m, 1u << i);
  }
  assert_int_equal(mj_stateSize(m, mjSTATE_INTEGRATION), sum);
  mj_deleteModel(m);
}

TEST(parts_come_in_the_order_of_bits) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  mj_resetDataKeyframe(m, d, 0);
  mjtNum vector[100];
  mj_getState(m, d, vector, mjSTATE_CTRL | mjSTATE_TIME | mjSTATE_EQ_ACTIVE | mjSTATE_MOCAP_POS);
  assert_that(vector[0], ==, 100);  // time
  assert_that(vector[1], ==, 130);  // ctrl
  assert_that(vector[2], ==, 1);    // eq_active
  assert_that(vector[3], ==, 140);  // mocap_pos
  mj_deleteModel(m);
}

TEST(what_is_taken_can_be_put_back) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  mjData* other = test_data(m);
  mj_resetDataKeyframe(m, d, 1);
  d->eq_active[0] = 0;
  for (int i = 0; i < m->nv; i++) {
    d->qacc_warmstart[i] = d->qfrc_applied[i] = (mjtNum)i;
  }
  for (int i = 0; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = (mjtNum)-i;
  }
  d->userdata[2] = 77;
  mjtNum vector[200];
  mj_getState(m, d, vector, mjSTATE_INTEGRATION);
  mj_setState(m, other, vector, mjSTATE_INTEGRATION);
  assert_int_equal(bridge_compare_datas(m, other, d, NULL, 0), 0);
  mj_deleteModel(m);
}

// A state in which every number differs from every other.
static void number_everything(const mjModel* m, mjData* d) {
  mjtNum vector[200];
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  for (int i = 0; i < n; i++) {
    vector[i] = (mjtNum)(i + 1);
  }
  mj_setState(m, d, vector, mjSTATE_INTEGRATION);
}

TEST(parts_of_a_gathered_state_are_those_of_the_data) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  number_everything(m, d);
  const int whole = mjSTATE_INTEGRATION & ~mjSTATE_WARMSTART;
  mjtNum gathered[200], part[200], expected[200];
  mj_getState(m, d, gathered, (unsigned int)whole);
  for (int bits = 0; bits < 2 * mjSTATE_PLASTIC; bits += 37) {
    int sig = bits & whole, n = mj_stateSize(m, (unsigned int)sig);
    mj_getState(m, d, expected, (unsigned int)sig);
    part[n] = -1;
    mj_extractState(m, gathered, whole, part, sig);
    assert_that(part[n], ==, -1);
    assert_close(part, expected, n, 0);
  }
  assert_error(mj_extractState(m, gathered, mjSTATE_QPOS, part, mjSTATE_QPOS | mjSTATE_CTRL),
               "mj_extractState: dstsig 34 has parts that srcsig 2 lacks");
  assert_error(mj_extractState(m, gathered, -1, part, 0), "mj_extractState: invalid");
  assert_error(mj_extractState(m, gathered, 2 * mjSTATE_PLASTIC, part, 0),
               "mj_extractState: invalid");
  mj_deleteModel(m);
}

TEST(copied_parts_are_equal_and_others_stay) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  number_everything(m, d);
  for (int k = 0; k < mjNSTATE; k++) {
    mjData* other = test_data(m);
    mjData* expected = test_data(m);
    mjtNum vector[200];
    mj_getState(m, d, vector, 1u << k);
    mj_setState(m, expected, vector, 1u << k);
    mj_copyState(m, d, other, 1 << k);
    assert_int_equal(bridge_compare_datas(m, other, expected, NULL, 0), 0);
  }
  assert_error(mj_copyState(m, d, d, 2 * mjSTATE_PLASTIC), "mj_copyState: invalid state signature");
  assert_error(mj_copyState(m, d, d, -1), "mj_copyState: invalid state signature");
  mj_deleteModel(m);
}

TEST(signatures_of_a_dialect_have_its_bits) {
  static const unsigned int bits_of_400[15] = {
      mjSTATE_TIME,         mjSTATE_QPOS,      mjSTATE_QVEL,      mjSTATE_ACT,
      mjSTATE_HISTORY,      mjSTATE_WARMSTART, mjSTATE_CTRL,      mjSTATE_QFRC_APPLIED,
      mjSTATE_XFRC_APPLIED, mjSTATE_EQ_ACTIVE, mjSTATE_MOCAP_POS, mjSTATE_MOCAP_QUAT,
      mjSTATE_USERDATA,     mjSTATE_PLUGIN,    mjSTATE_PLASTIC};
  for (int i = 0; i < 15; i++) {
    assert_int_equal(cnd_stateSignature(400, 1 << i), bits_of_400[i]);
    assert_int_equal(cnd_stateSignature(303, 1 << i), 1 << i);
  }
  assert_int_equal(cnd_stateSignature(400, 8128), mjSTATE_USER);
  assert_error(cnd_stateSignature(400, -1), "cnd_stateSignature: invalid state signature -1");
  assert_error(cnd_stateSignature(400, 1 << 15),
               "cnd_stateSignature: invalid state signature 32768");
}

TEST(states_of_a_dialect_hold_the_same_numbers) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  mjData* other = test_data(m);
  mj_resetDataKeyframe(m, d, 1);
  const int ctrl_and_mocap = 1 << 6 | 1 << 10, ctrl = 1 << 6;  // as 4.0.0 numbers them
  mjtNum ours[4], theirs[4], part[1];
  assert_int_equal(cnd_stateSizeAs(400, m, ctrl_and_mocap), 4);
  cnd_getStateAs(400, m, d, theirs, ctrl_and_mocap);
  mj_getState(m, d, ours, mjSTATE_CTRL | mjSTATE_MOCAP_POS);
  assert_memory_equal(theirs, ours, sizeof(ours));
  cnd_extractStateAs(400, m, theirs, ctrl_and_mocap, part, ctrl);
  assert_that(part[0], ==, d->ctrl[0]);
  assert_that(other->ctrl[0], !=, d->ctrl[0]);
  cnd_copyStateAs(400, m, d, other, ctrl);
  assert_that(other->ctrl[0], ==, d->ctrl[0]);
  assert_that(other->mocap_pos[0], !=, d->mocap_pos[0]);
  cnd_setStateAs(400, m, other, theirs, ctrl_and_mocap);
  assert_that(other->mocap_pos[0], ==, d->mocap_pos[0]);
  mj_deleteModel(m);
}

TEST(unknown_parts_are_an_error) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  mjtNum vector[1];
  assert_error(mj_stateSize(m, 2u * mjSTATE_PLASTIC), "mj_stateSize: invalid state signature");
  assert_error(mj_getState(m, d, vector, 1u << 31), "mj_getState: invalid state signature");
  assert_error(mj_setState(m, d, vector, 1u << 20), "mj_setState: invalid state signature");
  mj_deleteModel(m);
}
