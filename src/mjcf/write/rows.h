// rows.h: writing elements by their rows in the schema.

#pragma once

#include "mjcf/write/context.h"

// Attributes that are always written, even with default values, or never, or with all numbers if
// they are written: names separated by spaces, or NULL for none.
typedef struct RowChoice_ {
  const char* always;
  const char* never;
  const char* whole;
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

// Writes the attributes whose values differ from those in defaults, a struct of the same type, or
// NULL for all zeros. Name and class are left to the caller.
void write_rows(Writer* w, const SchemaElement* element, const void* object, const void* defaults,
                const RowChoice* choice);

// Writes a list of words, if there are any.
void write_texts(Writer* w, const char* name, const mjStringVec* list);

// Schema of a section's child by name, or by value (sensor and equality types).
const SchemaElement* write_schema(const char* section, const char* name);
const SchemaElement* write_schemavalue(const char* section, int value);

// The initial values of elements of a type in a class. Orientations are quaternions.
void write_prototype(ElementValues* out, const Writer* w, const SpecObject* class, mjtObj type);

// Makes an orientation a quaternion unless it is to be written as it is; in the same way angles of
// a joint those of the document.
void write_turn(const Writer* w, const SpecObject* object, double quat[4], mjsOrientation* alt);
void write_angles(const Writer* w, const SpecObject* object, mjsJoint* joint);

// own: the values of an element as its author gave them. class: the initial values of elements of
// its class.
void write_values(ElementValues* own, ElementValues* class, const Writer* w,
                  const SpecObject* object);

// Begins an element with its name. write_classed also writes its class, if that is not w->scope.
void write_named(Writer* w, const char* name, const SpecObject* object);
void write_classed(Writer* w, const char* name, const SpecObject* object);

// Writes all elements of a type.
void write_each(Writer* w, mjtObj type, void (*write)(Writer* w, const SpecObject* object));

// Writes the model's user data if the class has other data.
void write_user(Writer* w, const mjtNum* user, int n, const mjDoubleVec* defaults);

// Writes user data of the spec, if the class has other ones.
void write_userof(Writer* w, const mjDoubleVec* user, const mjDoubleVec* defaults);

// The number to write for one of the model: itself or, in single precision, the one with the fewest
// digits that rounds to it.
double write_real(mjtNum value);

// out = write_real(in) for each number
void write_take(double* out, const mjtNum* in, int n);

// The value of a `limited` attribute that gives the model's `actual` one.
int write_limited(const Writer* w, int limited, int actual, const double range[2]);
