// motion.c: velocities and bias forces of trees side by side.
//                                                      theory/smooth/kinematics.md, Body velocities

#include "smooth/alike/alike.h"
#include "smooth/alike/group.h"
#include "smooth/alike/lane_algebra.h"

// V x s = (w x s_w, w x s_u + u x s_w), V = (w, u), s = (s_w, s_u)
INLINE Lane6 lane_motion_cross(Lane6 V, Lane6 s) {
  Lane6 out = {lane3_cross(V.w, s.w), lane3_cross(V.w, s.u)};
  out.u.x += V.u.y * s.w.z - V.u.z * s.w.y;
  out.u.y += V.u.z * s.w.x - V.u.x * s.w.z;
  out.u.z += V.u.x * s.w.y - V.u.y * s.w.x;
  return out;
}

// One joint: V, and cdof_dot from the V before it.
INLINE Lane6 lane_joint_velocity(Lane6 V, SimdN* rate, const SimdN* cdof, const SimdN* qvel,
                                 int type) {
  if (!joint_has_quat(type)) {
    Lane6 axis = lane6_load(cdof);
    lane6_store(rate, lane_motion_cross(V, axis));
    return lane6_addscl(V, axis, qvel);
  }
  int n = joint_scalars(type);
  if (n) {
    for (int c = 0; c < 18; c++) {
      rate[c] = (SimdN){0};
    }
    V.u = lane3_add(V.u, lane3_load(qvel));
  }
  Lane6 before = V;
  for (int k = n; k < n + 3; k++) {
    Lane6 axis = lane6_load(cdof + 6 * k);
    lane6_store(rate + 6 * k, lane_motion_cross(before, axis));
    V = lane6_addscl(V, axis, qvel + k);
  }
  return V;
}

// The velocity of body i of a group, from that of its parent, and the rates of its axes.
// Also com_velocities in smooth/velocity.c.
INLINE Lane6 alike_velocity(SimdN* rate, const SimdN* cvel, const SimdN* cdof, const SimdN* qvel,
                            const mjModel* m, const TreeGroup* g, int i) {
  int body = g->body[0] + i, parent = m->body_parentid[body] - g->body[0];
  int joint = m->body_jntadr[body], last = joint + m->body_jntnum[body];
  Lane6 V = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
  if (i) {
    V = lane6_load(cvel + 6 * parent);
  }
  for (int j = joint; j < last; j++) {
    int dof = m->jnt_dofadr[j] - g->dof[0];
    V = lane_joint_velocity(V, rate + 6 * dof, cdof + 6 * dof, qvel + dof, m->jnt_type[j]);
  }
  return V;
}

KERNEL void alike_velocities(const mjModel* m, mjData* d, const TreeGroups* groups, int begin,
                             int end) {
  for (int k = begin; k < end; k++) {
    TreeGroup g;
    _Alignas(32) SimdN cdof[6 * ALIKE_DOFS], rate[6 * ALIKE_DOFS], qvel[ALIKE_DOFS];
    _Alignas(32) SimdN cvel[6 * ALIKE_BODIES];
    group_load(&g, m, groups, k);
    group_read(cdof, d->cdof, g.dof, 6, 0, 6 * g.ndof);
    group_read(qvel, d->qvel, g.dof, 1, 0, g.ndof);
    for (int i = 0; i < g.nbody; i++) {
      lane6_store(cvel + 6 * i, alike_velocity(rate, cvel, cdof, qvel, m, &g, i));
    }
    group_write(d->cdof_dot, rate, g.dof, 6, 0, 6 * g.ndof);
    group_write(d->cvel, cvel, g.body, 6, 0, 6 * g.nbody);
  }
}

// I s = (J w + h x u,  mass u - h x w)
INLINE Lane6 lane_momentum(const SimdN I[10], Lane6 s) {
  Lane3 h = {I[6], I[7], I[8]}, hu = lane3_cross(h, s.u), hw = lane3_cross(h, s.w);
  return (Lane6){{I[0] * s.w.x + I[3] * s.w.y + I[4] * s.w.z + hu.x,
                  I[3] * s.w.x + I[1] * s.w.y + I[5] * s.w.z + hu.y,
                  I[4] * s.w.x + I[5] * s.w.y + I[2] * s.w.z + hu.z},
                 {I[9] * s.u.x - hw.x, I[9] * s.u.y - hw.y, I[9] * s.u.z - hw.z}};
}

// f = I a + v x* (I v),  v x* f = (w x f_w + u x f_u,  w x f_u)
// Also body_force in smooth/bias.h.
INLINE Lane6 alike_body_force(const SimdN I[10], Lane6 a, Lane6 v) {
  Lane6 Ia = lane_momentum(I, a), Iv = lane_momentum(I, v);
  Lane3 f = Iv.u, u = v.u, gyro = lane3_cross(v.w, Iv.w), pull = lane3_cross(v.w, f);
  return (Lane6){
      {Ia.w.x + (u.y * f.z - u.z * f.y) + gyro.x, Ia.w.y + (u.z * f.x - u.x * f.z) + gyro.y,
       Ia.w.z + (u.x * f.y - u.y * f.x) + gyro.z},
      lane3_add(Ia.u, pull)};
}

// a . b, even and odd components apart, as spatial_dot
INLINE void lane6_dot(SimdN* out, Lane6 a, Lane6 b) {
  SimdN even = a.w.x * b.w.x + a.w.z * b.w.z + a.u.y * b.u.y;
  SimdN odd = a.w.y * b.w.y + a.u.x * b.u.x + a.u.z * b.u.z;
  *out = even + odd;
}

// The acceleration of body i of a group, from that of its parent or of the world. qacc: NULL for
// none.
// Also body_acceleration in smooth/bias.h.
INLINE Lane6 alike_acceleration(const SimdN* acc, const mjtNum world[6], const SimdN* rate,
                                const SimdN* cdof, const SimdN* qvel, const SimdN* qacc,
                                const mjModel* m, const TreeGroup* g, int i) {
  int body = g->body[0] + i, parent = m->body_parentid[body] - g->body[0];
  int dof = m->body_dofadr[body] - g->dof[0], end = dof + m->body_dofnum[body];
  const SimdN zero = {0};
  Lane6 a = {{zero + world[0], zero + world[1], zero + world[2]},
             {zero + world[3], zero + world[4], zero + world[5]}};
  if (i) {
    a = lane6_load(acc + 6 * parent);
  }
  for (int j = dof; j < end; j++) {
    a = lane6_addscl(a, lane6_load(rate + 6 * j), qvel + j);
    if (qacc) {
      a = lane6_addscl(a, lane6_load(cdof + 6 * j), qacc + j);
    }
  }
  return a;
}

// Adds the force on each body to that on its parent, the last first, and writes what is along the
// axes of dofs.
INLINE void alike_project(mjtNum* result, SimdN* frc, const SimdN* cdof, const mjModel* m,
                          const TreeGroup* g) {
  SimdN along[ALIKE_DOFS];
  for (int i = g->nbody - 1; i > 0; i--) {
    SimdN* to = frc + 6 * (m->body_parentid[g->body[0] + i] - g->body[0]);
    lane6_store(to, lane6_add(lane6_load(to), lane6_load(frc + 6 * i)));
  }
  for (int j = 0; j < g->ndof; j++) {
    int body = m->dof_bodyid[g->dof[0] + j] - g->body[0];
    lane6_dot(along + j, lane6_load(cdof + 6 * j), lane6_load(frc + 6 * body));
  }
  group_write(result, along, g->dof, 1, 0, g->ndof);
}

// Also newton_euler in smooth/bias.c.
KERNEL void alike_newton_euler(mjtNum* result, const mjModel* m, const mjData* d, int flg_acc,
                               const mjtNum world[6], const TreeGroups* groups, int begin,
                               int end) {
  for (int k = begin; k < end; k++) {
    TreeGroup g;
    _Alignas(32) SimdN acc[6 * ALIKE_BODIES], frc[6 * ALIKE_BODIES], qvel[ALIKE_DOFS];
    _Alignas(32) SimdN cdof[6 * ALIKE_DOFS], rate[6 * ALIKE_DOFS], qacc[ALIKE_DOFS];
    const SimdN* accelerations = NULL;
    group_load(&g, m, groups, k);
    group_read(qvel, d->qvel, g.dof, 1, 0, g.ndof);
    group_read(cdof, d->cdof, g.dof, 6, 0, 6 * g.ndof);
    group_read(rate, d->cdof_dot, g.dof, 6, 0, 6 * g.ndof);
    if (flg_acc) {
      group_read(qacc, d->qacc, g.dof, 1, 0, g.ndof);
      accelerations = qacc;
    }
    for (int i = 0; i < g.nbody; i++) {
      SimdN inertia[10], cvel[6];
      Lane6 a = alike_acceleration(acc, world, rate, cdof, qvel, accelerations, m, &g, i);
      lane6_store(acc + 6 * i, a);
      group_read(inertia, d->cinert, g.body, 10, 10 * i, 10);
      group_read(cvel, d->cvel, g.body, 6, 6 * i, 6);
      lane6_store(frc + 6 * i, alike_body_force(inertia, a, lane6_load(cvel)));
    }
    alike_project(result, frc, cdof, m, &g);
  }
}

KERNEL void alike_motion(mjtNum* result, const mjModel* m, mjData* d, const mjtNum world[6],
                         const TreeGroups* groups, int begin, int end) {
  for (int k = begin; k < end; k++) {
    TreeGroup g;
    _Alignas(32) SimdN cdof[6 * ALIKE_DOFS], rate[6 * ALIKE_DOFS], qvel[ALIKE_DOFS];
    _Alignas(32) SimdN cvel[6 * ALIKE_BODIES], acc[6 * ALIKE_BODIES], frc[6 * ALIKE_BODIES];
    group_load(&g, m, groups, k);
    group_read(cdof, d->cdof, g.dof, 6, 0, 6 * g.ndof);
    group_read(qvel, d->qvel, g.dof, 1, 0, g.ndof);
    for (int i = 0; i < g.nbody; i++) {
      SimdN inertia[10];
      Lane6 V = alike_velocity(rate, cvel, cdof, qvel, m, &g, i);
      lane6_store(cvel + 6 * i, V);
      Lane6 a = alike_acceleration(acc, world, rate, cdof, qvel, NULL, m, &g, i);
      lane6_store(acc + 6 * i, a);
      group_read(inertia, d->cinert, g.body, 10, 10 * i, 10);
      lane6_store(frc + 6 * i, alike_body_force(inertia, a, V));
    }
    group_write(d->cdof_dot, rate, g.dof, 6, 0, 6 * g.ndof);
    group_write(d->cvel, cvel, g.body, 6, 0, 6 * g.nbody);
    alike_project(result, frc, cdof, m, &g);
  }
}
