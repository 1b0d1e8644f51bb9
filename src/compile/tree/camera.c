// camera.c: compiles cameras and lights. Intrinsics are computed in single precision.
//                                                         theory/model/model.md, Cameras and lights
#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/context.h"
#include "compile/derive/inertia.h"
#include "compile/tree/frame.h"
#include "compile/tree/tree.h"

// Id of an optional reference of a camera or light, -1 if it names nothing.
static int optional(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                    const char* unknown) {
  return string_empty(name) ? -1 : compile_named(c, object, type, name, unknown);
}

// Cameras and lights move with a body's elements to its inertial frame; before 4.0 not with
// fusestatic.
static int follows_alignment(const Compile* c, const SpecObject* object, const BodyWork* body) {
  int later = compile_behaves(object, cndBEHAVIOUR_compile);
  return body->aligned && (later || !c->tree->spec.compiler.fusestatic);
}

// Is a length given both in length units and in pixels?
static int given_twice(const float length[2], const float pixel[2]) {
  return (length[0] != 0 && pixel[0] != 0) || (length[1] != 0 && pixel[1] != 0);
}

static int check_camera(Compile* c, const SpecObject* object) {
  const mjsCamera* spec = &object->as.camera;
  int before = c->nerror;
  if (spec->fovy >= 180) {
    compile_error(c, object, "fovy too large in camera '%s' (id = %d, value = %g)",
                  spec_name(object), object->id, spec->fovy);
  }
  if (given_twice(spec->principal_length, spec->principal_pixel)) {
    compile_error(c, object, "principal length duplicated in camera");
  }
  if (given_twice(spec->focal_length, spec->focal_pixel)) {
    compile_error(c, object, "focal length duplicated in camera");
  }
  return c->nerror == before;
}

// Computes intrinsics. Lengths in pixels are converted by the pixel density. A camera without a
// sensor has focal length znear.
static double intrinsics(float out[4], const mjsCamera* spec, float znear) {
  const float* sensor = spec->sensor_size;
  if (sensor[0] <= 0 || sensor[1] <= 0) {
    out[0] = out[1] = znear;
    out[2] = out[3] = 0;
    return spec->fovy;
  }
  for (int i = 0; i < 2; i++) {
    float density = spec->resolution[i] / sensor[i];
    out[i] = spec->focal_pixel[i] / density + spec->focal_length[i];
    out[2 + i] = spec->principal_pixel[i] / density + spec->principal_length[i];
  }
  return (double)atan2f(sensor[1] / 2, out[1]) * 360.0 / mjPI;
}

int compile_pixels(float count) {
  const float most = 0x1.fffffep30f;  // the largest float below 2^31
  return isnan(count) ? 0 : (int)fmaxf(-most, fminf(count, most));
}

void compile_camera(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsCamera* spec = &object->as.camera;
  const BodyWork* body = &c->body[object->parent->id];
  int i = object->id;
  Pose pose;
  memcpy(pose.pos, spec->pos, sizeof(pose.pos));
  memcpy(pose.quat, spec->quat, sizeof(pose.quat));
  pose_normalize(pose.quat, 4);
  if (!frame_orientation(c, object, pose.quat, &spec->alt,
                         "orientation specification error '%s' in camera %d") ||
      !check_camera(c, object)) {
    return;
  }
  frame_apply(c, object, &pose);
  pose_normalize(pose.quat, 4);
  if (follows_alignment(c, object, body)) {
    pose_compose(&pose, &body->unalign, &pose);
  }

  m->cam_mode[i] = spec->mode;
  m->cam_bodyid[i] = object->parent->id;
  m->cam_targetbodyid[i] =
      optional(c, object, mjOBJ_BODY, spec->targetbody, "unknown target body in camera");
  compile_store(m->cam_pos + 3 * i, pose.pos, 3);
  compile_store(m->cam_quat + 4 * i, pose.quat, 4);
  m->cam_orthographic[i] = spec->orthographic;
  m->cam_output[i] = spec->output;
  m->cam_fovy[i] = (mjtNum)intrinsics(m->cam_intrinsic + 4 * i, spec, m->vis.map.znear);
  m->cam_ipd[i] = (mjtNum)spec->ipd;
  m->cam_resolution[2 * i] = compile_pixels(spec->resolution[0]);
  m->cam_resolution[2 * i + 1] = compile_pixels(spec->resolution[1]);
  memcpy(m->cam_sensorsize + 2 * i, spec->sensor_size, 2 * sizeof(float));
}

void compile_light(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsLight* spec = &object->as.light;
  const BodyWork* body = &c->body[object->parent->id];
  int i = object->id;

  // a light has a direction but no orientation
  Pose pose = POSE_IDENTITY;
  double dir[3];
  memcpy(pose.pos, spec->pos, sizeof(pose.pos));
  frame_apply(c, object, &pose);
  pose_rotate(dir, spec->dir, frame_of(c, object)->quat);
  if (pose_normalize(dir, 3) < COMPILE_EPS) {
    compile_error(c, object, "zero direction in light");
    return;
  }
  if (follows_alignment(c, object, body)) {
    pose_compose(&pose, &body->unalign, &pose);
    pose_rotate(dir, dir, body->unalign.quat);
  }

  if (!(spec->softness >= 0 && spec->softness <= 1)) {
    compile_error(c, object, "light softness must be between 0 and 1: it is %g",
                  (double)spec->softness);
  }

  m->light_mode[i] = spec->mode;
  m->light_bodyid[i] = object->parent->id;
  m->light_targetbodyid[i] =
      optional(c, object, mjOBJ_BODY, spec->targetbody, "unknown target body in light");
  m->light_type[i] = spec->type;
  m->light_texid[i] = optional(c, object, mjOBJ_TEXTURE, spec->texture, "unknown texture in light");
  m->light_castshadow[i] = spec->castshadow;
  m->light_softness[i] = spec->softness;
  m->light_bulbradius[i] = spec->bulbradius;
  m->light_intensity[i] = spec->intensity;
  m->light_range[i] = spec->range;
  m->light_active[i] = spec->active;
  compile_store(m->light_pos + 3 * i, pose.pos, 3);
  compile_store(m->light_dir + 3 * i, dir, 3);
  memcpy(m->light_attenuation + 3 * i, spec->attenuation, 3 * sizeof(float));
  m->light_cutoff[i] = spec->cutoff;
  m->light_exponent[i] = spec->exponent;
  memcpy(m->light_ambient + 3 * i, spec->ambient, 3 * sizeof(float));
  memcpy(m->light_diffuse + 3 * i, spec->diffuse, 3 * sizeof(float));
  memcpy(m->light_specular + 3 * i, spec->specular, 3 * sizeof(float));
}
