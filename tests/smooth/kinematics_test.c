// Joints, cameras and mocap bodies put bodies where their definitions say.

#include "smooth/sincos.h"
#include "support/zoo.h"

// a hinge away from the body's origin: the anchor stays, the body goes round it
TEST(hinge_turns_about_its_anchor) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body pos='1 2 3'><joint axis='0 0 1' pos='0 1 0'/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  d->qpos[0] = mjPI / 2;
  mj_kinematics(m, d);
  const mjtNum anchor[3] = {1, 3, 3}, origin[3] = {2, 3, 3};
  assert_close(d->xanchor, anchor, 3, 1e-14);
  assert_close(d->xpos + 3, origin, 3, 1e-14);
}

// also angles that the series is not made for, and a NaN with all bits set, in more joints than one
// block of angles holds
TEST(hinges_turn_by_angles_of_any_size) {
  const mjtNum angles[] = {0, (mjtNum)0.3, -3, 100, -12345, 1000000, 2500000, (mjtNum)1e15, -7, 2};
  enum {
    N = sizeof(angles) / sizeof(angles[0])
  };
  char xml[2000] = "<mujoco><worldbody>";
  for (int i = 0; i < N; i++) {
    strcat(xml, "<body><joint axis='0 0 1'/><geom size='.1'/></body>");
  }
  mjModel* m = test_model(strcat(xml, "</worldbody></mujoco>"));
  mjData* d = test_data(m);
  memcpy(d->qpos, angles, sizeof(angles));
  mj_kinematics(m, d);
  for (int i = 0; i < N; i++) {
    mjtNum half = angles[i] / 2, quat[4] = {mju_cos(half), 0, 0, mju_sin(half)};
    assert_close(d->xquat + 4 * (i + 1), quat, 4, 1e-14);
  }
  memset(d->qpos + 1, 0xFF, sizeof(mjtNum));
  d->qpos[2] = mju_abs(d->qpos[1]);
  mj_kinematics(m, d);
  assert_true(isnan(d->xquat[4 * 2]));
  assert_true(isnan(d->xquat[4 * 3]));
}

// several joints in one body are a chain of massless bodies, the first one nearest to the parent
TEST(joints_of_one_body_act_like_a_chain) {
  mjModel* one = test_model(
      "<mujoco><worldbody><body pos='1 0 0'><joint axis='1 0 0' pos='0 .1 0'/>"
      "<joint type='slide' axis='0 1 0'/><joint type='ball' pos='.2 0 0'/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  mjModel* chain = test_model(
      "<mujoco><worldbody><body pos='1 0 0'><joint axis='1 0 0' pos='0 .1 0'/><geom size='.1'/>"
      "<body><joint type='slide' axis='0 1 0'/><geom size='.1'/>"
      "<body><joint type='ball' pos='.2 0 0'/><geom size='.1'/></body></body></body>"
      "</worldbody></mujoco>");
  mjData *d1 = mj_makeData(one), *d2 = mj_makeData(chain);
  const mjtNum qpos[6] = {0.4, -0.3, 0.8, 0.2, -0.4, 0.5};
  memcpy(d1->qpos, qpos, sizeof qpos);
  memcpy(d2->qpos, qpos, sizeof qpos);
  mj_kinematics(one, d1);
  mj_kinematics(chain, d2);
  assert_close(d1->xpos + 3, d2->xpos + 9, 3, 1e-14);
  assert_close(d1->xmat + 9, d2->xmat + 27, 9, 1e-14);
  assert_close(d1->xaxis, d2->xaxis, 9, 1e-14);
  assert_close(d1->xanchor, d2->xanchor, 9, 1e-14);
  mj_deleteData(d1);
  mj_deleteData(d2);
}

TEST(quaternions_in_qpos_are_left_alone) {
  mjModel* m = test_model(ZOO_XML);
  mjData *d = mj_makeData(m), *unit = mj_makeData(m);
  for (int k = 3; k < 7; k++) {
    d->qpos[k] = k;
    unit->qpos[k] = k;
  }
  mju_normalize4(unit->qpos + 3);
  mj_kinematics(m, d);
  mj_kinematics(m, unit);
  assert_that(d->qpos[3], ==, 3);
  assert_that(d->qpos[6], ==, 6);
  assert_close(d->xmat, unit->xmat, 9 * m->nbody, 1e-14);
  mj_deleteData(d);
  mj_deleteData(unit);
}

TEST(all_orientations_are_orthonormal) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 7);
  mj_forward(m, d);
  mjtNum unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, product[9];
  const struct {
    const mjtNum* mat;
    int n;
  } all[] = {{d->xmat, m->nbody},
             {d->ximat, m->nbody},
             {d->geom_xmat, m->ngeom},
             {d->site_xmat, m->nsite},
             {d->cam_xmat, m->ncam}};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    for (int i = 0; i < all[k].n; i++) {
      mju_mulMatMatT(product, all[k].mat + 9 * i, all[k].mat + 9 * i, 3, 3, 3);
      assert_close(product, unit, 9, 1e-12);
    }
  }
}

TEST(targeting_camera_looks_at_its_target) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 3);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);

  // the camera looks along -z
  int cam = zoo_id(m, mjOBJ_CAMERA, "watch"), base = zoo_id(m, mjOBJ_BODY, "base");
  mjtNum direction[3], look[3];
  mju_sub3(direction, d->xpos + 3 * base, d->cam_xpos + 3 * cam);
  mju_normalize3(direction);
  for (int k = 0; k < 3; k++) {
    look[k] = -d->cam_xmat[9 * cam + 3 * k + 2];
  }
  assert_close(look, direction, 3, 1e-14);

  // straight down there is no level direction: x is the world's x
  const mjtNum down[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  assert_close(d->cam_xmat + 9 * zoo_id(m, mjOBJ_CAMERA, "above"), down, 9, 1e-14);

  // light directions are unit vectors whatever was given
  const mjtNum light[3] = {0, 0, -1};
  assert_close(d->light_xdir, light, 3, 1e-14);
}

TEST(mocap_body_goes_where_it_is_put) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  const mjtNum pos[3] = {4, 5, 6}, mat[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
  mju_copy3(d->mocap_pos, pos);
  d->mocap_quat[0] = 0;
  d->mocap_quat[1] = 2;
  mj_kinematics(m, d);
  int hand = zoo_id(m, mjOBJ_BODY, "hand");
  assert_close(d->xpos + 3 * hand, pos, 3, 0);
  assert_close(d->xmat + 9 * hand, mat, 9, 1e-15);
}

// a frame flagged as the body's takes it exactly, whatever its offset says
TEST(sameframe_wins_over_the_offset) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  zoo_randomize(m, d, 5);
  mj_kinematics(m, d);
  int body = zoo_id(m, mjOBJ_BODY, "wrist");
  const mjtNum pos[3] = {1, 2, 3}, quat[4] = {0, 1, 0, 0};
  mjtNum xpos[3], xmat[9], expected[3];
  mj_local2Global(d, xpos, xmat, pos, quat, body, mjSAMEFRAME_BODY);
  assert_close(xpos, d->xpos + 3 * body, 3, 0);
  assert_close(xmat, d->xmat + 9 * body, 9, 0);
  mj_local2Global(d, xpos, xmat, pos, quat, body, mjSAMEFRAME_INERTIAROT);
  mju_mulMatVec3(expected, d->xmat + 9 * body, pos);
  mju_addTo3(expected, d->xpos + 3 * body);
  assert_close(xpos, expected, 3, 1e-14);
  assert_close(xmat, d->ximat + 9 * body, 9, 0);
}

// the same numbers as the library's, but for a neighbour now and then
TEST(sines_and_cosines_are_nearly_always_the_nearest_numbers) {
  DOUBLE_ONLY();
  enum {
    NUM = 20000
  };
  const double range[] = {1e-3, 0.3, 0.8, 2, 7, 1e3, 9e5};
  mjtNum *x = calloc(3 * NUM, sizeof *x), *sine = x + NUM, *cosine = x + 2 * NUM;
  uint64_t seed = 5;
  for (size_t k = 0; k < sizeof range / sizeof range[0]; k++) {
    int others = 0;
    for (int i = 0; i < NUM; i++) {
      x[i] = (mjtNum)range[k] * uniform_random(&seed);
    }
    sincos_many(sine, cosine, x, NUM);
    for (int i = 0; i < NUM; i++) {
      double s = sin((double)x[i]), c = cos((double)x[i]);
      others += sine[i] != s;
      others += cosine[i] != c;
      assert_that(sine[i], >=, nextafter(s, -2));
      assert_that(sine[i], <=, nextafter(s, 2));
      assert_that(cosine[i], >=, nextafter(c, -2));
      assert_that(cosine[i], <=, nextafter(c, 2));
    }
    if (others > NUM / 25) {
      fail_msg("up to %g: %d of %d differ", range[k], others, 2 * NUM);
    }
  }
  free(x);
}

// Contacts of parallel faces depend on the last bits. Hinges stay where they are, as sines and
// cosines may be neighbours.
TEST(poses_have_the_bits_of_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  Bridge* b = test_bridge(ZOO_XML);
  for (unsigned seed = 1; seed <= 20; seed++) {
    bridge_random(b, seed, 2);
    for (int j = 0; j < b->m->njnt; j++) {
      int adr = b->m->jnt_qposadr[j];
      if (b->m->jnt_type[j] == mjJNT_HINGE) {
        b->d->qpos[adr] = b->m->qpos0[adr];
      }
    }
    bridge_push(b, "qpos");
    bridge_run(b, "mj_kinematics");
    mj_kinematics(b->m, b->d);
    int differ = bridge_compare(
        b, "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat", 0);
    assert_int_equal(differ, 0);
  }
}
