// What the ways of differentiating contacts share: frames, wrenches and how they move.

#include "derivative/constraint/contact_work.h"

#include "derivative/constraint/contact_scenes.h"

static void random_frame(mjtNum frame[9], uint64_t* seed) {
  mjtNum quat[4];
  random_fill(quat, 4, seed);
  mju_normalize4(quat);
  mju_quat2Mat(frame, quat);
}

// f . t is the same in both frames, so a block in the world is R' A R.
TEST(power_is_the_same_in_the_world) {
  uint64_t seed = 1;
  mjtNum frame[9], A[36], world[36], t[6], own[6], w[6], w_world[6], answer[6], expected[6];
  random_frame(frame, &seed);
  random_fill(A, 36, &seed);
  random_fill(t, 6, &seed);
  for (int part = 0; part < 6; part += 3) {
    mju_mulMatVec3(own + part, frame, t + part);
  }
  mju_mulMatVec(w, A, own, 6, 6);
  contact_to_world(w_world, w, frame, -1);
  contact_block_to_world(world, A, frame);
  mju_mulMatVec(answer, world, t, 6, 6);
  mju_scl(expected, w_world, -1, 6);
  assert_close(answer, expected, 6, 1e-13);
  assert_near(mju_dot(w_world, t, 6), -mju_dot(w, own, 6), 1e-13);
}

// Forces answer by Hs to what the directions measure: shifts first, then turns.
TEST(stiffness_and_damping_are_the_law_along_the_directions) {
  uint64_t seed = 2;
  ContactWork w;
  mjtNum frame[9], t[6], own[6], motion[6], force[6], wrench[6], block[36], answer[6];
  random_frame(frame, &seed);
  random_fill(w.Hs, 36, &seed);
  random_fill(w.damping, 6, &seed);
  random_fill(t, 6, &seed);
  for (int damped = 0; damped < 2; damped++) {
    for (int part = 0; part < 6; part += 3) {
      mju_mulMatVec3(own + part, frame, t + part);
    }
    for (int k = 0; k < 6; k++) {
      motion[k] = own[(k + 3) % 6] * (damped ? w.damping[k] : 1);
    }
    mju_mulMatVec(force, w.Hs, motion, 6, 6);
    mjtNum swapped[6] = {force[3], force[4], force[5], force[0], force[1], force[2]};
    contact_to_world(wrench, swapped, frame, 1);
    (damped ? contact_damping : contact_stiffness)(block, &w, frame);
    mju_mulMatVec(answer, block, t, 6, 6);
    assert_close(answer, wrench, 6, 1e-13);
  }
}

// What both sides have in common moves a contact like a body, but for its turn about the normal.
TEST(a_common_motion_moves_a_contact_like_a_body) {
  uint64_t seed = 3;
  ContactWork w;
  ContactMotion to;
  mjtNum E[6];
  random_fill(w.geometry.dist, 6 * 6, &seed);
  random_fill(w.spin, 6, &seed);
  random_fill(E, 6, &seed);
  contact_move(&to, &w, E, E);
  assert_near(to.dist, 0, 0);
  assert_close(to.pos, E + 3, 3, 0);
  assert_close(to.turn + 1, E + 1, 2, 1e-15);
}

// Frame and place of a contact.
static void frame_of(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const mjContact* con = d->contact + *(int*)of;
  update_positions(m, d);
  mj_collision(m, d);
  mju_copy(y, con->frame, 9);
  mju_copy3(y + 9, con->pos);
  y[12] = con->dist;
}

TEST(frames_move_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = contact_scene(1);
  mjtNum* expected = scene_zeros(&s, 13 * s.nv);
  for (int i = 0; i < s.d->ncon; i++) {
    const mjContact* con = s.d->contact + i;
    ContactWork w;
    assert_int_equal(contact_geometry(&w.geometry, s.m, s.d, con), 0);
    assert_int_equal(contact_spin(&w, s.m, s.d, con), 0);
    differences_by_dofs(expected, frame_of, &i, s.m, s.d, 13, (mjtNum)1e-4);
    for (int j = 0; j < s.nv; j++) {
      mjtNum E[2][6], *z = scene_zeros(&s, s.nv);
      ContactMotion to;
      z[j] = 1;
      Twists W = twists_make(s.m, s.d, z);
      for (int side = 0; side < 2; side++) {
        contact_twist(E[side], s.m, s.d, contact_body(s.m, con, side), &W, con);
      }
      contact_move(&to, &w, E[0], E[1]);
      mjtNum turn[3], pos[3], y[13];
      mju_mulMatTVec3(turn, con->frame, to.turn);
      mju_mulMatTVec3(pos, con->frame, to.pos);
      for (int k = 0; k < 3; k++) {
        mju_cross(y + 3 * k, turn, con->frame + 3 * k);
      }
      mju_copy3(y + 9, pos);
      y[12] = to.dist;
      for (int k = 0; k < 13; k++) {
        assert_near(y[k], expected[k * s.nv + j], 1e-7);
      }
    }
  }
  scene_free(&s);
}
