// Second derivatives of lengths of tendons, against differences of what has only first ones.

#include "derivative/tree/tendon_length.h"

#include "derivative/scene.h"
#include "smooth/tendon.h"

// A joint twice, straight pieces with a pulley, around a sphere and a cylinder and inside of both.
static const char kTendons[] =
    "<mujoco><worldbody><site name='hook' pos='0 0 1.5'/><site name='hook2' pos='.9 .3 1.2'/>"
    "<body name='a' pos='.1 0 1'><joint type='ball'/><joint name='s' type='slide' axis='1 1 0'/>"
    "<geom size='.05' pos='.1 .1 0'/><geom name='ball' size='.1' pos='.35 -.05 .06'/>"
    "<geom name='drum' type='cylinder' size='.12 .2' pos='.45 .05 -.3' euler='80 20 0'/>"
    "<geom name='ball2' size='.1' pos='.3 .05 .02'/>"
    "<geom name='drum2' type='cylinder' size='.12 .2' pos='.2 0 -.3' euler='80 20 0'/>"
    "<site name='in ball' pos='.33 .07 0'/><site name='in drum' pos='.2 .03 -.32'/>"
    "<site name='a0' pos='.1 -.2 .1'/><site name='a1' pos='.2 .3 .1'/>"
    "<body name='b' pos='.7 .1 0'><joint name='h' axis='0 1 0'/><joint name='g' axis='1 0 1'/>"
    "<geom size='.05' pos='0 .1 0'/><site name='b0' pos='.1 .05 .02'/><site name='b1' pos='0 0 "
    "-.6'/>"
    "</body></body></worldbody><tendon>"
    "<fixed name='joints'><joint joint='s' coef='.5'/><joint joint='h' coef='-1.5'/></fixed>"
    "<spatial name='straight'><site site='hook'/><site site='a0'/><pulley divisor='2'/>"
    "<site site='a1'/><site site='b0'/><site site='hook2'/></spatial>"
    "<spatial name='sphere'><site site='a0'/><geom geom='ball'/><site site='b0'/></spatial>"
    "<spatial name='cylinder'><site site='hook'/><geom geom='drum'/><site site='b1'/></spatial>"
    "<spatial name='inside sphere'><site site='a0'/><geom geom='ball2' sidesite='in ball'/>"
    "<site site='b0'/></spatial>"
    "<spatial name='inside cylinder'><site site='hook'/><geom geom='drum2' sidesite='in drum'/>"
    "<site site='b1'/></spatial></tendon></mujoco>";

static Scene tendon_scene(void) {
  return scene_make(kTendons, 0.3);
}

static void update_tendons(const mjModel* m, mjData* d) {
  update_positions(m, d);
  mj_tendon(m, d);
}

static void length_of(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  update_tendons(m, d);
  *y = d->ten_length[*(int*)of];
}

// the gradient, as the engine has it, as a dense row
static void gradient_of(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  update_tendons(m, d);
  TendonRow row = tendon_view(m, d, *(int*)of);
  mju_zero(y, m->nv);
  tendon_add_to(y, &row, 1);
}

TEST(gradient_is_that_of_the_length) {
  DOUBLE_ONLY();
  Scene s = tendon_scene();
  mjtNum *out = scene_zeros(&s, s.nv), *expected = scene_zeros(&s, s.nv);
  for (int t = 0; t < s.m->ntendon; t++) {
    mju_zero(out, s.nv);
    tendon_length_derivative(out, s.m, s.d, t, -2);
    mju_scl(out, out, (mjtNum)-0.5, s.nv);
    differences_by_dofs(expected, length_of, &t, s.m, s.d, 1, (mjtNum)1e-3);
    assert_close(out, expected, s.nv, 1e-8);
  }
  scene_free(&s);
}

TEST(tension_changes_as_the_gradient_does) {
  DOUBLE_ONLY();
  Scene s = tendon_scene();
  int n = s.nv * s.nv, wrapped = 0;
  mjtNum *G = scene_zeros(&s, n), *expected = scene_zeros(&s, n);
  for (int t = 0; t < s.m->ntendon; t++) {
    Load* loads = loads_make(s.m, s.d);
    mju_zero(G, n);
    assert_int_equal(tendon_derivative(G, loads, s.m, s.d, t, 3), 0);
    loads_derivative(G, s.m, s.d, loads, 1);
    mju_scl(G, G, (mjtNum)1 / 3, n);
    differences_by_dofs(expected, gradient_of, &t, s.m, s.d, s.nv, (mjtNum)1e-3);
    assert_numbers(G, expected, n, 1e-7, 1);
    wrapped += s.d->ten_wrapnum[t] == 4;
  }
  assert_int_equal(wrapped, 4);  // around or inside of all four
  scene_free(&s);
}

TEST(speed_changes_as_the_gradient_times_velocities_does) {
  DOUBLE_ONLY();
  Scene s = tendon_scene();
  const mjtNum* z = scene_numbers(&s, s.nv, 3);
  Twists W = twists_make(s.m, s.d, z);
  mjtNum *out = scene_zeros(&s, s.nv), *expected = scene_zeros(&s, s.nv);
  mjtNum* H = scene_zeros(&s, s.nv * s.nv);
  for (int t = 0; t < s.m->ntendon; t++) {
    mju_zero(out, s.nv);
    tendon_rate_derivative(out, s.m, s.d, t, &W, -2);
    mju_scl(out, out, (mjtNum)-0.5, s.nv);
    differences_by_dofs(H, gradient_of, &t, s.m, s.d, s.nv, (mjtNum)1e-3);
    mju_mulMatTVec(expected, H, z, s.nv, s.nv);
    assert_close(out, expected, s.nv, 1e-7);
  }
  scene_free(&s);
}

// The string leaves the sphere along a line through its center: no second derivative.
TEST(a_string_through_the_center_is_a_kink) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='ball' size='.1'/><site name='far' pos='-1 0 0'/>"
      "<body pos='1 0 0'><joint type='slide'/><joint type='slide' axis='0 1 0'/><geom size='.1'/>"
      "<site name='near'/></body></worldbody><tendon><spatial><site site='far'/>"
      "<geom geom='ball'/><site site='near'/></spatial></tendon></mujoco>");
  mjData* d = test_data(m);
  mjtNum G[4] = {0};
  mj_forward(m, d);
  mj_markStack(d);
  assert_int_equal(tendon_derivative(G, loads_make(m, d), m, d, 0, 1), 1);
  mj_freeStack(d);
}
