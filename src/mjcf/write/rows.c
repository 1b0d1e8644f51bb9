// rows.c: writes the attributes of an element, one per row of the schema. A value equal to its
// default is not written.

#include "mjcf/write/rows.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "base/text/text_format.h"
#include "spec/vector.h"

// Tolerances for equal values, since unit conversion when reading and writing rounds: absolute for
// doubles, relative for singles.
static const double epsilon_double = 2.220446049250313e-16;
static const double epsilon_single = 1.1920929e-7;

enum {
  MAX_VALUES = 32,
};

// Is the word in a list of words separated by spaces?
static int listed(const char* words, const char* word) {
  size_t length = strlen(word);
  for (const char* at = words; at && (at = strstr(at, word)); at += length) {
    int begins = at == words || at[-1] == ' ';
    if (begins && (at[length] == ' ' || !at[length])) {
      return 1;
    }
  }
  return 0;
}

static int same(double a, double b, AttributeStore store) {
  double epsilon = store == STORE_SINGLE ? epsilon_single : store == STORE_INT ? 0 : epsilon_double;
  double size = store == STORE_SINGLE ? fmax(fabs(a), fabs(b)) : 1;
  if (store == STORE_DOUBLE) {  // values of the model may have been rounded
    a = (double)(mjtNum)a;
    b = (double)(mjtNum)b;
  }
  return a == b || fabs(a - b) <= epsilon * size || (a != a && b != b);
}

// Must all numbers of an attribute be written? In other attributes, numbers at the end may be left
// out: they keep their defaults.
static int is_full(const SchemaRow* row) {
  return row->min == row->max || text_equal(row->name, "dynprm") || text_equal(row->name, "gear") ||
         row->max == mjNDYN / 2;
}

static void put_numbers(Writer* w, const SchemaRow* row, const void* field, int n) {
  if (row->store == STORE_SINGLE) {
    write_singles(w, row->name, field, n, 0);
    return;
  }
  double value[MAX_VALUES];
  for (int i = 0; i < n; i++) {
    value[i] = schema_number(field, row->store, i);
  }
  write_reals(w, row->name, value, n);
}

// Writes an array of fixed size, up to the last number that differs from its default.
static void row_numbers(Writer* w, const SchemaRow* row, const void* field, const void* defaults,
                        int always, int whole) {
  int n = row->max < MAX_VALUES ? row->max : MAX_VALUES, differ = 0;
  for (int i = 0; i < n; i++) {
    double value = schema_number(field, row->store, i);
    if (!same(value, defaults ? schema_number(defaults, row->store, i) : 0, row->store)) {
      differ = i + 1;
    }
  }
  if (differ || always) {
    whole = whole || !differ || is_full(row);
    put_numbers(w, row, field, whole ? n : differ < row->min ? row->min : differ);
  }
}

static int key_value(const SchemaRow* row, const void* field) {
  int value = field ? (int)schema_number(field, row->store, 0) : 0;
  return row->kind == ATTR_BIT ? (value & row->value) != 0 : value;
}

static void row_text(Writer* w, const SchemaRow* row, const void* field, const void* defaults,
                     int always) {
  const char* value = string_text(*(mjString* const*)field);
  const char* default_value = defaults ? string_text(*(mjString* const*)defaults) : "";
  if (always || strcmp(value, default_value) != 0) {
    write_text(w, row->name, value);
  }
}

void write_texts(Writer* w, const char* name, const mjStringVec* list) {
  mjString text = {NULL, 0, 0};
  for (size_t i = 0; i < list->num; i++) {
    string_format(&text, "%s%s%s", string_text(&text), i ? " " : "", string_text(&list->ptr[i]));
  }
  write_given(w, name, &text);
  string_clear(&text);
}

// Writes a growable array. An array of reals equal to that of the class is left out.
static void row_list(Writer* w, const SchemaRow* row, const void* field, const void* defaults) {
  const Vector* list;
  memcpy(&list, field, sizeof(list));
  size_t n = list->doubles.num;
  if (!n) {
    return;
  }
  if (row->kind == ATTR_REALS) {
    const mjDoubleVec* default_value = defaults ? *(mjDoubleVec* const*)defaults : NULL;
    if (!default_value || default_value->num != n ||
        memcmp(default_value->ptr, list->doubles.ptr, n * sizeof(double)) != 0) {
      write_reals(w, row->name, list->doubles.ptr, (int)n);
    }
  } else if (row->kind == ATTR_SINGLES) {
    write_singles(w, row->name, list->floats.ptr, (int)n, 0);
  } else {
    double* value = heap_take(n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
      value[i] = list->ints.ptr[i];
    }
    write_reals(w, row->name, value, (int)n);
    heap_free(value);
  }
}

static void write_row(Writer* w, const SchemaRow* row, const void* field, const void* defaults,
                      int always, int whole) {
  switch (row->kind) {
    case ATTR_REAL:
    case ATTR_QUAT:
    case ATTR_INT:
    case ATTR_INTS:
      row_numbers(w, row, field, defaults, always, whole);
      break;
    case ATTR_KEY:
    case ATTR_BIT:
      if (always || key_value(row, field) != key_value(row, defaults)) {
        write_key(w, row->name, row->keys, key_value(row, field));
      }
      break;
    case ATTR_TEXT:
    case ATTR_FILE:
    case ATTR_REFERENCE:
    case ATTR_CLASS:
      row_text(w, row, field, defaults, always);
      break;
    case ATTR_TEXTS:
      write_texts(w, row->name, *(mjStringVec* const*)field);
      break;
    case ATTR_REALS:
    case ATTR_SINGLES:
    case ATTR_INTEGERS:
      row_list(w, row, field, defaults);
      break;
    default:
      break;
  }
}

// The member of an orientation that an attribute stands for.
static size_t place_in_orientation(int type) {
  return type == mjORIENTATION_AXISANGLE ? offsetof(mjsOrientation, axisangle)
         : type == mjORIENTATION_XYAXES  ? offsetof(mjsOrientation, xyaxes)
         : type == mjORIENTATION_ZAXIS   ? offsetof(mjsOrientation, zaxis)
                                         : offsetof(mjsOrientation, euler);
}

// The kind of orientation in force in an object, from one of the attributes that are alternatives.
static int orientation_type(const SchemaRow* alternative, const void* object) {
  size_t offset = alternative->offset - place_in_orientation(alternative->value);
  mjsOrientation alt = {0};
  if (object) {
    memcpy(&alt, (const char*)object + offset, sizeof(alt));
  }
  return (int)alt.type;
}

// Writes a quaternion, whose alternatives are the next rows, or the alternative in force.
static void write_orientation(Writer* w, const SchemaRow* row, const void* object,
                              const void* defaults, int always) {
  const char* field = (const char*)object + row->offset;
  if (row->kind == ATTR_ALTERNATIVE) {
    if (w->notation && orientation_type(row, object) == row->value) {
      put_numbers(w, row, field, row->max);
    }
    return;
  }
  int type = orientation_type(row + 1, object);
  int hides = type == mjORIENTATION_QUAT && orientation_type(row + 1, defaults) != type;
  if (!w->notation || type == mjORIENTATION_QUAT) {
    row_numbers(w, row, field, defaults ? (const char*)defaults + row->offset : NULL,
                always || (w->notation && hides), 0);
  }
}

void write_rows(Writer* w, const SchemaElement* element, const void* object, const void* defaults,
                const RowChoice* choice) {
  const SchemaRow* row;
  int always = 0;
  for (int i = 0; (row = schema_rowat(element, i)); i++) {
    if (row->store == STORE_CODE || row->kind == ATTR_NAME ||
        (choice && listed(choice->never, row->name))) {
      continue;
    }
    always = choice && listed(choice->always, row->name);
    if (row->kind == ATTR_ALTERNATIVE || row->kind == ATTR_QUAT) {
      write_orientation(w, row, object, defaults, always);
      continue;
    }
    write_row(w, row, (const char*)object + row->offset,
              defaults ? (const char*)defaults + row->offset : NULL, always,
              choice && listed(choice->whole, row->name));
  }
}

const SchemaElement* write_schema(const char* section, const char* name) {
  const SchemaElement* element = schema_child(schema_root(), section);
  return name ? schema_child(element, name) : element;
}

const SchemaElement* write_schemavalue(const char* section, int value) {
  const SchemaElement* element = schema_child(schema_root(), section)->children;
  while (element->name && element->value != value) {
    element++;
  }
  return element->name ? element : NULL;
}

// names, classes, user data, limits

void write_named(Writer* w, const char* name, const SpecObject* object) {
  write_begin(w, name);
  write_given(w, "name", &object->name);
}

void write_classed(Writer* w, const char* name, const SpecObject* object) {
  write_named(w, name, object);
  const char* scope = w->scope ? w->scope : "main";
  if (object->classname[0] && strcmp(object->classname, scope) != 0) {
    write_text(w, "class", object->classname);
  }
}

void write_each(Writer* w, mjtObj type, void (*write)(Writer* w, const SpecObject* object)) {
  for (SPEC_EACH(object, w->tree, type)) {
    write(w, object);
  }
}

void write_userof(Writer* w, const mjDoubleVec* user, const mjDoubleVec* defaults) {
  int same = user->num && defaults && defaults->num == user->num &&
             !memcmp(user->ptr, defaults->ptr, user->num * sizeof(double));
  if (user->num && !same) {
    write_reals(w, "user", user->ptr, (int)user->num);
  }
}

void write_user(Writer* w, const mjtNum* user, int n, const mjDoubleVec* defaults) {
  int differ = 0;
  for (int i = 0; i < n; i++) {
    double default_value = defaults && (size_t)i < defaults->num ? defaults->ptr[i] : 0;
    differ |= user[i] != (mjtNum)default_value;
  }
  if (differ) {
    write_numbers(w, "user", user, n);
  }
}

double write_real(mjtNum value) {
#ifdef mjUSESINGLE
  char number[TEXT_NUMBER_BYTES];
  const char* cursor = number;
  double real;
  text_formatsingle(number, value);
  return text_real(&real, &cursor) == TEXT_OK ? real : (double)value;
#else
  return value;
#endif
}

void write_take(double* out, const mjtNum* in, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = write_real(in[i]);
  }
}

int write_limited(const Writer* w, int limited, int actual, const double range[2]) {
  int given = range[0] != 0 || range[1] != 0;
  int automatic = w->tree->spec.compiler.autolimits ? range[0] < range[1] : 0;
  if (limited == mjLIMITED_AUTO && automatic == (actual != 0) &&
      (w->tree->spec.compiler.autolimits || !given)) {
    return mjLIMITED_AUTO;
  }
  return actual ? mjLIMITED_TRUE : mjLIMITED_FALSE;
}

// Converts an alternative orientation to a quaternion.
static void resolve(const SpecObject* prototype, double quat[4], mjsOrientation* alt) {
  const SpecTree* tree = prototype->origin ? prototype->origin : prototype->tree;
  if (alt->type != mjORIENTATION_QUAT) {
    mjs_resolveOrientation(quat, tree->spec.compiler.degree, tree->spec.compiler.eulerseq, alt);
    alt->type = mjORIENTATION_QUAT;
  }
}

// Are the orientations and angles of an object in the notation of its model?
static int in_notation(const Writer* w, const SpecObject* object) {
  const mjsCompiler* from = &(object->origin ? object->origin : object->tree)->spec.compiler;
  const mjsCompiler* to = &w->tree->spec.compiler;
  return w->notation && from->degree == to->degree &&
         !memcmp(from->eulerseq, to->eulerseq, sizeof(from->eulerseq));
}

void write_turn(const Writer* w, const SpecObject* object, double quat[4], mjsOrientation* alt) {
  if (!in_notation(w, object)) {
    resolve(object, quat, alt);
  }
}

// Orientations as they are to be written.
static void write_turns(ElementValues* out, const Writer* w, const SpecObject* object) {
  mjtObj type = object->element.elemtype;
  if (type == mjOBJ_GEOM) {
    write_turn(w, object, out->geom.quat, &out->geom.alt);
  } else if (type == mjOBJ_SITE) {
    write_turn(w, object, out->site.quat, &out->site.alt);
  } else if (type == mjOBJ_CAMERA) {
    write_turn(w, object, out->camera.quat, &out->camera.alt);
  } else if (type == mjOBJ_JOINT && w->written) {
    write_angles(w, object, &out->joint);
  }
}

// Ball and hinge joints have angles; a range that is not in force stays as it is when compiled.
void write_angles(const Writer* w, const SpecObject* object, mjsJoint* joint) {
  int degree = (object->origin ? object->origin : object->tree)->spec.compiler.degree;
  int target = w->notation && w->tree->spec.compiler.degree;
  if (joint->type == mjJNT_SLIDE || joint->type == mjJNT_FREE || degree == target) {
    return;
  }
  double factor = degree ? mjPI / 180 : 180 / mjPI;
  if (joint->limited != mjLIMITED_FALSE) {
    joint->range[0] *= factor;
    joint->range[1] *= factor;
  }
  joint->springyield *= factor;
  joint->ref *= joint->type == mjJNT_HINGE ? factor : 1;
  joint->springref *= joint->type == mjJNT_HINGE ? factor : 1;
}

void write_prototype(ElementValues* out, const Writer* w, const SpecObject* class, mjtObj type) {
  const SpecObject* prototype = class->as.classdef.prototype[type];
  memcpy(out, &prototype->as, sizeof(*out));
  write_turns(out, w, prototype);
}

// An element made through the API may have no class. It has the built-in defaults then, but when
// read again it will get those of main.
void write_values(ElementValues* own, ElementValues* class, const Writer* w,
                  const SpecObject* object) {
  const SpecObject* from = spec_class(w->tree, object->classname);
  if (!from) {
    from = spec_class(w->tree, w->scope ? w->scope : "main");
  }
  memcpy(own, &object->as, sizeof(*own));
  write_prototype(class, w, from ? from : w->tree->main_class, object->element.elemtype);
  if (w->written) {
    write_turns(own, w, object);
  }
}
