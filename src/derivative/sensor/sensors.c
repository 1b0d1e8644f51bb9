// The table of sensor types and their functions, the short functions among these, and the assembly
// of all rows.                                            theory/time/exact-derivatives.md, Sensors

#include "derivative/sensor/sensors.h"

#include <condyle/behaviour.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/vec.h"
#include "base/transmission.h"
#include "derivative/sensor/sensor.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/tendon_length.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "sensor/functions.h"
#include "smooth/tendon.h"

static void no_derivative(const SensorDerivative* s, const char* why) {
  const char* name = mj_id2name(s->m, mjOBJ_SENSOR, s->id);
  mju_error("%s: sensor %d (%s) has no exact derivative: %s", s->system->function, s->id,
            name ? name : "no name", why);
}

// joints, tendons, actuators

static void sense_joint(SensorDerivative* s) {
  int dof = s->m->jnt_dofadr[s->object], type = s->m->sensor_type[s->id];
  mjtNum* rows = type == mjSENS_JOINTPOS ? s->q : s->v;
  for (int k = 0; k < s->dim; k++) {
    rows[k * s->m->nv + dof + k] = 1;
  }
}

static void sense_ballquat(SensorDerivative* s) {
  int dof = s->m->jnt_dofadr[s->object];
  mjtNum quat[4], change[4];
  q_unit(quat, s->d->qpos + s->m->jnt_qposadr[s->object]);
  for (int k = 0; k < 3; k++) {
    mjtNum half[3] = {0, 0, 0};
    half[k] = (mjtNum)0.5;
    q_mulaxis(change, quat, half);
    for (int r = 0; r < 4; r++) {
      s->q[r * s->m->nv + dof + k] = change[r];
    }
  }
}

static void sense_tendon(SensorDerivative* s) {
  if (s->m->sensor_type[s->id] == mjSENS_TENDONPOS) {
    tendon_length_derivative(s->q, s->m, s->d, s->object, 1);
  } else {
    tendon_row(s->v, s->m, s->d, s->object);
    tendon_rate_derivative(s->q, s->m, s->d, s->object, &s->system->velocity, 1);
  }
}

static void add_moment(mjtNum* row, const mjData* d, int actuator) {
  int adr = d->moment_rowadr[actuator];
  for (int k = adr; k < adr + d->moment_rownnz[actuator]; k++) {
    row[d->moment_colind[k]] += d->actuator_moment[k];
  }
}

static void sense_actuator(SensorDerivative* s) {
  if (s->m->sensor_type[s->id] == mjSENS_ACTUATORPOS) {
    transmission_length_derivative(s->q, s->m, s->d, s->object, 1);
  } else if (!(s->m->opt.disableflags & mjDSBL_ACTUATION)) {
    add_moment(s->v, s->d, s->object);
    transmission_rate_derivative(s->q, s->m, s->d, s->object, &s->system->velocity, 1);
  }
}

// Adds the derivative of the force of an actuator after its clamps.
static void add_force(SensorDerivative* s, int actuator) {
  if (!s->system->actuation) {
    return;
  }
  ForceTerms f = {s->q, s->v, s->act, s->ctrl};
  actuator_force_derivative(&f, s->m, s->d, actuator, &s->system->velocity);
}

static void sense_actuatorforce(SensorDerivative* s) {
  add_force(s, s->object);
}

// Also sensor_tendonactfrc in sensor/scalar.c.
static void sense_tendonforce(SensorDerivative* s) {
  for (int i = 0; i < (int)s->m->nactuator; i++) {
    if (actuator_tendon(s->m, i) == s->object) {
      add_force(s, i);
    }
  }
}

static void sense_jointforce(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
  size_t dof = (size_t)m->jnt_dofadr[s->object];
  if (!s->system->actuation) {
    return;
  }
  mj_markStack(d);
  ForceJacobian F = force_jacobian(m, d);
  actuators_derivative(&F, m, d, &s->system->velocity);
  mju_copy(s->q, F.q + dof * nv, m->nv);
  mju_copy(s->v, F.v + dof * nv, m->nv);
  mju_copy(s->act, F.act + dof * na, m->na);
  mju_copy(s->ctrl, F.ctrl + dof * nu, m->nu);
  mj_freeStack(d);
}

// frames

static void sense_frame(SensorDerivative* s) {
  frame_sensor(s);
}

// subtrees

// Root of the part of the subtree of `body` that dof j moves, -1 if there is none. D_j of the com
// of the subtree is S_j at the com of that part, times its share of the mass.
static int moved_part(const mjModel* m, int body, int j) {
  int other = m->dof_bodyid[j], at = int_max(body, other), root = int_min(body, other);
  int below = at;
  while (below > root) {
    below = m->body_parentid[below];
  }
  return below == root ? at : -1;
}

static void sense_com(SensorDerivative* s) {
  const mjModel* m = s->m;
  for (int j = 0; j < m->nv; j++) {
    int part = moved_part(m, s->object, j);
    mjtNum v[3], mass = m->body_subtreemass[s->object];
    if (part < 0 || mass < mjMINVAL) {
      continue;
    }
    velocity_at(v, m, s->d, part, s->d->cdof + 6 * j, s->d->subtree_com + 3 * part);
    for (int k = 0; k < 3; k++) {
      s->q[k * m->nv + j] = v[k] * m->body_subtreemass[part] / mass;
    }
  }
}

// Momenta h = I V of bodies about the point c of the tree change by S_j x* h + I rate_j with
// positions, and by I S_j with velocities. The angular momentum is about the com x of the subtree:
// L = h_w + (c - x) x p.
// Also subtree_momenta in smooth/velocity.c.
static void sense_momentum(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int angular = m->sensor_type[s->id] == mjSENS_SUBTREEANGMOM, nbody = m->nbody;
  mjtNum total = num_max(mjMINVAL, m->body_subtreemass[s->object]);
  const mjtNum* com = d->subtree_com + 3 * s->object;
  mj_markStack(d);
  mjtNum* momentum = mj_stackAllocNum(d, 6 * (size_t)nbody);
  for (int b = 1; b < nbody; b++) {
    sp_mulinertia(momentum + 6 * b, d->cinert + 10 * b, s->system->motion.V + 6 * b);
  }
  for (int b = nbody - 1; b > 0; b--) {
    if (m->body_parentid[b]) {
      sp_addto(momentum + 6 * m->body_parentid[b], momentum + 6 * b);
    }
  }
  mjtNum p[3];
  v3_scl(p, d->subtree_linvel + 3 * s->object, total);
  for (int j = 0; j < m->nv; j++) {
    int part = moved_part(m, s->object, j);
    mjtNum by[2][6], t[6], moved[3], arm[3], cross[3];
    if (part < 0) {
      continue;
    }
    sp_crossforce(by[0], d->cdof + 6 * j, momentum + 6 * part);
    sp_mulinertia(t, d->crb + 10 * part, s->system->motion.rate + 6 * j);
    sp_addto(by[0], t);
    sp_mulinertia(by[1], d->crb + 10 * part, d->cdof + 6 * j);
    velocity_at(moved, m, d, part, d->cdof + 6 * j, d->subtree_com + 3 * part);
    v3_scl(moved, moved, m->body_subtreemass[part] / total);
    v3_sub(arm, tree_point(m, d, part), com);
    for (int by_v = 0; by_v < 2; by_v++) {
      mjtNum* rows = by_v ? s->v : s->q;
      if (angular) {
        v3_crossadd(by[by_v], arm, by[by_v] + 3, by[by_v]);
        if (!by_v) {
          v3_cross(cross, moved, p);
          v3_subfrom(by[0], cross);
        }
      }
      for (int k = 0; k < 3; k++) {
        rows[k * m->nv + j] = angular ? by[by_v][k] : by[by_v][3 + k] / total;
      }
    }
  }
  mj_freeStack(d);
}

// energies

// minus the forces of gravity and springs. For springs it uses the gradient of the length, which
// the J of a tendon may differ from
// Also mj_energyPos in smooth/energy.c.
static void sense_potential(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  for (int j = 0; !(m->opt.disableflags & mjDSBL_GRAVITY) && j < m->nv; j++) {
    int part = m->dof_bodyid[j];
    mjtNum v[3];
    velocity_at(v, m, d, part, d->cdof + 6 * j, d->subtree_com + 3 * part);
    s->q[j] -= m->body_subtreemass[part] * v3_dot(m->opt.gravity, v);
  }
  if (m->opt.disableflags & mjDSBL_SPRING) {
    return;
  }
  if (m->nflex) {
    no_derivative(s, "it leaves out energies of the model's flexes whose forces act");
  }
  mju_subFrom(s->q, d->qfrc_spring, m->nv);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum force = spring_tendon_pull(m, d, t);
    if (force != 0) {
      TendonRow row = tendon_view(m, d, t);
      tendon_add_to(s->q, &row, force);
      tendon_length_derivative(s->q, m, d, t, -force);
    }
  }
}

// 1/2 v' M v
static void sense_kinetic(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  ForceJacobian F = {.q = arena_zeros(d, nv * nv), .v = arena_zeros(d, nv * nv)};
  BodyMotion motion = motion_make(m, d, &(JointMotion){NULL, d->qvel, 0});
  dynamics_derivative(F.q, NULL, m, d, &motion, 1);
  if (tendon_any_inertia(m)) {
    tendon_inertia_derivative(&F, m, d, NULL, d->qvel, 1);
  }
  mju_mulMatTVec(s->q, F.q, d->qvel, m->nv, m->nv);
  mju_scl(s->q, s->q, (mjtNum)0.5, m->nv);
  mj_mulM(m, d, s->v, d->qvel);
  mj_freeStack(d);
}

static void sense_constant(SensorDerivative* s) {
  (void)s;
}

static void sense_external(SensorDerivative* s) {
  no_derivative(s, "a callback or a plugin computes it");
}

static void sense_inside(SensorDerivative* s) {
  if (s->m->sensor_intprm[mjNSENS * s->id]) {
    no_derivative(s, "it tells how far an object is enclosed");
  }
}

static void sense_skin(SensorDerivative* s) {
  no_derivative(s, "a skin feels every surface that it meets");
}

typedef void SenseFunction(SensorDerivative* s);

static SenseFunction* const function[] = {
    [mjSENS_TOUCH] = touch_sensor,           [mjSENS_ACCELEROMETER] = sense_frame,
    [mjSENS_VELOCIMETER] = sense_frame,      [mjSENS_GYRO] = sense_frame,
    [mjSENS_FORCE] = wrench_sensor,          [mjSENS_TORQUE] = wrench_sensor,
    [mjSENS_MAGNETOMETER] = sense_frame,     [mjSENS_RANGEFINDER] = range_sensor,
    [mjSENS_CAMPROJECTION] = sense_frame,    [mjSENS_JOINTPOS] = sense_joint,
    [mjSENS_JOINTVEL] = sense_joint,         [mjSENS_TENDONPOS] = sense_tendon,
    [mjSENS_TENDONVEL] = sense_tendon,       [mjSENS_ACTUATORPOS] = sense_actuator,
    [mjSENS_ACTUATORVEL] = sense_actuator,   [mjSENS_ACTUATORFRC] = sense_actuatorforce,
    [mjSENS_JOINTACTFRC] = sense_jointforce, [mjSENS_TENDONACTFRC] = sense_tendonforce,
    [mjSENS_BALLQUAT] = sense_ballquat,      [mjSENS_BALLANGVEL] = sense_joint,
    [mjSENS_JOINTLIMITPOS] = limit_sensor,   [mjSENS_JOINTLIMITVEL] = limit_sensor,
    [mjSENS_JOINTLIMITFRC] = limit_sensor,   [mjSENS_TENDONLIMITPOS] = limit_sensor,
    [mjSENS_TENDONLIMITVEL] = limit_sensor,  [mjSENS_TENDONLIMITFRC] = limit_sensor,
    [mjSENS_FRAMEPOS] = sense_frame,         [mjSENS_FRAMEQUAT] = sense_frame,
    [mjSENS_FRAMEXAXIS] = sense_frame,       [mjSENS_FRAMEYAXIS] = sense_frame,
    [mjSENS_FRAMEZAXIS] = sense_frame,       [mjSENS_FRAMELINVEL] = sense_frame,
    [mjSENS_FRAMEANGVEL] = sense_frame,      [mjSENS_FRAMELINACC] = sense_frame,
    [mjSENS_FRAMEANGACC] = sense_frame,      [mjSENS_SUBTREECOM] = sense_com,
    [mjSENS_SUBTREELINVEL] = sense_momentum, [mjSENS_SUBTREEANGMOM] = sense_momentum,
    [mjSENS_INSIDESITE] = sense_inside,      [mjSENS_GEOMDIST] = distance_sensor,
    [mjSENS_GEOMNORMAL] = nearest_sensor,    [mjSENS_GEOMFROMTO] = nearest_sensor,
    [mjSENS_CONTACT] = contact_sensor,       [mjSENS_E_POTENTIAL] = sense_potential,
    [mjSENS_E_KINETIC] = sense_kinetic,      [mjSENS_CLOCK] = sense_constant,
    [mjSENS_TACTILE] = sense_skin,           [mjSENS_PLUGIN] = sense_external,
    [mjSENS_USER] = sense_external,
};

// Does a sensor tell the forces of contacts?
static int tells_forces(const SensorDerivative* s, int type) {
  int fields = s->m->sensor_intprm[mjNSENS * s->id];
  int forces = 1 << mjCONDATA_FORCE | 1 << mjCONDATA_TORQUE;
  return type == mjSENS_CONTACT && (fields & forces || sensor_reduces_contacts(s->m, s->id));
}

// Whether a value is at the cutoff of its sensor.
// Also cut_off in sensor/sensor.c.
static int is_cut(const SensorDerivative* s, int k) {
  mjtNum cutoff = s->m->sensor_cutoff[s->id];
  mjtNum value = s->d->sensordata[s->m->sensor_adr[s->id] + k];
  int datatype = s->m->sensor_datatype[s->id];
  int type = s->m->sensor_type[s->id], uncut = type == mjSENS_GEOMFROMTO;
  uncut |= type == mjSENS_CONTACT && sensor_hasvelocities(s->m->sensor_intprm[mjNSENS * s->id]);
  if (!(cutoff > 0) || uncut) {
    return 0;
  }
  return (datatype == mjDATATYPE_REAL && mju_abs(value) >= cutoff) ||
         (datatype == mjDATATYPE_POSITIVE && value >= cutoff);
}

static void write_rows(mjtNum* out, const SensorDerivative* s, const mjtNum* dx, StateColumns c) {
  const mjModel* m = s->m;
  for (int k = 0; k < s->dim; k++) {
    mjtNum* row = out + (size_t)(m->sensor_adr[s->id] + k) * (size_t)c.ld;
    if (is_cut(s, k)) {
      continue;
    }
    mju_copy(row + c.q, s->q + k * m->nv, m->nv);
    mju_copy(row + c.v, s->v + k * m->nv, m->nv);
    mju_copy(row + c.act, s->act + k * m->na, m->na);
    mju_copy(row + c.ctrl, s->ctrl + k * m->nu, m->nu);
    for (int j = 0; j < m->nv; j++) {
      mjtNum by_x = s->x[k * m->nv + j];
      if (by_x != 0) {
        mju_addToScl(row, dx + (size_t)j * (size_t)c.ld, by_x, c.n);
      }
    }
  }
}

// Does a sensor of forces between bodies count what older releases left out?
static int feels_later_loads(const mjModel* m, int type) {
  static const int rules[] = {cndBEHAVIOUR_tendonload, cndBEHAVIOUR_weldtorque};
  int feels = 0;
  for (int k = 0; k < 2 && (type == mjSENS_FORCE || type == mjSENS_TORQUE); k++) {
    feels |= behaves(m, rules[k]) && cnd_behaviourMatters(m, rules[k]);
  }
  return feels;
}

// Does a sensor read what it has measured before?
static int tells_past(const mjModel* m, int i) {
  return m->sensor_history[2 * i] > 0 && (m->sensor_delay[i] != 0 || m->sensor_interval[2 * i] > 0);
}

mjtNum* sensors_derivative(int* kinks, System* system, const mjtNum* dx, StateColumns c) {
  const mjModel* m = system->m;
  mjData* d = system->d;
  size_t nv = (size_t)m->nv, rows = (size_t)m->nsensordata * (size_t)c.ld;
  mjtNum* out = arena_zeros(d, rows);
  if (m->opt.disableflags & mjDSBL_SENSOR) {
    return out;
  }
  for (int i = 0; i < m->nsensor; i++) {
    mj_markStack(d);
    SensorDerivative s = {.system = system, .m = m, .d = d, .id = i, .dim = m->sensor_dim[i]};
    s.object = m->sensor_objid[i];
    int type = m->sensor_type[i], known = (int)(sizeof(function) / sizeof(function[0]));
    size_t dim = (size_t)s.dim, all = dim * (3 * nv + (size_t)(m->na + m->nu));
    s.q = arena_zeros(d, all);
    s.v = s.q + dim * nv;
    s.x = s.v + dim * nv;
    s.act = s.x + dim * nv;
    s.ctrl = s.act + dim * (size_t)m->na;
    if (type < 0 || type >= known || !function[type]) {
      no_derivative(&s, "its type is unknown");
      return out;
    }
    if (feels_later_loads(m, type)) {
      no_derivative(&s,
                    "it feels tendons or welds by a rule of later releases (behaviours "
                    "tendonload, weldtorque)");
      return out;
    }
    if (tells_past(m, i)) {
      no_derivative(&s, "it tells a past value (delay, interval)");
      return out;
    }
    if (system->regularizers.index && tells_forces(&s, type)) {
      no_derivative(&s, "it tells forces of contacts, which weigh less in a discrete step");
      return out;
    }
    function[type](&s);
    write_rows(out, &s, dx, c);
    *kinks += s.kinks;
    mj_freeStack(d);
  }
  return out;
}
