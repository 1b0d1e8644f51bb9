// fields.h: what batches know of fields of mjModel and mjData by their names.
//
// Few fields have each of these properties, so they are lists of names beside the tables
// (condyle/model_table.h, condyle/data_table.h) rather than columns of them.

#pragma once

#include "batch/context.h"

// Fields of one value of a property: their names with a blank before and behind each. A property is
// an array of these that ends with names = NULL.
typedef struct BatchFields_ {
  int value;
  const char* names;
} BatchFields;

// ParameterRule of fields that may vary. All are real numbers on which nothing depends that was
// allocated.
extern const BatchFields fields_rules[];

// FOLLOW_* of fields from which others follow.
extern const BatchFields fields_follow[];

// Parameters for which lanes have no place.
enum {
  LANES_ANY,
  LANES_NEVER,
  LANES_WHERE_NOT_0  // they have none where the model's own number is 0
};
extern const BatchFields fields_lanes[];

// 1 for fields of mjData that belong to the memory of a thread, not to a world.
extern const BatchFields fields_of_thread[];

// The value of a field, or `otherwise` if it isn't listed.
int fields_value(const BatchFields* property, const char* name, int otherwise);

// Fields of mjModel that mj_setConst writes.
enum {
  NFIELD_CONSTANT = 20
};
extern const char* const fields_constants[NFIELD_CONSTANT];

// Structure that mj_setConst writes, for a while or with the same values for all worlds.
enum {
  NFIELD_SCRATCH = 11
};
extern const char* const fields_scratch[NFIELD_SCRATCH];
