// Edges of deformables between bodies that turn, against differences.

#include "derivative/tree/flex_edge.h"

#include "derivative/scene.h"

// A sheet pinned at two corners to a swinging body: edges within it, to it, and on it.
static const char kSheet[] =
    "<mujoco><worldbody><body name='b' pos='0 0 1'><joint axis='0 1 0'/><joint type='ball'/>"
    "<geom size='.05'/><flexcomp name='sheet' type='grid' dim='2' count='3 2 1' spacing='.1 .1 .1' "
    "mass='.4' radius='.01'><contact contype='0' conaffinity='0' selfcollide='none' "
    "internal='false'/><edge damping='.1'/><pin id='0 1'/></flexcomp></body>"
    "</worldbody></mujoco>";

static Scene sheet_scene(void) {
  return scene_make(kSheet, 0.2);
}

static void update_flex(const mjModel* m, mjData* d) {
  update_positions(m, d);
  mj_flex(m, d);
}

static void length_of(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const int* ends = m->flex_edge + 2 * *(int*)of;
  update_flex(m, d);
  *y = mju_dist3(d->flexvert_xpos + 3 * ends[0], d->flexvert_xpos + 3 * ends[1]);
}

// n . (J_1 - J_0)
static void gradient_of(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const int* ends = m->flex_edge + 2 * *(int*)of;
  mjtNum *J = malloc(3 * (size_t)m->nv * sizeof(mjtNum)), n[3];
  mjtNum* row = malloc((size_t)m->nv * sizeof(mjtNum));
  update_flex(m, d);
  mju_sub3(n, d->flexvert_xpos + 3 * ends[1], d->flexvert_xpos + 3 * ends[0]);
  mju_normalize3(n);
  mju_zero(y, m->nv);
  for (int i = 0; i < 2; i++) {
    mj_jac(m, d, J, NULL, d->flexvert_xpos + 3 * ends[i], m->flex_vertbodyid[ends[i]]);
    mju_mulMatTVec(row, J, n, 3, m->nv);
    mju_addToScl(y, row, i ? 1 : -1, m->nv);
  }
  free(J);
  free(row);
}

TEST(an_edge_is_as_long_and_points_as_its_ends_say) {
  Scene s = sheet_scene();
  for (int e = 0; e < s.m->nflexedge; e++) {
    FlexEdge edge = flex_edge(s.m, s.d, 0, e);
    mjtNum length, end[3];
    length_of(&length, s.m, s.d, &e);
    assert_near(edge.length, length, 1e-14);
    mju_copy3(end, edge.x[0]);
    mju_addToScl3(end, edge.n, edge.length);
    assert_close(end, edge.x[1], 3, 1e-14);
  }
  scene_free(&s);
}

TEST(tension_of_an_edge_changes_as_its_gradient_does) {
  DOUBLE_ONLY();
  Scene s = sheet_scene();
  int n = s.nv * s.nv;
  mjtNum *G = scene_zeros(&s, n), *expected = scene_zeros(&s, n);
  mjtNum *rate = scene_zeros(&s, s.nv), *expected_rate = scene_zeros(&s, s.nv);
  const mjtNum* z = scene_numbers(&s, s.nv, 3);
  Twists W = twists_make(s.m, s.d, z);
  for (int e = 0; e < s.m->nflexedge; e++) {
    FlexEdge edge = flex_edge(s.m, s.d, 0, e);
    Load* loads = loads_make(s.m, s.d);
    mju_zero(G, n);
    mju_zero(rate, s.nv);
    flex_edge_derivative(G, loads, s.m, s.d, &edge, -2);
    loads_derivative(G, s.m, s.d, loads, 1);
    mju_scl(G, G, (mjtNum)-0.5, n);
    differences_by_dofs(expected, gradient_of, &e, s.m, s.d, s.nv, (mjtNum)1e-3);
    assert_numbers(G, expected, n, 1e-7, 1);
    flex_edge_rate(rate, s.m, s.d, &edge, &W, 3);
    mju_mulMatTVec(expected_rate, expected, z, s.nv, s.nv);
    mju_scl(expected_rate, expected_rate, 3, s.nv);
    assert_close(rate, expected_rate, s.nv, 1e-7);
  }
  scene_free(&s);
}
