// body_to_frame.c: mjs_bodyToFrame, which replaces a body by a frame of its parent.
//                                                                    theory/model/model.md, Editing
//
// The body's children move to the end of the parent's children, in a new frame with the body's
// pose. Frames in the body stay around their content. An explicit mass moves too, if the parent has
// an explicit mass as well or has no geoms, because the mass of geoms is known only when compiled.
//
//   m = m1 + m2,  c = (m1 c1 + m2 c2) / m,  d_i = c_i - c
//   I = sum R_i diag(J_i) R_i' + m_i (|d_i|^2 1 - d_i d_i')

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/check.h"
#include "spec/spec.h"

// Writes an alternative orientation, if one is given, as a quaternion to quat.
static int resolve(double quat[4], const SpecObject* object, const mjsOrientation* alt) {
  const mjsCompiler* compiler = &object->origin->spec.compiler;
  const char* problem = mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, alt);
  if (problem) {
    spec_error(object->tree, "error '%s' in %s '%s'", problem,
               spec_typename(object->element.elemtype), spec_name(object));
  }
  return !problem;
}

// Mass of a body about its center.
typedef struct Inertia_ {
  double mass;
  double center[3];
  double about[3][3];  // inertia matrix in the axes of the frame of `center`
} Inertia;

static int has_inertial(const mjsBody* body) {
  return body->mass >= mjMINVAL && !isnan(body->ipos[0]);
}

// out = r a r'
static void turn(double out[3][3], const double quat[4], double a[3][3]) {
  double r[9], result[3][3] = {{0}};
  pose_matrix(r, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
          result[i][j] += r[3 * i + k] * a[k][l] * r[3 * j + l];
        }
      }
    }
  }
  memcpy(out, result, sizeof(result));
}

// The explicit inertial of a body in the body's frame. Returns 0 if its orientation is invalid.
static int inertial_of(Inertia* out, const SpecObject* object) {
  const mjsBody* body = &object->as.body;
  out->mass = body->mass;
  memcpy(out->center, body->ipos, sizeof(out->center));
  const double* full = body->fullinertia;
  if (!isnan(full[0])) {
    double m[3][3] = {
        {full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}};
    memcpy(out->about, m, sizeof(m));
    return 1;
  }
  double quat[4];
  memcpy(quat, body->iquat, sizeof(quat));
  if (!resolve(quat, object, &body->ialt)) {
    return 0;
  }
  pose_normalize(quat, 4);
  double principal[3][3] = {
      {body->inertia[0], 0, 0}, {0, body->inertia[1], 0}, {0, 0, body->inertia[2]}};
  turn(out->about, quat, principal);
  return 1;
}

// Transforms an inertia from a frame with this pose to the frame around it.
static void seen_from(Inertia* inertia, const Pose* pose) {
  pose_rotate(inertia->center, inertia->center, pose->quat);
  for (int i = 0; i < 3; i++) {
    inertia->center[i] += pose->pos[i];
  }
  turn(inertia->about, pose->quat, inertia->about);
}

// Adds the inertia of a mass about another center (parallel axis theorem).
static void add_about(double out[3][3], const Inertia* inertia, const double center[3]) {
  double d[3], square = 0;
  for (int i = 0; i < 3; i++) {
    d[i] = inertia->center[i] - center[i];
    square += d[i] * d[i];
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out[i][j] += inertia->about[i][j] + inertia->mass * ((i == j ? square : 0) - d[i] * d[j]);
    }
  }
}

// Sets the explicit inertial of a body to the sum of two.
static void set_sum(mjsBody* body, const Inertia* a, const Inertia* b) {
  double about[3][3] = {{0}};
  body->mass = a->mass + b->mass;
  for (int i = 0; i < 3; i++) {
    body->ipos[i] = (a->mass * a->center[i] + b->mass * b->center[i]) / body->mass;
  }
  add_about(about, a, body->ipos);
  add_about(about, b, body->ipos);
  const double full[6] = {about[0][0], about[1][1], about[2][2],
                          about[0][1], about[0][2], about[1][2]};
  memcpy(body->fullinertia, full, sizeof(full));
  memset(body->inertia, 0, sizeof(body->inertia));
  memcpy(body->iquat, (const double[]){1, 0, 0, 0}, sizeof(body->iquat));
  mjs_defaultOrientation(&body->ialt);
  body->explicitinertial = 1;
}

// Moves the explicit mass of a body with this pose to its parent. Returns 0 if that is impossible.
static int move_mass(SpecObject* body, const Pose* pose) {
  SpecObject* parent = body->parent;
  if (!has_inertial(&body->as.body) || parent == body->tree->world) {
    return 1;
  }
  int is_given = has_inertial(&parent->as.body);
  if (!is_given && spec_firstchild(parent, mjOBJ_GEOM)) {
    spec_error(
        body->tree,
        "body '%s' has an inertial, but its parent '%s' has none to add it to: its mass comes "
        "from geoms",
        spec_name(body), spec_name(parent));
    return 0;
  }

  // compose the pose with those of the enclosing frames
  Pose total = *pose;
  pose_normalize(total.quat, 4);
  for (SpecObject* object = body->frame; object; object = object->frame) {
    const mjsFrame* frame = &object->as.frame;
    Pose outer;
    memcpy(outer.pos, frame->pos, sizeof(outer.pos));
    memcpy(outer.quat, frame->quat, sizeof(outer.quat));
    if (!resolve(outer.quat, object, &frame->alt)) {
      return 0;
    }
    pose_normalize(outer.quat, 4);
    pose_compose(&total, &outer, &total);
  }
  Inertia own, others = {0};
  if (!inertial_of(&own, body) || (is_given && !inertial_of(&others, parent))) {
    return 0;
  }
  seen_from(&own, &total);
  set_sum(&parent->as.body, &others, &own);
  return 1;
}

mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  check_given(body);
  SpecObject* object = spec_object((*body)->element);
  SpecTree* tree = object->tree;
  SpecObject* parent = object->parent;
  if (!parent) {
    spec_error(tree, "the world can't become a frame");
    return NULL;
  }
  Pose pose;
  memcpy(pose.pos, object->as.body.pos, sizeof(pose.pos));
  memcpy(pose.quat, object->as.body.quat, sizeof(pose.quat));
  SpecObject* frame = spec_create(tree, mjOBJ_FRAME, NULL);
  if (!frame) {
    return NULL;
  }
  if (!resolve(pose.quat, object, &object->as.body.alt) || !move_mass(object, &pose)) {
    spec_destroy(frame);
    return NULL;
  }
  memcpy(frame->as.frame.pos, pose.pos, sizeof(pose.pos));
  memcpy(frame->as.frame.quat, pose.quat, sizeof(pose.quat));
  frame->origin = object->origin;
  spec_link(frame, parent, object->frame);

  while (object->first) {
    SpecObject* child = object->first;
    SpecObject* around = child->frame ? child->frame : frame;
    spec_unlink(child);
    spec_link(child, parent, around);
  }
  if (mjs_delete(&tree->spec, &object->element) != 0) {
    return NULL;
  }
  *body = NULL;
  return &frame->as.frame;
}
