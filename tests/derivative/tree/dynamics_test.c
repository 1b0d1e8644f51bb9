// Forces that bodies need and motions of points, against differences.

#include "derivative/tree/dynamics.h"

#include "derivative/scene.h"

static const mjtNum kLocal[3] = {(mjtNum)0.1, (mjtNum)-0.2, (mjtNum)0.3};

// M x + c at the velocities of d and its accelerations, as the engine's own recursion has it
static void needed(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_positions(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 1, y);
}

static void needed_by_velocity(mjtNum* y, const mjtNum* v, void* of) {
  Scene* s = of;
  mju_copy(s->d->qvel, v, s->nv);
  needed(y, s->m, s->d, NULL);
}

TEST(needed_force_changes_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  int n = s.nv * s.nv;
  mjtNum *dq = scene_zeros(&s, n), *dv = scene_zeros(&s, n), *expected = scene_zeros(&s, n);
  mju_copy(s.d->qacc, scene_numbers(&s, s.nv, 3), s.nv);
  const JointMotion motion = {s.d->qvel, s.d->qacc, 1};
  BodyMotion bodies = motion_make(s.m, s.d, &motion);
  dynamics_derivative(dq, dv, s.m, s.d, &bodies, -3);
  mju_scl(dq, dq, (mjtNum)-1 / 3, n);
  mju_scl(dv, dv, (mjtNum)-1 / 3, n);
  differences_by_dofs(expected, needed, NULL, s.m, s.d, s.nv, (mjtNum)1e-3);
  assert_numbers(dq, expected, n, 1e-9, 1);
  Scene moved = {s.m, data_like(s.m, s.d), s.nv};
  differences(expected, needed_by_velocity, &moved, s.d->qvel, s.nv, s.nv, (mjtNum)1e-2);
  assert_numbers(dv, expected, n, 1e-9, 1);
  mj_deleteData(moved.d);
  scene_free(&s);
}

// Its columns by accelerations are those of M.
TEST(forces_on_subtrees_are_those_of_the_mass_matrix) {
  Scene s = scene_make(ZOO_XML, 1);
  mjtNum* M = scene_zeros(&s, s.nv * s.nv);
  for (int i = 0; i < s.m->ntendon; i++) {
    s.m->tendon_armature[i] = 0;
  }
  mj_makeM(s.m, s.d);
  mj_fullM(s.m, M, s.d->qM);
  const JointMotion motion = {s.d->qvel, NULL, 0};
  BodyMotion bodies = motion_make(s.m, s.d, &motion);
  Subtree* subtrees = motion_subtrees(s.m, s.d, &bodies);
  for (int j = 0; j < s.nv; j++) {
    for (int k = j; k >= 0; k = s.m->dof_parentid[k]) {
      mjtNum q[6], v[6], x[6], force = 0;
      subtree_derivative(q, v, x, s.m, s.d, &bodies, subtrees, s.m->dof_bodyid[k], j);
      for (int i = 0; i < 6; i++) {
        force += s.d->cdof[6 * k + i] * x[i];
      }
      force += k == j ? s.m->dof_armature[j] : 0;
      assert_near(force, M[j * s.nv + k], 1e-12);
    }
  }
  scene_free(&s);
}

// v and a of a point, by the motion of bodies
typedef struct {
  int body;
  const mjtNum *v, *x;
} Watched;

static void watch(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const Watched* w = of;
  mjtNum p[3];
  update_positions(m, d);
  mj_markStack(d);
  const JointMotion motion = {w->v, w->x, 1};
  BodyMotion bodies = motion_make(m, d, &motion);
  body_point(p, d, w->body, kLocal);
  PointMotion point = motion_point(m, d, &bodies, w->body, p);
  mju_copy3(y, point.v);
  mju_copy3(y + 3, point.a);
  mj_freeStack(d);
}

// Where the point is at a time, with constant joint accelerations
typedef struct {
  Scene* s;
  Watched* w;
} Flight;

static void place_at(mjtNum* y, const mjtNum* time, void* of) {
  Flight* f = of;
  const mjModel* m = f->s->m;
  mjData* d = data_like(m, f->s->d);
  mjtNum* J = malloc(6 * (size_t)m->nv * sizeof(mjtNum));
  mj_integratePos(m, d->qpos, f->w->v, *time);
  update_positions(m, d);
  body_point(y, d, f->w->body, kLocal);
  mju_copy(d->qvel, f->w->v, m->nv);
  mju_addToScl(d->qvel, f->w->x, *time, m->nv);
  body_twists(J, m, d, f->w->body, y);
  mju_mulMatVec(y + 3, J + 3 * m->nv, d->qvel, 3, m->nv);
  free(J);
  mj_deleteData(d);
}

// In the frame that falls freely the acceleration is d2p/dt2 - g.
TEST(velocity_and_acceleration_of_a_point_are_rates_of_its_place) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  Watched w = {.v = scene_numbers(&s, s.nv, 4), .x = scene_numbers(&s, s.nv, 5)};
  for (w.body = 1; w.body < s.m->nbody; w.body++) {
    mjtNum y[6], rate[6], zero = 0;
    Flight f = {&s, &w};
    watch(y, s.m, s.d, &w);
    differences(rate, place_at, &f, &zero, 6, 1, (mjtNum)1e-3);
    mju_subFrom3(rate + 3, s.m->opt.gravity);
    assert_close(y, rate, 6, 1e-8);
  }
  scene_free(&s);
}

static void watch_by_velocity(mjtNum* y, const mjtNum* v, void* of) {
  Flight* f = of;
  Watched w = *f->w;
  w.v = v;
  watch(y, f->s->m, f->s->d, &w);
}

TEST(motion_of_a_point_changes_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  Watched w = {.body = scene_id(&s, mjOBJ_BODY, "wrist"),
               .v = scene_numbers(&s, s.nv, 4),
               .x = scene_numbers(&s, s.nv, 5)};
  Flight f = {&s, &w};
  mjtNum *by_q = scene_zeros(&s, 6 * s.nv), *by_v = scene_zeros(&s, 6 * s.nv), p[3];
  differences_by_dofs(by_q, watch, &w, s.m, s.d, 6, (mjtNum)1e-3);
  differences(by_v, watch_by_velocity, &f, w.v, 6, s.nv, (mjtNum)1e-2);
  const JointMotion motion = {w.v, w.x, 1};
  BodyMotion bodies = motion_make(s.m, s.d, &motion);
  body_point(p, s.d, w.body, kLocal);
  int last = s.m->body_dofadr[w.body] + s.m->body_dofnum[w.body] - 1;
  for (int j = last; j >= 0; j = s.m->dof_parentid[j]) {
    PointMotion q = motion_point_by_position(s.m, s.d, &bodies, w.body, p, j);
    PointMotion v = motion_point_by_velocity(s.m, s.d, &bodies, w.body, p, j);
    for (int i = 0; i < 3; i++) {
      assert_near(q.v[i], by_q[i * s.nv + j], 1e-8);
      assert_near(q.a[i], by_q[(3 + i) * s.nv + j], 1e-7);
      assert_near(v.v[i], by_v[i * s.nv + j], 1e-9);
      assert_near(v.a[i], by_v[(3 + i) * s.nv + j], 1e-8);
    }
  }
  scene_free(&s);
}
