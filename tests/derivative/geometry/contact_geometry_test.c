// Closest points of two surfaces that are known to the second order, against closed forms.

#include "derivative/geometry/contact_geometry.h"

#include "derivative/scene.h"

static const mjtNum kFrame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static SurfaceShape ball(mjtNum r) {
  return (SurfaceShape){.C = {r, 0, 0, r}, .S = {1, 0, 0, 1}};
}

// Two balls: n is along the line of centers, so it turns by the slip over their distance.
TEST(normals_of_balls_turn_by_the_slip_over_the_distance_of_centers) {
  const mjtNum r1 = (mjtNum)0.3, r2 = (mjtNum)0.2, dist = (mjtNum)-0.05;
  const mjtNum apart = r1 + r2 + dist, arm = r2 + dist / 2;
  SurfaceShape one = ball(r1), two = ball(r2);
  ContactGeometry out;
  assert_int_equal(contact_geometry_closest(&out, &one, &two, dist), 1);
  const mjtNum by_dist[6] = {0, 0, 0, 1, 0, 0};
  // shifts of the center of ball 2 along t1 and t2, by shifts and by turns about the contact
  const mjtNum t1[6] = {0, 0, arm, 0, 1, 0}, t2[6] = {0, -arm, 0, 0, 0, 1};
  assert_close(out.dist, by_dist, 6, 1e-14);
  for (int i = 0; i < 6; i++) {
    assert_near(out.normal[0][i], t1[i] / apart, 1e-12);
    assert_near(out.normal[1][i], t2[i] / apart, 1e-12);
    assert_near(out.pos[0][i], by_dist[i] / 2, 1e-14);
    assert_near(out.pos[1][i], (r1 + dist / 2) * t1[i] / apart, 1e-12);
    assert_near(out.pos[2][i], (r1 + dist / 2) * t2[i] / apart, 1e-12);
  }
}

TEST(two_flat_surfaces_tell_nothing) {
  SurfaceShape face = {.C = {1, 0, 0, 1}, .S = {0, 0, 0, 0}}, edge;
  ContactGeometry out;
  const mjtNum axis[3] = {0, 1, 0};
  surface_set(&edge, kFrame, axis, 1, 0, 0, 1);
  assert_int_equal(contact_geometry_closest(&out, &face, &face, 0), 0);
  assert_int_equal(contact_geometry_closest(&out, &edge, &edge, 0), 0);
}

// What is around both of them changes the distance alone.
TEST(inflated_surfaces_have_the_contact_of_their_cores) {
  uint64_t seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    SurfaceShape one = ball(random_number(&seed)), two, wide[2];
    mjtNum axis[3], by = (mjtNum)0.4, dist = random_number(&seed);
    ContactGeometry core, out;
    random_fill(axis, 3, &seed);
    surface_set(&two, kFrame, axis, 1, 0, (mjtNum)0.3, 1);
    wide[0] = one;
    wide[1] = two;
    surface_inflate(wide, by);
    surface_inflate(wide + 1, by);
    contact_geometry_closest(&core, &one, &two, dist);
    contact_geometry_closest(&out, wide, wide + 1, dist - 2 * by);
    assert_close(out.dist, core.dist, 30, 1e-9);
  }
}

// Turning the tangents of the frame turns the answer.
TEST(directions_of_a_surface_stay_in_the_world) {
  mjtNum c = mju_cos((mjtNum)0.7), s = mju_sin((mjtNum)0.7);
  const mjtNum turned[9] = {1, 0, 0, 0, c, s, 0, -s, c}, axis[3] = {3, 1, -2};
  SurfaceShape a, b;
  surface_set(&a, kFrame, axis, 2, 3, 5, 7);
  surface_set(&b, turned, axis, 2, 3, 5, 7);
  const mjtNum* own[2] = {a.C, a.S};
  const mjtNum* other[2] = {b.C, b.S};
  for (int k = 0; k < 2; k++) {
    const mjtNum R[4] = {c, s, -s, c};
    mjtNum half[4], expected[4];
    mju_mulMatMat(half, R, own[k], 2, 2, 2);
    mju_mulMatMatT(expected, half, R, 2, 2, 2);
    assert_close(other[k], expected, 4, 1e-13);
  }
  assert_near(a.C[0] + a.C[3], 7, 1e-13);
  assert_near(a.S[0] * a.S[3] - a.S[1] * a.S[2], 21, 1e-12);
}
