// sdf_frame.h: the frames of an SDF document.
//
// Every model, link, joint and frame has a name in the scope of its model, and a pose relative to
// another frame. They are kept by their full names ("arm::hand::finger") and resolved when they are
// asked for.                                                          theory/model/format.md, SDF

#pragma once

#include "base/algebra/pose.h"
#include "base/hash.h"
#include "mjcf/document.h"

typedef enum {
  SDF_MODEL,
  SDF_LINK,
  SDF_JOINT,
  SDF_FRAME
} SdfKind;

typedef struct SdfFrame_ {
  SdfKind kind;
  const char* name;   // full
  const char* scope;  // full name of the model around it with "::", "" for the world
  const Node* node;
  const Node* include;  // of a model: the element that includes it, NULL if it stands here
  Pose pose;            // in the world, once resolved
  int state;            // 0: not yet resolved, 1: being resolved, 2: resolved
  int is_static;        // of a model or its links
  int index;            // in document order
  struct SdfFrame_* next;
} SdfFrame;

typedef struct {
  Document* document;
  cndDiagnostics* problems;
  Hash names;
  SdfFrame *first, *last;
  int depth;  // of the poses that are being resolved
} SdfFrames;

// The path of the file that a URI names in an element, with `suffix` behind; see package_find. NULL
// if no such file is there. The caller frees it.
char* sdf_path(const SdfFrames* frames, const Node* node, const char* uri, const char* suffix);

// The text of a child, NULL if there is none.
const char* sdf_text(const Node* node, const char* child);

// Reads up to n numbers of a text. Returns how many there are; a text that is no numbers is
// reported.
int sdf_reals(double* out, int n, const SdfFrames* frames, const Node* node, const char* text);

// A child's number, or the default.
double sdf_real(const SdfFrames* frames, const Node* node, const char* child, double otherwise);

// Adds a frame with its name in a scope. NULL, with an error, if it has none or it is taken.
SdfFrame* sdf_add(SdfFrames* frames, SdfKind kind, const char* scope, const char* name,
                  const Node* node);

// The frame of a name in a scope; NULL if there is none.
SdfFrame* sdf_find(const SdfFrames* frames, const char* scope, const char* name);

// The pose of a frame in the world.
const Pose* sdf_pose_of(SdfFrames* frames, SdfFrame* frame);

// The pose in the world of the <pose> of an element, which is relative to the frame that it names
// or else to `otherwise`, in a scope.
Pose sdf_element_pose(SdfFrames* frames, const char* scope, const Node* node,
                      const Pose* otherwise);

// The link to which a frame is fixed. NULL if it is fixed to the world or there is none.
SdfFrame* sdf_link_of(SdfFrames* frames, SdfFrame* frame);

// a^-1 b
Pose sdf_relative(const Pose* a, const Pose* b);
