// Derivatives of sensors of the place and motion of frames, in the world or relative to a reference
// frame.                                                  theory/time/exact-derivatives.md, Sensors

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/sensor/sensor.h"
#include "sensor/sensor.h"
#include "smooth/jacobian.h"
#include "smooth/support.h"

// A frame and its motion in the world: angular and linear velocity w, v, and accelerations alpha,
// a.
typedef struct {
  int exists, body;
  const mjtNum *pos, *mat;
  mjtNum w[3], v[3], alpha[3], a[3];
} Frame;

// Change of a frame and of its motion: pos by shift, axes by turn.
typedef struct {
  mjtNum shift[3], turn[3], w[3], v[3], alpha[3], a[3];
} Change;

typedef enum {
  BY_POSITION,
  BY_VELOCITY,
  BY_ACCELERATION
} Kind;

static Frame frame_of(const SensorDerivative* s, int type, int id) {
  Frame f = {0};
  if (type == mjOBJ_CAMERA && s->m->cam_mode[id] != mjCAMLIGHT_FIXED) {
    mju_error(
        "%s: sensor %d is about camera %d, which follows something: it has no "
        "exact derivative",
        s->system->function, s->id, id);
  }
  ObjectFrame at = object_frame(s->m, s->d, type, id);
  f.exists = 1;
  f.body = at.body;
  f.pos = at.pos;
  f.mat = at.mat;
  if (s->m->body_weldid[f.body]) {
    const BodyMotion* motion = &s->system->motion;
    PointMotion p = motion_point(s->m, s->d, motion, f.body, f.pos);
    v3_copy(f.w, motion->V + 6 * f.body);
    v3_copy(f.v, p.v);
    v3_copy(f.alpha, motion->a + 6 * f.body);
    v3_copy(f.a, p.a);
  }
  return f;
}

static void change_of(Change* out, const SensorDerivative* s, const Frame* f, Kind kind, int j) {
  const mjtNum* S = s->d->cdof + 6 * j;
  const BodyMotion* motion = &s->system->motion;
  mjtNum moved[3], t[3];
  memset(out, 0, sizeof(*out));
  velocity_at(moved, s->m, s->d, f->body, S, f->pos);
  if (kind == BY_ACCELERATION) {
    v3_copy(out->alpha, S);
    v3_copy(out->a, moved);
    return;
  }
  const mjtNum* rate = kind == BY_POSITION ? motion->rate + 6 * j : S;
  const mjtNum* lift = kind == BY_POSITION ? motion->lift + 6 * j : motion->drift + 6 * j;
  PointMotion p = kind == BY_POSITION
                      ? motion_point_by_position(s->m, s->d, motion, f->body, f->pos, j)
                      : motion_point_by_velocity(s->m, s->d, motion, f->body, f->pos, j);
  v3_copy(out->v, p.v);
  v3_copy(out->a, p.a);
  v3_copy(out->w, rate);
  v3_cross(t, f->w, rate);
  v3_sub(out->alpha, lift, t);
  if (kind == BY_POSITION) {
    v3_copy(out->shift, moved);
    v3_copy(out->turn, S);
    v3_cross(t, S, f->w);
    v3_addto(out->w, t);
    v3_cross(t, S, f->alpha);
    v3_addto(out->alpha, t);
  }
}

// out = R' (dx - turn x x): the change of R' x in a frame that turns; without a frame, dx
static void in_frame(mjtNum* out, const Frame* f, const mjtNum turn[3], const mjtNum x[3],
                     const mjtNum dx[3]) {
  mjtNum t[3];
  v3_copy(out, dx);
  if (f->exists) {
    v3_cross(t, turn, x);
    v3_sub(t, dx, t);
    m3_tmulv(out, f->mat, t);
  }
}

// 1/2 conj(q_ref) (0, turn) q
// Also sensor_framequat in sensor/frame.c.
static void quat_change(mjtNum out[4], const SensorDerivative* s, const Frame* f, const Frame* ref,
                        const Change* o, const Change* r) {
  const mjModel* m = s->m;
  mjtNum quat[4], half[4] = {0}, t[4], other[4], inverse[4];
  sensor_object_quat(quat, m, s->d, m->sensor_objtype[s->id], s->object, f->body);
  v3_sub(half + 1, o->turn, r->turn);
  v3_scl(half + 1, half + 1, (mjtNum)0.5);
  q_mul(t, half, quat);
  q_copy(out, t);
  if (ref->exists) {
    sensor_object_quat(other, m, s->d, m->sensor_reftype[s->id], m->sensor_refid[s->id], ref->body);
    q_conj(inverse, other);
    q_mul(out, inverse, t);
  }
}

// change of the pixels (u, v) = size / 2 + (-fx x / z, fy y / z) by that of the point in the frame
// of the camera
static void pixel_change(mjtNum* out, const SensorDerivative* s, const Frame* f,
                         const Frame* camera, const mjtNum dq[3]) {
  mjtNum q[3], focal[2];
  v3_tolocal(q, f->pos, camera->pos, camera->mat);
  sensor_focal_lengths(focal, s->m, s->m->sensor_refid[s->id]);
  if (mju_abs(q[2]) < mjMINVAL) {
    out[0] = out[1] = 0;
    return;
  }
  out[0] = -focal[0] * (dq[0] - q[0] / q[2] * dq[2]) / q[2];
  out[1] = focal[1] * (dq[1] - q[1] / q[2] * dq[2]) / q[2];
}

// Change of the values of a sensor as the frame and its reference change.
// Also relative_velocity in sensor/frame.c.
static void numbers_change(mjtNum out[4], const SensorDerivative* s, const Frame* f,
                           const Frame* ref, const Change* o, const Change* r) {
  int type = s->m->sensor_type[s->id];
  mjtNum arm[3], x[3], dx[3], t[3], dq[3];
  const Frame none = {0};
  switch (type) {
    case mjSENS_MAGNETOMETER:
      v3_zero(dx);
      in_frame(out, f, o->turn, s->m->opt.magnetic, dx);
      break;
    case mjSENS_VELOCIMETER:
      in_frame(out, f, o->turn, f->v, o->v);
      break;
    case mjSENS_GYRO:
      in_frame(out, f, o->turn, f->w, o->w);
      break;
    case mjSENS_ACCELEROMETER:
      in_frame(out, f, o->turn, f->a, o->a);
      break;
    case mjSENS_FRAMELINACC:
      in_frame(out, &none, NULL, NULL, o->a);
      break;
    case mjSENS_FRAMEANGACC:
      in_frame(out, &none, NULL, NULL, o->alpha);
      break;
    case mjSENS_FRAMEQUAT:
      quat_change(out, s, f, ref, o, r);
      break;
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      m3_column(x, f->mat, type - mjSENS_FRAMEXAXIS);
      v3_cross(dx, o->turn, x);
      in_frame(out, ref, r->turn, x, dx);
      break;
    case mjSENS_FRAMEANGVEL:
      v3_sub(x, f->w, ref->w);
      v3_sub(dx, o->w, r->w);
      in_frame(out, ref, r->turn, x, dx);
      break;
    case mjSENS_FRAMELINVEL:
      v3_copy(x, f->v);
      v3_copy(dx, o->v);
      if (ref->exists) {
        // less the velocity of the reference frame at the place of the frame
        v3_sub(arm, f->pos, ref->pos);
        v3_cross(t, ref->w, arm);
        v3_subfrom(x, t);
        v3_subfrom(x, ref->v);
        v3_cross(t, r->w, arm);
        v3_subfrom(dx, t);
        v3_subfrom(dx, r->v);
        v3_sub(arm, o->shift, r->shift);
        v3_cross(t, ref->w, arm);
        v3_subfrom(dx, t);
      }
      in_frame(out, ref, r->turn, x, dx);
      break;
    default:  // mjSENS_FRAMEPOS, mjSENS_CAMPROJECTION
      v3_copy(x, f->pos);
      if (ref->exists) {
        v3_subfrom(x, ref->pos);
      }
      v3_sub(dx, o->shift, r->shift);
      in_frame(dq, ref, r->turn, x, dx);
      if (type == mjSENS_CAMPROJECTION) {
        pixel_change(out, s, f, ref, dq);
      } else {
        v3_copy(out, dq);
      }
      break;
  }
}

// Adds the derivative by one of the two frames: values are linear in the changes of both.
static void add_frame(SensorDerivative* s, const Frame* f, const Frame* ref, int is_ref) {
  int n, nv = s->m->nv;
  const int* chain = jac_body_chain(&n, s->m, is_ref ? ref->body : f->body);
  mjtNum* rows[] = {s->q, s->v, s->x};
  mjtStage stage = sensor_type(s->m->sensor_type[s->id])->stage;
  int kinds = stage == mjSTAGE_POS ? 1 : stage == mjSTAGE_VEL ? 2 : 3;
  for (int kind = 0; kind < kinds; kind++) {
    for (int i = 0; i < n; i++) {
      Change change, none = {0};
      mjtNum out[4];
      change_of(&change, s, is_ref ? ref : f, (Kind)kind, chain[i]);
      numbers_change(out, s, f, ref, is_ref ? &none : &change, is_ref ? &change : &none);
      for (int k = 0; k < s->dim; k++) {
        rows[kind][k * nv + chain[i]] += out[k];
      }
    }
  }
}

// Also sensor_framepos in sensor/frame.c.
void frame_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  int type = m->sensor_type[s->id];
  int is_site = type == mjSENS_MAGNETOMETER || type == mjSENS_VELOCIMETER || type == mjSENS_GYRO ||
                type == mjSENS_ACCELEROMETER || type == mjSENS_CAMPROJECTION;
  Frame f = frame_of(s, is_site ? mjOBJ_SITE : m->sensor_objtype[s->id], s->object), ref = {0};
  if (type == mjSENS_CAMPROJECTION) {
    ref = frame_of(s, mjOBJ_CAMERA, m->sensor_refid[s->id]);
  } else if (m->sensor_refid[s->id] >= 0 && !is_site && type != mjSENS_FRAMELINACC &&
             type != mjSENS_FRAMEANGACC) {
    ref = frame_of(s, m->sensor_reftype[s->id], m->sensor_refid[s->id]);
  }
  add_frame(s, &f, &ref, 0);
  if (ref.exists) {
    add_frame(s, &f, &ref, 1);
  }
}
