// schema.h: the grammar of MJCF as one table of elements and attributes.
//
// A row tells how an attribute is checked and read, where its value is stored in the editable
// model, and its default. So checking, reading, writing and the printed reference can't disagree.
// Code exists only for what a row can't express: values that depend on other attributes, and
// elements that make several objects.
//
//   element "joint" *  ->  rows "type" "pos" "axis" ...
//      |                     each: name, kind, counts, keywords, default, flags, destination
//      `- children (tables of the same kind; "body" is a child of itself)
//
// A class (<default>) accepts an element's rows except those flagged OWN, and none of its children.
// [theory/model/format.md, Schema]

#pragma once

#include <stddef.h>

// How an attribute's text is read.
typedef enum AttributeKind_ {
  ATTR_REAL,         // min..max numbers into an array; fewer than max leave the rest of the array
  ATTR_QUAT,         // 4 numbers, not all zero; an orientation
  ATTR_ALTERNATIVE,  // numbers of an alternative orientation; also sets mjsOrientation.type (value)
  ATTR_INT,          // one integer, alone
  ATTR_INTS,         // min..max integers into an array
  ATTR_KEY,          // keyword of a map
  ATTR_BIT,          // keyword of a map that sets (1) or clears (0) bit `value` of an int
  ATTR_TEXT,         // any text
  ATTR_FILE,         // file name
  ATTR_NAME,         // name of the element itself
  ATTR_CLASS,        // name of a default class
  ATTR_REFERENCE,    // name of another element, of object type `value`
  ATTR_REALS,        // numbers into a growable array
  ATTR_SINGLES,      // ATTR_REALS rounded to single precision
  ATTR_INTEGERS,     // integers into a growable array
  ATTR_TEXTS,        // words into a list of texts
} AttributeKind;

// The type of the field that stores an attribute's value.
typedef enum AttributeStore_ {
  STORE_CODE,  // no field: code reads it
  STORE_BYTE,
  STORE_INT,
  STORE_SIZE,
  STORE_SINGLE,
  STORE_DOUBLE,
  STORE_HANDLE,  // pointer to a string or growable array
} AttributeStore;

enum {
  ROW_REQUIRED = 1,  // must be given
  ROW_OWN = 2,       // can't be given in a class
  ROW_ANGLE = 4,     // in the compiler's angular unit
};

enum {
  ELEMENT_CLASS = 1,      // in a <default>: rows flagged OWN don't exist, nothing is required
  ELEMENT_UNCHECKED = 2,  // unknown attributes and repeated children inside are no errors
  ELEMENT_IGNORED = 4,    // accepted here, without effect
};

// One word of a keyword attribute. A list ends with a NULL word.
typedef struct SchemaKey_ {
  const char* word;
  int value;
} SchemaKey;

// One attribute. A list ends with a NULL name.
typedef struct SchemaRow_ {
  const char* name;
  AttributeKind kind;
  int min, max;           // number of values; max is -1 for any number
  const SchemaKey* keys;  // ATTR_KEY, ATTR_BIT
  int value;              // ATTR_BIT: bit; ATTR_ALTERNATIVE: mjtOrientation; ATTR_REFERENCE: mjtObj
  const char* fallback;   // default as written in a file; NULL if none
  int flags;              // ROW_*
  AttributeStore store;
  size_t offset;  // offset in the struct that the element's reader fills
} SchemaRow;

enum {
  SCHEMA_NGROUP = 12,
};

// One element in its context. A list ends with a NULL name.
typedef struct SchemaElement_ SchemaElement;
struct SchemaElement_ {
  const char* name;
  char rule;  // '?' at most once, '*' any number, '!' exactly once, 'R' any number and recursive
  int flags;  // ELEMENT_*
  int value;  // mjtSensor or mjtEq that the element makes, if any
  const SchemaElement* children;           // NULL if none
  const SchemaRow* groups[SCHEMA_NGROUP];  // its attributes, up to the first NULL
};

// The root element.
const SchemaElement* schema_root(void);

// Attribute of an element by name, NULL if there is none.
const SchemaRow* schema_row(const SchemaElement* element, const char* name);

// The i-th attribute of an element, NULL beyond the last.
const SchemaRow* schema_rowat(const SchemaElement* element, int i);

// Child of an element by name, NULL if it can't have such a child.
const SchemaElement* schema_child(const SchemaElement* element, const char* name);

// The i-th number of a field.
double schema_number(const void* field, AttributeStore store, int i);

// Key of a word, NULL if the list has no such word.
const SchemaKey* schema_key(const SchemaKey* keys, const char* word);

// Word of a value, NULL if the list has none.
const char* schema_word(const SchemaKey* keys, int value);

// Object types by name ("body", "geom", ...), as sensors and tuples use them.
const SchemaKey* schema_objects(void);

// Attributes of which one gives the type: the targets of an actuator (mjtTrn), the files of a cube
// texture by face, the first or second object (i is 0 or 1) of a distance or contact sensor
// (mjtObj).
const SchemaKey* schema_transmissions(void);
const SchemaKey* schema_cubefiles(void);
const SchemaKey* schema_sensorends(int i);

// The fields of a contact sensor (mjtConDataField).
const SchemaKey* schema_contactfields(void);

// The fields of a rangefinder, and the pictures of a camera as places of their bits.
const SchemaKey* schema_rayfields(void);
const SchemaKey* schema_cameraoutputs(void);

// The controls of an actuator as places of their bits: those of mjtCtrlInput, then of mjtCtrlChart.
const SchemaKey* schema_inputs(void);

// Name of an element that may hold elements of this name, for hints; NULL if there is none.
const char* schema_parent(const char* name);

// The name nearest to a wrong one among an element's attributes, its children, or a list of
// keywords; NULL if none is near.
const char* schema_nearestrow(const SchemaElement* element, const char* name);
const char* schema_nearestchild(const SchemaElement* element, const char* name);
const char* schema_nearestkey(const SchemaKey* keys, const char* word);
