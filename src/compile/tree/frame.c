// frame.c: computes the poses of frames. The model has no frames: each element is posed in its
// body.

#include "compile/tree/frame.h"

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <string.h>

// Computes the pose of a frame in its body: the composition of the poses of all enclosing frames,
// outermost first. The recursion handles frames that were moved into a frame with a larger id.
// Normally the enclosing frame has the smaller id and its pose is known already.
static void resolve(Compile* c, const SpecObject* object) {
  int id = object->id;
  if (c->frame_state[id]) {
    return;
  }
  c->frame_state[id] = 2;  // being computed

  const mjsFrame* spec = &object->as.frame;
  Pose pose;
  memcpy(pose.pos, spec->pos, sizeof(pose.pos));
  memcpy(pose.quat, spec->quat, sizeof(pose.quat));
  frame_orientation(c, object, pose.quat, &spec->alt,
                    "orientation specification error '%s' in frame");

  if (object->frame) {
    if (c->frame_state[object->frame->id] == 2) {
      compile_error(c, object, "frame lies inside itself");
    } else {
      resolve(c, object->frame);
      pose_compose(&pose, &c->frame[object->frame->id], &pose);
    }
  }
  pose_normalize(pose.quat, 4);
  c->frame[id] = pose;
  c->frame_state[id] = 1;
}

void compile_frames(Compile* c) {
  for (SPEC_EACH(frame, c->tree, mjOBJ_FRAME)) {
    resolve(c, frame);
  }
}

const Pose* frame_of(const Compile* c, const SpecObject* object) {
  return object->frame ? &c->frame[object->frame->id] : &POSE_IDENTITY;
}

void frame_apply(const Compile* c, const SpecObject* object, Pose* pose) {
  if (object->frame) {
    pose_compose(pose, &c->frame[object->frame->id], pose);
  }
}

int frame_orientation(Compile* c, const SpecObject* object, double quat[4],
                      const mjsOrientation* alt, const char* format) {
  if (alt->type == mjORIENTATION_QUAT) {
    return 1;
  }
  const mjsCompiler* options = compile_options(object);
  const char* problem = mjs_resolveOrientation(quat, options->degree, options->eulerseq, alt);
  if (problem) {
    char text[200];
    mju_strncpy(text, problem, sizeof(text));
    compile_error(c, object, format, text, object->id);
  }
  return !problem;
}
