// Lengths, speeds and moments of transmissions, against differences.

#include "derivative/smooth/force_differences.h"

static const char kDriven[] =
    "<mujoco>" ZOO_NOCONTACT
    "<worldbody><site name='far' pos='1 1 1' euler='30 20 10'/><body name='a' pos='0 0 1'>"
    "<joint name='ball' type='ball'/><geom type='box' size='.1 .2 .3' pos='.05 0 0'/>"
    "<site name='tip' pos='.1 .1 .1' euler='30 10 0'/><body name='b' pos='.3 0 0'>"
    "<joint name='h' axis='1 2 3'/><joint name='s' type='slide' axis='0 1 1'/>"
    "<geom type='capsule' size='.05 .2' pos='.1 0 0'/><site name='pin' pos='.1 .2 0'/>"
    "</body></body><body name='c' pos='1 0 1'><freejoint name='free'/><geom size='.1'/></body>"
    "</worldbody><tendon><spatial name='cord'><site site='far'/><site site='pin'/></spatial>"
    "</tendon><actuator><motor joint='h' gear='2'/><motor joint='ball' gear='1 2 3'/>"
    "<motor jointinparent='ball' gear='3 -1 2'/><motor joint='free' gear='1 2 3 4 5 6'/>"
    "<motor jointinparent='free' gear='1 2 3 4 5 6'/><motor tendon='cord' gear='-2'/>"
    "<motor site='tip' gear='1 2 3 4 5 6'/><motor site='pin' refsite='far' gear='1 2 3 0 0 0'/>"
    "<motor site='pin' refsite='far' gear='0 0 0 1 2 3'/><motor site='pin' refsite='tip' "
    "gear='1 2 3 0 0 0'/><motor cranksite='pin' slidersite='tip' cranklength='.6'/></actuator>"
    "</mujoco>";

static Scene driven_scene(void) {
  return scene_make(kDriven, 0.3);
}

static void moment_row(mjtNum* y, const mjModel* m, const mjData* d, int actuator) {
  mju_zero(y, m->nv);
  for (int k = 0; k < d->moment_rownnz[actuator]; k++) {
    int at = d->moment_rowadr[actuator] + k;
    y[d->moment_colind[at]] = d->actuator_moment[at];
  }
}

static void moment_at(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  mj_fwdPosition(m, d);
  moment_row(y, m, d, *(int*)of);
}

static void length_at(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  mj_fwdPosition(m, d);
  *y = d->actuator_length[*(int*)of];
}

// Turns of a ball are three numbers that no single length is made of: its velocity is tested.
static int has_gradient(const Scene* s, int i) {
  return s->m->actuator_trntype[i] != mjTRN_JOINT ||
         s->m->jnt_type[s->m->actuator_trnid[2 * i]] > mjJNT_BALL;
}

TEST(lengths_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = driven_scene();
  mjtNum *out = scene_zeros(&s, s.nv), *expected = scene_zeros(&s, s.nv);
  for (int i = 0; i < s.m->nu; i++) {
    mju_zero(out, s.nv);
    transmission_length_derivative(out, s.m, s.d, i, -2);
    mju_scl(out, out, (mjtNum)-0.5, s.nv);
    differences_by_dofs(expected, length_at, &i, s.m, s.d, 1, (mjtNum)1e-4);
    assert_numbers(out, expected, s.nv, 1e-8, 1);
    if (has_gradient(&s, i) && s.m->actuator_trntype[i] != mjTRN_JOINTINPARENT &&
        s.m->actuator_trntype[i] != mjTRN_SITE) {
      moment_row(expected, s.m, s.d, i);
      assert_numbers(out, expected, s.nv, 1e-10, 1);
    }
  }
  scene_free(&s);
}

TEST(moments_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = driven_scene();
  int nv = s.nv, n = nv * nv;
  const mjtNum* z = scene_numbers(&s, nv, 3);
  Twists W = twists_make(s.m, s.d, z);
  mjtNum *G = scene_zeros(&s, n), *expected = scene_zeros(&s, n), *rate = scene_zeros(&s, nv);
  mjtNum *expected_rate = scene_zeros(&s, nv), *follower = scene_zeros(&s, 6 * s.m->nbody);
  for (int i = 0; i < s.m->nu; i++) {
    Load* loads = loads_make(s.m, s.d);
    mju_zero(G, n);
    mju_zero(rate, nv);
    mju_zero(follower, 6 * s.m->nbody);
    assert_int_equal(transmission_derivative(G, loads, follower, s.m, s.d, i, 3), 0);
    loads_derivative(G, s.m, s.d, loads, 1);
    followers_derivative(G, s.m, s.d, follower);
    mju_scl(G, G, (mjtNum)1 / 3, n);
    differences_by_dofs(expected, moment_at, &i, s.m, s.d, nv, (mjtNum)1e-4);
    assert_numbers(G, expected, n, 1e-7, 1);
    transmission_rate_derivative(rate, s.m, s.d, i, &W, 2);
    mju_mulMatTVec(expected_rate, expected, z, nv, nv);
    mju_scl(expected_rate, expected_rate, 2, nv);
    assert_numbers(rate, expected_rate, nv, 1e-7, 1);
  }
  scene_free(&s);
}
