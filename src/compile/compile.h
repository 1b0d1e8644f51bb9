// compile.h: what the parts of the compiler share while they turn an editable model into an
// mjModel.
//
//   SpecTree --number--> lists in id order --sizes--> draft mjModel, filled by one file per kind
//                                                          | derive_sizes, copy
//                                                          v
//       trial step <-- mj_setConst <-- patterns, trees <-- final mjModel
//
// Some sizes (the sparse patterns, the box trees) follow from numbers that are only known once the
// elements are compiled. So the elements are compiled into a draft, an mjModel without those
// arrays, and every element type is written straight to where it belongs, once. Of the
// editable model only what the format demands is changed (names of assets, keyframes up to nkey),
// so compiling twice gives the same model twice.
//
// A problem of one element is reported and the compiler goes on with the next, so an author sees
// all of them in one go. What is read after a reported problem may be meaningless but never out of
// bounds.                                                        theory/model.md, Compilation order

#ifndef CONDYLE_COMPILE_COMPILE_H_
#define CONDYLE_COMPILE_COMPILE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stdint.h>

#include "base/pose.h"
#include "compile/tree/inertia.h"
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

// Gives a spec the numbers of its model that it is written with; a model of NULL takes them away. 0
// if memory is out.
int compile_keep(SpecTree* tree, const mjModel* m);

// Signature of what is compiled: who hangs where, how many of each type, not their names or
// numbers; never 0. mjData made for one model must not be used with another one, and values of a
// model can only be copied back to the spec it came from. Both are checked by comparing signatures:
// equal structures have equal ones, and by all likelihood only they.    theory/model.md, Signature
uint64_t compile_signature(const Compile* c);

// Compiles a tree whose diagnostics of reading are kept; NULL if there are errors. mj_compile
// forgets them first.
mjModel* compile_tree(SpecTree* tree, const mjVFS* vfs);

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

// Gives ids, fills the lists, names nameless assets, checks names and kinds of element. number.c
int compile_number(Compile* c);

// Counts everything that follows from the lists alone into m's sizes. size.c
void compile_sizes(Compile* c, mjModel* m);

// nsensordata.                                                                   mechanism/sensor.c
void compile_sensorsizes(Compile* c, mjModel* m);

// Could the sensors of a model with valid ids have been compiled?                mechanism/sensor.c
int compile_soundsensors(const mjModel* m);

// nplugin, npluginattr; finds the plugins of all instances and of who uses them.
//                                                                                mechanism/plugin.c
void compile_pluginsizes(Compile* c, mjModel* m);

// Instance that an element uses, -1 if it uses none.
int compile_plugin(const Compile* c, const SpecObject* object);

// The value that an instance has for an attribute, "" if it has none.
const char* compile_config(const SpecObject* instance, const char* key);

// user_* arrays: resolves nuser_* (sizes of m), then writes them. user.c
void compile_usersizes(Compile* c, mjModel* m);
void compile_user(Compile* c);

// Resolves the frames of all bodies. tree/frame.c
void compile_frames(Compile* c);

// pose as seen from the body: pose, given inside the frame of an object.
void frame_apply(const Compile* c, const SpecObject* object, Pose* pose);

// Pose of the innermost frame around an object, identity if there is none.
const Pose* frame_of(const Compile* c, const SpecObject* object);

// Overwrites quat by the alternative orientation, if one is given. 0 and an error if it is invalid:
// format takes its text and, if it has room for it, the object's id.
int frame_orientation(Compile* c, const SpecObject* object, double quat[4],
                      const mjsOrientation* alt, const char* format);

// Bodies with everything in them. tree/body.c
void compile_bodies(Compile* c);

// Elements of one body; called by compile_bodies once the body's frames are final.
void compile_geom(Compile* c, SpecObject* object);    // tree/geom.c
void write_geom(Compile* c, SpecObject* object);      // after inertia and alignment
void compile_joint(Compile* c, SpecObject* object);   // tree/joint.c
void compile_site(Compile* c, SpecObject* object);    // tree/site.c
void compile_camera(Compile* c, SpecObject* object);  // tree/camera.c
void compile_light(Compile* c, SpecObject* object);   // tree/camera.c

// 1 if the range of an object is in force. `empty` is the error if it is empty then; NULL: that is
// the caller's to judge. prefix ("", "ctrl", ...) begins the names of the range's two attributes.
int limit_active(Compile* c, const SpecObject* object, const char* prefix, int limited,
                 const double range[2], const char* empty);  // mechanism/limit.c

// Rewrites the spec of what has been compiled into the draft. 1 if there was anything to do: then
// the draft, and all of c but its tree, is out of date.
int simplify(Compile* c);  // tree/simplify.c

// Elements outside the body tree.
void compile_textures(Compile* c);  // asset/material.c
void compile_texturedata(Compile* c);
void compile_materials(Compile* c);
void compile_contacts(Compile* c);        // mechanism/contact.c
void compile_equalities(Compile* c);      // mechanism/equality.c
void compile_tendons(Compile* c);         // mechanism/tendon.c
void compile_actuators(Compile* c);       // mechanism/actuator.c
void compile_custom(Compile* c);          // mechanism/custom.c
void compile_contactoptions(Compile* c);  // the same; after compile_names
void compile_sensors(Compile* c);         // mechanism/sensor.c
void compile_keyframes(Compile* c);       // mechanism/keyframe.c

// What plugins say of their sizes, when all elements are in the draft.
void compile_plugins(Compile* c);        // mechanism/plugin.c
void compile_pluginsensors(Compile* c);  // mechanism/sensor.c

// Id of the material of an object, -1 if it names none; an error if there is no such material.
int compile_material(Compile* c, const SpecObject* object, const mjString* material);

// names, names_map and paths: sizes of m, then contents. name.c
void compile_namesizes(Compile* c, mjModel* m);
void compile_names(Compile* c);

#endif  // CONDYLE_COMPILE_COMPILE_H_
