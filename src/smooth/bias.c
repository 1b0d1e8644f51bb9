#include <string.h>

#include "base/check.h"
#include "base/spatial.h"
#include "base/target.h"
#include "base/vec.h"

// Recursive Newton-Euler: accelerations outwards, forces inwards.         spec 04, sections 7 and 8
//
//   a_i = a_parent + sum cdof_dot qvel + sum cdof qacc           a_world = -gravity
//   f_i = I_i a_i + v_i x* (I_i v_i)                             force on body i alone
//   f_parent += f_i,  result_dof = cdof . f_body
//
// Everything of a tree is referred to one point, so going from body to body is plain addition.

// acceleration of the world: gravity seen from a falling lift
static void world_acceleration(mjtNum out[6], const mjModel* m) {
  sp_zero(out);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    v3_scl(out + 3, m->opt.gravity, -1);
  }
}

// a = a_parent + sum over the dofs of the body
INLINE Six body_acceleration(Six a, const mjModel* m, const mjData* d, int body, int flg_acc) {
  int end = m->body_dofadr[body] + m->body_dofnum[body];
  for (int j = m->body_dofadr[body]; j < end; j++) {
    a = six_addscl(a, six_load(d->cdof_dot + 6 * j), d->qvel[j]);
    if (flg_acc) {
      a = six_addscl(a, six_load(d->cdof + 6 * j), d->qacc[j]);
    }
  }
  return a;
}

// f = I a + v x* (I v), with I a and I v found side by side. For s = (w, u), inertia J about the
// origin and first moment h = mass com:
//
//   I s = (J w + h x u,  mass u - h x w)          v x* f = (w x f_w + u x f_u,  w x f_u)
INLINE Six body_force(const mjtNum I[10], Six a, Six v) {
  Vectors w = {two(a.p[0][0], v.p[0][0]), two(a.p[0][1], v.p[0][1]), two(a.p[1][0], v.p[1][0])};
  Vectors u = {two(a.p[1][1], v.p[1][1]), two(a.p[2][0], v.p[2][0]), two(a.p[2][1], v.p[2][1])};
  Vectors hu = vectors_cross(I[6], I[7], I[8], u), hw = vectors_cross(I[6], I[7], I[8], w);
  Vectors torque = {I[0] * w.x + I[3] * w.y + I[4] * w.z + hu.x,
                    I[3] * w.x + I[1] * w.y + I[5] * w.z + hu.y,
                    I[4] * w.x + I[5] * w.y + I[2] * w.z + hu.z};
  Vectors force = {I[9] * u.x - hw.x, I[9] * u.y - hw.y, I[9] * u.z - hw.z};

  // of I a the first half of each pair, of I v the second
  Vectors momentum = {two(torque.x[1], force.x[1]), two(torque.y[1], force.y[1]),
                      two(torque.z[1], force.z[1])};
  Vectors gyro = vectors_cross(w.x[1], w.y[1], w.z[1], momentum);
  mjtNum x = force.x[1], y = force.y[1], z = force.z[1];
  Two fx = two(torque.x[0] + (u.y[1] * z - u.z[1] * y), force.x[0]) + gyro.x;
  Two fy = two(torque.y[0] + (u.z[1] * x - u.x[1] * z), force.y[0]) + gyro.y;
  Two fz = two(torque.z[0] + (u.x[1] * y - u.y[1] * x), force.z[0]) + gyro.z;
  return (Six){{two(fx[0], fy[0]), two(fz[0], fx[1]), two(fy[1], fz[1])}};
}

static KERNEL void newton_euler(mjtNum* result, mjtNum* acc, mjtNum* frc, const mjModel* m,
                                const mjData* d, int flg_acc) {
  for (int i = 1; i < m->nbody; i++) {
    Six a = six_load(acc + 6 * m->body_parentid[i]);
    a = body_acceleration(a, m, d, i, flg_acc);
    six_store(acc + 6 * i, a);
    six_store(frc + 6 * i, body_force(d->cinert + 10 * i, a, six_load(d->cvel + 6 * i)));
  }
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    Six f = six_load(frc + 6 * i);
    if (parent) {
      six_store(frc + 6 * parent, six_add(six_load(frc + 6 * parent), f));
    }
  }
  for (int j = 0; j < m->nv; j++) {
    result[j] = six_dot(six_load(d->cdof + 6 * j), six_load(frc + 6 * m->dof_bodyid[j]));
  }
}

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  check_given(m, d);
  check_arrays(m->nv, result);
  mj_markStack(d);
  mjtNum* acc = mj_stackAllocNum(d, 6 * m->nbody);
  mjtNum* frc = mj_stackAllocNum(d, 6 * m->nbody);
  world_acceleration(acc, m);
  newton_euler(result, acc, frc, m, d, flg_acc);
  mj_freeStack(d);
}

// With the constraint forces known: accelerations and the forces between bodies.

// Adds sign (force, torque), acting at a point, to the external force of a
// body; the world takes none.
static void add_external(const mjModel* m, mjData* d, int body, const mjtNum force[3],
                         const mjtNum torque[3], const mjtNum point[3], mjtNum sign) {
  if (!body) {
    return;
  }
  mjtNum* cfrc = d->cfrc_ext + 6 * body;
  mjtNum r[3], t[3];
  v3_sub(r, point, d->subtree_com + 3 * m->body_rootid[body]);
  v3_cross(t, r, force);
  v3_addto(t, torque);
  v3_addtoscl(cfrc, t, sign);
  v3_addtoscl(cfrc + 3, force, sign);
}

static void add_applied(const mjModel* m, mjData* d) {
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    if (!v3_iszero(xfrc) || !v3_iszero(xfrc + 3)) {
      add_external(m, d, i, xfrc, xfrc + 3, d->xipos + 3 * i, 1);
    }
  }
}

// the force of a contact acts on the second geom; the first feels the opposite
static void add_contacts(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) {
      continue;
    }
    mjtNum local[6], force[3], torque[3];
    mj_contactForce(m, d, i, local);
    m3_tmulv(force, con->frame, local);
    m3_tmulv(torque, con->frame, local + 3);
    add_external(m, d, m->geom_bodyid[con->geom[0]], force, torque, con->pos, -1);
    add_external(m, d, m->geom_bodyid[con->geom[1]], force, torque, con->pos, 1);
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
    for (int side = 0; side < 2; side++) {
      int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq], body = id;
      const mjtNum* local = m->eq_data + mjNEQDATA * eq + (side != weld ? 3 : 0);
      if (m->eq_objtype[eq] == mjOBJ_SITE) {
        body = m->site_bodyid[id];
        local = m->site_pos + 3 * id;
      }
      mjtNum point[3];
      m3_mulv(point, d->xmat + 9 * body, local);
      v3_addto(point, d->xpos + 3 * body);
      add_external(m, d, body, force, torque, point, side ? -1 : 1);
    }
  }
}

static KERNEL void body_forces(const mjModel* m, mjData* d) {
  for (int i = 1; i < m->nbody; i++) {
    Six a = six_load(d->cacc + 6 * m->body_parentid[i]);
    a = body_acceleration(a, m, d, i, 1);
    six_store(d->cacc + 6 * i, a);
    Six f = body_force(d->cinert + 10 * i, a, six_load(d->cvel + 6 * i));
    six_store(d->cfrc_int + 6 * i, six_sub(f, six_load(d->cfrc_ext + 6 * i)));
  }
  for (int i = m->nbody - 1; i > 0; i--) {
    mjtNum* parent = d->cfrc_int + 6 * m->body_parentid[i];
    six_store(parent, six_add(six_load(parent), six_load(d->cfrc_int + 6 * i)));
  }
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  check_given(m, d);
  int nbody = m->nbody;
  memset(d->cfrc_ext, 0, 6 * nbody * sizeof(mjtNum));
  add_applied(m, d);
  add_contacts(m, d);
  add_equalities(m, d);

  world_acceleration(d->cacc, m);
  sp_zero(d->cfrc_int);
  body_forces(m, d);
}
