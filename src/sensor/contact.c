// Contact sensors: selected fields of selected contacts.     theory/time/sensors.md, Contact sensor
//
//   contacts --two criteria--> matches, each with a direction --reduction--> slots of fields
//
// A match is turned around if the contact's first object meets the second criterion, so that forces
// always act on the object of the second criterion. Turning negates normal and first tangent. In
// the turned frame the opposite force differs from the original in its third component only.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "sensor/functions.h"
#include "smooth/flex/rod.h"
#include "smooth/jacobian.h"

enum {
  REDUCE_NONE = 0,
  REDUCE_MINDIST,
  REDUCE_MAXFORCE,
  REDUCE_NETFORCE,
};

static const int field_size[NCONDATA] = {
    [mjCONDATA_FOUND] = 1,   [mjCONDATA_FORCE] = 3, [mjCONDATA_TORQUE] = 3,
    [mjCONDATA_DIST] = 1,    [mjCONDATA_POS] = 3,   [mjCONDATA_NORMAL] = 3,
    [mjCONDATA_TANGENT] = 3, [CONDATA_LINVEL] = 3,  [CONDATA_ANGVEL] = 3,
};

enum {
  FORCES = 1 << mjCONDATA_FORCE | 1 << mjCONDATA_TORQUE,
  VELOCITIES = 1 << CONDATA_LINVEL | 1 << CONDATA_ANGVEL
};

int sensor_isresultant(int reduce) {
  return reduce == REDUCE_NETFORCE;
}

int sensor_hasvelocities(int dataspec) {
  return (dataspec & VELOCITIES) != 0;
}

int sensor_contactstage(int dataspec, int reduce, int later) {
  if (dataspec & FORCES || reduce == REDUCE_MAXFORCE || reduce == REDUCE_NETFORCE) {
    return mjSTAGE_ACC;
  }
  return dataspec & VELOCITIES ? mjSTAGE_VEL : later ? mjSTAGE_POS : mjSTAGE_ACC;
}

int sensor_slotsize(int dataspec) {
  int size = 0;
  for (int k = 0; k < NCONDATA; k++) {
    size += dataspec & (1 << k) ? field_size[k] : 0;
  }
  return size;
}

// One slot with all fields.
typedef struct Slot {
  int found;
  mjtNum force[3], torque[3], dist, pos[3], normal[3], tangent[3], linvel[3], angvel[3];
} Slot;

static void write_slot(mjtNum* out, int dataspec, const Slot* slot) {
  mjtNum found = (mjtNum)slot->found;
  const mjtNum* const field[NCONDATA] = {&found,        slot->force,  slot->torque,
                                         &slot->dist,   slot->pos,    slot->normal,
                                         slot->tangent, slot->linvel, slot->angvel};
  for (int k = 0; k < NCONDATA; k++) {
    if (dataspec & (1 << k)) {
      memcpy(out, field[k], field_size[k] * sizeof(mjtNum));
      out += field_size[k];
    }
  }
}

// matching

int sensor_in_subtree(const mjModel* m, int body, int root) {
  while (body > root) {
    body = m->body_parentid[body];
  }
  return body == root;
}

// Whether one side of a contact meets a criterion. A flex has no geom and meets none but a site's
// or an empty one.
static int side_matches(const mjModel* m, const mjContact* con, int side, int type, int id) {
  int geom = con->geom[side];
  if (type == mjOBJ_UNKNOWN || type == mjOBJ_SITE) {
    return 1;
  }
  if (geom < 0) {
    return 0;
  }
  switch (type) {
    case mjOBJ_GEOM:
      return geom == id;
    case mjOBJ_BODY:
      return m->geom_bodyid[geom] == id;
    default:
      return sensor_in_subtree(m, m->geom_bodyid[geom], id);
  }
}

int sensor_matches_contact(const mjModel* m, const mjData* d, int contact, int id) {
  const mjContact* con = d->contact + contact;
  int type1 = m->sensor_objtype[id], id1 = m->sensor_objid[id];
  int type2 = m->sensor_reftype[id], id2 = m->sensor_refid[id];
  if (type1 == mjOBJ_SITE && !site_contains(m, d, id1, con->pos)) {
    return 0;
  }
  int a1 = side_matches(m, con, 0, type1, id1), b1 = side_matches(m, con, 1, type1, id1);
  int a2 = side_matches(m, con, 0, type2, id2), b2 = side_matches(m, con, 1, type2, id2);
  return a1 && b2 ? 1 : b1 && a2 ? -1 : 0;
}

// reductions

static mjtNum rank_key(const mjModel* m, const mjData* d, int contact, int reduce) {
  mjtNum force[6];
  switch (reduce) {
    case REDUCE_MINDIST:
      return d->contact[contact].dist;
    case REDUCE_MAXFORCE:
      mj_contactForce(m, d, contact, force);
      return -v3_dot(force, force);
    default:
      return 0;
  }
}

// Inserts a match into an ordered list of at most `max`; returns the new length.
static int rank_insert(ContactMatch* list, int num, int max, ContactMatch item) {
  if (num == max) {
    if (!(item.key < list[num - 1].key)) {
      return num;
    }
    num--;
  }
  int i = num;
  for (; i > 0 && item.key < list[i - 1].key; i--) {
    list[i] = list[i - 1];
  }
  list[i] = item;
  return num + 1;
}

// How the bodies of the second side move as seen from the first, in the frame F of the contact, at
// its position p:
//
//   F sum w_b (v_b + omega_b x (p - x_b))  and  F sum w_b omega_b
//
// with weights of 1 for the body of the second side, -1 for that of the first; a flex has several.
static void relative_velocity(mjtNum linear[3], mjtNum angular[3], const mjModel* m,
                              const mjData* d, const mjContact* con) {
  RowBodies bodies;
  mjtNum v[3] = {0, 0, 0}, w[3] = {0, 0, 0};
  contact_bodies(&bodies, m, d, con);
  RodGrip grip[2];
  int held[2] = {rod_grip(grip, m, d, con, 0), rod_grip(grip + 1, m, d, con, 1)};
  int first = held[0] ? 3 : 0, end = bodies.n - (held[1] ? 3 : 0);
  for (int side = 0; side < 2; side++) {
    mjtNum own[3], turn[3];
    if (held[side]) {
      rod_grip_velocity(own, turn, m, d, grip + side);
      v3_addtoscl(v, own, side ? 1 : -1);
      v3_addtoscl(w, turn, side ? 1 : -1);
    }
  }
  for (int i = first; i < end; i++) {
    mjtNum at[3];
    jac_point_velocity(at, m, d, con->pos, bodies.body[i]);
    v3_addtoscl(v, at, bodies.weight[i]);
    v3_addtoscl(w, d->cvel + 6 * bodies.body[i], bodies.weight[i]);
  }
  m3_mulv(linear, con->frame, v);
  m3_mulv(angular, con->frame, w);
}

static Slot contact_slot(const mjModel* m, const mjData* d, const ContactMatch* item, int found,
                         int dataspec) {
  const mjContact* con = d->contact + item->contact;
  mjtNum wrench[6] = {0, 0, 0, 0, 0, 0};
  Slot slot = {.found = found, .dist = con->dist};
  if (dataspec & FORCES) {
    mj_contactForce(m, d, item->contact, wrench);
  }
  if (dataspec & VELOCITIES) {
    relative_velocity(slot.linvel, slot.angvel, m, d, con);
    slot.linvel[2] *= (mjtNum)item->direction;
    slot.angvel[2] *= (mjtNum)item->direction;
  }
  v3_copy(slot.force, wrench);
  v3_copy(slot.torque, wrench + 3);
  v3_copy(slot.pos, con->pos);
  v3_scl(slot.normal, con->frame, (mjtNum)item->direction);
  v3_scl(slot.tangent, con->frame + 3, (mjtNum)item->direction);
  slot.force[2] *= (mjtNum)item->direction;
  slot.torque[2] *= (mjtNum)item->direction;
  return slot;
}

int sensor_reduces_contacts(const mjModel* m, int id) {
  return sensor_isresultant(m->sensor_intprm[mjNSENS * id + 1]);
}

int sensor_choose_contacts(ContactMatch* list, int* found, int max, const mjModel* m,
                           const mjData* d, int id) {
  int num = 0, reduce = m->sensor_intprm[mjNSENS * id + 1];
  *found = 0;
  for (int i = 0; i < d->ncon; i++) {
    int direction = sensor_matches_contact(m, d, i, id);
    if (direction) {
      (*found)++;
      num = rank_insert(list, num, max, (ContactMatch){rank_key(m, d, i, reduce), i, direction});
    }
  }
  return num;
}

static void write_selected(mjtNum* out, const mjModel* m, mjData* d, int id) {
  const int* prm = m->sensor_intprm + mjNSENS * id;
  int max = int_min(prm[2], d->ncon), found;
  if (!max) {
    return;
  }
  size_t top = d->pstack;
  ContactMatch* list = arena_push(d, max * sizeof(ContactMatch), _Alignof(ContactMatch));
  if (!list) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  int num = sensor_choose_contacts(list, &found, max, m, d, id);
  for (int i = 0; i < num; i++) {
    Slot slot = contact_slot(m, d, list + i, found, prm[0]);
    write_slot(out + i * sensor_slotsize(prm[0]), prm[0], &slot);
  }
  arena_pop(d, top);
}

// The resultant of all matches in the world frame, at the mean of their positions weighted by
// force:
//
//   P = sum w_j p_j / sum w_j,   F = sum f_j,   T = sum t_j + (p_j - P) x f_j,   w_j = |f_j|
//
// Moments are summed about the first contact and moved to P at the end.
static void write_net(mjtNum* out, const mjModel* m, mjData* d, int id) {
  Slot net = {.found = 0};
  const mjtNum* origin = NULL;
  mjtNum weight = 0, arm[3], moment[3];
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    int direction = sensor_matches_contact(m, d, i, id);
    if (!direction) {
      continue;
    }
    mjtNum wrench[6], world[6];
    mj_contactForce(m, d, i, wrench);
    sp_tmulv(world, con->frame, wrench);
    origin = origin ? origin : con->pos;
    v3_sub(arm, con->pos, origin);
    v3_crossadd(moment, arm, world, world + 3);
    v3_addtoscl(net.force, world, (mjtNum)direction);
    v3_addtoscl(net.torque, moment, (mjtNum)direction);
    mjtNum size = v3_norm(wrench);
    v3_addtoscl(net.pos, con->pos, size);
    weight += size;
    net.found++;
  }
  if (origin || !behaves(m, cndBEHAVIOUR_restacc)) {
    net.normal[0] = net.tangent[1] = 1;
  }
  if (origin) {
    v3_scl(net.pos, net.pos, 1 / num_max(weight, mjMINVAL));
    v3_sub(arm, origin, net.pos);
    v3_crossadd(net.torque, arm, net.force, net.torque);
  }
  write_slot(out, m->sensor_intprm[mjNSENS * id], &net);
}

void sensor_contact(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mju_zero(out, m->sensor_dim[id]);
  if (sensor_reduces_contacts(m, id)) {
    write_net(out, m, d, id);
  } else {
    write_selected(out, m, d, id);
  }
}
