// spec.h: the editable model as the reader and the compiler see it.
//
// Behind every public mjs struct (mjsBody, mjsGeom, ...) stands one heap object, SpecObject, that
// never moves: the public struct is a member of it, and the mjsElement that users pass around is
// its first member. So a cast converts either pointer to the other, and user pointers stay valid
// until the element is deleted.
//
//   SpecTree                 the mjSpec users hold is its first member
//    |- lists[type]          elements outside the body tree, in order of creation (meshes, ...)
//    |- classes              default classes, root "main"; each holds one prototype per type
//    |- index[type]          name -> object
//    `- world                body; its children of all types are in ONE list in document order:
//
//     world --first--> geom -> frame f -> body a -> geom (in f) -> body b (in f) <--last-- world
//                                          `--first--> joint -> geom
//
// A frame owns no list. Its content is all children of its body whose `frame` is that frame or a
// frame inside it. So the order within a body is stored once, and moving an element into a frame
// changes one pointer. In the same way the wraps of a tendon and the subclasses of a default class
// are its children.
//
// Order of ids: bodies depth first, children in document order, world 0; joints, geoms, sites,
// cameras, lights by body, then in document order; everything else in list order. SPEC_EACH visits
// in this order.                                           theory/model/model.md, Order of elements

#pragma once

#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stddef.h>
#include <stdint.h>

#include "base/algebra/pose.h"
#include "base/diagnostic.h"
#include "base/hash.h"
#include "spec/vector.h"

typedef struct SpecObject_ SpecObject;
typedef struct SpecTree_ SpecTree;
typedef struct SpecKeyValue_ SpecKeyValue;
typedef struct SpecPendingKey_ SpecPendingKey;

// Number of type slots: the mjtObj below mjNOBJECT, frames, default classes.
enum {
  SPEC_SLOT_FRAME = mjNOBJECT,
  SPEC_SLOT_DEFAULT,
  SPEC_NSLOT,
};

// One element of a tendon's path: a wrapped object, the joint of a fixed tendon, or a pulley.
typedef struct SpecWrap_ {
  mjsWrap pub;
  mjString target;    // name of the joint, site or geom
  mjString sidesite;  // name of the side site of a geom; may be empty
  double prm;         // joint: coefficient; pulley: divisor
} SpecWrap;

// A default class. The root class has no parent; subclasses are the children of the class object.
typedef struct SpecDefault_ {
  mjsDefault pub;                    // pointers to the prototypes
  SpecObject* prototype[mjNOBJECT];  // one unlisted object per type that has defaults, else NULL
} SpecDefault;

// A plugin instance and its configuration.
typedef struct SpecPlugin_ {
  mjsPlugin pub;
  mjStringVec config;  // key, value, key, value, ...
  int own;             // made for one element; a copy of that element gets its own instance
} SpecPlugin;

// Kinds of elements: type, name of the public struct, and member of `as`, which is also the name in
// messages.
#define SPEC_KINDS(KIND)                   \
  KIND(mjOBJ_BODY, Body, body)             \
  KIND(mjOBJ_FRAME, Frame, frame)          \
  KIND(mjOBJ_JOINT, Joint, joint)          \
  KIND(mjOBJ_GEOM, Geom, geom)             \
  KIND(mjOBJ_SITE, Site, site)             \
  KIND(mjOBJ_CAMERA, Camera, camera)       \
  KIND(mjOBJ_LIGHT, Light, light)          \
  KIND(mjOBJ_FLEX, Flex, flex)             \
  KIND(mjOBJ_MESH, Mesh, mesh)             \
  KIND(mjOBJ_SKIN, Skin, skin)             \
  KIND(mjOBJ_HFIELD, HField, hfield)       \
  KIND(mjOBJ_TEXTURE, Texture, texture)    \
  KIND(mjOBJ_MATERIAL, Material, material) \
  KIND(mjOBJ_PAIR, Pair, pair)             \
  KIND(mjOBJ_EQUALITY, Equality, equality) \
  KIND(mjOBJ_TENDON, Tendon, tendon)       \
  KIND(mjOBJ_ACTUATOR, Actuator, actuator) \
  KIND(mjOBJ_SENSOR, Sensor, sensor)       \
  KIND(mjOBJ_NUMERIC, Numeric, numeric)    \
  KIND(mjOBJ_TEXT, Text, text)             \
  KIND(mjOBJ_TUPLE, Tuple, tuple)          \
  KIND(mjOBJ_KEY, Key, key)

struct SpecObject_ {
  mjsElement element;  // elemtype tells the valid member of `as`; mjOBJ_UNKNOWN is a wrap
  SpecTree* tree;      // the spec that owns the object
  SpecTree* origin;    // the spec whose compiler options apply: `tree` unless attached
  int id;              // index in the last compiled model, -1 before

  mjString name;          // empty if nameless
  const char* classname;  // default class it was made from; interned, "" if the type has none
  SpecObject* parent;     // body around it, tendon of a wrap, or superclass of a class; or NULL
  SpecObject* frame;      // innermost enclosing frame, in the same body; NULL if none
  SpecObject* prev;       // siblings: children of `parent`, or the list of the type
  SpecObject* next;
  SpecObject* first;  // children in document order
  SpecObject* last;
  SpecObject* copy;  // scratch: the last copy of this object by spec_clone
  int linked;        // 1 if in a list or a child of something
  int frozen;        // body whose inertial is final: not inferred or checked again (fusestatic)
  int weighed;       // body whose mass and inertia were inferred from geoms in the last model
  int registered;    // 1 if reachable from the tree: counted, and found by name
  int kept;          // its memory is freed with the tree (cnd_keepElement)
  double* stretch;   // 3x3 map of a mesh whose scale is not along its axes, else NULL

  SourcePlace place;         // place in the model file; file is interned, NULL without one
  SpecKeyValue* uservalues;  // mjs_setUserValue
  Vector* vectors;           // storage of all handles in `as`

  union {
    mjsBody body;
    mjsFrame frame;
    mjsJoint joint;
    mjsGeom geom;
    mjsSite site;
    mjsCamera camera;
    mjsLight light;
    mjsFlex flex;
    mjsMesh mesh;
    mjsSkin skin;
    mjsHField hfield;
    mjsTexture texture;
    mjsMaterial material;
    mjsPair pair;
    mjsExclude exclude;
    mjsEquality equality;
    mjsTendon tendon;
    mjsActuator actuator;
    mjsSensor sensor;
    mjsNumeric numeric;
    mjsText text;
    mjsTuple tuple;
    mjsKey key;
    SpecWrap wrap;
    SpecDefault classdef;
    SpecPlugin plugin;
  } as;
};

typedef struct SpecList_ {
  SpecObject* first;
  SpecObject* last;
} SpecList;

// A model that was read for attaching but never attached: no error, but probably a mistake.
typedef struct SpecUnattached_ {
  const char* name;  // interned, like the file of the place
  SourcePlace place;
} SpecUnattached;

// The word of the latest release that a text uses, and where first.
typedef struct SpecLater_ {
  int dialect;  // its release; 0: there is none
  const char *word, *element;
  SourcePlace place;
} SpecLater;

struct SpecTree_ {
  mjSpec spec;      // first member: mjSpec* casts to SpecTree*
  SpecObject self;  // element of the spec itself (mjOBJ_MODEL)
  SpecObject* world;
  SpecObject* main_class;
  SpecList lists[SPEC_NSLOT];  // types outside the body tree
  int count[SPEC_NSLOT];       // registered objects of each type, tree types included
  Hash index[SPEC_NSLOT];      // names of registered objects, kept by linking and spec_rename
  int names_exposed;           // a user holds a writable name, so the index may be outdated

  Hash interned;  // texts of spec_intern

  mjString error;               // last message
  int is_warning;               // 1 if error holds a warning only
  mjStringVec conflicts;        // what setting_meet notes; stays until the tree is freed
  double timer[mjNCTIMER];      // seconds of the last compilation
  cndDiagnostics* diagnostics;  // all problems of reading and compiling; NULL until the first

  // values of the compiled model, for writing it (compile_keep)
  mjModel* values;       // NULL if not compiled
  mjStatistic computed;  // statistics before a program changed them
  SpecLater later;       // texts are interned
  SourcePlace ruled;     // where its dialect or a behaviour is given; file is interned
  int copied_back;       // values come from a model that was copied back
  SpecTree* scaled;      // the copy that was compiled, if frames have scales, else NULL

  // what mjs_getId tells
  int added;  // 1 if elements were added to the body tree since it was numbered: they have no ids
  int moved;  // 1 if elements were deleted or attached since it was compiled: ids follow the order

  int references;       // one of the owner, and one per spec that has this one as a child
  int attached;         // 1 if parts were moved to another spec: it can't be compiled
  int deepcopy;         // attach copies instead of moving
  SpecTree** children;  // attached specs, or read for attaching; one reference is held on each
  int nchild;
  SpecTree* walk;  // scratch of spec_release: next spec in the list
  int gathered;    // 1 if in that list
  int held;        // references from outside the released specs
  SpecUnattached* unattached;
  int nunattached;
  mjIntVec active;          // slots of the active plugins, in order of activation
  Vector vectors[5];        // storage of the handles in `spec`
  SpecPendingKey* pending;  // keyframes that came with attached specs, oldest first
  int npending;             // npending at key_begin
  int shrunk;               // 1 if keyframes have lost numbers since it was compiled
  int keeps_keys;           // 1 while elements are deleted whose numbers keys don't have
  SpecObject* deleted;      // memory of deleted objects that were kept, linked by `next`
  int lenient;              // 1 for robots: inertias that no rigid body has are warnings
  int sketch;               // 1 if only what collides is of interest: compiled without the rest
  int stores;               // 1 if compiled meshes are kept on disk (base/store.h)
  int beyond;               // 1 once something was found that the reference refuses
};

// casts

static inline SpecObject* spec_object(const mjsElement* element) {
  return (SpecObject*)(uintptr_t)element;
}

static inline SpecTree* spec_tree(const mjSpec* spec) {
  return (SpecTree*)(uintptr_t)spec;
}

// life of a tree

// Start values of the main class that follow from behaviours (bits): by the later rule of the
// compiler a tendon's range of actuator forces applies if it is given.
void spec_setrules(SpecTree* tree, int behaviour);

// A tree with world and main class, one reference; NULL if memory runs out.
SpecTree* spec_make(void);

// Drops a reference, and frees the tree with the last one. tree may be NULL.
void spec_release(SpecTree* tree);

// A copy with all elements, those with unresolved references, too. `copy` of each element of the
// copy is its original. NULL if memory runs out.
SpecTree* spec_copy(SpecTree* tree);

// Lets a copy live with its original alone: it drops its references to other specs, which the
// original has as well.
void spec_settle(SpecTree* copy);

// Keeps another spec alive as long as tree, and lets mjs_findSpec find it. Returns 0 if memory
// runs out.
int spec_hold(SpecTree* tree, SpecTree* child);

// visiting

// spec_first: the first object of a type in id order (the world for mjOBJ_BODY, main for
// mjOBJ_DEFAULT). spec_next: the next object of the same type. NULL if there is none.
SpecObject* spec_first(const SpecTree* tree, mjtObj type);
SpecObject* spec_next(const SpecObject* object);

// The first child of a type, and the next sibling of the same type; NULL if there is none. Children
// of a body are in document order, whatever their frame. The wraps of a tendon have type
// mjOBJ_UNKNOWN.
SpecObject* spec_firstchild(const SpecObject* parent, mjtObj type);
SpecObject* spec_nextsibling(const SpecObject* child);

// The next body in depth-first order within the subtree of root (NULL for the whole tree). NULL at
// the end.
SpecObject* spec_nextbody(const SpecObject* body, const SpecObject* root);

// for (SPEC_EACH(geom, tree, mjOBJ_GEOM)): all objects of a type in id order.
#define SPEC_EACH(it, tree, type)          \
  SpecObject* it = spec_first(tree, type); \
  it;                                      \
  it = spec_next(it)

// for (SPEC_EACH_CHILD(joint, body, mjOBJ_JOINT)): children of one type. The body of the loop must
// not unlink `it`.
#define SPEC_EACH_CHILD(it, parent, type)         \
  SpecObject* it = spec_firstchild(parent, type); \
  it;                                             \
  it = spec_nextsibling(it)

// for (SPEC_EACH_ANY(child, body)): children of every type, in document order.
#define SPEC_EACH_ANY(it, parent_)   \
  SpecObject* it = (parent_)->first; \
  it;                                \
  it = it->next

// Number of linked objects of a type, world included.
int spec_count(const SpecTree* tree, mjtObj type);

// Sets the ids of all objects.
void spec_number(SpecTree* tree);

// All objects of a type in id order, in an array of spec_count items that the caller frees. NULL if
// there are none or memory runs out.
SpecObject** spec_array(const SpecTree* tree, mjtObj type);

// Is it a type of the body tree (body, frame, joint, geom, site, camera, light)?
int spec_intree(mjtObj type);

// making objects

// An unlinked object, initialised from the class's prototype of the type. Without class or
// prototype it gets the type's own defaults. NULL if memory runs out.
SpecObject* spec_create(SpecTree* tree, mjtObj type, const SpecObject* cls);

// Links an object as the last child of a body, tendon or class, inside frame (may be NULL). Without
// a parent it goes to the end of its type's list.
void spec_link(SpecObject* object, SpecObject* parent, SpecObject* frame);
void spec_unlink(SpecObject* object);

// Links before a sibling instead of at the end.
void spec_linkbefore(SpecObject* object, SpecObject* sibling);

// spec_create and spec_link in one. If cls is NULL, an element in a body is made from the body's
// childclass, a flex from its type's defaults, and any other element from main. A new body inherits
// its parent's childclass.                                           theory/model/model.md, Editing
SpecObject* spec_add(SpecTree* tree, mjtObj type, SpecObject* parent, const SpecObject* cls);

// An unlinked copy of an object, with everything below it, in a tree (may be the same). References
// to frames, parents and (in another tree) copied plugins point to the copies. `copy` of each
// original points to its copy. To be called under error_catch.
SpecObject* spec_clone(SpecObject* object, SpecTree* tree);

// Unlinks and frees an object and all its children. object may be NULL.
void spec_destroy(SpecObject* object);

// The public struct of an object (&object->as.geom, ...).
void* spec_public(SpecObject* object);

// The types of elements that may use plugins.
enum {
  SPEC_NUSER = 5,
};
extern const mjtObj spec_users[SPEC_NUSER];

// The member of an element that tells which plugin it uses; NULL if its type has none.
mjsPlugin* spec_pluginof(SpecObject* object);

// The plugin instance of an element: the one with the given name, else the one that it points to.
// NULL if there is none.
SpecObject* spec_instance(const SpecObject* user);

// Does any element of its tree use an instance?
int spec_isused(const SpecObject* instance);

// spec_activate lets elements use the plugin of a slot; it returns 0 if memory runs out.
// spec_isactive tells whether they may.
int spec_activate(SpecTree* tree, int slot);
int spec_isactive(const SpecTree* tree, int slot);

// names and classes

// The object of this type and name, NULL if there is none or the name is empty. mjOBJ_XBODY finds
// bodies.
SpecObject* spec_find(const SpecTree* tree, mjtObj type, const char* name);

// Sets a name. Returns 0 if memory runs out, or if another object of the type has the name (it is
// set nevertheless).
int spec_rename(SpecObject* object, const char* name);

// The name as text, "" if there is none.
const char* spec_name(const SpecObject* object);

// The name that an asset gets from its file: the file's name without directories and without the
// last '.' and what follows.
int spec_filename(mjString* out, const char* file);

// The file of a mesh, texture, hfield or skin; NULL for other types.
const mjString* spec_file(const SpecObject* object);

// The default class of this name, NULL if there is none or the name is "" or NULL.
SpecObject* spec_class(const SpecTree* tree, const char* name);

// A new class with the present values of parent (NULL for main). NULL if the name exists or
// memory runs out.
SpecObject* spec_addclass(SpecTree* tree, const char* name, const SpecObject* parent);

// The class of new elements in a body: its childclass, or main if that is empty or unknown.
SpecObject* spec_bodyclass(const SpecObject* body);

// The pose of an element in its body: the given one, composed with the frames around it, from the
// spec alone. An orientation that is none is not turned; the compiler reports it.
void spec_pose(Pose* out, const SpecObject* object, const double pos[3], const double quat[4],
               const mjsOrientation* alt);

// The same of a frame.
void spec_framepose(Pose* out, const SpecObject* frame);

// A copy of a text that lives as long as the tree; equal texts share it. NULL if memory runs out.
const char* spec_intern(SpecTree* tree, const char* text);

// Records a model that is not attached, for lint. Does nothing if memory runs out.
void spec_addunattached(SpecTree* tree, const char* name, SourcePlace place);

// Printable name of a type ("geom", "frame", ...).
const char* spec_typename(mjtObj type);

// handles

// What a string in a public struct refers to. One table then serves copying, freeing and renaming
// on attach.
typedef enum SpecReference_ {
  SPEC_REF_NONE,     // plain text or numbers
  SPEC_REF_TYPE,     // name of an object of `type`
  SPEC_REF_CLASS,    // name of a default class
  SPEC_REF_DYNAMIC,  // name of an object; another field tells its type
} SpecReference;

// One vector-valued member of a public struct.
typedef struct SpecHandle_ {
  size_t offset;  // offset of the pointer in the public struct
  VectorKind kind;
  SpecReference reference;
  mjtObj type;       // type of the named object, for SPEC_REF_TYPE
  int foreign_only;  // an asset or class, which attach renames only between different specs
} SpecHandle;

// The handles of a type's public struct and their number. Handle i is stored in object->vectors[i].
const SpecHandle* spec_handles(mjtObj type, int* count);

// keyframes

// Fills the arrays of keyframes that have some numbers but too few. Free joints get the identity.
// Other joints get ref as written, even in degrees; the rest of a partly given joint is zero. Mocap
// bodies, given as a whole or not at all, get their pose as written, without frames. To be called
// when something has been attached and when compiling begins. Returns 0, with the keyframes
// unchanged, if memory runs out.
int spec_fillkeys(SpecTree* tree);

// Turns pending keyframes of attached specs into keys at the end of the list. Entries that a key
// does not give are NaN, and later take their value in the reference pose (qpos0, the body's pose,
// zero). To be called when compiling begins. Returns 0 if memory runs out.
int spec_flushkeys(SpecTree* tree);

// errors

// Sets the error text of the tree, formatted.
void spec_error(SpecTree* tree, const char* format, ...) mjPRINTFLIKE(2, 3);

// Where an object is written, for the end of a message: ", in line 3 of a.xml", or "" if it is not
// from a text. The file is left out if `beside` (may be NULL) is from the same one.
typedef struct PlaceText_ {
  char text[200];
} PlaceText;

PlaceText spec_placetext(const SpecObject* beside, const SpecObject* object);

// Sets the tree's error to "out of memory". Returns NULL.
void* spec_nomemory(SpecTree* tree);

// Adds a problem about an object to the tree's diagnostics, and sets the error text if there is
// none yet. The message ends with the object's `info`, if any.
void spec_problem(SpecTree* tree, const SpecObject* object, cndSeverity severity,
                  const char* format, ...) mjPRINTFLIKE(4, 5);

// The text that follows the object in messages; NULL for types without.
mjString* spec_info(const SpecObject* object);

// Forgets errors and diagnostics of an earlier run.
void spec_clearerrors(SpecTree* tree);
