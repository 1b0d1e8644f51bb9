// validate.h: macros and messages for the checks of a model.

#pragma once

#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <stdint.h>

// The message for a field with an invalid value.
const char* model_invalid(const char* field);

// What is wrong with the addresses of meshes, and with those and all that meshes hold. NULL if
// nothing is. The second looks at no other part of the model.
const char* model_validate_meshranges(const mjModel* m);
const char* model_validate_meshes(const mjModel* m);

// all of n ids in [lowest, target)
int model_ids_valid(const int* ids, int64_t n, int lowest, int target);

// Returns the message for the field from the function if the condition is false.
#define REQUIRE(condition, field) \
  if (!(condition)) {             \
    return model_invalid(#field); \
  }
