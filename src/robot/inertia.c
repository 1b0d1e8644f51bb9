// inertia.c: mass properties of bodies from those of the links that they are made of.
//
//   m = sum m_k,   c = sum m_k c_k / m,   I = sum (R_k I_k R_k' + m_k (|c_k|^2 E - c_k c_k'))
//         - m (|c|^2 E - c c')
//
// with everything in the frame of the body. A body of one link keeps the numbers of its file as far
// as they need no turning.

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "robot/built.h"

// Sums about the origin of a body: mass, mass times centre, inertia (xx yy zz xy xz yz).
typedef struct Sums_ {
  const mjsBody* body;
  int nlink;
  double mass, moment[3], inertia[6];
} Sums;

// out += R A R' for a symmetric A
static void add_turned(double out[6], const double quat[4], const double a[6]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double r[9], full[9] = {a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]};
  if (quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    for (int k = 0; k < 6; k++) {
      out[k] += a[k];
    }
    return;
  }
  pose_matrix(r, quat);
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        out[k] += r[3 * row[k] + i] * full[3 * i + j] * r[3 * column[k] + j];
      }
    }
  }
}

// out += mass (|c|^2 E - c c')
static void add_shift(double out[6], double mass, const double c[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double square = pose_dot(c, c);
  for (int k = 0; k < 6; k++) {
    out[k] += mass * ((k < 3 ? square : 0) - c[row[k]] * c[column[k]]);
  }
}

static Sums* sums_of(Sums* sums, int* count, const mjsBody* body) {
  for (int i = *count - 1; i >= 0; i--) {
    if (sums[i].body == body) {
      return sums + i;
    }
  }
  sums[*count] = (Sums){.body = body};
  return sums + (*count)++;
}

static void add_link(Sums* s, const RobotLink* link, const BuiltLink* built) {
  Pose inertial;
  pose_compose(&inertial, &built->pose, &link->inertial);
  s->nlink++;
  s->mass += link->mass;
  for (int i = 0; i < 3; i++) {
    s->moment[i] += link->mass * inertial.pos[i];
  }
  add_turned(s->inertia, inertial.quat, link->inertia);
  add_shift(s->inertia, link->mass, inertial.pos);
}

static void set_inertia(mjsBody* body, const Sums* s, const RobotLink* only) {
  double center[3] = {0}, inertia[6];
  memcpy(inertia, s->inertia, sizeof(inertia));
  for (int i = 0; i < 3 && s->mass > 0; i++) {
    center[i] = s->moment[i] / s->mass;
  }
  add_shift(inertia, -s->mass, center);
  if (only) {
    memset(inertia, 0, sizeof(inertia));
    memcpy(center, only->inertial.pos, sizeof(center));
    add_turned(inertia, only->inertial.quat, only->inertia);
  }
  body->explicitinertial = 1;
  body->mass = s->mass;
  memcpy(body->ipos, center, sizeof(center));
  int is_zero = 1;
  for (int k = 0; k < 6; k++) {
    is_zero &= inertia[k] == 0;
  }
  if (!is_zero) {
    memcpy(body->fullinertia, inertia, sizeof(inertia));
  }
}

void robot_addinertia(Builder* b) {
  const RobotDescription* robot = b->robot;
  Sums* sums = heap_zero((size_t)robot->nlink + 1, sizeof(Sums));
  const RobotLink** last = heap_zero((size_t)robot->nlink + 1, sizeof(RobotLink*));
  int count = 0;
  for (int i = 0; i < robot->nlink; i++) {
    Sums* s = sums_of(sums, &count, b->links[i].body);
    add_link(s, robot->links + i, b->links + i);
    last[s - sums] = robot->links + i;
  }
  const mjsBody* world = mjs_findBody(b->spec, "world");
  for (int i = 0; i < count; i++) {
    if (sums[i].body != world) {
      set_inertia((mjsBody*)(uintptr_t)sums[i].body, sums + i, sums[i].nlink == 1 ? last[i] : NULL);
    }
  }
  heap_free(last);
  heap_free(sums);
}
