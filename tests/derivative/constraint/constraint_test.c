// Derivatives of the forces of equalities, friction loss, limits and contacts on planes against
// differences.

#include "derivative/partials.h"

// Random states of a model, near its first one, after some steps.
static void compare_states(const char* xml, int nstate, double size, int nstep, double tolerance) {
  mjModel* m = test_model(xml);
  Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  partials_seed = 7;
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    for (int s = 0; s < nstate; s++) {
      mj_resetData(m, p.d);
      partials_scatter(m, p.d, size, 0.5);
      for (int i = 0; i < nstep; i++) {
        mj_step(m, p.d);
      }
      partials_state(&p);
    }
  }
  partials_assert(&p, xml, tolerance);
  mj_deleteData(p.d);
  mj_deleteData(p.work);
  test_release(m);
}

#define ARMS                                                                                      \
  "<option timestep='.005'><flag contact='disable'/></option><worldbody>"                         \
  "<body name='a' pos='0 0 1'><freejoint/><geom type='box' size='.1 .2 .3'/>"                     \
  "<site name='sa' pos='.1 .2 0' euler='10 20 30'/><body name='b' pos='.3 0 .1'>"                 \
  "<joint name='ball' type='ball'/><geom size='.1' pos='.2 0 0'/><site name='sb' pos='.1 0 .1'/>" \
  "<body name='c' pos='.4 0 0'><joint name='h' axis='1 2 0'/><joint name='s' type='slide' "       \
  "axis='0 1 1'/><geom type='capsule' size='.05 .2'/></body></body></body>"                       \
  "<body name='e' pos='1 0 1'><joint name='e1' axis='0 1 0'/><geom type='box' size='.3 .1 .1'/>"  \
  "<site name='se' pos='-.2 .1 0'/><body name='f' pos='.5 0 0'><joint name='e2' axis='0 0 1'/>"   \
  "<geom type='box' size='.2 .1 .1' pos='.1 0 0'/><site name='sf' pos='0 .1 .1'/></body></body>"  \
  "<site name='w' pos='.5 .5 1'/></worldbody>"

TEST(ties_agree_with_differences) {
  DOUBLE_ONLY();
  compare_states("<mujoco>" ARMS
                 "<equality><connect body1='c' body2='f' anchor='.1 .05 .02'/>"
                 "<connect body1='e' anchor='-.1 .2 0'/><connect site1='sa' site2='sf'/>"
                 "<weld body1='a' body2='f' relpose='.1 .2 .3 .9 .1 .2 .3' torquescale='.7'/>"
                 "<weld body1='b' torquescale='2' solref='-300 -20'/>"
                 "<weld site1='sb' site2='se' solimp='.5 .99 .5 .4 3'/></equality></mujoco>",
                 4, 0.3, 0, 1e-6);
}

TEST(couplings_agree_with_differences) {
  DOUBLE_ONLY();
  compare_states("<mujoco>" ARMS
                 "<tendon><spatial name='t'><site site='sa'/><site site='sf'/><pulley divisor='2'/>"
                 "<site site='sb'/><site site='w'/></spatial>"
                 "<spatial name='u'><site site='se'/><site site='w'/></spatial>"
                 "<fixed name='v'><joint joint='h' coef='.5'/><joint joint='e1' coef='-2'/></fixed>"
                 "</tendon><equality><joint joint1='e1' polycoef='.2 0 0 0 0'/>"
                 "<joint joint1='h' joint2='e2' polycoef='.1 .5 -.3 .2 .4'/>"
                 "<tendon tendon1='t' polycoef='.1 0 0 0 0'/>"
                 "<tendon tendon1='v' tendon2='u' polycoef='.1 .5 -.3 .2 .4'/>"
                 "<tendon tendon1='t' tendon2='u' polycoef='0 1 .3 .2 .4' solref='-50 -3'/>"
                 "</equality></mujoco>",
                 4, 0.3, 0, 1e-6);
}

TEST(friction_and_limits_agree_with_differences) {
  DOUBLE_ONLY();
  compare_states(
      "<mujoco><default><joint frictionloss='.3' limited='true'/></default>"
      "<option timestep='.005'/><worldbody><geom name='post' type='cylinder' "
      "size='.1 .4' pos='0 .5 1'/><site name='side' pos='.3 .5 1'/>"
      "<body pos='0 0 1'><joint type='slide' axis='1 0 0' range='.05 .1'/>"
      "<joint type='slide' axis='0 0 1' range='-.1 -.05' margin='.02' "
      "solimplimit='.5 .99 .3 .5 2'/><geom size='.1'/>"
      "<body pos='.3 0 0'><joint type='ball' range='0 .1'/><geom size='.1' "
      "pos='.2 .1 0'/><site name='a' pos='.2 .1 0'/><body pos='.3 0 0'>"
      "<joint axis='0 1 1' range='20 30'/><geom size='.1' pos='.2 .1 0'/>"
      "<site name='b' pos='.2 .3 0'/></body></body></body>"
      "<site name='w' pos='-.5 .9 1.2'/></worldbody>"
      "<tendon><spatial limited='true' range='2 3' frictionloss='.4'><site site='a'/>"
      "<geom geom='post' sidesite='side'/><site site='w'/></spatial>"
      "<spatial limited='true' range='0 .1' frictionloss='5' margin='.1'>"
      "<site site='b'/><site site='w'/></spatial></tendon></mujoco>",
      6, 0.4, 2, 1e-6);
}

// More than half a turn: the axis is turned round.
TEST(limits_of_balls_agree_on_both_sides) {
  DOUBLE_ONLY();
  compare_states(
      "<mujoco><worldbody><body><joint type='ball' range='0 10'/><geom type='box' "
      "size='.1 .2 .3' pos='.1 .2 .3'/></body></worldbody></mujoco>",
      12, 3.5, 0, 1e-6);
}

TEST(contacts_on_a_plane_agree_with_differences) {
  DOUBLE_ONLY();
  compare_states(
      "<mujoco><option impratio='2'/><worldbody><geom type='plane' size='3 3 .1' euler='5 3 0' "
      "condim='6' friction='.7 .02 .01' solimp='.8 .95 .05'/>"
      "<body pos='0 0 .1'><freejoint/><geom size='.1' pos='.01 .02 0'/></body>"
      "<body pos='1 0 .05'><freejoint/><geom type='capsule' size='.1 .2' euler='30 60 0'/></body>"
      "<body pos='-1 0 .05'><freejoint/><geom type='ellipsoid' size='.1 .2 .15' euler='30 60 0'/>"
      "</body><body pos='-1 1 .1'><freejoint/><geom type='box' size='.1 .2 .15' euler='30 60 0'/>"
      "<body pos='.3 0 0'><joint axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
      "<geom size='.13'/><body pos='0 .2 0'><joint type='ball'/><geom size='.1' pos='0 .2 0'/>"
      "</body></body></body><body pos='0 1 .05'><freejoint/><geom type='cylinder' size='.1 .1' "
      "euler='30 60 0'/></body></worldbody></mujoco>",
      3, 0.1, 10, 1e-6);
}

// Sliding has its own damping, sides of a pair move together, and rows of a contact are in
// different zones.
TEST(contacts_within_a_tree_agree_with_differences) {
  DOUBLE_ONLY();
  compare_states(
      "<mujoco><option cone='elliptic' impratio='5'/><worldbody><body pos='3 2 1'><freejoint/>"
      "<geom name='trunk' type='box' size='.1 .2 .3'/><body pos='.3 0 0'><joint type='ball'/>"
      "<geom name='arm' type='capsule' size='.1 .1'/><body pos='0 0 .3'><joint axis='1 1 0'/>"
      "<geom name='hand' type='sphere' size='.2'/></body></body></body></worldbody>"
      "<contact><pair geom1='trunk' geom2='hand' condim='4' solreffriction='-10 -30' "
      "friction='.3 .8 .02 .01 .03' margin='.2' gap='.05'/>"
      "<pair geom1='trunk' geom2='arm' condim='6' margin='.3' friction='.3 .8 .2 .1 .3'/>"
      "<pair geom1='arm' geom2='hand' condim='1'/></contact></mujoco>",
      6, 0.3, 3, 1e-6);
}

// The project's own models on their way to rest: trees, hands, heaps, meshes.
TEST(models_agree_with_differences) {
  DOUBLE_ONLY();
  static const char* const name[] = {"chain",         "hand",   "humanoid",
                                     "humanoid_mesh", "limits", "rubble"};
  for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
    mjModel* m = test_model_file("models/%s.xml", name[i]);
    Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
    for (int s = 0; s < 2; s++) {
      partials_scatter(m, p.d, 0.05, 0.1);
      for (int k = 0; k < 150; k++) {
        mj_step(m, p.d);
      }
      partials_state(&p);
    }
    partials_assert(&p, name[i], 1e-6);
    mj_deleteData(p.d);
    mj_deleteData(p.work);
    test_release(m);
  }
}

// J_n' f at positions of d, f one number per contact.
static void push(mjtNum* out, const mjModel* m, mjData* d, const mjtNum* f) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_collision(m, d);
  mju_zero(out, m->nv);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    for (int side = 0; side < 2; side++) {
      mjtNum force[3];
      mju_scl3(force, con->frame, side ? f[i] : -f[i]);
      mj_applyFT(m, d, force, NULL, con->pos, m->geom_bodyid[con->geom[side]], out);
    }
  }
}

TEST(normal_forces_agree_with_differences) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' euler='3 4 0'/><body pos='0 0 .1'>"
      "<freejoint/><geom type='capsule' size='.1 .2' euler='60 10 0'/><body pos='.3 0 0'>"
      "<joint type='ball'/><geom size='.15'/><body pos='0 0 .2'><joint axis='1 2 0'/>"
      "<geom type='capsule' size='.1 .1' margin='.1' gap='.1'/></body></body></body>"
      "<body pos='.1 .2 .2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjData *d = mj_makeData(m), *other = mj_makeData(m);
  int nv = m->nv;
  mjtNum f[20], *G = mju_malloc((nv + 4) * nv * sizeof(mjtNum)), *dq = G + nv * nv, *F = dq + nv;
  partials_scatter(m, d, 0.05, 0);
  mj_forward(m, d);
  assert_in_range(d->ncon, 3, 20);
  for (int i = 0; i < 20; i++) {
    f[i] = (mjtNum)partials_random();
  }
  mju_zero(G, nv * nv);
  normal_forces_derivative(G, m, d, f);
  for (int j = 0; j < nv; j++) {
    for (int side = 0; side < 2; side++) {
      mju_zero(dq, nv);
      dq[j] = side ? -1e-5 : 1e-5;
      mju_copy(other->qpos, d->qpos, m->nq);
      mj_integratePos(m, other->qpos, dq, 1);
      push(F + side * nv, m, other, f);
    }
    for (int k = 0; k < nv; k++) {
      assert_near(G[k * nv + j], (F[k] - F[nv + k]) / 2e-5, 1e-7);
    }
  }
  mju_free(G);
  mj_deleteData(d);
  mj_deleteData(other);
}

// kinks

// A body at rest whose one row has y = 0: at the limit, with the velocity that its reference asks
// for.
TEST(rows_at_a_kink_are_counted) {
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide' "
      "axis='1 0 0' range='0 1' limited='true' margin='.1'/><geom size='.1'/>"
      "</body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[3] = {0, 0, 0}, x = 0;
  d->qpos[0] = (mjtNum)0.05;
  d->qvel[0] = (mjtNum)0.3;
  mj_forward(m, d);
  x = d->efc_aref[0];
  assert_int_equal(constraint_partials(m, d, &x, NULL, A, A + 1, A + 2), 1);
  assert_that(A[2], ==, 0);  // satisfied from y = 0 on
  x -= 1;
  assert_int_equal(constraint_partials(m, d, &x, NULL, A, A + 1, A + 2), 0);
  assert_near(A[2], d->efc_D[0], 1e-12);
}

// An upright cylinder has no lowest point: four of its contacts are fixed on it.
TEST(an_upright_cylinder_is_at_a_kink) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .19'>"
      "<freejoint/><geom type='cylinder' size='.1 .2'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum* A = mju_malloc(3 * 36 * sizeof(mjtNum));
  mju_zero(A, 3 * 36);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 3);
  assert_int_equal(constraint_partials(m, d, d->qacc, NULL, A, A + 36, A + 72), 3);
  assert_finite_number(largest_of(A, 3 * 36));
  mju_free(A);
}

static int refusing_collider(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                             mjtNum margin) {
  (void)m;
  (void)d;
  (void)g1;
  (void)g2;
  (void)margin;
  memset(con, 0, sizeof(*con));
  con->dist = (mjtNum)-0.01;
  con->frame[2] = 1;
  return 1;
}

// What can't be told is refused, with the names of the geoms.
TEST(contacts_without_a_rule_are_refused) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body "
      "pos='0 0 .05'><freejoint/><geom name='pearl' size='.1'/></body><body "
      "pos='1 0 3'><freejoint/><geom name='twin' size='.1'/></body><body "
      "pos='1 0 3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum* A = mju_malloc(3 * 18 * 18 * sizeof(mjtNum));
  mj_forward(m, d);
  assert_error(constraint_partials(m, d, d->qacc, NULL, A, A, A),
               "geoms \"twin\" (sphere) and 3 (sphere)");
  mj_resetData(m, d);
  d->qpos[7] = 5;
  mjfCollision before = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE] = refusing_collider;
  mj_forward(m, d);
  assert_error(constraint_partials(m, d, d->qacc, NULL, A, A, A),
               "\"floor\" (plane) and \"pearl\" (sphere): no rule is known");
  mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE] = before;
  mju_free(A);
}
