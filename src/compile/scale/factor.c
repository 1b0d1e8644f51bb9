// factor.c: the factors of frames and bodies, from outside to inside.
//                                                             theory/model/scaling.md, Factors

#include "compile/scale/factor.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/elementary.h"

static const Stretch NOTHING = {.scale = {1, 1, 1, 1},
                                .map = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                .uniform = 1,
                                .pose = {{0, 0, 0}, {1, 0, 0, 0}},
                                .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

int factor_isscaled(const SpecObject* frame) {
  const mjsFrame* spec = &frame->as.frame;
  return spec->scale[0] != 1 || spec->scale[1] != 1 || spec->scale[2] != 1 ||
         (spec->massscale != 0 && spec->massscale != 1);
}

const Stretch* factor_of(const Scaling* scaling, const SpecObject* object) {
  if (object->frame) {
    return &scaling->frame[object->frame->id];
  }
  return object->parent ? &scaling->body[object->parent->id] : &NOTHING;
}

void factor_map(double out[3], const double map[9], const double v[3]) {
  double x[3];
  memcpy(x, v, sizeof(x));
  for (int i = 0; i < 3; i++) {
    out[i] = map[3 * i] * x[0] + map[3 * i + 1] * x[1] + map[3 * i + 2] * x[2];
  }
}

// out = a b, both 3x3
static void multiply(double out[9], const double a[9], const double b[9]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
    }
  }
}

void factor_turned(double out[9], const double map[9], const double quat[4]) {
  double turn[9], back[9], right[9];
  pose_matrix(turn, quat);
  for (int i = 0; i < 9; i++) {
    back[i] = turn[i % 3 * 3 + i / 3];
  }
  multiply(right, map, turn);
  multiply(out, back, right);
}

double factor_along(const Stretch* stretch, const double direction[3]) {
  double image[3], length = sqrt(pose_dot(direction, direction));
  if (stretch->uniform || !(length > 0)) {
    return stretch->scale.length;
  }
  factor_map(image, stretch->map, direction);
  return sqrt(pose_dot(image, image)) / length;
}

Scale factor_mean(Scale a, Scale b) {
  return (Scale){sqrt(a.length * b.length), sqrt(a.mass * b.mass),
                 sqrt(a.unit_length * b.unit_length), sqrt(a.unit_mass * b.unit_mass)};
}

// Turns an alternative orientation into a quaternion. What can't be is left to the compiler.
static void resolve(const SpecObject* object, double quat[4], mjsOrientation* alt) {
  const mjsCompiler* options = compile_options(object);
  pose_normalize(quat, 4);
  if (alt->type != mjORIENTATION_QUAT &&
      !mjs_resolveOrientation(quat, options->degree, options->eulerseq, alt)) {
    alt->type = mjORIENTATION_QUAT;
  }
}

static int is_finite(const double* v, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite(v[i])) {
      return 0;
    }
  }
  return 1;
}

// Are the scales of a frame such that what is inside can be scaled?
static int check_frame(Compile* c, const SpecObject* object) {
  const mjsFrame* spec = &object->as.frame;
  const double* s = spec->scale;
  const char* name = spec_name(object);
  if (!is_finite(s, 3) || !(s[0] > 0 && s[1] > 0 && s[2] > 0)) {
    return compile_error(c, object,
                         "frame scale must be finite and positive in frame '%s': it is %g %g %g",
                         name, s[0], s[1], s[2]);
  }
  if (!isfinite(spec->massscale) || spec->massscale < 0) {
    return compile_error(c, object,
                         "frame massscale must be finite and non-negative in frame '%s': it is %g",
                         name, spec->massscale);
  }
  if (spec->scaling != mjSCALING_SIMILAR && spec->scaling != mjSCALING_GEOMETRY) {
    return compile_error(c, object, "invalid scaling %d in frame '%s'", (int)spec->scaling, name);
  }
  if (spec->scaling == mjSCALING_SIMILAR && (s[0] != s[1] || s[1] != s[2])) {
    return compile_error(c, object,
                         "an anisotropic frame scale requires scaling 'geometry' in frame '%s': it "
                         "is %g %g %g",
                         name, s[0], s[1], s[2]);
  }
  return 1;
}

// The factors inside a frame, from those of the place where it stands.
static void enter(Stretch* out, const Stretch* outer, const mjsFrame* spec) {
  const double* s = spec->scale;
  int uniform = s[0] == s[1] && s[1] == s[2];
  double turned[9];
  double length = uniform ? s[0] : portable_cbrt(s[0] * s[1] * s[2]);
  double mass = spec->massscale > 0 ? spec->massscale : s[0] * s[1] * s[2];
  out->scale = outer->scale;
  out->scale.length *= length;
  out->scale.mass *= mass;
  if (spec->scaling == mjSCALING_SIMILAR) {
    out->scale.unit_length *= length;
    out->scale.unit_mass *= mass;
  }
  factor_turned(turned, outer->map, spec->quat);
  out->uniform = outer->uniform && uniform;
  for (int i = 0; i < 9; i++) {
    out->map[i] = out->uniform ? (i % 4 ? 0 : out->scale.length) : turned[i] * s[i % 3];
  }
  Pose own;
  double offset[3];
  memcpy(own.pos, spec->pos, sizeof(own.pos));
  memcpy(own.quat, spec->quat, sizeof(own.quat));
  pose_compose(&out->pose, &outer->pose, &own);
  factor_map(offset, outer->map, spec->pos);
  factor_map(offset, outer->turn, offset);
  for (int i = 0; i < 3; i++) {
    out->pos[i] = outer->pos[i] + offset[i];
  }
  pose_matrix(out->turn, out->pose.quat);
}

static void find_frame(Scaling* scaling, SpecObject* object) {
  int id = object->id;
  if (scaling->done[id]) {
    return;  // also a frame inside itself, which the compiler reports
  }
  scaling->done[id] = 1;
  scaling->frame[id] = NOTHING;
  resolve(object, object->as.frame.quat, &object->as.frame.alt);
  if (object->frame) {
    find_frame(scaling, object->frame);
  }
  if (check_frame(scaling->c, object)) {
    const Stretch* outer = factor_of(scaling, object);
    enter(&scaling->frame[id], outer, &object->as.frame);
    scaling->frame[id].scaled = outer->scaled || factor_isscaled(object);
  }
  scaling->done[id] = 2;
}

void factor_find(Scaling* scaling) {
  SpecTree* tree = scaling->c->tree;
  for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
    Stretch* inside = &scaling->body[body->id];
    *inside = NOTHING;
    if (body->parent) {
      const Stretch* outer = factor_of(scaling, body);
      resolve(body, body->as.body.quat, &body->as.body.alt);
      inside->scale = outer->scale;
      inside->uniform = outer->uniform;
      inside->scaled = outer->scaled;
      if (outer->uniform) {
        memcpy(inside->map, outer->map, sizeof(inside->map));
      } else {
        factor_turned(inside->map, outer->map, body->as.body.quat);
      }
    }
    for (SPEC_EACH_CHILD(frame, body, mjOBJ_FRAME)) {
      find_frame(scaling, frame);
    }
  }
}

// scaled frames around several objects

// The innermost scaled frame around an object, NULL if there is none.
static const SpecObject* innermost(const SpecObject* object) {
  for (; object; object = object->parent) {
    for (const SpecObject* frame = object->frame; frame; frame = frame->frame) {
      if (factor_isscaled(frame)) {
        return frame;
      }
    }
  }
  return NULL;
}

static int is_around(const SpecObject* frame, const SpecObject* object) {
  const SpecObject* it = innermost(object);
  while (it && it != frame) {
    it = innermost(it);
  }
  return it == frame;
}

Scale factor_common(const Scaling* scaling, SpecObject* const* objects, int n) {
  const SpecObject* frame = n ? innermost(objects[0]) : NULL;
  for (int i = 1; i < n; i++) {
    while (frame && !is_around(frame, objects[i])) {
      frame = innermost(frame);
    }
  }
  return frame ? scaling->frame[frame->id].scale : NOTHING.scale;
}

Scale factor_named(const Scaling* scaling, const SpecObject* user, mjtObj type,
                   const mjString* name) {
  const SpecObject* object =
      spec_find(user->tree, type == mjOBJ_XBODY ? mjOBJ_BODY : type, string_text(name));
  if (!object || !spec_intree(object->element.elemtype)) {
    return NOTHING.scale;
  }
  return object->element.elemtype == mjOBJ_BODY ? scaling->body[object->id].scale
                                                : factor_of(scaling, object)->scale;
}
