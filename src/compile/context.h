// context.h: what the parts of the compiler share while they turn an editable model into an
// mjModel: the work in progress, its problems, finding by name.
//
// A problem of one element is reported and the compiler goes on with the next, so an author sees
// all of them in one go. What is read after a reported problem may be meaningless but never out of
// bounds.                                                        theory/model.md, Compilation order

#ifndef CONDYLE_COMPILE_CONTEXT_H_
#define CONDYLE_COMPILE_CONTEXT_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stdint.h>

#include "base/pose.h"
#include "spec/spec.h"

// Mass properties and frames of a body in double precision, final once its elements are compiled.
typedef struct BodyWork_ {
  Pose pose;      // in the parent body
  Pose inertial;  // in the body
  double mass;
  double inertia[3];
  int weldid;    // the body it can't move against
  int aligned;   // its frame was moved to its inertial frame:
  Pose unalign;  // what takes its elements there
} BodyWork;

// A geom in double precision.
typedef struct GeomWork_ {
  Pose pose;  // in the body
  double size[3];
  double mass;
  double inertia[3];
} GeomWork;

// Meshes, height fields and pictures. asset/set.h
typedef struct AssetSet_ AssetSet;

// asset/skin.h
typedef struct Skin_ Skin;

enum {
  USER_TYPES = 8  // types that have user data
};

typedef struct Compile_ {
  SpecTree* tree;
  const mjVFS* vfs;  // where files are looked for first; may be NULL
  mjModel* m;        // what is being filled: the draft, later the result
  mjModel* draft;    // held here, like d, so that nothing is left behind if the engine stops
  mjData* d;
  SpecObject** list[mjNOBJECT];  // objects by type and id
  int count[mjNOBJECT];
  Pose* frame;   // resolved frames in their bodies, by frame id
  char* framed;  // 1 if frame[i] is known, 2 while it is worked out
  int nframe;
  BodyWork* body;
  GeomWork* geom;
  mjtNum* springdamper;  // time constant and damping ratio of each joint
  AssetSet* assets;
  Skin* skin;                  // by id
  int* slot;                   // plugin of each instance
  struct FlexWork_* flex;      // deformables by id. flex/flex.h
  int ntexdata;                // bytes of all textures, not part of the draft
  int user_least[USER_TYPES];  // lengths of user data, of elements that are gone as well
  int simplified;           // static bodies are fused, visual geoms discarded, if that is asked for
  int makes_data;           // mj_makeData is at work
  const SpecObject* asked;  // whose plugin is at work, NULL if none is: its errors are theirs
  int nerror;
} Compile;

// Reports an error of an object (NULL: of the whole model) and counts it. Returns 0, the answer of
// checks that fail.
int compile_error(Compile* c, const SpecObject* object, const char* format, ...) mjPRINTFLIKE(3, 4);

// A warning: the model is compiled all the same.
void compile_warning(Compile* c, const SpecObject* object, const char* format, ...)
    mjPRINTFLIKE(3, 4);

// Options of the spec an object was written in: an attached object keeps those of its origin.
const mjsCompiler* compile_options(const SpecObject* object);

// Id of the object of a type with that name, -1 if there is none.
int compile_find(const Compile* c, mjtObj type, const mjString* name);

// The same for a name in an object; -1 is an error, whose format takes the name and, if it has room
// for it, the object's id.
int compile_named(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                  const char* format);

// out = in, n numbers, rounded to mjtNum.
void compile_store(mjtNum* out, const double* in, int n);

#endif  // CONDYLE_COMPILE_CONTEXT_H_
