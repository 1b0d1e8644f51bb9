// constants.c: filling in the numbers of a model, with the rules of the scalar engine: springs of
// rows, mixing of contacts, frames that are copies of others.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "collision/contact_param.h"
#include "constraint/rows/impedance.h"
#include "lanes/setup/put.h"
#include "model/options.h"
#include "smooth/fluid.h"

static const mjtNum ORIGIN[3] = {0, 0, 0};

// Fields of a row that have no meaning for it keep the zeros they were taken with.

void put_range(mjtNum to[2], int limited, const mjtNum range[2]) {
  to[0] = limited ? range[0] : -INFINITY;
  to[1] = limited ? range[1] : INFINITY;
}

// frames

void put_frame(FrameConstants* c, const mjModel* m, const LaneFrame* f) {
  int same = f->same, body = f->body, inertial = m->body_sameframe[body];
  int at_com = same == mjSAMEFRAME_INERTIA && inertial != mjSAMEFRAME_BODY;
  v3_copy(c->pos, at_com ? m->body_ipos + 3 * body : f->pos);
  if (same == mjSAMEFRAME_BODY || (same == mjSAMEFRAME_INERTIA && !at_com)) {
    v3_zero(c->pos);
  }
  if (same == mjSAMEFRAME_NONE) {
    mju_quat2Mat(c->mat, f->quat);
  } else if ((same == mjSAMEFRAME_INERTIA || same == mjSAMEFRAME_INERTIAROT) &&
             inertial == mjSAMEFRAME_NONE) {
    mju_quat2Mat(c->mat, m->body_iquat + 4 * body);
  } else {
    m3_identity(c->mat);
  }
  q_copy(c->quat, f->quat);
}

static FrameConstants geom_in_body(const mjModel* m, int geom) {
  FrameConstants own;
  LaneFrame frame = lane_frame(m, mjOBJ_GEOM, geom);
  put_frame(&own, m, &frame);
  return own;
}

// rows

// Also impedance in constraint/rows/impedance.c.
static void put_spring(RowSpring* s, const mjModel* m, const mjtNum* solref, const mjtNum* solimp,
                       mjtNum weight, mjtNum margin) {
  mjtNum ref[mjNREF], least = num_clamp(solimp[0], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum most = num_clamp(solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum middle = num_clamp(solimp[3], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum power = num_max(solimp[4], 1), width = num_max(solimp[2], 0);
  int flat = least == most || width <= mjMINVAL, square = power == 2;
  reference_check(ref, m, solref, DEFAULT_REFERENCE);
  *s = (RowSpring){
      .least = flat ? (least + most) / 2 : least,
      .range = flat ? 0 : most - least,
      .inverse_width = flat ? 0 : 1 / width,
      .middle = middle,
      .scale_low = square ? 1 / middle : num_pow(middle, 1 - power),
      .scale_high = square ? 1 / (1 - middle) : num_pow(1 - middle, 1 - power),
      .power = power,
      .K = reference_stiffness(ref, solimp),
      .B = reference_damping(ref, solimp),
      .weight = weight,
      .margin = margin,
  };
}

// A side of the range of a joint.
// Also limit_scalar in constraint/rows/limit.c.
static void put_limit(RowSpring* spring, mjtNum* bound, const mjModel* m, int joint, int upper) {
  put_spring(spring, m, m->jnt_solref + mjNREF * joint, m->jnt_solimp + mjNIMP * joint,
             m->dof_invweight0[m->jnt_dofadr[joint]], m->jnt_margin[joint]);
  *bound = m->jnt_range[2 * joint + upper];
}

static void put_dof_row(DofRowConstants* c, const mjModel* m, const LaneDofRow* row) {
  int i = row->dof;
  if (row->law == LANE_FRICTION_LOSS) {
    put_spring(&c->spring, m, m->dof_solref + mjNREF * i, m->dof_solimp + mjNIMP * i,
               m->dof_invweight0[i], 0);
    c->spring.K = 0;
    c->eta = m->dof_frictionloss[i];
  } else {
    put_limit(&c->spring, &c->bound, m, row->joint, row->is_upper);
  }
}

// bodies

static void put_body(BodyConstants* c, const mjModel* m, int b) {
  int same = m->body_sameframe[b];
  const mjtNum* inertia = m->body_inertia + 3 * b;
  mjtNum R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, T[9], mass = m->body_mass[b];
  if (same == mjSAMEFRAME_NONE) {
    mju_quat2Mat(R, m->body_iquat + 4 * b);
  }
  for (int i = 0; i < 9; i++) {
    T[i] = 0;
    for (int k = 0; k < 3; k++) {
      T[i] += R[3 * (i / 3) + k] * inertia[k] * R[3 * (i % 3) + k];
    }
  }
  *c = (BodyConstants){.xx = T[0], .yy = T[4], .zz = T[8], .xy = T[1], .xz = T[2], .yz = T[5]};
  v3_copy(c->pos, m->body_pos + 3 * b);
  v3_copy(c->ipos, same == mjSAMEFRAME_BODY ? ORIGIN : m->body_ipos + 3 * b);
  q_copy(c->quat, m->body_quat + 4 * b);
  v3_scl(c->lift, m->opt.gravity, -mass * m->body_gravcomp[b]);
  c->mass = mass;
  // a tree without mass, which is fixed, has its com at that of its root
  mjtNum tree = m->body_subtreemass[m->body_rootid[b]];
  c->share = tree < mjMINVAL ? m->body_rootid[b] == b : mass / tree;
  c->inverse_subtree = 1 / num_max(mjMINVAL, m->body_subtreemass[b]);
}

static void put_joint(JointConstants* c, const mjModel* m, int j) {
  v3_copy(c->pos, m->jnt_pos + 3 * j);
  v3_copy(c->axis, m->jnt_axis + 3 * j);
  c->stiffness = m->jnt_stiffness[j];
  put_range(c->force, m->jnt_actfrclimited[j], m->jnt_actfrcrange + 2 * j);
}

// coupled rows

// d(joint coordinate or fixed-tendon length) / d(position of a dof); 0 if id is -1 (no object) or a
// tendon in space, which has a lever.
static mjtNum length_of_dof(const mjModel* m, int is_tendon, int id, int dof) {
  if (id < 0 || !is_tendon) {
    return id >= 0 && m->jnt_dofadr[id] == dof;
  }
  for (int k = m->tendon_adr[id]; k < m->tendon_adr[id] + m->tendon_num[id]; k++) {
    if (m->wrap_type[k] == mjWRAP_JOINT && m->jnt_dofadr[m->wrap_objid[k]] == dof) {
      return m->wrap_prm[k];
    }
  }
  return 0;
}

// Also diagonal_approximate in constraint/rows/parameters.c.
static void put_polynomial(CoupledConstants* c, CoupledLength* length, const mjModel* m,
                           const LaneCoupledRow* coupled_row, const LaneCoupledDof* dof) {
  int id = coupled_row->id, is_tendon = m->eq_type[id] == mjEQ_TENDON;
  const int object[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  mjtNum weight = 0;
  for (int side = 0; side < 2; side++) {
    int o = object[side];
    if (o >= 0) {
      c->reference[side] = is_tendon ? m->tendon_length0[o] : m->qpos0[m->jnt_qposadr[o]];
      weight += is_tendon ? m->tendon_invweight0[o] : m->dof_invweight0[m->jnt_dofadr[o]];
    }
  }
  for (int a = 0; a < coupled_row->ndof; a++) {
    length[a].y = length_of_dof(m, is_tendon, object[0], dof[a].dof);
    length[a].x = length_of_dof(m, is_tendon, object[1], dof[a].dof);
  }
  mju_copy(c->polynomial, m->eq_data + mjNEQDATA * id, 5);
  put_spring(&c->spring, m, m->eq_solref + mjNREF * id, m->eq_solimp + mjNIMP * id, weight, 0);
}

// The anchors of a weld stand in the other order than those of a connect.
// Also add_tie in constraint/rows/equality.c, and diagonal_approximate in
// constraint/rows/parameters.c.
static void put_frames(CoupledConstants* c, const mjModel* m, const LaneCoupledRow* coupled_row) {
  const mjtNum* data = m->eq_data + mjNEQDATA * coupled_row->id;
  const int object[2] = {m->eq_obj1id[coupled_row->id], m->eq_obj2id[coupled_row->id]};
  int on_sites = m->eq_objtype[coupled_row->id] == mjOBJ_SITE,
      weld = coupled_row->kind == COUPLED_FRAME;
  mjtNum weight[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    LaneFrame frame = lane_frame(m, on_sites ? mjOBJ_SITE : mjOBJ_XBODY, object[side]);
    if (!on_sites) {
      frame.pos = data + (side != weld ? 3 : 0);
      frame.quat = side || !weld ? frame.quat : data + 6;
    }
    put_frame(c->frame + side, m, &frame);
    weight[0] += m->body_invweight0[2 * frame.body];
    weight[1] += m->body_invweight0[2 * frame.body + 1];
  }
  c->scale = weld ? data[10] : 1;
  const mjtNum *solref = m->eq_solref + mjNREF * coupled_row->id,
               *solimp = m->eq_solimp + mjNIMP * coupled_row->id;
  put_spring(&c->spring, m, solref, solimp, weight[0], 0);
  put_spring(&c->spin, m, solref, solimp, weight[1], 0);
}

static void put_tendon_row(CoupledConstants* c, CoupledLength* length, const mjModel* m,
                           const LaneCoupledRow* coupled_row, const LaneCoupledDof* dof) {
  int id = coupled_row->id, slips = coupled_row->kind == COUPLED_FRICTION;
  const mjtNum* solref = slips ? m->tendon_solref_fri : m->tendon_solref_lim;
  const mjtNum* solimp = slips ? m->tendon_solimp_fri : m->tendon_solimp_lim;
  put_spring(&c->spring, m, solref + mjNREF * id, solimp + mjNIMP * id, m->tendon_invweight0[id],
             slips ? 0 : m->tendon_margin[id]);
  if (slips) {
    c->spring.K = 0;
  }
  c->eta = m->tendon_frictionloss[id];
  c->bound = m->tendon_range[2 * id + (coupled_row->kind == COUPLED_UPPER)];
  for (int a = 0; a < coupled_row->ndof; a++) {
    length[a].y = length_of_dof(m, 1, id, dof[a].dof);
  }
}

static void put_coupled(Constants* all, const LaneStructure* s, const mjModel* m, int k) {
  const LaneCoupledRow* coupled_row = s->coupled_row + k;
  CoupledConstants* c = all->coupled_row + k;
  CoupledLength* length = all->coupled_length + coupled_row->dof;
  const LaneCoupledDof* dof = s->coupled + coupled_row->dof;
  if (coupled_row->kind == COUPLED_POLYNOMIAL) {
    put_polynomial(c, length, m, coupled_row, dof);
  } else if (coupled_row->kind == COUPLED_POINT || coupled_row->kind == COUPLED_FRAME) {
    put_frames(c, m, coupled_row);
  } else if (coupled_row->kind == COUPLED_BALL) {
    const mjtNum* range = m->jnt_range + 2 * coupled_row->id;
    put_limit(&c->spring, &c->bound, m, coupled_row->id, range[0] < range[1]);
  } else {
    put_tendon_row(c, length, m, coupled_row, dof);
  }
}

// contacts

// The pose of a geom of a body that is fixed to the world.
static FrameConstants geom_in_world(const mjModel* m, int geom) {
  FrameConstants f = geom_in_body(m, geom);
  for (int b = m->geom_bodyid[geom]; b; b = m->body_parentid[b]) {
    mjtNum R[9], x[3], turned[9];
    mju_quat2Mat(R, m->body_quat + 4 * b);
    m3_mulv(x, R, f.pos);
    v3_add(f.pos, x, m->body_pos + 3 * b);
    mju_mulMatMat(turned, R, f.mat, 3, 3, 3);
    m3_copy(f.mat, turned);
  }
  return f;
}

// Also plane_sphere in collision/primitive/plane.c.
static void put_contact_shape(ContactConstants* c, const mjModel* m, const LaneContact* contact) {
  const mjtNum* size = m->geom_size + 3 * contact->geom2;
  mjtNum side = contact->shape == SHAPE_UPPER ? 1 : contact->shape == SHAPE_LOWER ? -1 : 0;
  FrameConstants round = geom_in_body(m, contact->geom2), plane = geom_in_world(m, contact->geom1);
  m3_column(c->axis, round.mat, 2);
  v3_addscl(c->point, round.pos, c->axis, side * size[1]);
  c->radius = size[0];

  mjtNum frame[9] = {0};
  m3_column(c->normal, plane.mat, 2);
  v3_copy(frame, c->normal);
  contact_frame(frame);
  v3_copy(c->tangent, frame + 3);
  c->offset = v3_dot(c->normal, plane.pos);
}

// R of the rows is soft (1 - d) / d weight, with the weight of the first row.
//                                                        theory/contact/constraints.md, Regularizer
// Also diagonal_of and adjust_friction in constraint/rows/contact_parameters.c.
static void put_contact(ContactConstants* c, const mjModel* m, const LaneContact* contact) {
  static const mjtNum NO_REFERENCE[mjNREF] = {0, 0};
  mjContact mixed = {.dist = 0, .frame = {1}};
  mjtNum ref[mjNREF];
  int g1 = contact->geom1, g2 = contact->geom2, pair = contact->explicit_pair;
  contact_fill(m, &mixed, 1, g1, g2, pair, contact_margin(m, g1, g2, pair));
  mjtNum weight =
      m->body_invweight0[2 * m->geom_bodyid[g1]] + m->body_invweight0[2 * m->geom_bodyid[g2]];
  mjtNum mu = mixed.friction[0];
  int pyramid = mj_isPyramidal(m) && contact->dim > 1;
  if (pyramid) {
    weight += mu * mu * weight;
  }
  if (m->opt.impratio != 1) {
    mu /= mju_sqrt(num_max(mjMINVAL, m->opt.impratio));
  }
  put_spring(&c->spring, m, mixed.solref, mixed.solimp, weight, mixed.includemargin);
  int slides = !pyramid && !reference_check(ref, m, mixed.solreffriction, NO_REFERENCE) &&
               (ref[0] != 0 || ref[1] != 0);
  c->slide = slides ? reference_damping(ref, mixed.solimp) : c->spring.B;
  c->soft = pyramid ? 2 * mu * mu : 1;
  c->mu = mu;
  c->reach = contact_margin(m, g1, g2, pair);
  mju_copy(c->friction, mixed.friction, 5);
  if (contact->shape != SHAPE_FOUND) {
    put_contact_shape(c, m, contact);
  }
}

// Also local_box in collision/broad/geom_box.c.
static void put_geom_box(GeomConstants* c, const mjModel* m, int geom) {
  const mjtNum *size = m->geom_size + 3 * geom, *aabb = m->geom_aabb + 6 * geom;
  int type = m->geom_type[geom];
  v3_zero(c->box);
  v3_zero(c->half);
  c->round = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE ? size[0] : 0;
  if (type == mjGEOM_CAPSULE) {
    c->half[2] = size[1];
  } else if (type == mjGEOM_ELLIPSOID || type == mjGEOM_BOX) {
    v3_copy(c->half, size);
  } else if (type == mjGEOM_CYLINDER) {
    v3_set(c->half, size[0], size[0], size[1]);
  } else if (type == mjGEOM_MESH) {
    v3_copy(c->box, aabb);
    v3_copy(c->half, aabb + 3);
  }
  c->reach = v3_norm(c->half) + c->round + v3_norm(c->box);
}

static void lane_put_geom(GeomConstants* c, const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  int type = m->geom_type[geom], is_long = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  mjtNum radius = is_long ? size[0] : m->geom_rbound[geom];
  FrameConstants f = geom_in_body(m, geom);
  m3_copy(c->mat, f.mat);
  m3_column(c->arm, f.mat, 2);
  v3_scl(c->arm, c->arm, is_long ? size[1] : type == mjGEOM_PLANE);
  v3_copy(c->centre, f.pos);
  c->radius = radius > 0 ? radius : INFINITY;
  put_geom_box(c, m, geom);
}

// all

static void put_sensor(SensorConstants* c, const mjModel* m, int i) {
  for (int k = 0; k < 2; k++) {
    LaneFrame frame = lane_sensor_frame(m, i, k);
    put_frame(c->frame + k, m, &frame);
  }
  c->cutoff = m->sensor_cutoff[i] > 0 ? m->sensor_cutoff[i] : INFINITY;
}

// A body without mass feels nothing: its coefficients are zero, and divisors one.
static void put_fluid(FluidConstants* c, const mjModel* m, const LaneFluid* of) {
  FrameConstants frame;
  LaneFrame place =
      lane_frame(m, of->geom < 0 ? mjOBJ_BODY : mjOBJ_GEOM, of->geom < 0 ? of->body : of->geom);
  put_frame(&frame, m, &place);
  *c = (FluidConstants){.floor = 1};
  v3_copy(c->pos, frame.pos);
  mju_copy(c->mat, frame.mat, 9);
  if (m->body_mass[of->body] < mjMINVAL) {
    return;
  }
  if (of->geom < 0) {
    mjtNum size[3];
    fluid_inertia_box(size, m, of->body);
    FluidBox box = fluid_box(m, size);
    mju_copy(c->viscous, box.viscous, 6);
    mju_copy(c->drag, box.drag, 6);
    return;
  }
  const FluidPart part = {.body = of->body, .geom = of->geom};
  FluidEllipsoid e = fluid_ellipsoid(m, &part);
  c->coef = m->geom_fluid[mjNFLUID * of->geom];
  c->blunt = e.blunt;
  c->slender = e.slender;
  c->kutta = e.kutta;
  c->magnus = e.magnus;
  c->area_max = e.area_max;
  c->density = e.density;
  c->turning = e.turning;
  c->moving = e.moving;
  c->floor = fluid_floor(m);
  v3_copy(c->mass, e.mass);
  v3_copy(c->inertia, e.inertia);
  v3_copy(c->abc, e.abc);
  v3_copy(c->spin, e.drag);
}

static void put_option(OptionConstants* c, const mjModel* m) {
  int falls = !(m->opt.disableflags & mjDSBL_GRAVITY);
  v3_copy(c->gravity, falls ? m->opt.gravity : ORIGIN);
  v3_copy(c->magnetic, m->opt.magnetic);
  v3_copy(c->wind, m->opt.wind);
  c->timestep = m->opt.timestep;
  c->tolerance = m->opt.tolerance;
  c->ls_tolerance = m->opt.ls_tolerance;
  c->noslip_tolerance = m->opt.noslip_tolerance;
  c->damped = (mjtNum)options_euler_damps(m);
  c->scale = 1 / (m->stat.meaninertia * (mjtNum)m->nv);
}

void constants_fill(mjtNum* numbers, const LaneStructure* s, const mjModel* m) {
  Constants c;
  constants_place(&c, numbers, s);
  put_option(c.option, m);
  for (int b = 0; b < m->nbody; b++) {
    put_body(c.body + b, m, b);
  }
  for (int j = 0; j < m->njnt; j++) {
    put_joint(c.joint + j, m, j);
  }
  for (int i = 0; i < m->nv; i++) {
    c.dof[i] = (DofConstants){m->dof_armature[i], m->dof_damping[i], m->dof_M0[i]};
  }
  mju_copy(c.qpos0, m->qpos0, m->nq);
  mju_copy(c.spring, m->qpos_spring, m->nq);
  for (int k = 0; k < s->nrow; k++) {
    put_dof_row(c.row + k, m, s->row + k);
  }
  put_levers(&c, s, m);
  for (int k = 0; k < s->ncoupled_row; k++) {
    put_coupled(&c, s, m, k);
  }
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact *contact = s->contact + k, *last = contact - 1;
    if (k > s->nplane && contact->geom1 == last->geom1 && contact->geom2 == last->geom2 &&
        contact->explicit_pair == last->explicit_pair) {
      c.contact[k] = c.contact[k - 1];
    } else {
      put_contact(c.contact + k, m, contact);
    }
  }
  for (int g = 0; g < m->ngeom; g++) {
    lane_put_geom(c.geom + g, m, g);
  }
  for (int k = 0; k < s->npair; k++) {
    const LanePair* pair = s->pair + k;
    c.margin[k] = contact_margin(m, pair->geom1, pair->geom2, pair->explicit_pair);
  }
  for (int k = 0; k < s->nfluid && fluid_is_active(m); k++) {
    put_fluid(c.fluid + k, m, s->fluid + k);
  }
  for (int i = 0; i < m->nsensor; i++) {
    put_sensor(c.sensor + i, m, i);
  }
}
