// Body accelerations and the forces between bodies, from known constraint forces.

#include <mujoco/api/constraint.h>
#include <string.h>

#include "constraint/rows/makers.h"
#include "constraint/tendon_load.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/awake.h"
#include "smooth/bias.h"

// Adds sign * (force, torque), acting at a point, to the external force of a body. The world has no
// entry.
static void add_external(const mjModel* m, mjData* d, int body, const mjtNum force[3],
                         const mjtNum torque[3], const mjtNum point[3], mjtNum sign) {
  if (!body) {
    return;
  }
  mjtNum* cfrc = d->cfrc_ext + 6 * body;
  mjtNum r[3], t[3];
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  v3_crossadd(t, r, force, torque);
  v3_addtoscl(cfrc, t, sign);
  v3_addtoscl(cfrc + 3, force, sign);
}

static void add_applied(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    if (!v3_iszero(xfrc) || !v3_iszero(xfrc + 3)) {
      add_external(m, d, i, xfrc, xfrc + 3, d->xipos + 3 * i, 1);
    }
  }
}

// The force of a contact acts on the second geom, the opposite one on the first.
static void add_contacts(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) {
      continue;
    }
    mjtNum force[6];
    mj_contactForce(m, d, i, force);
    sp_tmulv(force, con->frame, force);
    add_external(m, d, m->geom_bodyid[con->geom[0]], force, force + 3, con->pos, -1);
    add_external(m, d, m->geom_bodyid[con->geom[1]], force, force + 3, con->pos, 1);
  }
}

// A connect or weld acts on both bodies, each at its own anchor. The rows of one
// constraint follow each other.
static void add_equalities(const mjModel* m, mjData* d) {
  for (int row = 0; row < d->ne;) {
    int eq = d->efc_id[row], first = row;
    while (row < d->ne && d->efc_id[row] == eq) {
      row++;
    }
    int weld = m->eq_type[eq] == mjEQ_WELD;
    if (!weld && m->eq_type[eq] != mjEQ_CONNECT) {
      continue;
    }

    const mjtNum zero[3] = {0, 0, 0};
    const mjtNum* force = d->efc_force + first;
    const mjtNum* torque = weld ? force + 3 : zero;
    mjtNum turned[3];
    if (weld && behaves(m, cndBEHAVIOUR_weldtorque)) {
      weld_torque(turned, m, d, eq, force + 3);
      torque = turned;
    }
    for (int side = 0; side < 2; side++) {
      int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq], body = id;
      const mjtNum* local = m->eq_data + mjNEQDATA * eq + (side != weld ? 3 : 0);
      if (m->eq_objtype[eq] == mjOBJ_SITE) {
        body = m->site_bodyid[id];
        local = m->site_pos + 3 * id;
      }
      mjtNum point[3];
      v3_toworld(point, local, d->xpos + 3 * body, d->xmat + 9 * body);
      add_external(m, d, body, force, torque, point, side ? -1 : 1);
    }
  }
}

static KERNEL void own_forces(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    Spatial a = spatial_load(d->cacc + 6 * m->body_parentid[i]);
    a = body_acceleration(a, m, d, i, 1);
    spatial_store(d->cacc + 6 * i, a);
    Spatial f = body_force(d->cinert + 10 * i, a, spatial_load(d->cvel + 6 * i));
    spatial_store(d->cfrc_int + 6 * i, spatial_sub(f, spatial_load(d->cfrc_ext + 6 * i)));
  }
}

INLINE void add_to_parent(const mjModel* m, mjData* d, int body) {
  mjtNum* parent = d->cfrc_int + 6 * m->body_parentid[body];
  spatial_store(parent, spatial_add(spatial_load(parent), spatial_load(d->cfrc_int + 6 * body)));
}

// Trees that sleep weigh on what carries them as they did when they fell asleep.
static KERNEL void summed_forces(const mjModel* m, mjData* d) {
  for (int k = d->cnd_nrun - 1; k >= 0; k--) {
    const AwakeRun* run = awake_run(d, k);
    AwakeGap gap = k + 1 < d->cnd_nrun ? awake_gap(m, d, k) : (AwakeGap){0, 0};
    for (int t = gap.tree_end - 1; t >= gap.tree; t--) {
      add_to_parent(m, d, m->tree_bodyadr[t]);
    }
    for (int i = run->body_end - 1; i >= int_max(1, run->body); i--) {
      add_to_parent(m, d, i);
    }
  }
}

// Also in lanes/results/body_forces.h and derivative/sensor/force_sensor.c.
static void body_forces(const mjModel* m, mjData* d) {
  for (int k = 0; k < d->cnd_nrun; k++) {
    own_forces(m, d, awake_run(d, k));
  }
  summed_forces(m, d);
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    size_t bodies = (size_t)(run->body_end - run->body);
    memset(d->cfrc_ext + 6 * run->body, 0, 6 * bodies * sizeof(mjtNum));
    add_applied(m, d, run);
  }
  add_contacts(m, d);
  add_equalities(m, d);
  if (m->ntendon && behaves(m, cndBEHAVIOUR_tendonload)) {
    tendon_load(m, d, add_external);
  }

  world_acceleration(d->cacc, m);
  sp_zero(d->cfrc_int);
  body_forces(m, d);
  d->flg_rnepost = 1;
}
