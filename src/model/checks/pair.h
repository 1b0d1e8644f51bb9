// pair.h: checks that data belong to a model.
//
//   check_pair(m, d);      mj_step: d was made for another model: nv is 6, in m it is 2
//
// Every public function that takes a model and data checks the pair first, because with data of
// another model it would write past the ends of arrays. The check compares the sizes on which
// arrays of data depend (CND_DATA_SIZES). So data also fit copies of their model, the same model
// read from a binary file, and a model with other masses. Model and data both keep a hash of these
// sizes, so a check is one comparison.

#pragma once

#include <mujoco/mjdata.h>

#include "base/memory/check.h"

// The sizes of m on which data depend, in the order of CND_DATA_SIZES, and their hash.
void pair_sizes(int size[CND_NDATASIZE], const mjModel* m);
uint64_t pair_shape(const int size[CND_NDATASIZE]);

// Ends in mju_error, which names the function, the data and the size that differs. It compares the
// sizes again and returns if they match, because a model whose sizes were changed by hand has an
// old hash.
__attribute__((cold)) void pair_compare(const char* function, const char* name, const mjModel* m,
                                        const mjData* d);

// Ends in mju_error if m or d is NULL or if they do not belong to each other.
#define check_pair(m, d)                    \
  do {                                      \
    check_given(m, d);                      \
    if ((m)->cnd_shape != (d)->cnd_shape) { \
      pair_compare(__func__, #d, m, d);     \
    }                                       \
  } while (0)
