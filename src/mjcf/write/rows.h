// rows.h: elements by their rows in the schema, and their numbers.

#ifndef CONDYLE_MJCF_WRITE_ROWS_H_
#define CONDYLE_MJCF_WRITE_ROWS_H_

#include "mjcf/write/context.h"

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

// Writes the attributes of an element whose values differ from those in fallback, a struct of the
// same type; NULL is all zero. Name and class are left to the caller.
void write_rows(Writer* w, const SchemaElement* element, const void* object, const void* fallback,
                const RowChoice* choice);

// Schema of a child by name or, for those that make one of several types, by value.
const SchemaElement* write_schema(const char* section, const char* name);
const SchemaElement* write_schemavalue(const char* section, int value);

// The values that elements of a type start from in a class; orientations are quaternions.
void write_prototype(ElementValues* out, const SpecObject* class, mjtObj type);

// The values of an element as its author gave them, and what an element of its class starts from.
void write_values(ElementValues* own, ElementValues* class, const Writer* w,
                  const SpecObject* object);

// Begins an element with its name; the other one also with its class, if that is not the one that
// elements have here by themselves.
void write_named(Writer* w, const char* name, const SpecObject* object);
void write_classed(Writer* w, const char* name, const SpecObject* object);

// Elements of a type, one after the other.
void write_each(Writer* w, mjtObj type, void (*write)(Writer* w, const SpecObject* object));

// User data: what the model has, if the class would give something else.
void write_user(Writer* w, const mjtNum* user, int n, const mjDoubleVec* fallback);

// The real number that one of the model stands for: itself or, in single precision, the one with
// the fewest digits that rounds to it.
double write_real(mjtNum value);

// out = in, each as by write_real
void write_take(double* out, const mjtNum* in, int n);

// The attribute that makes a limit what it is in the model.
int write_limited(const Writer* w, int limited, int actual, const double range[2]);

#endif  // CONDYLE_MJCF_WRITE_ROWS_H_
