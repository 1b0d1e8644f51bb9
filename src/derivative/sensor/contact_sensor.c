// Derivatives of contact sensors: fields of selected contacts, or of the resultant of all matches.
// The selection is taken as constant.                     theory/time/exact-derivatives.md, Sensors

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/constraint/contact.h"
#include "derivative/sensor/sensor.h"
#include "model/data/arena.h"
#include "sensor/sensor.h"

enum {
  NUMBERS = 30  // rows of nv numbers in ContactRows
};

// One match at a time: the contact, and the derivatives of its force and motion.
typedef struct {
  RowLaw law;
  Couplings of;
  ContactRows rows;
  mjtNum* numbers;  // memory of rows, NUMBERS nv
  const mjContact* con;
  mjtNum direction, force[6];  // sign of the match; force along the directions of the contact
} Match;

static Match match_make(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv;
  Match a = {.rows = {.forces = 6}};
  a.law = row_law_make(m, d, s->system->x);
  a.of = couplings_make(m, d, s->system->x, NULL, NULL, NULL);
  a.numbers = mj_stackAllocNum(d, NUMBERS * nv);
  for (size_t k = 0; k < 6; k++) {
    a.rows.q[k] = a.numbers + k * nv;
    a.rows.v[k] = a.numbers + (6 + k) * nv;
    a.rows.x[k] = a.numbers + (12 + k) * nv;
    a.rows.speed_q[k] = a.numbers + (18 + k) * nv;
    a.rows.speed_v[k] = a.numbers + (24 + k) * nv;
  }
  a.rows.motion = mj_stackAllocByte(d, nv * sizeof(ContactMotion), _Alignof(ContactMotion));
  return a;
}

// Makes a contact the current match and computes its derivatives.
static void match_set(Match* a, SensorDerivative* s, int contact, int direction) {
  mju_zero(a->numbers, NUMBERS * s->m->nv);
  for (int i = 0; i < s->m->nv; i++) {
    a->rows.motion[i] = (ContactMotion){0};
  }
  a->con = s->d->contact + contact;
  a->direction = (mjtNum)direction;
  mj_contactForce(s->m, s->d, contact, a->force);
  s->kinks += contact_measures(&a->rows, &a->of, &a->law, a->con);
}

enum {
  BY_POSITION,
  BY_VELOCITY,
  BY_ACCELERATION,
  KINDS
};

// Derivatives of force and torque, along the directions of the contact, by dof j.
static void force_change(mjtNum out[6], const Match* a, int kind, int j) {
  mjtNum* const* rows = kind == BY_POSITION   ? a->rows.q
                        : kind == BY_VELOCITY ? a->rows.v
                                              : a->rows.x;
  for (int k = 0; k < 6; k++) {
    out[k] = rows[k][j];
  }
}

// Derivatives of all fields of a slot by one dof; that of `found` is zero.
typedef struct {
  mjtNum field[NCONDATA][3];
} Change;

static const int kFieldSize[NCONDATA] = {1, 3, 3, 1, 3, 3, 3, 3, 3};

// Derivatives of the fields of the match by dof j. A match with exchanged sides has the opposite
// normal, first tangent, force and velocity, so along its own directions only the third component
// of the latter two changes sign.
static void slot_change(Change* out, const Match* a, int kind, int j) {
  const mjtNum* R = a->con->frame;
  mjtNum force[6], turn[3];
  memset(out, 0, sizeof(*out));
  force_change(force, a, kind, j);
  force[2] *= a->direction;
  force[5] *= a->direction;
  v3_copy(out->field[mjCONDATA_FORCE], force);
  v3_copy(out->field[mjCONDATA_TORQUE], force + 3);
  if (kind != BY_ACCELERATION) {
    mjtNum* const* speed = kind == BY_POSITION ? a->rows.speed_q : a->rows.speed_v;
    for (int i = 0; i < 3; i++) {
      mjtNum sign = i == 2 ? a->direction : 1;
      out->field[CONDATA_LINVEL][i] = sign * speed[i][j];
      out->field[CONDATA_ANGVEL][i] = sign * speed[3 + i][j];
    }
  }
  if (kind == BY_POSITION) {
    const ContactMotion* to = a->rows.motion + j;
    out->field[mjCONDATA_DIST][0] = to->dist;
    m3_tmulv(out->field[mjCONDATA_POS], R, to->pos);
    m3_tmulv(turn, R, to->turn);
    v3_scl(turn, turn, a->direction);
    v3_cross(out->field[mjCONDATA_NORMAL], turn, R);
    v3_cross(out->field[mjCONDATA_TANGENT], turn, R + 3);
  }
}

// Adds the fields that the sensor reports to its rows from `first` on.
static void add_slot(SensorDerivative* s, int first, const Change* change, int kind, int j) {
  int nv = s->m->nv, dataspec = s->m->sensor_intprm[mjNSENS * s->id];
  mjtNum* rows = kind == BY_POSITION ? s->q : kind == BY_VELOCITY ? s->v : s->x;
  for (int k = 0; k < NCONDATA; k++) {
    if (dataspec & (1 << k)) {
      for (int i = 0; i < kFieldSize[k]; i++, first++) {
        rows[first * nv + j] += change->field[k][i];
      }
    }
  }
}

static void selected_change(SensorDerivative* s, Match* a) {
  const mjModel* m = s->m;
  const int* prm = m->sensor_intprm + mjNSENS * s->id;
  int max = int_min(prm[2], s->d->ncon), found;
  ContactMatch* list =
      mj_stackAllocByte(s->d, (size_t)max * sizeof(ContactMatch), _Alignof(ContactMatch));
  int num = sensor_choose_contacts(list, &found, max, m, s->d, s->id);
  for (int i = 0; i < num; i++) {
    match_set(a, s, list[i].contact, list[i].direction);
    for (int j = 0; j < m->nv; j++) {
      for (int kind = 0; kind < KINDS; kind++) {
        Change change;
        slot_change(&change, a, kind, j);
        add_slot(s, i * sensor_slotsize(prm[0]), &change, kind, j);
      }
    }
  }
}

// Resultant of all matches: sum of forces, center of forces, sum of their sizes.
typedef struct {
  mjtNum force[3], pos[3], weight;
} Net;

// The sum of forces, and its center P = sum w p / sum w, w = |f|.
static Net net_of(const SensorDerivative* s) {
  Net net = {.weight = 0};
  for (int i = 0; i < s->d->ncon; i++) {
    int direction = sensor_matches_contact(s->m, s->d, i, s->id);
    if (direction) {
      const mjContact* con = s->d->contact + i;
      mjtNum wrench[6], world[3];
      mj_contactForce(s->m, s->d, i, wrench);
      m3_tmulv(world, con->frame, wrench);
      v3_addtoscl(net.force, world, (mjtNum)direction);
      v3_addtoscl(net.pos, con->pos, v3_norm(wrench));
      net.weight += v3_norm(wrench);
    }
  }
  if (net.weight > mjMINVAL) {
    v3_scl(net.pos, net.pos, 1 / net.weight);
  }
  return net;
}

// Change by one match of
//
//   F = sum f,  T = sum t + (p - P) x f,  P:    dP = sum (w dp + (p - P) dw) / sum w,
//   dw = f . df / w
static void net_change(Change* out, const Net* net, const Match* a, int kind, int j) {
  const mjtNum* R = a->con->frame;
  mjtNum local[6], df[3], dt[3], dp[3], f[3], arm[3], t[3];
  const mjtNum none[3] = {0, 0, 0};
  const mjtNum* turn = kind == BY_POSITION ? a->rows.motion[j].turn : none;
  memset(out, 0, sizeof(*out));
  force_change(local, a, kind, j);
  mjtNum size = v3_norm(a->force), grown = size > 0 ? v3_dot(a->force, local) / size : 0;
  v3_crossadd(t, turn, a->force, local);
  m3_tmulv(df, R, t);
  v3_crossadd(t, turn, a->force + 3, local + 3);
  m3_tmulv(dt, R, t);
  m3_tmulv(dp, R, kind == BY_POSITION ? a->rows.motion[j].pos : none);
  m3_tmulv(f, R, a->force);
  v3_sub(arm, a->con->pos, net->pos);
  mjtNum *force = out->field[mjCONDATA_FORCE], *torque = out->field[mjCONDATA_TORQUE];
  mjtNum* pos = out->field[mjCONDATA_POS];
  v3_scl(force, df, a->direction);
  v3_crossadd(t, dp, f, dt);
  v3_crossadd(t, arm, df, t);
  v3_scl(torque, t, a->direction);
  if (net->weight > mjMINVAL) {
    v3_scl(pos, dp, size / net->weight);
    v3_addtoscl(pos, arm, grown / net->weight);
    v3_cross(t, pos, net->force);
    v3_subfrom(torque, t);
  }
}

static void reduced_change(SensorDerivative* s, Match* a) {
  Net net = net_of(s);
  for (int i = 0; i < s->d->ncon; i++) {
    int direction = sensor_matches_contact(s->m, s->d, i, s->id);
    if (!direction) {
      continue;
    }
    match_set(a, s, i, direction);
    for (int j = 0; j < s->m->nv; j++) {
      for (int kind = 0; kind < KINDS; kind++) {
        Change change;
        net_change(&change, &net, a, kind, j);
        add_slot(s, 0, &change, kind, j);
      }
    }
  }
}

void contact_sensor(SensorDerivative* s) {
  if (!s->d->ncon) {
    return;
  }
  Match a = match_make(s);
  if (sensor_reduces_contacts(s->m, s->id)) {
    reduced_change(s, &a);
  } else {
    selected_change(s, &a);
  }
}
