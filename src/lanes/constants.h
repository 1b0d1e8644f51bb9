// constants.h: the numbers of a model as the code in lanes wants them: mixed, inverted, turned into
// the frames in which they are used. Whatever a step need not find out is found out here, once in a
// call.
//
// Usually one set serves all lanes and worlds. Where parameters differ from world to world each
// lane has its own, filled from the model of its world (LANES_VARIED).

#pragma once

#include <math.h>
#include <mujoco/api/model.h>

#include "base/joint.h"
#include "base/vec.h"
#include "collision/contact_param.h"
#include "constraint/rows/impedance.h"
#include "lanes/algebra.h"
#include "lanes/structure.h"
#include "model/options.h"
#include "smooth/passive.h"

// The impedance curve and the spring of a row.           theory/constraints.md, Impedance
typedef struct RowSpring {
  Constant least, range;           // d_min, d_max - d_min
  Constant inverse_width, middle;  //
  Constant scale_low, scale_high;  // 1 / m^(p-1), 1 / (1-m)^(p-1)
  Constant power;                  // p
  Constant K, B, weight;           // stiffness, damping, approximate diagonal
  Constant margin;                 // where the row begins
  int square;                      // p is 2 in all lanes
} RowSpring;

typedef struct BodyConstants {
  Constant3 pos, ipos;
  Constant4 quat;
  Constant xx, yy, zz, xy, xz, yz;  // inertia about the com, in the axes of the body
  Constant mass, share;             // share of the mass of the tree
  Constant inverse_subtree;         // 1 / mass of the subtree
  Constant3 lift;                   // against gravity
  int turned;                       // quat may be another than the identity
} BodyConstants;

typedef struct JointConstants {
  Constant3 pos, axis;
  Constant stiffness, force[2];  // force: range of its actuators' sum
  int off;                       // pos may be another than the origin
} JointConstants;

typedef struct DofConstants {
  Constant armature, damping, simple;  // simple: M_ii of a simple dof
} DofConstants;

typedef struct DofRowConstants {
  RowSpring spring;
  Constant bound, eta;  // of the range; friction loss
  Constant one;         // R is that of the law
} DofRowConstants;

typedef struct DriveConstants {
  Constant control[2], force[2], activation[2];  // ranges; infinite where there is none
  Constant gain[3], bias[3];
  Constant rate, advance;  // act' = rate (u - act), or u; act += advance act'
} DriveConstants;

typedef struct ContactConstants {
  RowSpring spring;
  Constant3 point, axis;            // of the sphere's centre and the capsule, in the body
  Constant3 normal, tangent;        // of the plane; t1 where the capsule gives no hint
  Constant offset, radius;          // normal . (point of the plane)
  Constant friction[5], mu, slide;  // slide: damping of sliding rows of an elliptic contact
  Constant soft;                    // R of the rows = soft (1 - d) / d weight
} ContactConstants;

// A geom that may meet others, for the test whether it is near them: the points within a radius of
// the segment centre +- arm. Of a plane the arm is the normal.
typedef struct GeomConstants {
  Constant3 centre, arm;  // in the body
  Constant radius;        // infinite if nothing is known
  Constant mat[9];        // its axes in the body
} GeomConstants;

typedef struct PairConstants {
  Constant margin;
} PairConstants;

typedef struct TieConstants {
  RowSpring spring, spin;    // spin: of the rotations of a frame
  Constant reference[2];     // y0, x0
  Constant polynomial[5];    //
  Constant bound, eta, one;  // as of rows of dofs
  Constant3 anchor[2];       // points in their bodies
  Constant4 quat[2];         // frames
  Constant scale;            // of rotations against translations
  int body[2];               // of points and frames
} TieConstants;

// How much a dof adds to the lengths y and x of a tie.
typedef struct TieLength {
  Constant y, x;
} TieLength;

// Spring and damper of a fixed tendon.
typedef struct TendonConstants {
  Constant stiffness, damping, rest[2];
} TendonConstants;

// A frame in a body. Its quaternion is what sensors multiply, whatever is known of its axes.
typedef struct FrameConstants {
  int body;
  Constant3 pos;
  Constant mat[9];
  Constant4 quat;
} FrameConstants;

// What a sensor is attached to, and its reference.
typedef struct SensorConstants {
  FrameConstants frame[2];
  Constant cutoff;  // infinite if there is none
} SensorConstants;

typedef struct Constants {
  BodyConstants* body;
  JointConstants* joint;
  DofConstants* dof;
  Constant *qpos0, *spring;  // nq
  DofRowConstants* row;
  DriveConstants* drive;
  Constant* coefficient;  // of the terms of drives
  TendonConstants* tendon;
  TieConstants* tie;
  TieLength* tie_length;  // of coupled dofs
  ContactConstants* contact;
  GeomConstants* geom;
  PairConstants* pair;
  SensorConstants* sensor;
  Constant3 gravity, magnetic;
  Constant timestep, scale;          // scale: 1 / (mean inertia nv)
  Constant tolerance, ls_tolerance;  //
  Constant damped;                   // 1 if Euler integrates damping implicitly, else 0

  // what is the same in all lanes, or in some lane
  int springs, dampers, actuates, lifts;
  int equalities, limits, frictions, contacts, damps_implicitly;
  int warm, integrator, cone, dual;  // dual: PGS finds forces, not Newton's method accelerations
  int iterations, ls_iterations;
} Constants;

// writing a number of one lane

INLINE mjtNum get(const Constant* from, int lane) {
#if LANES_VARIED
  return (mjtNum)(*from)[lane];
#else
  (void)lane;
  return (mjtNum)*from;
#endif
}

INLINE void put(Constant* to, int lane, mjtNum value) {
#if LANES_VARIED
  (*to)[lane] = (Num)value;
#else
  (void)lane;
  *to = (Num)value;
#endif
}

static void put3(Constant3* to, int lane, const mjtNum v[3]) {
  put(&to->x, lane, v[0]);
  put(&to->y, lane, v[1]);
  put(&to->z, lane, v[2]);
}

static void put4(Constant4* to, int lane, const mjtNum q[4]) {
  put(&to->w, lane, q[0]);
  put(&to->x, lane, q[1]);
  put(&to->y, lane, q[2]);
  put(&to->z, lane, q[3]);
}

static void put_range(Constant to[2], int lane, int limited, const mjtNum range[2]) {
  put(to, lane, limited ? range[0] : -INFINITY);
  put(to + 1, lane, limited ? range[1] : INFINITY);
}

// frames

// A frame attached to a body, in it, as kinematics have it.  theory/kinematics.md, Attached frames
static void attached_in_body(mjtNum out[3], mjtNum mat[9], const mjModel* m, int body, int same,
                             const mjtNum pos[3], const mjtNum quat[4]) {
  int inertial = m->body_sameframe[body];
  v3_copy(out, same == mjSAMEFRAME_INERTIA ? m->body_ipos + 3 * body : pos);
  if (same == mjSAMEFRAME_BODY || (same == mjSAMEFRAME_INERTIA && inertial == mjSAMEFRAME_BODY)) {
    v3_zero(out);
  }
  if (same == mjSAMEFRAME_NONE) {
    mju_quat2Mat(mat, quat);
  } else if ((same == mjSAMEFRAME_INERTIA || same == mjSAMEFRAME_INERTIAROT) &&
             inertial == mjSAMEFRAME_NONE) {
    mju_quat2Mat(mat, m->body_iquat + 4 * body);
  } else {
    m3_identity(mat);
  }
}

static void geom_in_body(mjtNum pos[3], mjtNum mat[9], const mjModel* m, int geom) {
  attached_in_body(pos, mat, m, m->geom_bodyid[geom], m->geom_sameframe[geom],
                   m->geom_pos + 3 * geom, m->geom_quat + 4 * geom);
}

// rows

// Returns B.
static mjtNum put_spring(RowSpring* s, int lane, const mjModel* m, const mjtNum* solref,
                         const mjtNum* solimp, mjtNum weight, mjtNum margin) {
  static const mjtNum DEFAULT[mjNREF] = {(mjtNum)0.02, 1};
  mjtNum ref[mjNREF], least = num_clamp(solimp[0], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum most = num_clamp(solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum middle = num_clamp(solimp[3], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum power = num_max(solimp[4], 1), width = num_max(solimp[2], 0);
  int flat = least == most || width <= mjMINVAL;
  reference_check(ref, m, solref, DEFAULT);
  put(&s->least, lane, flat ? (least + most) / 2 : least);
  put(&s->range, lane, flat ? 0 : most - least);
  put(&s->inverse_width, lane, flat ? 0 : 1 / width);
  put(&s->middle, lane, middle);
  put(&s->scale_low, lane, power == 2 ? 1 / middle : mju_pow(middle, 1 - power));
  put(&s->scale_high, lane, power == 2 ? 1 / (1 - middle) : mju_pow(1 - middle, 1 - power));
  put(&s->power, lane, power);
  s->square = power == 2 && (!lane || s->square);
  put(&s->K, lane, reference_stiffness(ref, solimp));
  put(&s->B, lane, reference_damping(ref, solimp));
  put(&s->weight, lane, weight);
  put(&s->margin, lane, margin);
  return reference_damping(ref, solimp);
}

// A side of the range of a joint.
static void put_limit(RowSpring* spring, Constant* bound, int lane, const mjModel* m, int joint,
                      int upper) {
  put_spring(spring, lane, m, m->jnt_solref + mjNREF * joint, m->jnt_solimp + mjNIMP * joint,
             m->dof_invweight0[m->jnt_dofadr[joint]], m->jnt_margin[joint]);
  put(bound, lane, m->jnt_range[2 * joint + upper]);
}

static void put_dof_row(DofRowConstants* c, int lane, const mjModel* m, const LaneDofRow* row) {
  put(&c->one, lane, 1);
  if (row->kind == ROW_FRICTION) {
    put_spring(&c->spring, lane, m, m->dof_solref + mjNREF * row->dof,
               m->dof_solimp + mjNIMP * row->dof, m->dof_invweight0[row->dof], 0);
    put(&c->spring.K, lane, 0);
    put(&c->eta, lane, m->dof_frictionloss[row->dof]);
    return;
  }
  put_limit(&c->spring, &c->bound, lane, m, row->joint, row->kind == ROW_UPPER);
}

// bodies

static void put_body(BodyConstants* c, int lane, const mjModel* m, int b) {
  static const mjtNum ZERO[3] = {0, 0, 0};
  int same = m->body_sameframe[b];
  const mjtNum *inertia = m->body_inertia + 3 * b, *quat = m->body_quat + 4 * b;
  mjtNum R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, T[9];
  if (same == mjSAMEFRAME_NONE) {
    mju_quat2Mat(R, m->body_iquat + 4 * b);
  }
  for (int i = 0; i < 9; i++) {
    T[i] = 0;
    for (int k = 0; k < 3; k++) {
      T[i] += R[3 * (i / 3) + k] * inertia[k] * R[3 * (i % 3) + k];
    }
  }
  put3(&c->pos, lane, m->body_pos + 3 * b);
  put3(&c->ipos, lane, same == mjSAMEFRAME_BODY ? ZERO : m->body_ipos + 3 * b);
  put4(&c->quat, lane, quat);
  put(&c->xx, lane, T[0]);
  put(&c->yy, lane, T[4]);
  put(&c->zz, lane, T[8]);
  put(&c->xy, lane, T[1]);
  put(&c->xz, lane, T[2]);
  put(&c->yz, lane, T[5]);
  c->turned = LANES_VARIED || quat[0] != 1;
  mjtNum lift[3];
  v3_scl(lift, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
  put3(&c->lift, lane, lift);
  put(&c->mass, lane, m->body_mass[b]);
  put(&c->share, lane, m->body_mass[b] / num_max(mjMINVAL, m->body_subtreemass[m->body_rootid[b]]));
  put(&c->inverse_subtree, lane, 1 / num_max(mjMINVAL, m->body_subtreemass[b]));
}

static void put_bodies(Constants* c, int lane, const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    put_body(c->body + b, lane, m, b);
  }
  for (int j = 0; j < m->njnt; j++) {
    put3(&c->joint[j].pos, lane, m->jnt_pos + 3 * j);
    c->joint[j].off = LANES_VARIED || !v3_iszero(m->jnt_pos + 3 * j);
    put3(&c->joint[j].axis, lane, m->jnt_axis + 3 * j);
    put(&c->joint[j].stiffness, lane, m->jnt_stiffness[j]);
    put_range(c->joint[j].force, lane, m->jnt_actfrclimited[j], m->jnt_actfrcrange + 2 * j);
  }
  for (int i = 0; i < m->nv; i++) {
    put(&c->dof[i].armature, lane, m->dof_armature[i]);
    put(&c->dof[i].damping, lane, m->dof_damping[i]);
    put(&c->dof[i].simple, lane, m->dof_M0[i]);
  }
  for (int i = 0; i < m->nq; i++) {
    put(c->qpos0 + i, lane, m->qpos0[i]);
    put(c->spring + i, lane, m->qpos_spring[i]);
  }
}

// actuators

static void put_drive(DriveConstants* c, int lane, const mjModel* m, int i) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
  int group = m->actuator_group[i], dynamics = m->actuator_dyntype[i];
  int off = group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
  int affine = m->actuator_gaintype[i] == mjGAIN_AFFINE;
  int pulls = m->actuator_biastype[i] == mjBIAS_AFFINE;
  mjtNum h = m->opt.timestep, tau = num_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  int clamps = !(m->opt.disableflags & mjDSBL_CLAMPCTRL);
  put_range(c->control, lane, clamps && m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i);
  put_range(c->force, lane, m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
  put_range(c->activation, lane, m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
  for (int k = 0; k < 3; k++) {
    put(c->gain + k, lane, off || (k && !affine) ? 0 : gain[k]);
    put(c->bias + k, lane, off || !pulls ? 0 : bias[k]);
  }
  put(&c->rate, lane, dynamics == mjDYN_INTEGRATOR ? 1 : 1 / tau);
  mjtNum advance = dynamics == mjDYN_FILTEREXACT ? tau * (1 - mju_exp(-h / tau)) : h;
  put(&c->advance, lane, off ? 0 : advance);
}

static void put_drives(Constants* c, int lane, const LaneStructure* s, const mjModel* m) {
  for (int k = 0; k < s->ndrive; k++) {
    const LaneDrive* drive = s->drive + k;
    int i = drive->actuator;
    put_drive(c->drive + k, lane, m, i);
    for (int t = drive->term; t < drive->term + drive->nterm; t++) {
      mjtNum gear = m->actuator_gear[6 * i];
      put(c->coefficient + t, lane,
          s->term[t].wrap < 0 ? gear : gear * m->wrap_prm[s->term[t].wrap]);
    }
  }
  for (int k = 0; k < s->nspring; k++) {
    const LaneDrive* spring = s->spring + k;
    int id = spring->actuator;
    put(&c->tendon[k].stiffness, lane, m->tendon_stiffness[id]);
    put(&c->tendon[k].damping, lane, m->tendon_damping[id]);
    put(c->tendon[k].rest, lane, m->tendon_lengthspring[2 * id]);
    put(c->tendon[k].rest + 1, lane, m->tendon_lengthspring[2 * id + 1]);
    for (int t = spring->term; t < spring->term + spring->nterm; t++) {
      put(c->coefficient + t, lane, m->wrap_prm[s->term[t].wrap]);
    }
  }
}

// ties

static mjtNum length_of_dof(const mjModel* m, int is_tendon, int object, int dof) {
  if (!is_tendon) {
    return object >= 0 && m->jnt_dofadr[object] == dof;
  }
  for (int k = m->tendon_adr[object]; k < m->tendon_adr[object] + m->tendon_num[object]; k++) {
    if (m->jnt_dofadr[m->wrap_objid[k]] == dof) {
      return m->wrap_prm[k];
    }
  }
  return 0;
}

static void put_polynomial(Constants* all, TieConstants* c, int lane, const LaneStructure* s,
                           const mjModel* m, const LaneTie* tie) {
  const LaneCoupling* coupling = s->coupling + tie->coupling;
  int is_tendon = m->eq_type[tie->id] == mjEQ_TENDON;
  int object[2] = {m->eq_obj1id[tie->id], m->eq_obj2id[tie->id]};
  mjtNum weight = 0;
  for (int side = 0; side < 2; side++) {
    int o = object[side];
    mjtNum reference = o < 0 ? 0 : is_tendon ? m->tendon_length0[o] : m->qpos0[m->jnt_qposadr[o]];
    weight += o < 0 ? 0 : is_tendon ? m->tendon_invweight0[o] : m->dof_invweight0[m->jnt_dofadr[o]];
    put(c->reference + side, lane, reference);
    for (int a = coupling->dof; a < coupling->dof + coupling->ndof; a++) {
      mjtNum length = o < 0 ? 0 : length_of_dof(m, is_tendon, o, s->coupled[a].dof);
      put(side ? &all->tie_length[a].x : &all->tie_length[a].y, lane, length);
    }
  }
  for (int i = 0; i < 5; i++) {
    put(c->polynomial + i, lane, m->eq_data[mjNEQDATA * tie->id + i]);
  }
  put_spring(&c->spring, lane, m, m->eq_solref + mjNREF * tie->id, m->eq_solimp + mjNIMP * tie->id,
             weight, 0);
}

// The anchors of a weld stand in the other order than those of a connect.
static void put_frames(TieConstants* c, int lane, const mjModel* m, const LaneTie* tie) {
  static const mjtNum UNTURNED[4] = {1, 0, 0, 0};
  const mjtNum* data = m->eq_data + mjNEQDATA * tie->id;
  int on_sites = m->eq_objtype[tie->id] == mjOBJ_SITE, weld = tie->kind == TIE_FRAME;
  mjtNum weight[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    int object = side ? m->eq_obj2id[tie->id] : m->eq_obj1id[tie->id];
    int body = on_sites ? m->site_bodyid[object] : object;
    mjtNum pos[3], mat[9];
    c->body[side] = body;
    if (on_sites) {
      attached_in_body(pos, mat, m, body, m->site_sameframe[object], m->site_pos + 3 * object,
                       m->site_quat + 4 * object);
      put3(c->anchor + side, lane, pos);
      put4(c->quat + side, lane, m->site_quat + 4 * object);
    } else {
      put3(c->anchor + side, lane, data + (side != weld ? 3 : 0));
      put4(c->quat + side, lane, side || !weld ? UNTURNED : data + 6);
    }
    weight[0] += m->body_invweight0[2 * body];
    weight[1] += m->body_invweight0[2 * body + 1];
  }
  put(&c->scale, lane, weld ? data[10] : 1);
  const mjtNum *solref = m->eq_solref + mjNREF * tie->id, *solimp = m->eq_solimp + mjNIMP * tie->id;
  put_spring(&c->spring, lane, m, solref, solimp, weight[0], 0);
  put_spring(&c->spin, lane, m, solref, solimp, weight[1], 0);
}

static void put_tendon_row(Constants* all, TieConstants* c, int lane, const LaneStructure* s,
                           const mjModel* m, const LaneTie* tie) {
  const LaneCoupling* coupling = s->coupling + tie->coupling;
  int id = tie->id, slips = tie->kind == TIE_FRICTION;
  const mjtNum* solref = slips ? m->tendon_solref_fri : m->tendon_solref_lim;
  const mjtNum* solimp = slips ? m->tendon_solimp_fri : m->tendon_solimp_lim;
  put_spring(&c->spring, lane, m, solref + mjNREF * id, solimp + mjNIMP * id,
             m->tendon_invweight0[id], slips ? 0 : m->tendon_margin[id]);
  if (slips) {
    put(&c->spring.K, lane, 0);
  }
  put(&c->eta, lane, m->tendon_frictionloss[id]);
  put(&c->bound, lane, m->tendon_range[2 * id + (tie->kind == TIE_UPPER)]);
  for (int a = coupling->dof; a < coupling->dof + coupling->ndof; a++) {
    put(&all->tie_length[a].y, lane, length_of_dof(m, 1, id, s->coupled[a].dof));
  }
}

static void put_ties(Constants* all, int lane, const LaneStructure* s, const mjModel* m) {
  for (int k = 0; k < s->ntie; k++) {
    const LaneTie* tie = s->tie + k;
    TieConstants* c = all->tie + k;
    put(&c->one, lane, 1);
    if (tie->kind == TIE_POLYNOMIAL) {
      put_polynomial(all, c, lane, s, m, tie);
    } else if (tie->kind == TIE_POINT || tie->kind == TIE_FRAME) {
      put_frames(c, lane, m, tie);
    } else if (tie->kind == TIE_BALL) {
      put_limit(&c->spring, &c->bound, lane, m, tie->id,
                m->jnt_range[2 * tie->id] < m->jnt_range[2 * tie->id + 1]);
    } else {
      put_tendon_row(all, c, lane, s, m, tie);
    }
  }
}

// contacts

// The pose of a geom of a body that is fixed to the world.
static void geom_in_world(mjtNum pos[3], mjtNum mat[9], const mjModel* m, int geom) {
  geom_in_body(pos, mat, m, geom);
  for (int b = m->geom_bodyid[geom]; b; b = m->body_parentid[b]) {
    mjtNum R[9], x[3], turned[9];
    mju_quat2Mat(R, m->body_quat + 4 * b);
    m3_mulv(x, R, pos);
    v3_add(pos, x, m->body_pos + 3 * b);
    mju_mulMatMat(turned, R, mat, 3, 3, 3);
    m3_copy(mat, turned);
  }
}

static void put_contact_shape(ContactConstants* c, int lane, const mjModel* m,
                              const LaneContact* contact) {
  mjtNum pos[3], mat[9], axis[3], point[3], n[3];
  const mjtNum* size = m->geom_size + 3 * contact->geom2;
  mjtNum side = contact->shape == SHAPE_UPPER ? 1 : contact->shape == SHAPE_LOWER ? -1 : 0;
  geom_in_body(pos, mat, m, contact->geom2);
  m3_column(axis, mat, 2);
  v3_addscl(point, pos, axis, side * size[1]);
  put3(&c->point, lane, point);
  put3(&c->axis, lane, axis);
  put(&c->radius, lane, size[0]);

  geom_in_world(pos, mat, m, contact->geom1);
  mjtNum frame[9] = {0};
  m3_column(n, mat, 2);
  v3_copy(frame, n);
  contact_frame(frame);
  put3(&c->normal, lane, n);
  put3(&c->tangent, lane, frame + 3);
  put(&c->offset, lane, v3_dot(n, pos));
}

// R of the rows is soft (1 - d) / d weight, with the weight of the first row.
//                                                             theory/constraints.md, Regularizer
static void put_contact(ContactConstants* c, int lane, const mjModel* m,
                        const LaneContact* contact) {
  static const mjtNum NO_REFERENCE[mjNREF] = {0, 0};
  mjContact mixed = {.dist = 0, .frame = {1}};
  mjtNum ref[mjNREF];
  int g1 = contact->geom1, g2 = contact->geom2;
  mjtNum margin = contact_margin(m, g1, g2, contact->explicit_pair);
  contact_fill(m, &mixed, 1, g1, g2, contact->explicit_pair, margin);
  const mjtNum *weights1 = m->body_invweight0 + 2 * m->geom_bodyid[g1],
               *weights2 = m->body_invweight0 + 2 * m->geom_bodyid[g2], *phi = mixed.friction;
  mjtNum weight = weights1[0] + weights2[0], mu = phi[0];
  int pyramid = mj_isPyramidal(m) && contact->dim > 1;
  if (m->opt.impratio != 1) {
    mu /= mju_sqrt(num_max(mjMINVAL, m->opt.impratio));
  }
  if (pyramid) {
    weight += phi[0] * phi[0] * weight;
  }
  mjtNum B =
      put_spring(&c->spring, lane, m, mixed.solref, mixed.solimp, weight, mixed.includemargin);
  int sliding = !reference_check(ref, m, mixed.solreffriction, NO_REFERENCE);
  put(&c->slide, lane,
      !pyramid && sliding && (ref[0] != 0 || ref[1] != 0) ? reference_damping(ref, mixed.solimp)
                                                          : B);
  put(&c->soft, lane, pyramid ? 2 * mu * mu : 1);
  put(&c->mu, lane, mu);
  for (int k = 0; k < 5; k++) {
    put(c->friction + k, lane, phi[k]);
  }
  if (contact->shape != SHAPE_FOUND) {
    put_contact_shape(c, lane, m, contact);
  }
}

static void put_geom(GeomConstants* c, int lane, const mjModel* m, int geom) {
  mjtNum pos[3], mat[9], arm[3];
  const mjtNum* size = m->geom_size + 3 * geom;
  int type = m->geom_type[geom], is_long = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  mjtNum radius = is_long ? size[0] : m->geom_rbound[geom];
  geom_in_body(pos, mat, m, geom);
  for (int i = 0; i < 9; i++) {
    put(c->mat + i, lane, mat[i]);
  }
  m3_column(arm, mat, 2);
  v3_scl(arm, arm, is_long ? size[1] : type == mjGEOM_PLANE);
  put3(&c->centre, lane, pos);
  put3(&c->arm, lane, arm);
  put(&c->radius, lane, radius > 0 ? radius : INFINITY);
}

// sensors

static void put_frame(FrameConstants* c, int lane, const mjModel* m, int type, int id) {
  static const mjtNum ORIGIN[3] = {0, 0, 0}, UNTURNED[4] = {1, 0, 0, 0};
  const mjtNum *own_pos = ORIGIN, *own_quat = UNTURNED;
  int same = mjSAMEFRAME_NONE;
  c->body = id;
  if (type == mjOBJ_BODY) {
    same = mjSAMEFRAME_INERTIA;
    own_quat = m->body_iquat + 4 * id;
  } else if (type == mjOBJ_GEOM) {
    c->body = m->geom_bodyid[id];
    same = m->geom_sameframe[id];
    own_pos = m->geom_pos + 3 * id;
    own_quat = m->geom_quat + 4 * id;
  } else if (type == mjOBJ_SITE) {
    c->body = m->site_bodyid[id];
    same = m->site_sameframe[id];
    own_pos = m->site_pos + 3 * id;
    own_quat = m->site_quat + 4 * id;
  } else if (type == mjOBJ_CAMERA) {
    c->body = m->cam_bodyid[id];
    own_pos = m->cam_pos + 3 * id;
    own_quat = m->cam_quat + 4 * id;
  }
  mjtNum pos[3], mat[9];
  attached_in_body(pos, mat, m, c->body, same, own_pos, own_quat);
  put3(&c->pos, lane, pos);
  put4(&c->quat, lane, own_quat);
  for (int i = 0; i < 9; i++) {
    put(c->mat + i, lane, mat[i]);
  }
}

static void put_sensor(SensorConstants* c, int lane, const mjModel* m, int i) {
  const int type[2] = {m->sensor_objtype[i], m->sensor_reftype[i]};
  const int id[2] = {m->sensor_objid[i], m->sensor_refid[i]};
  for (int k = 0; k < 2; k++) {
    // what has no frame gets that of the world, which nobody asks for
    int has =
        id[k] >= 0 && (type[k] == mjOBJ_BODY || type[k] == mjOBJ_XBODY || type[k] == mjOBJ_GEOM ||
                       type[k] == mjOBJ_SITE || type[k] == mjOBJ_CAMERA);
    put_frame(c->frame + k, lane, m, has ? type[k] : mjOBJ_XBODY, has ? id[k] : 0);
  }
  put(&c->cutoff, lane, m->sensor_cutoff[i] > 0 ? m->sensor_cutoff[i] : INFINITY);
}

// Fills in the numbers of a lane (of all lanes, if they share them) from the model of its world.
static void constants_fill(Constants* c, int lane, const LaneStructure* s, const mjModel* m) {
  static const mjtNum NO_GRAVITY[3] = {0, 0, 0};
  int off = m->opt.disableflags;
  put_bodies(c, lane, m);
  put_drives(c, lane, s, m);
  put_ties(c, lane, s, m);
  for (int k = 0; k < s->nrow; k++) {
    put_dof_row(c->row + k, lane, m, s->row + k);
  }
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact* contact = s->contact + k;
    if (k > s->nplane && contact->geom1 == contact[-1].geom1 &&
        contact->geom2 == contact[-1].geom2) {
      c->contact[k] = c->contact[k - 1];
    } else {
      put_contact(c->contact + k, lane, m, contact);
    }
  }
  for (int g = 0; g < m->ngeom; g++) {
    put_geom(c->geom + g, lane, m, g);
  }
  for (int k = 0; k < s->npair; k++) {
    const LanePair* pair = s->pair + k;
    put(&c->pair[k].margin, lane, contact_margin(m, pair->geom1, pair->geom2, pair->explicit_pair));
  }
  for (int i = 0; i < m->nsensor; i++) {
    put_sensor(c->sensor + i, lane, m, i);
  }
  put3(&c->magnetic, lane, m->opt.magnetic);
  put3(&c->gravity, lane, off & mjDSBL_GRAVITY ? NO_GRAVITY : m->opt.gravity);
  put(&c->timestep, lane, m->opt.timestep);
  put(&c->tolerance, lane, m->opt.tolerance);
  put(&c->ls_tolerance, lane, m->opt.ls_tolerance);
  put(&c->damped, lane, (mjtNum)options_euler_damps(m));
  put(&c->scale, lane, 1 / (m->stat.meaninertia * (mjtNum)m->nv));

  c->springs = !(off & mjDSBL_SPRING);
  c->dampers = !(off & mjDSBL_DAMPER);
  int lifts = passive_has_gravcomp(m) && (c->springs || c->dampers);
  c->lifts = lifts || (LANES_VARIED && lane && c->lifts);
  c->equalities = !(off & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT));
  c->actuates = m->nu && !(off & mjDSBL_ACTUATION);
  c->limits = !(off & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT));
  c->frictions = !(off & (mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT));
  c->contacts = !(off & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT));
  c->damps_implicitly = options_euler_damps(m) || (LANES_VARIED && lane && c->damps_implicitly);
  c->warm = !(off & mjDSBL_WARMSTART);
  c->cone = !mj_isPyramidal(m);
  c->dual = m->opt.solver == mjSOL_PGS;
  c->integrator = m->opt.integrator;
  c->iterations = m->opt.iterations;
  c->ls_iterations = m->opt.ls_iterations;
}
