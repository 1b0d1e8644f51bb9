// Length of each actuator and its gradient, the moment, which turns its scalar force into a
// generalized force.
//
// Moments are sparse rows packed one after the other. Rows of joints hold all dofs of the joint,
// and rows of sparse tendons all columns of the tendon. Rows of the other kinds are built in place
// as nv numbers, for which the model has room, and exact zeros are then dropped. Where terms
// cancel, rounding decides the pattern, so they are added in the order of the formulas, point by
// point.
//                                                    theory/smooth/actuation.md, Joint transmission

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/transmission.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "smooth/jacobian.h"
#include "smooth/tendon.h"

// A moment row being written.
typedef struct {
  mjtNum* val;
  int* colind;
  int n;
  mjtNum* dense;  // nv numbers in which it is added up
} MomentRow;

// A row at an address. Without scratch memory it is added up in its place, as 3.3.7 does, which
// leaves what stands behind it; later releases have no room for that (behaviour pathdofs).
static inline MomentRow row_at(mjData* d, int adr, mjtNum* scratch) {
  mjtNum* val = d->actuator_moment + adr;
  return (MomentRow){val, d->moment_colind + adr, 0, scratch ? scratch : val};
}

static inline void row_put(MomentRow* row, int dof, mjtNum value) {
  row->colind[row->n] = dof;
  row->val[row->n++] = value;
}

// Starts a row as nv zeros, to be added to and then compressed.
static mjtNum* row_dense(const MomentRow* row, int nv) {
  memset(row->dense, 0, nv * sizeof(mjtNum));
  return row->dense;
}

static void row_compress(MomentRow* row, int nv) {
  const mjtNum* dense = row->dense;
  mjtNum* val = row->val;
  int *colind = row->colind, n = row->n;
  for (int j = 0; j < nv; j++) {
    if (dense[j] != 0) {
      colind[n] = j;
      val[n++] = dense[j];
    }
  }
  row->n = n;
}

// The same, if only n dofs may have entries. They ascend, and one may be named again.
static void row_pick(MomentRow* row, const int* dof, int n) {
  for (int k = 0; k < n; k++) {
    mjtNum value = row->dense[dof[k]];
    if (value != 0 && !(k && dof[k] == dof[k - 1])) {
      row_put(row, dof[k], value);
    }
  }
}

// joints

// Also lane_turning_moment in lanes/dynamics/transmission.h.
static mjtNum turning_moment(MomentRow* row, const mjModel* m, const mjData* d, int i, int joint) {
  int dof = m->jnt_dofadr[joint], n = joint_scalars(m->jnt_type[joint]);
  const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[i] + n;
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint] + n;

  // translations of a free joint, in world axes
  for (int k = 0; k < n; k++) {
    row_put(row, dof + k, gear[k - n]);
  }

  // rotations, the gear given in the child's or the parent's axes
  mjtNum quat[4], axis[3], turn[3];
  q_unit(quat, qpos);
  v3_copy(axis, gear);
  if (m->actuator_trntype[i] == mjTRN_JOINTINPARENT) {
    q_unrotate(axis, gear, quat);
  }
  for (int k = 0; k < 3; k++) {
    row_put(row, dof + n + k, axis[k]);
  }
  if (n) {
    return 0;
  }
  mju_quat2Vel(turn, quat, 1);
  return v3_dot(turn, axis);
}

static mjtNum tendon_moment(MomentRow* row, const mjModel* m, const mjData* d, int i) {
  int tendon = m->actuator_trnid[2 * i];
  mjtNum gear = m->actuator_gear[6 * m->actuator_outadr[i]];
  TendonRow view = tendon_view(m, d, tendon);
  if (view.colind) {
    tendon_add_to(row_dense(row, m->nv), &view, gear);
    row_compress(row, m->nv);
  } else {
    mju_scl(row->dense, view.val, gear, m->nv);
    row_pick(row, m->ten_J_colind + m->ten_J_rowadr[tendon], m->ten_J_rownnz[tendon]);
  }
  return gear * d->ten_length[tendon];
}

// slider-crank

// A rod of length r joins the crank to a slider moving along the axis A of its site;
// vec = crank - slider site.
//
//   length = A.vec - sqrt((A.vec)^2 + r^2 - |vec|^2)      if the rod reaches the axis
//   length = A.vec                                        if not: the nearest point of the axis
// Also lane_crank_moment in lanes/dynamics/transmission.h.
static mjtNum crank_moment(MomentRow* row, const mjModel* m, mjData* d, int i) {
  int nv = m->nv;
  int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  mjtNum gear = m->actuator_gear[6 * m->actuator_outadr[i]], rod = m->actuator_cranklength[i];
  mjtNum axis[3], vec[3], by_vec[3], by_axis[3];
  m3_column(axis, d->site_xmat + 9 * slider, 2);
  v3_sub(vec, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);

  mjtNum along = v3_dot(axis, vec);
  mjtNum det = along * along + rod * rod - v3_dot(vec, vec);
  mjtNum length = along;
  if (det > 0) {
    mjtNum root = mju_sqrt(det), s = 1 - along / root;
    length -= root;
    v3_scl(by_vec, vec, 1 / root);
    v3_addtoscl(by_vec, axis, s);
    v3_scl(by_axis, vec, s);
  } else {
    v3_copy(by_vec, axis);
    v3_copy(by_axis, vec);
  }

  // Jacobians of the axis and the points
  size_t top = arena_top(d);
  mjtNum* jac_axis = arena_num(d, 3 * nv);
  mjtNum* jac_slider = arena_num(d, 3 * nv);
  mjtNum* jac_crank = arena_num(d, 3 * nv);
  mjtNum* dense = row_dense(row, nv);
  mj_jacPointAxis(m, d, jac_slider, jac_axis, d->site_xpos + 3 * slider, axis,
                  m->site_bodyid[slider]);
  mj_jacSite(m, d, jac_crank, NULL, crank);
  for (int k = 0; k < 3; k++) {
    for (int j = k * nv; j < (k + 1) * nv; j++) {
      mjtNum moved = jac_crank[j] - jac_slider[j];
      dense[j - k * nv] += by_axis[k] * jac_axis[j] + by_vec[k] * moved;
    }
  }
  for (int j = 0; j < nv; j++) {
    dense[j] *= gear;
  }
  row_compress(row, nv);
  arena_pop(d, top);
  return gear * length;
}

// sites

// Wrench given in the frame of the site, at the site: jacp' force + jacr' torque.
// Also lane_site_moment in lanes/dynamics/transmission.h.
static mjtNum site_moment(MomentRow* row, const mjModel* m, const mjData* d, int i) {
  int site = m->actuator_trnid[2 * i], body = m->site_bodyid[site], n;
  const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
  const mjtNum* mat = d->site_xmat + 9 * site;
  const int* chain = jac_body_chain(&n, m, body);
  mjtNum force[3], torque[3], r[3];
  m3_mulv(force, mat, gear);
  m3_mulv(torque, mat, gear + 3);
  v3_sub(r, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  mjtNum* dense = row_dense(row, m->nv);

  for (int k = 0; k < n; k++) {
    const mjtNum* cdof = d->cdof + 6 * chain[k];
    mjtNum column[3];
    v3_crossadd(column, cdof, r, cdof + 3);
    dense[chain[k]] = v3_dot(column, force) + v3_dot(cdof, torque);
  }
  row_compress(row, m->nv);
  return 0;
}

// Last dof that moves both bodies, -1 if there is none.
static int last_common_dof(const mjModel* m, int body1, int body2) {
  const int body[2] = {body1, body2};
  BodyChain chain[2];
  ChainRun run[3];
  int any = jac_runs(run, chain, m, body, 2);
  return any && run[0].end - run[0].first == 2 ? run[0].dof[run[0].ndof - 1] : -1;
}

// Site orientation used for the transmission length: site_quat * xquat, in this order as in 3.3.7;
// the true orientation, which the moment uses and later lengths, is xquat * site_quat.
static void site_quat(mjtNum quat[4], const mjModel* m, const mjData* d, int site) {
  const mjtNum *own = m->site_quat + 4 * site, *body = d->xquat + 4 * m->site_bodyid[site];
  if (behaves(m, cndBEHAVIOUR_siteturn)) {
    q_mul(quat, body, own);
  } else {
    q_mul(quat, own, body);
  }
}

// Position and orientation of a site in the frame of another; either is skipped if its gear is
// zero.
// Also lane_refsite_moment in lanes/dynamics/transmission.h.
static mjtNum refsite_moment(MomentRow* row, const mjModel* m, mjData* d, int i) {
  int nv = m->nv;
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  int body = m->site_bodyid[site], refbody = m->site_bodyid[ref];
  const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
  const mjtNum* mat = d->site_xmat + 9 * ref;
  const mjtNum* xpos = d->site_xpos + 3 * site;
  const mjtNum* xref = d->site_xpos + 3 * ref;

  size_t top = arena_top(d);
  mjtNum* jac = arena_num(d, 3 * nv);
  mjtNum* dense = row_dense(row, nv);
  mjtNum length = 0;
  for (int turning = 0; turning < 2; turning++) {
    const mjtNum* g = gear + 3 * turning;
    mjtNum t[3], world[3];
    if (v3_iszero(g)) {
      continue;
    }
    if (turning) {
      mjtNum quat[4], refquat[4];
      site_quat(quat, m, d, site);
      site_quat(refquat, m, d, ref);
      mju_subQuat(t, quat, refquat);
    } else {
      v3_tolocal(t, xpos, xref, mat);
    }
    length += v3_dot(t, g);
    m3_mulv(world, mat, g);
    jac_difference(turning ? NULL : jac, turning ? jac : NULL, nv, 0, m, d, refbody, xref, body,
                   xpos, NULL);
    for (int j = 0; j < nv; j++) {
      dense[j] += jac[j] * world[0] + jac[nv + j] * world[1] + jac[2 * nv + j] * world[2];
    }
  }

  // dofs that move both sites don't move one against the other
  for (int j = last_common_dof(m, body, refbody); j >= 0; j = m->dof_parentid[j]) {
    dense[j] = 0;
  }
  row_compress(row, nv);
  arena_pop(d, top);
  return length;
}

// adhesion

// out += normal row of a contact. For a pyramid it is summed as the mean of the edges,
// normal +- friction tangent, so that the same entries cancel to exact zeros.
static void add_contact(mjtNum* out, mjtNum* jac, const mjModel* m, const mjData* d,
                        const mjContact* con) {
  int nv = m->nv, edges = 0;
  if (con->efc_address >= 0 && con->dim > 1 && mj_isPyramidal(m)) {
    edges = con->dim - 1;
  }
  jac_difference(jac, jac + 3 * nv, nv, 0, m, d, m->geom_bodyid[con->geom[0]], con->pos,
                 m->geom_bodyid[con->geom[1]], con->pos, con->frame);
  if (!edges) {
    for (int j = 0; j < nv; j++) {
      out[j] += jac[j];
    }
  }
  mjtNum weight = (mjtNum)0.5 / (mjtNum)int_max(edges, 1);
  for (int e = 0; e < edges; e++) {
    const mjtNum* tangent = jac + (e + 1) * nv;
    for (int j = 0; j < nv; j++) {
      mjtNum slide = con->friction[e] * tangent[j];
      out[j] += weight * (jac[j] + slide);
      out[j] += weight * (jac[j] - slide);
    }
  }
}

// Adhesion: the moment arm is minus the mean Jacobian of the normal distance over the body's
// contacts, active or within their gap, so that a positive force pulls together.
// Also lane_adhesion_moment in lanes/dynamics/transmission.h.
static mjtNum adhesion_moment(MomentRow* row, const mjModel* m, mjData* d, int i) {
  int nv = m->nv, body = m->actuator_trnid[2 * i], count = 0;
  size_t top = arena_top(d);
  mjtNum* jac = arena_num(d, 6 * nv);
  mjtNum* dense = row_dense(row, nv);

  for (int c = 0; c < d->ncon; c++) {
    const mjContact* con = d->contact + c;
    if (con->geom[0] < 0 || con->geom[1] < 0 || con->exclude > 1) {
      continue;
    }
    if (m->geom_bodyid[con->geom[0]] == body || m->geom_bodyid[con->geom[1]] == body) {
      add_contact(dense, jac, m, d, con);
      count++;
    }
  }
  for (int j = 0; count && j < nv; j++) {
    dense[j] /= (mjtNum)-count;
  }
  row_compress(row, nv);
  arena_pop(d, top);
  return 0;
}

// orientations

// Rows of a ball joint: its dofs. The lengths are its rotation vector.
static void ball_rows(mjData* d, int* adr, const mjModel* m, int i) {
  int joint = m->actuator_trnid[2 * i], out = m->actuator_outadr[i];
  mjtNum quat[4];
  q_unit(quat, d->qpos + m->jnt_qposadr[joint]);
  mju_quat2Vel(d->actuator_length + out, quat, 1);
  for (int k = 0; k < 3; k++) {
    d->actuator_moment[*adr] = 1;
    d->moment_colind[*adr] = m->jnt_dofadr[joint] + k;
    d->moment_rowadr[out + k] = (*adr)++;
    d->moment_rownnz[out + k] = 1;
  }
}

// Rows of a site in the frame of another: its axes on the difference of the rotational Jacobians,
// without dofs that turn both. The lengths are the rotation vector between them.
static void site_rows(mjData* d, int* adr, mjtNum* scratch, const mjModel* m, int i) {
  int nv = m->nv, site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  int body = m->site_bodyid[site], refbody = m->site_bodyid[ref], out = m->actuator_outadr[i];
  mjtNum quat[4], refquat[4], axis[3];
  q_mul(quat, d->xquat + 4 * body, m->site_quat + 4 * site);
  q_mul(refquat, d->xquat + 4 * refbody, m->site_quat + 4 * ref);
  mju_subQuat(d->actuator_length + out, quat, refquat);

  size_t top = arena_top(d);
  mjtNum* jac = arena_num(d, 3 * nv);
  jac_difference(NULL, jac, nv, 0, m, d, refbody, d->site_xpos + 3 * ref, body,
                 d->site_xpos + 3 * site, NULL);
  for (int k = 0; k < 3; k++) {
    MomentRow row = row_at(d, *adr, scratch);
    mjtNum* dense = row_dense(&row, nv);
    m3_column(axis, d->site_xmat + 9 * site, k);
    for (int j = 0; j < nv; j++) {
      dense[j] = jac[j] * axis[0] + jac[nv + j] * axis[1] + jac[2 * nv + j] * axis[2];
    }
    for (int j = last_common_dof(m, body, refbody); j >= 0; j = m->dof_parentid[j]) {
      dense[j] = 0;
    }
    row_compress(&row, nv);
    d->moment_rowadr[out + k] = *adr;
    d->moment_rownnz[out + k] = row.n;
    *adr += row.n;
  }
  arena_pop(d, top);
}

static mjtNum write_row(MomentRow* row, const mjModel* m, mjData* d, int i) {
  switch (m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return turning_moment(row, m, d, i, m->actuator_trnid[2 * i]);
    case mjTRN_SLIDERCRANK:
      return crank_moment(row, m, d, i);
    case mjTRN_TENDON:
      return tendon_moment(row, m, d, i);
    case mjTRN_SITE:
      return m->actuator_trnid[2 * i + 1] < 0 ? site_moment(row, m, d, i)
                                              : refsite_moment(row, m, d, i);
    case mjTRN_BODY:
      return adhesion_moment(row, m, d, i);
    default:
      mju_error("unknown transmission type %d of actuator %d", m->actuator_trntype[i], i);
      return 0;
  }
}

// Rows with known patterns are written in runs of actuators of one kind. Both functions begin at
// actuator i and row address *adr, and return the first actuator that is not of their kind. Each
// has one row; rows `shift` after the number of the actuator.

// Hinges and slides: one entry, the gear.
static KERNEL int scalar_joints(const mjModel* m, mjData* d, int i, int* adr) {
  int shift = m->actuator_outadr[i] - i;
  const int* trntype = m->actuator_trntype;
  const int* trnid = m->actuator_trnid;
  const int* jnt_type = m->jnt_type;
  const int* dofadr = m->jnt_dofadr;
  const int* qposadr = m->jnt_qposadr;
  const mjtNum* gears = m->actuator_gear + 6 * shift;
  const mjtNum* qpos = d->qpos;
  mjtNum* restrict moment = d->actuator_moment + *adr;
  mjtNum* restrict length = d->actuator_length + shift + i;
  int* restrict colind = d->moment_colind + *adr;
  int* restrict rowadr = d->moment_rowadr + shift + i;
  int* restrict rownnz = d->moment_rownnz + shift + i;
  int n = 0;
  for (int end = (int)m->nactuator; i < end; i++, n++) {
    if (!transmission_on_joint(trntype[i])) {
      break;
    }
    int joint = trnid[2 * i];
    if (joint_has_quat(jnt_type[joint])) {
      break;
    }
    mjtNum gear = gears[6 * i];
    moment[n] = gear;
    colind[n] = dofadr[joint];
    length[n] = gear * qpos[qposadr[joint]];
  }
  for (int k = 0; k < n; k++) {
    rowadr[k] = *adr + k;
    rownnz[k] = 1;
  }
  *adr += n;
  return i;
}

enum {
  PREFETCH = 32  // entries ahead
};

typedef int FourInts __attribute__((vector_size(4 * sizeof(int)), aligned(sizeof(int)), may_alias));

// Copies a row and its columns, with values times a scale. The last vector of four overlaps the one
// before, which is cheaper than up to three single entries. The next cache lines are prefetched,
// because stores wait for them.
INLINE void scale_row(mjtNum* restrict out, int* restrict outcol, const mjtNum* restrict in,
                      const int* restrict col, mjtNum scale, int n) {
  if (n < 4) {
    for (int k = 0; k < n; k++) {
      out[k] = scale * in[k];
      outcol[k] = col[k];
    }
    return;
  }
  for (int k = 0; k < n - 4; k += 4) {
    SIMD_AT(Simd4, out + k) = scale * SIMD_READ(Simd4, in + k);
    *(FourInts*)(outcol + k) = *(const FourInts*)(col + k);
    __builtin_prefetch(out + k + PREFETCH, 1);
    __builtin_prefetch(outcol + k + PREFETCH, 1);
  }
  SIMD_AT(Simd4, out + n - 4) = scale * SIMD_READ(Simd4, in + n - 4);
  *(FourInts*)(outcol + n - 4) = *(const FourInts*)(col + n - 4);
}

// Rows of all tendons, packed.
typedef struct {
  const mjtNum* val;
  const int *rowadr, *rownnz, *colind;
} TendonRows;

// Packed rows of tendons: the same columns, values times the gear. Those of fixed tendons are left
// out unless `fixed`.
static KERNEL int packed_tendons(const mjModel* m, mjData* d, int i, int* adr,
                                 const TendonRows* rows, int fixed) {
  int row = *adr, shift = m->actuator_outadr[i] - i;
  for (; i < (int)m->nactuator && m->actuator_trntype[i] == mjTRN_TENDON; i++) {
    int tendon = m->actuator_trnid[2 * i];
    if (!fixed && !m->tendon_type[tendon]) {
      break;
    }
    int from = rows->rowadr[tendon], nnz = rows->rownnz[tendon];
    int out = i + shift;
    mjtNum gear = m->actuator_gear[6 * out];
    scale_row(d->actuator_moment + row, d->moment_colind + row, rows->val + from,
              rows->colind + from, gear, nnz);
    d->actuator_length[out] = gear * d->ten_length[tendon];
    d->moment_rowadr[out] = row;
    d->moment_rownnz[out] = nnz;
    row += nnz;
  }
  *adr = row;
  return i;
}

// For each actuator: its length l(q) and moment = dl/dq.
// Also in lanes/dynamics/levers.h, lanes/dynamics/transmission.h and
// derivative/smooth/transmission.c.
void mj_transmission(const mjModel* m, mjData* d) {
  check_pair(m, d);
  int i = 0, adr = 0, sparse = mj_isSparse(m);
  int packed_room = behaves(m, cndBEHAVIOUR_pathdofs), packs = sparse || packed_room;
  const TendonRows rows = {d->cnd_ten_J, m->ten_J_rowadr, m->ten_J_rownnz, m->ten_J_colind};
  const TendonRows packed = {d->ten_J, d->ten_J_rowadr, d->ten_J_rownnz, d->ten_J_colind};
  size_t top = arena_top(d);
  mjtNum* scratch = packed_room ? arena_num(d, m->nv) : NULL;
  while (i < (int)m->nactuator) {
    int first = i;
    i = scalar_joints(m, d, i, &adr);
    if (packs && i < (int)m->nactuator && m->actuator_trntype[i] == mjTRN_TENDON) {
      i = packed_tendons(m, d, i, &adr, sparse ? &packed : &rows, sparse);
    }
    if (i == first && m->actuator_trntype[i] == mjTRN_SO3) {
      if (m->actuator_trnid[2 * i + 1] < 0) {
        ball_rows(d, &adr, m, i);
      } else {
        site_rows(d, &adr, scratch, m, i);
      }
      i++;
    } else if (i == first) {
      int out = m->actuator_outadr[i];
      MomentRow row = row_at(d, adr, scratch);
      d->actuator_length[out] = write_row(&row, m, d, i);
      d->moment_rowadr[out] = adr;
      d->moment_rownnz[out] = row.n;
      adr += row.n;
      i++;
    }
  }
  arena_pop(d, top);
}
