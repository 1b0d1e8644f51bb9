// Frames of an SDF document by name, and their poses.

#include "mjcf/urdf/sdf_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "model/files/package.h"

enum {
  DEEPEST = 500  // frames that a pose depends on
};

const char* sdf_text(const Node* node, const char* child) {
  const Node* found = node_child(node, child);
  return found && *found->content ? found->content : NULL;
}

int sdf_reals(double* out, int n, const SdfFrames* frames, const Node* node, const char* text) {
  const char* cursor = text;
  for (int i = 0; i < n; i++) {
    double value;
    TextStatus status = text_real(&value, &cursor);
    if (status == TEXT_END) {
      return i;
    }
    if (status != TEXT_OK || isnan(value)) {
      node_report(node, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                  "'%.40s' should be numbers", text);
      return i;
    }
    out[i] = value;
  }
  return n;
}

double sdf_real(const SdfFrames* frames, const Node* node, const char* child, double otherwise) {
  const char* text = node ? sdf_text(node, child) : NULL;
  double value = otherwise;
  return text && sdf_reals(&value, 1, frames, node_child(node, child), text) ? value : otherwise;
}

// files

char* sdf_path(const SdfFrames* frames, const Node* node, const char* uri, const char* suffix) {
  size_t size = strlen(uri) + strlen(suffix) + 1;
  char* name = heap_take(size);
  snprintf(name, size, "%s%s", uri, suffix);
  PackagePlaces places = {.directory = node->source->directory,
                          .vfs = document_vfs(frames->document)};
  char* path = package_find(NULL, 0, &places, name);
  heap_free(name);
  return path;
}

// names

SdfFrame* sdf_add(SdfFrames* frames, SdfKind kind, const char* scope, const char* name,
                  const Node* node) {
  if (!name || !*name) {
    node_report(node, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                "required attribute missing: 'name'");
    return NULL;
  }
  SdfFrame* frame = heap_zero(1, sizeof(SdfFrame));
  size_t size = strlen(scope) + strlen(name) + 1;
  char* full = heap_take(size);
  snprintf(full, size, "%s%s", scope, name);
  *frame = (SdfFrame){
      .kind = kind, .name = document_text(frames->document, full), .scope = scope, .node = node};
  heap_free(full);
  if (sdf_find(frames, "", frame->name)) {
    node_report(node, NULL, frames->problems, cndSEVERITY_ERROR, NULL, "repeated SDF name: '%s'",
                frame->name);
    heap_free(frame);
    return NULL;
  }
  hash_add(&frames->names, hash_text(frame->name), frame);
  if (frames->last) {
    frame->index = frames->last->index + 1;
    frames->last->next = frame;
  } else {
    frames->first = frame;
  }
  frames->last = frame;
  return frame;
}

static SdfFrame* find_full(const SdfFrames* frames, const char* name, size_t length) {
  for (HashSlot* at = hash_find(&frames->names, hash_bytes(name, length)); at; at = hash_next(at)) {
    SdfFrame* frame = at->item;
    if (!strncmp(frame->name, name, length) && !frame->name[length]) {
      return frame;
    }
  }
  return NULL;
}

// The model of a scope, which ends with "::"; NULL for the world.
static SdfFrame* model_of(const SdfFrames* frames, const char* scope) {
  size_t length = strlen(scope);
  return length > 2 ? find_full(frames, scope, length - 2) : NULL;
}

SdfFrame* sdf_find(const SdfFrames* frames, const char* scope, const char* name) {
  if (!strcmp(name, "__model__")) {
    return model_of(frames, scope);
  }
  size_t size = strlen(scope) + strlen(name) + 1;
  char* full = heap_take(size);
  snprintf(full, size, "%s%s", scope, name);
  SdfFrame* found = find_full(frames, full, size - 1);
  heap_free(full);
  return found;
}

// poses

Pose sdf_relative(const Pose* a, const Pose* b) {
  Pose inverse, out;
  pose_inverse(&inverse, a);
  pose_compose(&out, &inverse, b);
  return out;
}

// The numbers of a <pose>: x y z roll pitch yaw, in degrees if it says so, or x y z and a
// quaternion.
static Pose read_pose(const SdfFrames* frames, const Node* pose) {
  Pose out = POSE_IDENTITY;
  double v[7] = {0};
  if (!pose || !*pose->content) {
    return out;
  }
  const char *degrees = node_text(pose, "degrees"), *format = node_text(pose, "rotation_format");
  int is_quat = format && !strcmp(format, "quat_xyzw");
  int n = sdf_reals(v, 7, frames, pose, pose->content);
  if (n != (is_quat ? 7 : 6)) {
    node_report(pose, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                "a pose should have %d numbers, not '%.60s'", is_quat ? 7 : 6, pose->content);
    return out;
  }
  memcpy(out.pos, v, sizeof out.pos);
  if (is_quat) {
    memcpy(out.quat, (double[4]){v[6], v[3], v[4], v[5]}, sizeof out.quat);
    if (pose_normalize(out.quat, 4) == 0) {
      out = POSE_IDENTITY;
    }
    return out;
  }
  double unit = degrees && (!strcmp(degrees, "true") || !strcmp(degrees, "1"))
                    ? 3.14159265358979323846 / 180
                    : 1;
  pose_from_rpy(out.quat, (double[3]){unit * v[3], unit * v[4], unit * v[5]});
  return out;
}

// The frame that an attribute of an element names; NULL, with an error if the name is unknown.
static SdfFrame* named(SdfFrames* frames, const char* scope, const Node* node,
                       const char* attribute) {
  const char* name = node ? node_text(node, attribute) : NULL;
  SdfFrame* found = name && *name ? sdf_find(frames, scope, name) : NULL;
  if (name && *name && !found && strcmp(name, "world") != 0 && strcmp(name, "__root__") != 0 &&
      strcmp(name, "__model__") != 0) {
    node_report(node, node_attribute(node, attribute), frames->problems, cndSEVERITY_ERROR, NULL,
                "unknown frame: '%s'", name);
  }
  return found;
}

static int is_given(const Node* node, const char* attribute) {
  const char* name = node ? node_text(node, attribute) : NULL;
  return name && *name;
}

Pose sdf_element_pose(SdfFrames* frames, const char* scope, const Node* node,
                      const Pose* otherwise) {
  const Node* pose = node_child(node, "pose");
  Pose own = read_pose(frames, pose), out;
  const Pose* base = otherwise;
  if (is_given(pose, "relative_to")) {
    SdfFrame* frame = named(frames, scope, pose, "relative_to");
    base = frame ? sdf_pose_of(frames, frame) : &POSE_IDENTITY;
  }
  pose_compose(&out, base, &own);
  return out;
}

// What a frame is relative to where its <pose> doesn't say: a joint to its child, a frame to what
// it is attached to, everything else to its model.
static const Pose* usual_base(SdfFrames* frames, SdfFrame* frame) {
  SdfFrame* base = model_of(frames, frame->scope);
  if (frame->kind == SDF_JOINT) {
    const char* child = sdf_text(frame->node, "child");
    SdfFrame* link = child ? sdf_find(frames, frame->scope, child) : NULL;
    base = link ? link : base;
  } else if (frame->kind == SDF_FRAME && is_given(frame->node, "attached_to")) {
    base = named(frames, frame->scope, frame->node, "attached_to");
  }
  return base ? sdf_pose_of(frames, base) : &POSE_IDENTITY;
}

const Pose* sdf_pose_of(SdfFrames* frames, SdfFrame* frame) {
  if (frame->state == 1 || (frame->state == 0 && frames->depth == DEEPEST)) {
    node_report(frame->node, NULL, frames->problems, cndSEVERITY_ERROR, NULL,
                frame->state ? "the pose of '%s' depends on itself"
                             : "the pose of '%s' depends on too many frames",
                frame->name);
    frame->state = 2;
    frame->pose = POSE_IDENTITY;
  }
  if (frame->state == 0) {
    frame->state = 1;
    frames->depth++;
    // the element that includes a model may place it
    const Node* placed =
        frame->include && node_child(frame->include, "pose") ? frame->include : frame->node;
    const Pose* base = is_given(node_child(placed, "pose"), "relative_to")
                           ? &POSE_IDENTITY
                           : usual_base(frames, frame);
    frame->pose = sdf_element_pose(frames, frame->scope, placed, base);
    frame->state = 2;
    frames->depth--;
  }
  return &frame->pose;
}

// The canonical link of a model: the one that it names, or its first.
static SdfFrame* canonical_link(SdfFrames* frames, const SdfFrame* model) {
  SdfFrame* link = NULL;
  char* scope = heap_take(strlen(model->name) + 3);
  snprintf(scope, strlen(model->name) + 3, "%s::", model->name);
  const char* name = node_text(model->node, "canonical_link");
  if (name && *name) {
    link = sdf_find(frames, scope, name);
  }
  for (SdfFrame* it = frames->first; it && !link; it = it->next) {
    if (it->kind == SDF_LINK && !strncmp(it->name, scope, strlen(scope))) {
      link = it;
    }
  }
  heap_free(scope);
  return link;
}

SdfFrame* sdf_link_of(SdfFrames* frames, SdfFrame* frame) {
  enum {
    LONGEST = 1000  // chain of frames, which may be a circle
  };
  for (int i = 0; frame && i < LONGEST; i++) {
    if (frame->kind == SDF_LINK) {
      return frame;
    }
    if (frame->kind == SDF_MODEL) {
      return canonical_link(frames, frame);
    }
    SdfFrame* next = NULL;
    if (frame->kind == SDF_JOINT) {
      const char* child = sdf_text(frame->node, "child");
      next = child ? sdf_find(frames, frame->scope, child) : NULL;
    } else if (is_given(frame->node, "attached_to")) {
      next = named(frames, frame->scope, frame->node, "attached_to");
    } else {
      next = model_of(frames, frame->scope);
    }
    frame = next;
  }
  return NULL;
}
