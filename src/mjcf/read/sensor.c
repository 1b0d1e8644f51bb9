// Sensors: what each is attached to, and the criteria of contact sensors. [theory/sensors.md, Types of sensors]

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "mjcf/read/read.h"
#include "spec/spec.h"

// One attribute that can name an object, and the type of object that it means.
typedef struct Choice_ {
  const char* attribute;
  mjtObj type;
} Choice;

// Reads the one attribute of a list that is there; returns how many are.
static int read_choice(const Node* node, const Choice* choices, mjtObj* type, mjString* name) {
  int count = 0;
  for (; choices->attribute; choices++) {
    const char* text = values_text(node, choices->attribute);
    if (text) {
      *type = choices->type;
      mjs_setString(name, text);
      count++;
    }
  }
  return count;
}

// Attributes that name an object of one type tell that type: site, joint, ...
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

// The type of object that a word means. A sensor can't do without knowing what it measures; a
// reference or an object of the user that is none has never been refused.
static mjtObj read_type(const Reader* reader, const Node* node, const Attribute* attribute) {
  const SchemaKey* key = schema_key(schema_objects(), attribute->value);
  if (key && key->value != mjOBJ_FRAME) {
    return (mjtObj)key->value;
  }
  const char* nearest = schema_nearestkey(schema_objects(), attribute->value);
  char hint[100];
  snprintf(hint, sizeof(hint), "did you mean '%s'?", nearest ? nearest : "");
  int required = attribute->row->flags & ROW_REQUIRED;
  node_report(node, attribute, reader->problems, required ? cndSEVERITY_ERROR : cndSEVERITY_WARNING,
              nearest ? hint : NULL,
              required ? "invalid type in sensor: '%.40s'"
                       : "'%.40s' is no type of object: the sensor goes without",
              attribute->value);
  return mjOBJ_UNKNOWN;
}

// A type and a name that go together: objtype and objname, reftype and refname.
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
  static const Choice first[] = {{"geom1", mjOBJ_GEOM}, {"body1", mjOBJ_BODY}, {0}};
  static const Choice second[] = {{"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}, {0}};
  if (read_choice(node, first, &sensor->objtype, sensor->objname) != 1) {
    values_error(reader, node, NULL, NULL, "exactly one of (geom1, body1) must be specified");
  }
  if (read_choice(node, second, &sensor->reftype, sensor->refname) != 1) {
    values_error(reader, node, NULL, NULL, "exactly one of (geom2, body2) must be specified");
  }
}

// Fields of a contact sensor as bits, in the order of mjtConDataField without repetition.
static int read_fields(const Reader* reader, const Node* node) {
  static const char* const field[mjNCONDATA] = {
      [mjCONDATA_FOUND] = "found",     [mjCONDATA_FORCE] = "force", [mjCONDATA_TORQUE] = "torque",
      [mjCONDATA_DIST] = "dist",       [mjCONDATA_POS] = "pos",     [mjCONDATA_NORMAL] = "normal",
      [mjCONDATA_TANGENT] = "tangent",
  };
  const char* cursor = values_text(node, "data");
  int bits = 0;
  while (cursor) {
    while (text_isspace(*cursor)) {
      cursor++;
    }
    int length = text_tokenlength(cursor), k = 0;
    if (!length) {
      break;
    }
    while (k < mjNCONDATA &&
           ((int)strlen(field[k]) != length || strncmp(field[k], cursor, (size_t)length))) {
      k++;
    }
    if (k == mjNCONDATA) {
      values_error(reader, node, "data", "one of found force torque dist pos normal tangent",
                   "invalid keyword: '%.*s'", length, cursor);
    } else if (bits & (1 << k)) {
      values_error(reader, node, "data", NULL, "duplicate keyword: '%s'", field[k]);
    } else if (bits >> k) {
      values_error(reader, node, "data", NULL,
                   "data attributes must be in order: found, force, torque, dist, pos, normal, "
                   "tangent");
    } else {
      bits |= 1 << k;
    }
    cursor += length;
  }
  return bits ? bits : 1 << mjCONDATA_FOUND;
}

static void read_contactsensor(const Reader* reader, const Node* node, mjsSensor* sensor) {
  static const Choice first[] = {{"geom1", mjOBJ_GEOM},
                                 {"body1", mjOBJ_BODY},
                                 {"subtree1", mjOBJ_XBODY},
                                 {"site", mjOBJ_SITE},
                                 {0}};
  static const Choice second[] = {
      {"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}, {"subtree2", mjOBJ_XBODY}, {0}};
  if (read_choice(node, first, &sensor->objtype, sensor->objname) > 1) {
    values_error(reader, node, NULL, NULL,
                 "at most one of (geom1, body1, subtree1, site) can be specified");
  }
  if (read_choice(node, second, &sensor->reftype, sensor->refname) > 1) {
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

void read_sensor_section(const Reader* reader, const Node* section) {
  for (const Node* node = section->first; node; node = node->next) {
    if (node->skip) {
      continue;
    }
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
  }
}
