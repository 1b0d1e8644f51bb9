// Recursive Newton-Euler: accelerations outwards, forces inwards.
//                                                             theory/smooth/inertia.md, Bias forces
//
//   a_i = a_parent + sum cdof_dot qvel + sum cdof qacc           a_world = -gravity
//   f_i = I_i a_i + v_i x* (I_i v_i)                             force on body i alone
//   f_parent += f_i,  result_dof = cdof . f_body
//
// All quantities of a tree refer to one point, so passing them between bodies is plain addition.

#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>

#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/tree_runs.h"
#include "smooth/alike/alike.h"
#include "smooth/bias.h"
#include "smooth/velocity.h"

static KERNEL void newton_euler(mjtNum* result, mjtNum* acc, mjtNum* frc, const mjModel* m,
                                const mjData* d, int flg_acc, const AwakeRun* run) {
  int first = int_max(1, run->body);
  for (int i = first; i < run->body_end; i++) {
    Spatial a = spatial_load(acc + 6 * m->body_parentid[i]);
    a = body_acceleration(a, m, d, i, flg_acc);
    spatial_store(acc + 6 * i, a);
    spatial_store(frc + 6 * i, body_force(d->cinert + 10 * i, a, spatial_load(d->cvel + 6 * i)));
  }
  for (int i = run->body_end - 1; i >= first; i--) {
    int parent = m->body_parentid[i];
    Spatial f = spatial_load(frc + 6 * i);
    if (parent >= first) {
      spatial_store(frc + 6 * parent, spatial_add(spatial_load(frc + 6 * parent), f));
    }
  }
  for (int j = run->dof; j < run->dof_end; j++) {
    result[j] =
        spatial_dot(spatial_load(d->cdof + 6 * j), spatial_load(frc + 6 * m->dof_bodyid[j]));
  }
}

typedef struct Recursion_ {
  RunData of;
  mjtNum *result, *acc, *frc;
  int flg_acc;
} Recursion;

static void run_newton_euler(void* argument, const AwakeRun* run) {
  const Recursion* s = argument;
  newton_euler(s->result, s->acc, s->frc, s->of.m, s->of.d, s->flg_acc, run);
}

static void groups_newton_euler(void* argument, const TreeGroups* groups, int begin, int end) {
  const Recursion* s = argument;
  alike_newton_euler(s->result, s->of.m, s->of.d, s->flg_acc, s->acc, groups, begin, end);
}

static void groups_motion(void* argument, const TreeGroups* groups, int begin, int end) {
  const Recursion* s = argument;
  alike_motion(s->result, s->of.m, s->of.d, s->acc, groups, begin, end);
}

// result_j = S_j . sum of f below j, f = I a + V x* (I V); a with joint accelerations if flg_acc
// Also in lanes/dynamics/motion.h, smooth/alike/motion.c, step/derivative.c and
// derivative/tree/dynamics.c.
void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  check_pair(m, d);
  check_arrays(m->nv, result);
  if (!m->nv) {
    return;
  }
  size_t top = arena_top(d);
  Recursion s = {{m, d}, result, arena_num(d, 6 * m->nbody), arena_num(d, 6 * m->nbody), flg_acc};
  world_acceleration(s.acc, m);
  trees_share(m, d, run_newton_euler, groups_newton_euler, &s);
  arena_pop(d, top);
}

void bias_velocities(const mjModel* m, mjData* d) {
  mjtNum world[6];
  world_acceleration(world, m);
  velocities_beside(m, d, groups_motion, &(Recursion){{m, d}, d->qfrc_bias, world, NULL, 0});
}

void bias_rest(const mjModel* m, mjData* d) {
  TreeGroups groups = tree_groups(m, d);
  size_t top = arena_top(d);
  Recursion s = {{m, d}, d->qfrc_bias, arena_num(d, 6 * m->nbody), arena_num(d, 6 * m->nbody), 0};
  world_acceleration(s.acc, m);
  plain_share(m, d, &groups, run_newton_euler, &s);
  arena_pop(d, top);
}
