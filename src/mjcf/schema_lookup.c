// schema_lookup.c: finding elements, attributes and keywords in the schema. Lists have at most
// sixty names, so a linear search that compares first letters first is the fastest.

#include "base/diagnostic.h"
#include "mjcf/schema.h"

#include <mujoco/mjtnum.h>
#include <string.h>

enum {
  MAX_CANDIDATES = 128,
};

static int same(const char* a, const char* b) {
  return a[0] == b[0] && strcmp(a, b) == 0;
}

static int is_accepted(const SchemaElement* element, const SchemaRow* row) {
  return !((element->flags & ELEMENT_CLASS) && (row->flags & ROW_OWN));
}

const SchemaRow* schema_row(const SchemaElement* element, const char* name) {
  for (int g = 0; g < SCHEMA_NGROUP && element->groups[g]; g++) {
    for (const SchemaRow* row = element->groups[g]; row->name; row++) {
      if (same(row->name, name)) {
        return is_accepted(element, row) ? row : NULL;
      }
    }
  }
  return NULL;
}

const SchemaRow* schema_rowat(const SchemaElement* element, int i) {
  for (int g = 0; g < SCHEMA_NGROUP && element->groups[g]; g++) {
    for (const SchemaRow* row = element->groups[g]; row->name; row++) {
      if (is_accepted(element, row) && i-- == 0) {
        return row;
      }
    }
  }
  return NULL;
}

const SchemaElement* schema_child(const SchemaElement* element, const char* name) {
  for (const SchemaElement* child = element->children; child && child->name; child++) {
    if (same(child->name, name)) {
      return child;
    }
  }
  return NULL;
}

double schema_number(const void* field, AttributeStore store, int i) {
  switch (store) {
    case STORE_BYTE:
      return ((const unsigned char*)field)[i];
    case STORE_SIZE:
      return (double)((const mjtSize*)field)[i];
    case STORE_SINGLE:
      return (double)((const float*)field)[i];
    case STORE_DOUBLE:
      return ((const double*)field)[i];
    default:
      return ((const int*)field)[i];
  }
}

const SchemaKey* schema_key(const SchemaKey* keys, const char* word) {
  for (; keys->word; keys++) {
    if (same(keys->word, word)) {
      return keys;
    }
  }
  return NULL;
}

const char* schema_word(const SchemaKey* keys, int value) {
  while (keys->word && keys->value != value) {
    keys++;
  }
  return keys->word;
}

// Finds the parent of a name below an element. Skips recursive elements and classes, which repeat
// elements of other sections.
static const char* find_parent(const SchemaElement* element, const char* name) {
  for (const SchemaElement* child = element->children; child && child->name; child++) {
    if (same(child->name, name) && !(child->flags & (ELEMENT_IGNORED | ELEMENT_CLASS))) {
      return element->name;
    }
  }
  for (const SchemaElement* child = element->children; child && child->name; child++) {
    if (child->children == element->children || (child->flags & ELEMENT_IGNORED)) {
      continue;
    }
    const char* parent = find_parent(child, name);
    if (parent) {
      return parent;
    }
  }
  return NULL;
}

const char* schema_parent(const char* name) {
  return find_parent(schema_root(), name);
}

const char* schema_nearestrow(const SchemaElement* element, const char* name) {
  const char* names[MAX_CANDIDATES];
  int count = 0;
  for (const SchemaRow* row; count < MAX_CANDIDATES && (row = schema_rowat(element, count));) {
    names[count++] = row->name;
  }
  return diagnostic_nearest(name, names, count);
}

// The nearest name in a table whose rows begin with a name each; NULL ends the table.
static const char* nearest(const char* name, const void* table, size_t size) {
  const char* names[MAX_CANDIDATES];
  int count = 0;
  for (const char* row = table; row && count < MAX_CANDIDATES; row += size) {
    const char* const* begin = (const void*)row;
    if (!*begin) {
      break;
    }
    names[count++] = *begin;
  }
  return diagnostic_nearest(name, names, count);
}

const char* schema_nearestchild(const SchemaElement* element, const char* name) {
  return nearest(name, element->children, sizeof(SchemaElement));
}

const char* schema_nearestkey(const SchemaKey* keys, const char* word) {
  return nearest(word, keys, sizeof(SchemaKey));
}
