#include <string.h>

#include "base/spatial.h"
#include "base/target.h"
#include "base/vec.h"

// Positions, inertias and motion axes about the com of each tree.                spec 04, section 3
//
// Spatial quantities of a body or a dof are world-oriented and referred to one point for the whole
// tree, its centre of mass
// c = subtree_com[root]: no shift is needed between bodies, and the numbers stay
// small far from the origin.

// positions

// Com of every subtree: mass-weighted sum from the leaves up, divided by the mass. A sum goes on in
// registers to the body before if that is the parent, elsewhere through the parent's place in the
// array; both ways a body's own share comes first, and then its children, the last one first.
static KERNEL void subtree_coms(const mjModel* m, mjData* d) {
  mjtNum* com = d->subtree_com;
  mjtNum sum[3] = {0};
  for (int i = 0; i < m->nbody; i++) {
    v3_scl(com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  }
  for (int i = m->nbody - 1; i >= 0; i--) {
    mjtNum mass = m->body_subtreemass[i];
    int parent = m->body_parentid[i];
    v3_addto(sum, com + 3 * i);
    if (mass < mjMINVAL) {
      v3_copy(com + 3 * i, d->xipos + 3 * i);
    } else {
      v3_scl(com + 3 * i, sum, 1 / mass);
    }
    if (i > 0 && parent != i - 1) {
      v3_addto(com + 3 * parent, sum);
      v3_zero(sum);
    }
  }
}

// Inertia about the com of the tree, with the principal axes r_k, columns of R, and d = com of the
// body - com of its tree:
//
//   I = mass (|d|^2 E - d d') + sum_k inertia_k r_k r_k',   then mass d and mass
//
// As r_z r_z' = E - r_x r_x' - r_y r_y', three products of a vector with itself are enough:
//
//   I = (mass |d|^2 + I_z) E - mass d d' + (I_x - I_z) r_x r_x' + (I_y - I_z) r_y r_y'

// A symmetric matrix as (xx, yy), (zz, xy), (xz, yz).
typedef struct {
  Two xx_yy, zz_xy, xz_yz;
} Symmetric;

// S + s c c', c = (x, y, z)
INLINE Symmetric add_product(Symmetric S, mjtNum s, mjtNum x, mjtNum y, mjtNum z) {
  Two xy = two(x, y), sxy = s * xy;
  S.xx_yy += sxy * xy;
  S.xz_yz += sxy * two(z, z);
  S.zz_xy += two(s * z, sxy[0]) * two(z, y);
  return S;
}

INLINE void com_inertia(mjtNum out[10], const mjtNum R[9], const mjtNum inertia[3], mjtNum mass,
                        const mjtNum d[3]) {
  mjtNum md[3];
  v3_scl(md, d, mass);
  mjtNum diagonal = v3_dot(md, d) + inertia[2];
  Symmetric S = {two(diagonal - md[0] * d[0], diagonal - md[1] * d[1]),
                 two(diagonal - md[2] * d[2], -md[0] * d[1]), two(-md[0] * d[2], -md[1] * d[2])};
  S = add_product(S, inertia[0] - inertia[2], R[0], R[3], R[6]);
  S = add_product(S, inertia[1] - inertia[2], R[1], R[4], R[7]);
  two_store(out, S.xx_yy);
  two_store(out + 2, S.zz_xy);
  two_store(out + 4, S.xz_yz);
  v3_copy(out + 6, md);
  out[9] = mass;
}

// rotation about an axis through a point, r = c - point: (axis, axis x r)
INLINE void turn_axis(mjtNum cdof[6], const mjtNum axis[3], const mjtNum r[3]) {
  v3_copy(cdof, axis);
  v3_cross(cdof + 3, axis, r);
}

// c = com of the tree
INLINE void joint_axes(const mjModel* m, mjData* d, int joint, const mjtNum* xmat,
                       const mjtNum c[3]) {
  int type = m->jnt_type[joint];
  mjtNum* cdof = d->cdof + 6 * m->jnt_dofadr[joint];
  mjtNum r[3], axis[3];
  if (type == mjJNT_SLIDE) {
    v3_zero(cdof);
    v3_copy(cdof + 3, d->xaxis + 3 * joint);
    return;
  }
  v3_sub(r, c, d->xanchor + 3 * joint);
  if (type == mjJNT_HINGE) {
    v3_copy(axis, d->xaxis + 3 * joint);
    turn_axis(cdof, axis, r);
    return;
  }
  if (type == mjJNT_FREE) {
    // translation along the world's axes
    memset(cdof, 0, 18 * sizeof(mjtNum));
    cdof[3] = cdof[6 + 4] = cdof[12 + 5] = 1;
    cdof += 18;
  }

  // rotation about the body's own axes
  for (int k = 0; k < 3; k++) {
    m3_column(axis, xmat, k);
    turn_axis(cdof + 6 * k, axis, r);
  }
}

static KERNEL void body_quantities(const mjModel* m, mjData* d) {
  memset(d->cinert, 0, 10 * sizeof(mjtNum));
  for (int i = 1; i < m->nbody; i++) {
    mjtNum offset[3], c[3];
    v3_copy(c, d->subtree_com + 3 * m->body_rootid[i]);
    v3_sub(offset, d->xipos + 3 * i, c);
    com_inertia(d->cinert + 10 * i, d->ximat + 9 * i, m->body_inertia + 3 * i, m->body_mass[i],
                offset);
    int end = m->body_jntadr[i] + m->body_jntnum[i];
    for (int j = m->body_jntadr[i]; j < end; j++) {
      joint_axes(m, d, j, d->xmat + 9 * i, c);
    }
  }
}

void mj_comPos(const mjModel* m, mjData* d) {
  subtree_coms(m, d);
  body_quantities(m, d);
}
