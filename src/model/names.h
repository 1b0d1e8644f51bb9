// names.h: the table from names to ids in mjModel.
//
//   names       "model\0" "world\0" "torso\0" ... "\0" ...     kind after kind, id after id
//   names_map   | bodies: 2*nbody slots | joints: 2*njnt | ...
//
// The region of a kind is a hash table with linear probing. A slot holds an id, or -1 if empty.
// Nameless objects are not in it.                                      theory/model/model.md, Names

#pragma once

#include <mujoco/mjmodel.h>

// A kind of object that has names, in the order of the names buffer.
typedef struct NamedKind_ {
  mjtObj type;
  int count;      // objects
  int* name_adr;  // offsets of their names in mjModel.names
  int* map;       // hash table of 2*count slots
} NamedKind;

enum {
  NAMES_KIND_COUNT = 23
};

// The i-th kind of a model.
NamedKind names_kind(const mjModel* m, int i);

// Finds the kind of an object type; returns 0 if such objects have no names.
int names_find(NamedKind* kind, const mjModel* m, int type);

// Hash of a name modulo n > 0.
int names_hash(const char* name, int n);

// Fills names_map from names and their addresses. nnames_map must be 2 * (number of objects of all
// kinds).
void names_index(mjModel* m);
