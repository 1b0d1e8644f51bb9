// set_const.c: mj_setConst, the constants of the model at qpos0. Inverse weights (invweight0,
// inverse effective masses) come from the diagonal of J M^-1 J', with M = L' D L:
//
//   J M^-1 J' = sum_k y_k^2 / D_k,   L' y = J'
//   M^-1 J'   = L^-1 D^-1 y
//
// y is nonzero only on the chains of J's dofs, so computing it for a body takes O(depth^2)
// operations. M^-1 J' is nonzero on whole trees. L and D are in d->qLD with the rows of M: D on the
// diagonal (last in its row), L below it.
//                                                            theory/model/model.md, Inverse weights

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/any.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/error.h"
#include "compile/derive/derive.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/awake.h"
#include "model/derived/derived.h"
#include "model/derived/flex_metric.h"
#include "model/terms.h"
#include "model/tree/trees.h"
#include "smooth/flex/flex.h"
#include "smooth/ldl.h"

// The rows of whole trees, dofs [lo, hi).
static TreePattern trees(const mjModel* m, int lo, int hi) {
  return (TreePattern){hi - lo, m->M_rownnz + lo, m->M_rowadr + lo, m->M_colind, 0, 0};
}

// J M^-1 J' for a J that is nonzero only on the chain of dof last. J is given in x[nv], which is
// zeroed again.
static mjtNum weight_on_chain(mjtNum* x, const mjModel* m, const mjData* d, int last) {
  mjtNum sum = 0;
  for (int i = last; i >= 0; i = m->dof_parentid[i]) {
    ldl_eliminate(x, tree_pattern(m), d->qLD, i);
    sum += x[i] * x[i] * d->qLDiagInv[i];
    x[i] = 0;
  }
  return sum;
}

// Sets x[ind] = val. *lo, *hi receive the range of dofs of all trees that it touches.
static void scatter(mjtNum* x, int* lo, int* hi, const mjModel* m, const mjtNum* val,
                    const int* ind, int nnz) {
  *lo = m->nv;
  *hi = 0;
  for (int k = 0; k < nnz; k++) {
    x[ind[k]] = val[k];
    *lo = int_min(*lo, ind[k]);
    *hi = int_max(*hi, ind[k] + 1);
  }
  while (*lo < m->nv && m->dof_parentid[*lo] >= 0) {
    --*lo;
  }
  while (*hi > 0 && *hi < m->nv && m->dof_parentid[*hi] >= 0) {
    ++*hi;
  }
  *lo = int_min(*lo, *hi);
}

// dof_M0_i = armature_i (and that of actuators) + cdof_i . (I cdof_i), where I is the inertia of
// all bodies below the dof.
static void set_dof_M0(mjModel* m, const mjData* d) {
  mjtNum* composite = heap_take((size_t)m->nbody * 10 * sizeof(mjtNum));
  memcpy(composite, d->cinert, (size_t)m->nbody * 10 * sizeof(mjtNum));
  for (int b = m->nbody - 1; b > 0; b--) {
    for (int k = 0; k < 10; k++) {
      composite[10 * m->body_parentid[b] + k] += composite[10 * b + k];
    }
  }
  for (int i = 0; i < m->nv; i++) {
    mjtNum momentum[6];
    sp_mulinertia(momentum, composite + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    m->dof_M0[i] = m->dof_armature[i] + terms_joint_armature(m, m->dof_jntid[i]) +
                   sp_dot(d->cdof + 6 * i, momentum);
  }
  heap_free(composite);
}

// Mean inverse mass and inverse inertia for a force and a torque at a body's center of mass.
static void set_body_invweight(mjModel* m, const mjData* d, mjtNum* x) {
  for (int b = 0; b < m->nbody; b++) {
    mjtNum* out = m->body_invweight0 + 2 * b;
    int weld = m->body_weldid[b];
    out[0] = out[1] = 0;
    if (!m->body_dofnum[weld]) {
      continue;
    }
    if (m->body_simple[b] == 2) {
      if (m->body_mass[b] == 0) {
        mju_error("mj_setConst: body %d slides but has no mass", b);
      }
      out[0] = 1 / num_max(mjMINVAL, m->body_mass[b]);
      continue;
    }

    // a dof moves the point r from its tree's center of mass by w x r + v
    int last = m->body_dofadr[weld] + m->body_dofnum[weld] - 1;
    mjtNum r[3];
    v3_sub(r, d->xipos + 3 * b, d->subtree_com + 3 * m->body_rootid[b]);
    for (int k = 0; k < 6; k++) {
      for (int i = last; i >= 0; i = m->dof_parentid[i]) {
        const mjtNum* cdof = d->cdof + 6 * i;
        mjtNum turn[3];
        v3_cross(turn, cdof, r);
        x[i] = k < 3 ? cdof[3 + k] + turn[k] : cdof[k - 3];
      }
      out[k / 3] += weight_on_chain(x, m, d, last) / 3;
    }
  }
}

// Diagonal of M^-1, averaged over the directions of a ball joint, and of each half of a free joint.
static void set_dof_invweight(mjModel* m, const mjData* d, mjtNum* x) {
  for (int j = 0; j < m->njnt; j++) {
    int b = m->jnt_bodyid[j];
    int first = m->jnt_dofadr[j];
    int ndof = joint_nv(m->jnt_type[j]);
    mjtNum* out = m->dof_invweight0 + first;
    for (int k = 0; k < ndof; k++) {
      if (m->body_simple[b] == 2) {
        out[k] = 1 / num_max(mjMINVAL, m->body_mass[b]);
      } else {
        x[first + k] = 1;
        out[k] = weight_on_chain(x, m, d, first + k);
      }
    }
    for (int k = 0; k + 3 <= ndof; k += 3) {
      mjtNum mean = (out[k] + out[k + 1] + out[k + 2]) / 3;
      v3_set(out + k, mean, mean, mean);
    }
  }
}

// J M^-1 J' of a row of nv columns, or of the n columns ind. x is zero before and after.
static mjtNum row_weight(mjtNum* x, mjtNum* path, const mjModel* m, const mjData* d,
                         const mjtNum* val, const int* ind, int n) {
  int lo, hi;
  scatter(x, &lo, &hi, m, val, ind, n);
  ldl_solve_upper(x + lo, trees(m, lo, hi), d->qLD, path);
  mjtNum sum = 0;
  for (int i = lo; i < hi; i++) {
    sum += x[i] * x[i] * d->qLDiagInv[i];
    x[i] = 0;
  }
  return sum;
}

static void set_tendon_invweight(mjModel* m, const mjData* d, mjtNum* x, mjtNum* path) {
  int sparse = mj_isSparse(m);
  int* all = heap_take((size_t)m->nv * sizeof(int));
  for (int i = 0; i < m->nv; i++) {
    all[i] = i;
  }
  for (int t = 0; t < m->ntendon; t++) {
    const mjtNum* val = d->ten_J + (sparse ? d->ten_J_rowadr[t] : t * m->nv);
    const int* ind = sparse ? d->ten_J_colind + d->ten_J_rowadr[t] : all;
    int n = sparse ? d->ten_J_rownnz[t] : m->nv;
    m->tendon_invweight0[t] = row_weight(x, path, m, d, val, ind, n);
  }
  heap_free(all);
}

// Inverse weight of an edge. Between two bodies that only slide it is half the sum of their inverse
// masses, half of J M^-1 J'.
static mjtNum edge_weight(mjtNum* x, mjtNum* path, const mjModel* m, const mjData* d, int f, int e,
                          const int* all) {
  int v = m->flex_vertadr[f];
  int b1 = m->flex_vertbodyid[v + m->flex_edge[2 * e]];
  int b2 = m->flex_vertbodyid[v + m->flex_edge[2 * e + 1]];
  if (m->body_simple[b1] == 2 && m->body_simple[b2] == 2) {
    return (1 / m->body_mass[b1] + 1 / m->body_mass[b2]) / 2;
  }
  TendonRow row = flex_row(m, d, e);
  return row_weight(x, path, m, d, row.val, row.colind ? row.colind : all, row.n);
}

static void set_edge_invweight(mjModel* m, const mjData* d, mjtNum* x, mjtNum* path) {
  int* all = heap_take((size_t)m->nv * sizeof(int));
  for (int i = 0; i < m->nv; i++) {
    all[i] = i;
  }
  for (int f = 0; f < m->nflex; f++) {
    int first = m->flex_edgeadr[f];
    int evaluated = !m->flex_interp[f] && !m->flex_rigid[f];
    for (int e = first; e < first + m->flex_edgenum[f]; e++) {
      m->flexedge_invweight0[e] =
          evaluated && !m->flexedge_rigid[e] ? edge_weight(x, path, m, d, f, e, all) : 0;
    }
  }
  heap_free(all);
}

// Norm of the acceleration by a unit force of each actuator.
static void set_actuator_acc(mjModel* m, const mjData* d, mjtNum* x, mjtNum* path) {
  for (int u = 0; u < (int)m->nout; u++) {
    int adr = d->moment_rowadr[u];
    int lo, hi;
    scatter(x, &lo, &hi, m, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[u]);
    ldl_solve(x + lo, trees(m, lo, hi), d->qLD, d->qLDiagInv + lo, path);
    mjtNum sum = 0;
    for (int i = lo; i < hi; i++) {
      sum += x[i] * x[i];
      x[i] = 0;
    }
    m->actuator_acc0[u] = mju_sqrt(sum);
  }
}

// Inverse weights; all zero without dofs.
static void set_weights(mjModel* m, const mjData* d) {
  if (!m->nv) {
    memset(m->body_invweight0, 0, (size_t)m->nbody * 2 * sizeof(mjtNum));
    memset(m->tendon_invweight0, 0, (size_t)m->ntendon * sizeof(mjtNum));
    memset(m->flexedge_invweight0, 0, (size_t)m->nflexedge * sizeof(mjtNum));
    memset(m->actuator_acc0, 0, (size_t)m->nout * sizeof(mjtNum));
    return;
  }
  mjtNum* x = heap_take(2 * (size_t)m->nv * sizeof(mjtNum));
  mjtNum* path = x + m->nv;
  memset(x, 0, (size_t)m->nv * sizeof(mjtNum));
  set_body_invweight(m, d, x);
  set_dof_invweight(m, d, x);
  set_tendon_invweight(m, d, x, path);
  set_edge_invweight(m, d, x, path);
  set_actuator_acc(m, d, x, path);
  heap_free(x);
}

// Transforms a point from the frame of its owner to the frame of another body.
static void see_from(mjtNum out[3], const mjData* d, int body, const mjtNum point[3], int owner) {
  mjtNum world[3];
  m3_mulv(world, d->xmat + 9 * owner, point);
  v3_addto(world, d->xpos + 3 * owner);
  v3_subfrom(world, d->xpos + 3 * body);
  m3_tmulv(out, d->xmat + 9 * body, world);
}

// Computes the anchor of a connect in the second body's frame, and the relative pose of a weld
// unless the author gave one. Of a pose that is not given 3.3.7 remembers nothing.
static void set_equalities(mjModel* m, const mjData* d) {
  int remembers = behaves(m, cndBEHAVIOUR_weldpose);
  for (int e = 0; e < m->neq; e++) {
    mjtNum* data = m->eq_data + mjNEQDATA * e;
    int bodies = m->eq_objtype[e] == mjOBJ_BODY;
    int b1 = m->eq_obj1id[e], b2 = m->eq_obj2id[e];

    if (m->eq_type[e] == mjEQ_CONNECT && !bodies) {
      memset(data, 0, mjNEQDATA * sizeof(mjtNum));
    } else if (m->eq_type[e] == mjEQ_CONNECT) {
      see_from(data + 3, d, b2, data, b1);
    } else if (m->eq_type[e] == mjEQ_WELD && bodies) {
      mjtNum* quat = data + 6;
      if (mju_isZero(quat, 4)) {
        m->cnd_eq_unposed[e] = remembers;
      } else if (!remembers || !m->cnd_eq_unposed[e]) {
        q_normalize(quat);
        continue;
      }
      see_from(data + 3, d, b1, data, b2);
      mjtNum inverse[4];
      q_conj(inverse, d->xquat + 4 * b1);
      q_mul(quat, inverse, d->xquat + 4 * b2);
    }
  }
}

// Poses relative to what cameras and lights may track: their own body, or a center of mass.
static void set_cameras_and_lights(mjModel* m, const mjData* d) {
  for (int c = 0; c < m->ncam; c++) {
    int b = m->cam_bodyid[c];
    int target = m->cam_targetbodyid[c] >= 0 ? m->cam_targetbodyid[c] : b;
    v3_sub(m->cam_pos0 + 3 * c, d->cam_xpos + 3 * c, d->xpos + 3 * b);
    v3_sub(m->cam_poscom0 + 3 * c, d->cam_xpos + 3 * c, d->subtree_com + 3 * target);
    m3_copy(m->cam_mat0 + 9 * c, d->cam_xmat + 9 * c);
  }
  for (int l = 0; l < m->nlight; l++) {
    int b = m->light_bodyid[l];
    int target = m->light_targetbodyid[l] >= 0 ? m->light_targetbodyid[l] : b;
    v3_sub(m->light_pos0 + 3 * l, d->light_xpos + 3 * l, d->xpos + 3 * b);
    v3_sub(m->light_poscom0 + 3 * l, d->light_xpos + 3 * l, d->subtree_com + 3 * target);
    v3_copy(m->light_dir0 + 3 * l, d->light_xdir + 3 * l);
  }
}

// The mass that a servo feels, 1 / mean of J M^-1 J' over its forces.
static mjtNum effective_mass(const mjModel* m, mjData* d, int i) {
  int first = m->actuator_outadr[i], n = m->actuator_outnum[i];
  mjtNum* row = heap_take(2 * (size_t)m->nv * sizeof(mjtNum));
  mjtNum *moved = row + m->nv, mean = 0;
  for (int r = first; r < first + n; r++) {
    mju_zero(row, m->nv);
    for (int k = d->moment_rowadr[r]; k < d->moment_rowadr[r] + d->moment_rownnz[r]; k++) {
      row[d->moment_colind[k]] = d->actuator_moment[k];
    }
    mj_solveM(m, d, moved, row, 1);
    mean += mju_dot(row, moved, m->nv) / (mjtNum)n;
  }
  heap_free(row);
  return mean > mjMINVAL ? 1 / mean : 0;
}

// sum of M0 / moment^2
static mjtNum summed_mass(const mjModel* m, const mjData* d, int i) {
  mjtNum mass = 0;
  int row = m->actuator_outadr[i];
  for (int k = d->moment_rowadr[row]; k < d->moment_rowadr[row] + d->moment_rownnz[row]; k++) {
    mjtNum square = d->actuator_moment[k] * d->actuator_moment[k];
    if (square > mjMINVAL) {
      mass += m->dof_M0[d->moment_colind[k]] / square;
    }
  }
  return mass;
}

// Resolves damping ratios. A servo (gain k on the error) with a positive third bias number gives a
// damping ratio. Critical damping of a mass r on a spring k is 2 sqrt(k r), with r the effective
// mass, or, by the rule of 3.3.7 for servos of one input, the sum above. The later rule leaves
// models that are compiled alone.
static void set_damping_from_ratio(mjModel* m, mjData* d, int is_compiled) {
  int by_all = behaves(m, cndBEHAVIOUR_dampratio);
  for (int u = 0; u < (int)m->nactuator; u++) {
    mjtNum* bias = m->actuator_biasprm + mjNBIAS * u;
    int type = m->actuator_gaintype[u], has_law = type == mjGAIN_PID || type == mjGAIN_SO3;
    mjtNum gain = type == mjGAIN_PID ? -bias[1] : m->actuator_gainprm[mjNGAIN * u];
    if (gain != -bias[1] || bias[2] <= 0 || type == mjGAIN_DCMOTOR || (by_all && is_compiled)) {
      continue;
    }
    mjtNum mass = (has_law || by_all) && m->nv ? effective_mass(m, d, u) : summed_mass(m, d, u);
    bias[2] = -(bias[2] * 2 * mju_sqrt(gain * mass));
  }
}

// Sets the rest lengths of tendon springs that the author left open, to those at qpos_spring.
static void set_springs(mjModel* m, mjData* d, int open) {
  memcpy(d->qpos, m->qpos_spring, (size_t)m->nq * sizeof(mjtNum));
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_transmission(m, d);
  for (int t = 0; t < m->ntendon && open; t++) {
    mjtNum* length = m->tendon_lengthspring + 2 * t;
    if (length[0] == -1 && length[1] == -1) {
      length[0] = length[1] = d->ten_length[t];
    }
  }
}

// Computes the lengths of flex edges, once also for rigid flexes.
static void measure_flexes(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtByte* rigid = mj_stackAllocByte(d, (size_t)m->nflex + 1, 1);
  memcpy(rigid, m->flex_rigid, (size_t)m->nflex);
  memset(m->flex_rigid, 0, (size_t)m->nflex);
  mj_flex(m, d);
  memcpy(m->flex_rigid, rigid, (size_t)m->nflex);
  mj_freeStack(d);
}

// Runs the position stage at qpos0, with cameras and lights fixed to their bodies.
static void evaluate_at_qpos0(mjModel* m, mjData* d) {
  size_t ncam = (size_t)m->ncam, nlight = (size_t)m->nlight;
  mj_markStack(d);
  int* mode = mj_stackAllocInt(d, ncam + nlight + 1);
  memcpy(mode, m->cam_mode, ncam * sizeof(int));
  memcpy(mode + ncam, m->light_mode, nlight * sizeof(int));
  for (int c = 0; c < m->ncam; c++) {
    m->cam_mode[c] = mjCAMLIGHT_FIXED;
  }
  for (int l = 0; l < m->nlight; l++) {
    m->light_mode[l] = mjCAMLIGHT_FIXED;
  }

  memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  measure_flexes(m, d);
  mj_tendon(m, d);

  memcpy(m->cam_mode, mode, ncam * sizeof(int));
  memcpy(m->light_mode, mode + ncam, nlight * sizeof(int));
  mj_freeStack(d);

  // M takes the diagonal of simple bodies from dof_M0
  set_dof_M0(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);
}

// Whether surfaces move or adhere at all, which steps ask once.
static void set_surfaces(mjModel* m) {
  m->flg_surfacevel = (mjtByte)num_any(m->geom_surfacevel, 6 * (size_t)m->ngeom);
  m->flg_adhesion =
      num_any(m->geom_adhesion, (size_t)m->ngeom) || num_any(m->pair_adhesion, (size_t)m->npair);
}

// What may sleep.
static void set_policies(mjModel* m) {
  int tree, tendon;
  trees_decide(m);
  tendon = trees_conflict(&tree, m);
  if (tendon >= 0) {
    mju_error(
        "mj_setConst: tree %d may not sleep, because tendon %d ties it to other trees; its "
        "tree_sleep_policy is %d",
        tree, tendon, m->tree_sleep_policy[tree]);
  }
}

typedef struct Setting_ {
  mjModel* m;
  mjData* d;
  int given;  // 1 to compute what stands for words of an author, too: ratios, lengths, statistics
  int is_compiled;
} Setting;

static void set_all(void* argument) {
  mjModel* m = ((Setting*)argument)->m;
  mjData* d = ((Setting*)argument)->d;
  int given = ((Setting*)argument)->given;
  derive_subtreemass(m);
  terms_index(m);
  set_policies(m);
  set_surfaces(m);
  awake_wake_all(m, d);
  derived_follow(m);
  evaluate_at_qpos0(m, d);
  derived_metric(m);
  for (int f = 0; f < m->nflex; f++) {
    int first = m->flex_edgeadr[f], n = m->flex_edgenum[f];
    if (m->flex_interp[f]) {
      mju_zero(m->flexedge_length0 + first, n);
    } else {
      mju_copy(m->flexedge_length0 + first, d->flexedge_length + first, n);
    }
  }
  mju_copy(m->tendon_length0, d->ten_length, m->ntendon);
  mju_copy(m->actuator_length0, d->actuator_length, (int)m->nout);
  set_weights(m, d);
  set_equalities(m, d);
  set_cameras_and_lights(m, d);
  if (given) {
    set_damping_from_ratio(m, d, ((Setting*)argument)->is_compiled);
    derive_measure(m, d);
  }
  set_springs(m, d, given);
  trees_measure(m);
}

void mj_setConst(mjModel* m, mjData* d) {
  check_pair(m, d);
  error_pass(set_all, &(Setting){m, d, 1, 1});
}

void derive_const(mjModel* m, mjData* d) {
  set_all(&(Setting){m, d, 1, 0});
}

void derive_following(mjModel* m, mjData* d) {
  set_all(&(Setting){m, d, 0, 1});
}

// Gives a joint of mass I = 1/invweight the time constant t and the damping ratio r by
//   k = I / (t r)^2,   b = 2 I / t
// A NaN counts as the smallest number.
//                                                              theory/model/model.md, Joint springs
void derive_springdamper(mjModel* m, const mjtNum* springdamper) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum timeconst = springdamper[2 * j], dampratio = springdamper[2 * j + 1];
    if (timeconst <= 0 || dampratio <= 0) {
      continue;
    }
    int ndof = joint_nv(m->jnt_type[j]);
    int first = m->jnt_dofadr[j];
    mjtNum weight = 0;
    for (int i = first; i < first + ndof; i++) {
      weight += m->dof_invweight0[i];
    }
    mjtNum inertia = (mjtNum)ndof / num_max(mjMINVAL, weight);
    m->jnt_stiffness[j] =
        inertia / num_max(timeconst * timeconst * dampratio * dampratio, mjMINVAL);
    for (int i = first; i < first + ndof; i++) {
      m->dof_damping[i] = 2 * inertia / num_max(timeconst, mjMINVAL);
    }
  }
}
