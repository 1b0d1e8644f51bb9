// context.h: the state that all parts of the compiler share. Also reports errors and finds objects
// by name.
//
// After a problem of one element the compiler continues with the next, so an author sees all
// problems at once. After a reported problem numbers may be meaningless but ids are never out of
// bounds.                                                  theory/model/model.md, Compilation order

#pragma once

#include <condyle/behaviour.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stdint.h>

#include "base/algebra/pose.h"
#include "spec/spec.h"

// Mass properties and frames of a body in double precision, final once its elements are compiled.
typedef struct BodyWork_ {
  Pose pose;      // pose in the parent body
  Pose inertial;  // in the body
  double mass;
  double inertia[3];
  int weldid;    // the nearest body with joints, itself included
  int inferred;  // 1 if mass and inertia are those of its geoms
  int adjusted;  // 1 if the compiler's bounds or balanceinertia changed them
  int aligned;   // 1 if its frame was moved to its inertial frame
  Pose unalign;  // transforms its elements to the moved frame
} BodyWork;

// A geom in double precision.
typedef struct GeomWork_ {
  Pose pose;  // in the body
  double size[3];
  double surfacevel[6];  // linear and angular, in the geom's frame
  double mass;
  double inertia[3];
} GeomWork;

// Meshes, height fields and pictures. asset_set.h
typedef struct AssetSet_ AssetSet;

// asset/skin.h
typedef struct Skin_ Skin;

enum {
  USER_TYPES = 8  // number of types with user data
};

typedef struct Compile_ {
  SpecTree* tree;
  const mjVFS* vfs;  // virtual files, which are tried first; may be NULL
  mjModel* m;        // the model being filled: the draft, later the result
  mjModel* draft;    // the draft, freed with this struct even after an error; so is d
  mjData* d;
  SpecObject** list[mjNOBJECT];  // objects by type and id
  int count[mjNOBJECT];
  Pose* frame;        // resolved frames in their bodies, by frame id
  char* frame_state;  // of frame[i]: 0 not computed, 2 being computed, 1 computed
  int nframe;
  BodyWork* body;
  BodyWork* weighed;  // compile_weigh: the result
  GeomWork* geom;
  mjtNum* springdamper;  // time constant and damping ratio of each joint
  AssetSet* assets;
  Skin* skin;                  // by id
  int* slot;                   // plugin of each instance
  struct FlexWork_* flex;      // deformables by id. flex/flex.h
  int ntexdata;                // bytes of all textures, not in the draft
  int user_least[USER_TYPES];  // least length of user data; deleted elements count too
  int simplified;              // 1 after fusestatic and discardvisual were applied
  int doubtful;                // 1 if inertias may have to be mended (tree/repair.h)
  int again;                   // 1 if the draft is to be made once more for that reason
  int makes_data;              // 1 while mj_makeData runs
  const SpecObject* running;   // object whose plugin runs: errors name it; NULL if none
  int nerror;
} Compile;

// Reports an error of an object, or of the whole model if object is NULL, and counts it. Returns 0,
// so that checks can return it.
int compile_error(Compile* c, const SpecObject* object, const char* format, ...) mjPRINTFLIKE(3, 4);

// Reports a warning; the model is compiled nevertheless.
void compile_warning(Compile* c, const SpecObject* object, const char* format, ...)
    mjPRINTFLIKE(3, 4);

// Compiler options of an object: those of the spec in which it was written, also if it was
// attached.
const mjsCompiler* compile_options(const SpecObject* object);

// Does the spec in which an object was written follow a later rule (cndBehaviour)?
int compile_behaves(const SpecObject* object, int behaviour);

// Id of the object with this type and name, -1 if there is none.
int compile_find(const Compile* c, mjtObj type, const mjString* name);

// Like compile_find, for a name in an object. If there is no such object it reports an error and
// returns -1. format: message with %s for the name and optionally %d for the object's id.
int compile_named(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                  const char* format);

// out = in, n numbers, rounded to mjtNum.
void compile_store(mjtNum* out, const double* in, int n);
