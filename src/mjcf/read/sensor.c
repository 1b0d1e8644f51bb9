// sensor.c: reads sensors, their objects, and the criteria of contact sensors.
// [theory/time/sensors.md, Types of sensors]

#include <mujoco/api/spec.h>
#include <stdio.h>

#include "mjcf/read/context.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"
#include "sensor/functions.h"

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

// A rangefinder without fields is one of 3.3.7, whose parameter is 0.
static void read_rangefinder(const Reader* reader, const Node* node, mjsSensor* sensor) {
  int site = values_has(node, "site"), camera = values_has(node, "camera");
  if (site && camera) {
    values_error(reader, node, "camera", NULL, "at most one of 'site', 'camera' can be specified");
  } else if (!site && !camera) {
    values_error(reader, node, NULL, NULL, "one of 'site', 'camera' must be specified");
  }
  sensor->intprm[0] = values_mask(reader, node, "data", schema_rayfields());
  if (camera && !sensor->intprm[0]) {
    sensor->intprm[0] = 1 << RAYDATA_DIST;
  }
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
  int fields = values_mask(reader, node, "data", schema_contactfields());
  sensor->intprm[0] = fields ? fields : 1 << mjCONDATA_FOUND;
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
  if (sensor->type == mjSENS_RANGEFINDER) {
    read_rangefinder(reader, node, sensor);
  }
  if (sensor->type == mjSENS_PLUGIN) {
    read_use(reader, node, sensor->element, &sensor->plugin);
  }
}
