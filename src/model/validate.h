// validate.h: how the checks of a model are written.

#ifndef CONDYLE_MODEL_VALIDATE_H_
#define CONDYLE_MODEL_VALIDATE_H_

#include <mujoco/mjmacro.h>
#include <stdint.h>

// What is wrong with a field, in words.
const char* model_invalid(const char* field);

// all of n ids in [lowest, target)
int model_ids_valid(const int* ids, int64_t n, int lowest, int target);

// A check that failed leaves the function with the field's name.
#define REQUIRE(condition, field) \
  if (!(condition)) {             \
    return model_invalid(#field); \
  }

#endif  // CONDYLE_MODEL_VALIDATE_H_
