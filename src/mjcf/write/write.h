// write.h: from an editable model and what it compiles to, back to MJCF.
//
// Structure, names, classes and files come from the spec; numbers come from the compiled model, so
// that frames are composed, angles are radians, shortcuts are expanded and whatever a program has
// changed in the model since is in the file. An element is written by the rows of the same schema
// that reads it: its public struct is copied, the copy is filled with the model's numbers, and
// every row whose value is not what the element would have from its class is written.
//
//   spec object --copy--> mjsGeom <--numbers-- mjModel
//                            | rows of <geom>          differs from the class's mjsGeom?
//                            v
//                     <geom name=".." size=".."/>
//                                                                         theory/format.md, Writing

#ifndef CONDYLE_MJCF_WRITE_WRITE_H_
#define CONDYLE_MJCF_WRITE_WRITE_H_

#include <mujoco/mjspec.h>

#include "mjcf/schema.h"
#include "spec/spec.h"

// An element that is being written.
typedef struct OpenElement_ {
  const char* name;
  size_t start;  // where its text begins, and that of its parent's ">" if it is the first child
  int first;     // it is the first child
  int attributes;
  int children;
} OpenElement;

// The text so far.
typedef struct Writer_ {
  const SpecTree* tree;
  const mjModel* m;       // the numbers: no names, vertices, pixels, patterns in it
  const SpecTree* blank;  // an empty spec: built-in defaults
  int expanded;           // lengths and damping that the compiler found are written too
  int joined;             // asset directories are in the file names, for they differ
  const char* scope;      // class that elements of the tree have by themselves
  char* opened;           // by frame id: was open before, can't be opened again
  char** instance;        // by id of plugin instance: its name, NULL if it stands where it is used

  char* text;
  size_t size, capacity;
  OpenElement* open;
  int depth, maxdepth;
} Writer;

// Attributes that are written though they have their default, or never; names with spaces between
// them, NULL for none.
typedef struct RowChoice_ {
  const char* always;
  const char* never;
} RowChoice;

// A copy of an element's public struct, to be filled with the model's numbers.
typedef union ElementValues_ {
  mjsBody body;
  mjsJoint joint;
  mjsGeom geom;
  mjsSite site;
  mjsCamera camera;
  mjsLight light;
  mjsMesh mesh;
  mjsHField hfield;
  mjsTexture texture;
  mjsMaterial material;
  mjsPair pair;
  mjsEquality equality;
  mjsTendon tendon;
  mjsActuator actuator;
  mjsSensor sensor;
} ElementValues;

// text

void write_begin(Writer* w, const char* name);
void write_end(Writer* w);

// Ends an element, or takes it back if it has neither attributes nor children.
void write_enddrop(Writer* w);

void write_text(Writer* w, const char* attribute, const char* value);
void write_given(Writer* w, const char* attribute, const mjString* value);  // unless it is empty
void write_key(Writer* w, const char* attribute, const SchemaKey* keys, int value);
void write_int(Writer* w, const char* attribute, int value);
void write_reals(Writer* w, const char* attribute, const double* value, int n);
void write_numbers(Writer* w, const char* attribute, const mjtNum* value, int n);

// perrow numbers on a line of their own each; 0: all on one line
void write_singles(Writer* w, const char* attribute, const float* value, int n, int perrow);

// Writes a comment, if it can be one.
void write_comment(Writer* w, const char* text);

// elements by their rows

// Writes the attributes of an element whose values differ from those in fallback, a struct of the
// same type; NULL is all zero. Name and class are left to the caller.
void write_rows(Writer* w, const SchemaElement* element, const void* object, const void* fallback,
                const RowChoice* choice);

// Schema of a child by name or, for those that make one of several types, by value.
const SchemaElement* write_schema(const char* section, const char* name);
const SchemaElement* write_schemavalue(const char* section, int value);

// The values of an element as its author gave them, and what an element of its class starts from.
void write_values(ElementValues* own, ElementValues* class, const Writer* w,
                  const SpecObject* object);

// Begins an element with its name; the other one also with its class, if that is not the one that
// elements have here by themselves.
void write_named(Writer* w, const char* name, const SpecObject* object);
void write_classed(Writer* w, const char* name, const SpecObject* object);

// Elements of a type, one after the other.
void write_each(Writer* w, mjtObj type, void (*write)(Writer* w, const SpecObject* object));

// An element of the deformable section (write/asset.c).
void write_skin(Writer* w, const SpecObject* object);

// User data: what the model has, if the class would give something else.
void write_user(Writer* w, const mjtNum* user, int n, const mjDoubleVec* fallback);

// The real number that one of the model stands for: itself or, in single precision, the one with
// the fewest digits that rounds to it.
double write_real(mjtNum value);

// out = in, each as by write_real
void write_take(double* out, const mjtNum* in, int n);

// The attribute that makes a limit what it is in the model.
int write_limited(const Writer* w, int limited, int actual, const double range[2]);

// sections, in the order of the document

void write_compiler(Writer* w);
void write_option(Writer* w);
void write_size(Writer* w);
void write_visual(Writer* w);
void write_statistic(Writer* w);
void write_default(Writer* w);
void write_extension(Writer* w);
void write_custom(Writer* w);
void write_asset(Writer* w);
void write_worldbody(Writer* w);
void write_contact(Writer* w);
void write_deformable(Writer* w);
void write_equality(Writer* w);
void write_tendon(Writer* w);
void write_actuator(Writer* w);
void write_sensor(Writer* w);
void write_keyframe(Writer* w);

// the use of a plugin: as a child of its user, or as the user's attributes and children

void write_use(Writer* w, const SpecObject* user);
void write_pluginof(Writer* w, const SpecObject* user);
void write_configof(Writer* w, const SpecObject* user);

// elements that stand in classes too: what rows can't say

void write_layers(Writer* w, const mjsMaterial* material, const mjsMaterial* fallback);
void write_camerarows(Writer* w, const SchemaElement* element, const mjsCamera* camera,
                      const mjsCamera* fallback);
void write_springlength(Writer* w, const mjsTendon* tendon, const mjsTendon* fallback);

#endif  // CONDYLE_MJCF_WRITE_WRITE_H_
