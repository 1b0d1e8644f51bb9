// spec.h: the editable model as the reader and the compiler see it.
//
// Behind every public mjs struct (mjsBody, mjsGeom, ...) stands one heap object, SpecObject, that
// never moves: the public struct is a member of it, and the mjsElement that users pass around is
// its first member. So a pointer in either direction is a cast, and user pointers stay good until
// the element is deleted.
//
//   SpecTree                 the mjSpec users hold is its first member
//    |- lists[type]          elements outside the body tree, in order of creation (meshes, ...)
//    |- classes              default classes, root "main"; each holds one prototype per type
//    |- index[type]          name -> object
//    `- world                body; its children of all types hang in ONE list in document order:
//
//     world --first--> geom -> frame f -> body a -> geom (in f) -> body b (in f) <--last-- world
//                                          `--first--> joint -> geom
//
// A frame owns no list: what is inside it are the children of its body whose `frame` is that frame
// (or lies in it). Order within a body is therefore one fact in one place, and moving an element
// into a frame changes one pointer. The wraps of a tendon are its children in the same way, the
// subclasses of a default class too.
//
// Order of ids: bodies depth first, children in document order, world 0; joints, geoms, sites,
// cameras, lights by body, then in document order; everything else in list order. SPEC_EACH visits
// in this order.                                                 theory/model.md, Order of elements

#ifndef CONDYLE_SPEC_SPEC_H_
#define CONDYLE_SPEC_SPEC_H_

#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stddef.h>
#include <stdint.h>

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

// One object wrapped by a spatial tendon, joint of a fixed one, or pulley.
typedef struct SpecWrap_ {
  mjsWrap pub;
  mjtWrap type;  // JOINT, PULLEY, SITE; SPHERE for every geom (the compiler tells cylinders apart)
  mjString target;    // name of the joint, site or geom
  mjString sidesite;  // name of the side site of a geom; may be empty
  double prm;         // joint: coefficient; pulley: divisor
} SpecWrap;

// A default class. The root class has no parent; subclasses are the children of the class object.
typedef struct SpecDefault_ {
  mjsDefault pub;                    // pointers into the prototypes
  SpecObject* prototype[mjNOBJECT];  // one unlisted object per type that has defaults, else NULL
} SpecDefault;

// A plugin instance and its configuration.
typedef struct SpecPlugin_ {
  mjsPlugin pub;
  mjStringVec config;  // key, value, key, value, ...
  int own;             // made for what uses it: copies of that get one of their own
} SpecPlugin;

// Kinds of element with defaults: type, name of the public struct, and member of `as`, which is
// what messages call it too.
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
  mjsElement element;  // elemtype says which member of `as` is valid; mjOBJ_UNKNOWN is a wrap
  SpecTree* tree;      // the spec that owns the object
  SpecTree* origin;    // whose compiler options and directory apply: `tree` unless attached
  int id;              // index in the last compiled model, -1 before

  mjString name;          // empty: nameless
  const char* classname;  // default class it was made from; interned, "" if the type has none
  SpecObject* parent;     // body around; of a wrap: its tendon; of a class: the one above; or NULL
  SpecObject* frame;      // innermost frame around, in the same body; NULL if none
  SpecObject* prev;       // siblings: children of `parent`, or the list of the type
  SpecObject* next;
  SpecObject* first;  // children in document order
  SpecObject* last;
  SpecObject* copy;  // scratch of spec_clone: where the last copy of this object is
  int linked;        // in a list, or a child of something
  int frozen;        // body: its inertial is final, not inferred or checked again (fusestatic)
  int weighed;       // body: its mass and inertia in the last compiled model are those of its geoms
  int registered;    // reachable from the tree: counted, found by name

  SourcePlace place;  // where its author wrote it; file is interned, NULL if made through the API
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

// A model that was read to be attached and is not: no error, but probably a mistake.
typedef struct SpecUnattached_ {
  const char* name;  // interned, like the file of the place
  SourcePlace place;
} SpecUnattached;

struct SpecTree_ {
  mjSpec spec;      // first member: mjSpec* casts to SpecTree*
  SpecObject self;  // the element of the spec itself (mjOBJ_MODEL)
  SpecObject* world;
  SpecObject* main_class;
  SpecList lists[SPEC_NSLOT];  // types outside the body tree
  int count[SPEC_NSLOT];       // registered objects of each type, tree types included
  Hash index[SPEC_NSLOT];      // names of registered objects, kept by linking and spec_rename
  int names_exposed;           // a user holds a writable name: the index may be behind

  Hash interned;  // texts of spec_intern

  mjString error;               // last message
  int is_warning;               // it was a warning only
  cndDiagnostics* diagnostics;  // all problems of reading and compiling; NULL until the first

  // what it compiled to, for writing it: see compile_keep
  mjModel* values;       // NULL: not compiled
  mjStatistic computed;  // statistics before a program changed them
  int copied_back;       // values are those of a model that came back

  int references;       // owner, plus one per spec that has this one as a child
  int attached;         // parts of it were attached elsewhere: it can't be compiled on its own
  int deepcopy;         // attach copies instead of moving
  SpecTree** children;  // specs attached, or read to be, one reference held on each
  int nchild;
  SpecTree* walk;  // scratch of spec_release: the one after it
  int gathered;    // and whether it is in the list already
  int held;        // references from outside what is given back
  SpecUnattached* unattached;
  int nunattached;
  mjIntVec active;          // slots of the plugins that may be used, in order of activation
  Vector vectors[5];        // storage of the handles in `spec`
  SpecPendingKey* pending;  // keyframes that came with attached specs, oldest first
  int npending;             // at key_begin
  int shrunk;               // keyframes have lost numbers since it was compiled
};

// casts

static inline SpecObject* spec_object(const mjsElement* element) {
  return (SpecObject*)(uintptr_t)element;
}

static inline SpecTree* spec_tree(const mjSpec* spec) {
  return (SpecTree*)(uintptr_t)spec;
}

// life of a tree

// A tree with world and main class, one reference; NULL if memory is out.
SpecTree* spec_make(void);

// Gives a reference back and frees the tree with the last one; NULL is fine.
void spec_release(SpecTree* tree);

// Keeps another spec alive as long as tree lives, and known to mjs_findSpec; 0 if memory is out.
int spec_hold(SpecTree* tree, SpecTree* child);

// visiting

// First object of a type in id order (mjOBJ_BODY starts with the world, mjOBJ_DEFAULT with main),
// NULL if there is none; the one after an object of the same type.
SpecObject* spec_first(const SpecTree* tree, mjtObj type);
SpecObject* spec_next(const SpecObject* object);

// First child of a type, NULL if there is none; the next sibling of the same type. Children of a
// body stand in document order, whatever their frame. The wraps of a tendon have type
// mjOBJ_UNKNOWN.
SpecObject* spec_firstchild(const SpecObject* parent, mjtObj type);
SpecObject* spec_nextsibling(const SpecObject* child);

// The body after this one in depth-first order, staying inside the subtree of root (NULL: the whole
// tree); NULL at the end.
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

// Sets the id of every object to its place in id order.
void spec_number(SpecTree* tree);

// Objects of a type in id order in a malloc'ed array of spec_count items, NULL if there are none or
// memory is out.
SpecObject** spec_array(const SpecTree* tree, mjtObj type);

// 1 if the type lives in the body tree (body, frame, joint, geom, site, camera, light).
int spec_intree(mjtObj type);

// making objects

// An unlinked object of a type, initialised from the class's prototype if the type has one, else
// (or cls NULL) from the type's own defaults; NULL if memory is out.
SpecObject* spec_create(SpecTree* tree, mjtObj type, const SpecObject* cls);

// Links an object as last child of a body (or tendon, or class), inside frame (NULL: none); or at
// the end of its type's list.
void spec_link(SpecObject* object, SpecObject* parent, SpecObject* frame);
void spec_unlink(SpecObject* object);

// Links before a sibling instead of at the end.
void spec_linkbefore(SpecObject* object, SpecObject* sibling);

// spec_create and spec_link in one. Without a class (NULL), an element in a body is made from the
// body's childclass, one outside from main; a flex from its type's own values. A new body inherits
// its parent's childclass.                                                 theory/model.md, Editing
SpecObject* spec_add(SpecTree* tree, mjtObj type, SpecObject* parent, const SpecObject* cls);

// A copy, with everything below it, in a tree (may be the same); unlinked. Frames and parents
// inside the copied part point to the copies, so do plugins that were copied to another tree
// before. `copy` of each original says where its copy is. To be called under error_catch.
SpecObject* spec_clone(SpecObject* object, SpecTree* tree);

// Unlinks and frees an object and all its children; NULL is fine.
void spec_destroy(SpecObject* object);

// The public struct of an object (&object->as.geom, ...).
void* spec_public(SpecObject* object);

// The types of elements that may use plugins.
enum {
  SPEC_NUSER = 5,
};
extern const mjtObj spec_users[SPEC_NUSER];

// The use of a plugin that an element holds; NULL if its type has none.
mjsPlugin* spec_pluginof(SpecObject* object);

// The instance that an element uses: that of the name it gives or, if none has it, that it points
// to; NULL if there is none.
SpecObject* spec_instance(const SpecObject* user);

// Does any element of its tree use an instance?
int spec_isused(const SpecObject* instance);

// Lets elements use the plugin of a slot; 0 if memory is out. May they?
int spec_activate(SpecTree* tree, int slot);
int spec_isactive(const SpecTree* tree, int slot);

// names and classes

// Object of a type by name, NULL if there is none; mjOBJ_XBODY finds bodies. An empty name finds
// nothing.
SpecObject* spec_find(const SpecTree* tree, mjtObj type, const char* name);

// Sets a name; 0 if another object of the type has it (the name is set all the same) or memory is
// out.
int spec_rename(SpecObject* object, const char* name);

// Name as text, "" if nameless.
const char* spec_name(const SpecObject* object);

// Name that an asset gets from its file: without directories and from the last '.' on.
int spec_filename(mjString* out, const char* file);

// The file of a mesh, texture, hfield or skin; NULL for other types.
const mjString* spec_file(const SpecObject* object);

// Default class by name, NULL if there is none; "" and NULL find nothing.
SpecObject* spec_class(const SpecTree* tree, const char* name);

// A new class, a copy of parent's present values (NULL: main); NULL if the name exists or memory is
// out.
SpecObject* spec_addclass(SpecTree* tree, const char* name, const SpecObject* parent);

// The class that elements of a body are made from: its childclass, main if that is empty or
// unknown.
SpecObject* spec_bodyclass(const SpecObject* body);

// One copy of a text for the life of the tree; NULL if memory is out.
const char* spec_intern(SpecTree* tree, const char* text);

// Records a model that is not attached, for lint; not recorded if memory is out.
void spec_addunattached(SpecTree* tree, const char* name, SourcePlace place);

// Printable name of a type ("geom", "frame", ...).
const char* spec_typename(mjtObj type);

// handles

// What a string in a public struct refers to, so that one table serves copying, freeing and
// renaming on attach.
typedef enum SpecReference_ {
  SPEC_REF_NONE,     // plain text or numbers
  SPEC_REF_TYPE,     // name of an object of `type`
  SPEC_REF_CLASS,    // name of a default class
  SPEC_REF_DYNAMIC,  // name of an object whose type another field says
} SpecReference;

// One vector-valued member of a public struct.
typedef struct SpecHandle_ {
  size_t offset;  // of the pointer in the public struct
  VectorKind kind;
  SpecReference reference;
  mjtObj type;       // SPEC_REF_TYPE: what is named
  int foreign_only;  // names an asset or class: attach renames only between different specs
} SpecHandle;

// The handles of a type's public struct; *count receives their number. Handle i is stored in
// object->vectors[i].
const SpecHandle* spec_handles(mjtObj type, int* count);

// keyframes

// Fills up the arrays of keyframes that hold some numbers but too few: free joints with the
// identity, other joints with ref as written, even if it is in degrees, the rest of a joint that
// was begun with zeros; mocap bodies, each given whole or not at all, with the pose as written,
// without frames. To be called when something has been attached and when compiling begins. 0 if
// memory is out; the keyframes are what they were then.
int spec_fillkeys(SpecTree* tree);

// Turns keyframes that came with attached specs into keys at the end of the list. Entries that the
// key says nothing about are NaN: they take their value in the reference pose (qpos0, the body's
// pose, zero). To be called when compiling begins. 0 if memory is out.
int spec_flushkeys(SpecTree* tree);

// errors

// Sets the error text of the tree, formatted.
void spec_error(SpecTree* tree, const char* format, ...) mjPRINTFLIKE(2, 3);

// Says in the tree's error that memory is out; returns NULL.
void* spec_nomemory(SpecTree* tree);

// Reports a problem about an object into the tree's diagnostics, and into its error text if none is
// set yet. The message ends with the object's `info`, if any.
void spec_problem(SpecTree* tree, const SpecObject* object, cndSeverity severity,
                  const char* format, ...) mjPRINTFLIKE(4, 5);

// Forgets errors and diagnostics of an earlier run.
void spec_clearerrors(SpecTree* tree);

#endif  // CONDYLE_SPEC_SPEC_H_
