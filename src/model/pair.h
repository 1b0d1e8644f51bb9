// pair.h: do these data belong to this model?
//
//   check_pair(m, d);      mj_step: d was made for another model: nv is 6, in m it is 2
//
// Every public function that takes both asks at its head: with data of another model, numbers would
// be written behind the ends of arrays. What counts are the sizes that the arrays of data follow
// (CND_DATA_SIZES), so data go with copies of their model, with the model as it was read from a
// binary file, and with one that has other masses. Model and data both keep a hash of these sizes:
// one comparison per call.

#ifndef CONDYLE_MODEL_PAIR_H_
#define CONDYLE_MODEL_PAIR_H_

#include <mujoco/mjdata.h>

#include "base/check.h"

// The sizes of m that data follow, in the order of CND_DATA_SIZES, and their hash.
void pair_sizes(int size[CND_NDATASIZE], const mjModel* m);
uint64_t pair_shape(const int size[CND_NDATASIZE]);

// Ends in mju_error, which names the function, the data and what differs. Models whose sizes were
// changed since they were made have an old hash, so it counts anew, and returns if all is well.
__attribute__((cold)) void pair_compare(const char* function, const char* name, const mjModel* m,
                                        const mjData* d);

// Model and data are given to the running function, and belong to each other.
#define check_pair(m, d)                    \
  do {                                      \
    check_given(m, d);                      \
    if ((m)->cnd_shape != (d)->cnd_shape) { \
      pair_compare(__func__, #d, m, d);     \
    }                                       \
  } while (0)

#endif  // CONDYLE_MODEL_PAIR_H_
