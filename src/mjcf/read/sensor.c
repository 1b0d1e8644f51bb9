// sensor.c: reads sensors, their objects, and the criteria of contact sensors.
// [theory/time/sensors.md, Types of sensors]

#include <mujoco/api/spec.h>
#include <stdio.h>

#include "mjcf/read/context.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"

// Reads the attribute that names the i-th object of a sensor. Returns the number of such
// attributes.
static int read_object(const Node* node, int i, mjtObj* type, mjString* name) {
  int count = 0;
  for (const SchemaKey* end = schema_sensorends(i); end->word; end++) {
    const char* text = values_text(node, end->word);
    if (text) {
      *type = (mjtObj)end->value;
      mjs_setString(name, text);
      count++;
    }
  }
  return count;
}

// Reads attributes that name an object and so tell its type: site, joint, ...
static void read_named(const Node* node, mjsSensor* sensor) {
  for (int i = 0; i < node->nattribute; i++) {
    const SchemaRow* row = node->attributes[i].row;
    if (row && row->kind == ATTR_REFERENCE && row->store == STORE_HANDLE) {
      mjtObj* type =
          row->offset == offsetof(mjsSensor, objname) ? &sensor->objtype : &sensor->reftype;
      *type = (mjtObj)row->value;
    }
  }
}

// The object type of a word. Reports an unknown type of the measured object. For the reference, and
// for the object of a user sensor, an unknown type is accepted, as in the reference engine.
static mjtObj read_type(const Reader* reader, const Node* node, const Attribute* attribute) {
  const SchemaKey* key = schema_key(schema_objects(), attribute->value);
  if (key && key->value != mjOBJ_FRAME) {
    return (mjtObj)key->value;
  }
  char hint[HINT_BYTES];
  int required = attribute->row->flags & ROW_REQUIRED;
  node_report(node, attribute, reader->problems, required ? cndSEVERITY_ERROR : cndSEVERITY_WARNING,
              diagnostic_hint(hint, schema_nearestkey(schema_objects(), attribute->value)),
              required ? "invalid type in sensor: '%.40s'"
                       : "'%.40s' is no type of object: the sensor goes without",
              attribute->value);
  return mjOBJ_UNKNOWN;
}

// Reads a pair of type and name: objtype and objname, or reftype and refname.
static void read_typed(const Reader* reader, const Node* node, const char* type_attribute,
                       const char* name_attribute, mjtObj* type, const mjString* name) {
  const Attribute* word = node_attribute(node, type_attribute);
  const char* text = values_text(node, name_attribute);
  if (word && word->row && text) {
    *type = read_type(reader, node, word);
  } else if (word && word->row && !(word->row->flags & ROW_REQUIRED)) {
    values_error(reader, node, type_attribute, NULL,
                 "%s '%s' given but %s is missing: required attribute missing: '%s'",
                 type_attribute, word->value, name_attribute, name_attribute);
  } else if (text && !(schema_row(node->schema, name_attribute)->flags & ROW_REQUIRED)) {
    values_error(reader, node, name_attribute, NULL, "%s '%s' given but %s is missing",
                 name_attribute, string_text(name), type_attribute);
  }
}

static void read_distance(const Reader* reader, const Node* node, mjsSensor* sensor) {
  if (read_object(node, 0, &sensor->objtype, sensor->objname) != 1) {
    values_error(reader, node, NULL, NULL, "exactly one of (geom1, body1) must be specified");
  }
  if (read_object(node, 1, &sensor->reftype, sensor->refname) != 1) {
    values_error(reader, node, NULL, NULL, "exactly one of (geom2, body2) must be specified");
  }
}

// Reads the fields of a contact sensor as bits, which must be in the order of mjtConDataField
// without repetition.
static int read_fields(const Reader* reader, const Node* node) {
  const char* text = values_text(node, "data");
  mjStringVec words = {NULL, 0, 0};
  mjs_setStringVec(&words, text);
  int bits = 0;
  for (size_t i = 0; i < words.num; i++) {
    const char* word = string_text(&words.ptr[i]);
    const SchemaKey* field = schema_key(schema_contactfields(), word);
    int bit = field ? 1 << field->value : 0;
    if (!field) {
      values_error(reader, node, "data",
                   "one of found force torque dist pos normal tangent linvel angvel",

                   "invalid keyword: '%s'", word);
    } else if (bits & bit) {
      values_error(reader, node, "data", NULL, "duplicate keyword: '%s'", word);
    } else if (bits > bit) {
      values_error(reader, node, "data", NULL,
                   "data attributes must be in order: found, force, torque, dist, pos, normal, "
                   "tangent, linvel, angvel");
    } else {
      bits |= bit;
    }
  }
  vector_clear((Vector*)&words, VECTOR_STRINGS);
  return bits ? bits : 1 << mjCONDATA_FOUND;
}

static void read_contactsensor(const Reader* reader, const Node* node, mjsSensor* sensor) {
  if (read_object(node, 0, &sensor->objtype, sensor->objname) > 1) {
    values_error(reader, node, NULL, NULL,
                 "at most one of (geom1, body1, subtree1, site) can be specified");
  }
  if (read_object(node, 1, &sensor->reftype, sensor->refname) > 1) {
    values_error(reader, node, NULL, NULL,
                 "at most one of (geom2, body2, subtree2) can be specified");
  }
  sensor->intprm[0] = read_fields(reader, node);
  sensor->intprm[1] = 0;
  sensor->intprm[2] = 1;
  values_key(&sensor->intprm[1], reader, node, "reduce");
  if (values_int(&sensor->intprm[2], reader, node, "num") && sensor->intprm[2] <= 0) {
    values_error(reader, node, "num", NULL, "'num' must be positive in sensor");
  }
}

void read_sensor(const Reader* reader, const Node* node) {
  mjsSensor* sensor = read_add(reader, node, mjOBJ_SENSOR);
  sensor->type = (mjtSensor)node->schema->value;
  values_read(reader, node, sensor);
  read_named(node, sensor);
  if (sensor->type == mjSENS_CONTACT) {
    read_contactsensor(reader, node, sensor);
  } else if (schema_row(node->schema, "geom1")) {
    read_distance(reader, node, sensor);
  } else {
    read_typed(reader, node, "objtype", "objname", &sensor->objtype, sensor->objname);
    read_typed(reader, node, "reftype", "refname", &sensor->reftype, sensor->refname);
  }
  if (sensor->type == mjSENS_PLUGIN) {
    read_use(reader, node, sensor->element, &sensor->plugin);
  }
}
