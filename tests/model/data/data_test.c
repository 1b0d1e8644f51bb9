// data.c: making, resetting, copying and freeing the data of a simulation.

#include "model/data/arena.h"
#include "support/bridge.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/small_data.h"
#include "support/test.h"

static void assert_zero(const mjtNum* a, int n) {
  for (int i = 0; i < n; i++) {
    assert_that(a[i], ==, 0);
  }
}

// what every reset promises
static void assert_initial(void) {
  assert_numbers(d->qpos, m->qpos0, m->nq, 0, 1);
  assert_zero(d->qvel, m->nv);
  assert_zero(d->act, m->na);
  assert_zero(d->ctrl, m->nu);
  assert_zero(d->qacc, m->nv);
  assert_zero(d->qacc_warmstart, m->nv);
  assert_zero(d->qfrc_applied, m->nv);
  assert_zero(d->xfrc_applied, 6 * m->nbody);
  assert_zero(d->act_dot, m->na);
  assert_zero(d->userdata, m->nuserdata);
  assert_zero(d->qM, m->nM);
  assert_numbers(d->mocap_pos, m->body_pos + 9, 3, 0, 1);
  assert_numbers(d->mocap_quat, m->body_quat + 12, 4, 0, 1);
  assert_int_equal(d->eq_active[0], 1);
  assert_that(d->time, ==, 0);
  assert_that(d->energy[0], ==, 0);
  assert_int_equal(d->pstack + d->parena + d->pbase, 0);
  assert_int_equal(d->signature, 42);
  assert_int_equal(d->narena, m->narena);
}

// changes a bit of everything
static void disturb(void) {
  d->time = 3;
  d->energy[0] = 1;
  d->qpos[0] = 9;
  d->qvel[1] = 9;
  d->act[0] = 9;
  d->ctrl[0] = 9;
  d->qacc[2] = 9;
  d->xfrc_applied[7] = 9;
  d->eq_active[0] = 0;
  d->mocap_pos[0] = 9;
  d->qM[0] = 9;
  d->xpos[4] = 9;
  d->warning[mjWARN_BADQPOS].number = 4;
  d->solver_niter[0] = 4;
  d->timer[mjTIMER_STEP].number = 4;
  d->maxuse_con = 4;
  d->contact = arena_alloc(d, sizeof(mjContact), 8);
  memset(d->contact, 0, sizeof(mjContact));
  d->contact->dim = 3;
  d->ncon = 1;
  d->efc_force = arena_alloc(d, 2 * sizeof(mjtNum), 8);
  d->efc_force[0] = 5;
  d->efc_force[1] = 6;
  d->nefc = 2;
}

TEST(new_data_is_initial) {
  assert_initial();
  assert_zero(d->xpos, 3 * m->nbody);
  assert_zero(d->xquat, 4 * m->nbody);
  assert_int_equal((uintptr_t)d->qpos % 64, 0);
  assert_ptr_equal(d->contact, d->arena);
}

TEST(reset_makes_it_initial_again) {
  disturb();
  mj_resetData(m, d);
  assert_initial();
  assert_zero(d->xpos, 3 * m->nbody);
  assert_int_equal(d->warning[mjWARN_BADQPOS].number + d->solver_niter[0] + d->ncon + d->nefc, 0);
  assert_int_equal(d->timer[mjTIMER_STEP].number + d->maxuse_con, 0);
  assert_null(d->efc_force);

  mjData* fresh = test_data(m);
  assert_int_equal(bridge_compare_datas(m, d, fresh, NULL, 0), 0);
}

TEST(debug_reset_marks_stale_results) {
  disturb();
  mj_resetDataDebug(m, d, 0xC3);
  assert_initial();
  const unsigned char* bytes = (const unsigned char*)d->xpos;
  for (size_t i = 0; i < 3 * 4 * sizeof(mjtNum); i++) {
    assert_int_equal(bytes[i], 0xC3);
  }
  assert_int_equal(*(const unsigned char*)d->cfrc_ext, 0xC3);
}

// Indices that lead nowhere would be read wherever sparse rows are.
TEST(debug_reset_leaves_no_indices) {
  mj_resetDataDebug(m, d, 0xC3);
  for (int i = 0; i < m->nu; i++) {
    assert_int_equal(d->moment_rownnz[i], 0);
    assert_int_equal(d->moment_rowadr[i], 0);
  }
  for (int i = 0; i < m->ntendon; i++) {
    assert_int_equal(d->ten_wrapnum[i], 0);
    assert_int_equal(d->ten_J_rownnz[i], 0);
  }
  mj_energyVel(m, d);
  mj_fwdVelocity(m, d);
}

TEST(keyframe_is_loaded) {
  mj_resetDataKeyframe(m, d, 1);
  assert_that(d->time, ==, 200);
  assert_numbers(d->qpos, m->key_qpos + 8, 8, 0, 1);
  assert_numbers(d->qvel, m->key_qvel + 7, 7, 0, 1);
  assert_that(d->act[0], ==, 220);
  assert_that(d->ctrl[0], ==, 230);
  assert_numbers(d->mocap_pos, m->key_mpos + 3, 3, 0, 1);
  assert_numbers(d->mocap_quat, m->key_mquat + 4, 4, 0, 1);
}

TEST(unknown_keyframe_only_resets) {
  disturb();
  mj_resetDataKeyframe(m, d, -1);
  assert_initial();
  disturb();
  mj_resetDataKeyframe(m, d, 2);
  assert_initial();
}

TEST(keyframe_is_stored) {
  mj_resetDataKeyframe(m, d, 1);
  mj_setKeyframe(m, d, 0);
  assert_numbers(m->key_qpos, m->key_qpos + 8, 8, 0, 1);
  assert_that(m->key_time[0], ==, 200);
  assert_error(mj_setKeyframe(m, d, 2), "mj_setKeyframe: index must be smaller than 2");
  assert_error(mj_setKeyframe(m, d, -1), "mj_setKeyframe: keyframe index cannot be negative");
}

TEST(copy_equals_the_original) {
  disturb();
  mjData* copy = mj_copyData(NULL, m, d);
  assert_int_equal(bridge_compare_datas(m, copy, d, NULL, 0), 0);
  assert_ptr_not_equal(copy->efc_force, d->efc_force);
  assert_int_equal((char*)copy->efc_force - (char*)copy->arena,
                   (char*)d->efc_force - (char*)d->arena);
  assert_that(copy->efc_force[1], ==, 6);
  assert_that(copy->contact->dim, ==, 3);
  assert_int_equal(copy->maxuse_con, 4);
  assert_int_equal(copy->parena, d->parena);
  assert_null(copy->efc_J);

  // into an existing one, whose rows vanish
  mjData* fresh = test_data(m);
  mj_copyData(copy, m, fresh);
  assert_null(copy->efc_force);
  assert_int_equal(bridge_compare_datas(m, copy, fresh, NULL, 0), 0);
  mj_deleteData(copy);
}

TEST(copying_with_a_stack_in_use_is_an_error) {
  mj_markStack(d);
  assert_error(mj_copyData(NULL, m, d), "stack is in use");
  mj_freeStack(d);
}

TEST(copying_to_another_size_is_an_error) {
  mjModel other = small_model_sizes();
  other.narena *= 2;
  mjData* larger = mj_makeData(&other);
  assert_error(mj_copyData(larger, m, d), "different models");
  mj_deleteData(larger);
}

TEST(sizes_alone_make_data) {
  mjModel sizes = small_model_sizes();
  mjData* bare = mj_makeData(&sizes);
  assert_zero(bare->qpos, sizes.nq);
  mj_copyData(bare, &sizes, d);
  assert_numbers(bare->qpos, d->qpos, sizes.nq, 0, 1);
  mj_deleteData(bare);
}

TEST(deleting_nothing_is_fine) {
  mj_deleteData(NULL);
}
