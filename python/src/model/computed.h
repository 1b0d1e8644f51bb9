// computed.h: attributes of MjModel and MjData that MuJoCo added after 3.3.7.

#ifndef CONDYLE_PYTHON_COMPUTED_H_
#define CONDYLE_PYTHON_COMPUTED_H_

#include <vector>

#include "base/wrapper.h"

// Appends the attributes of MjModel or MjData (of_data); `first` is their first slot in the cache.
void computed_attributes(std::vector<PyGetSetDef>* list, bool of_data, int first);

// How many slots of the cache they take.
int computed_slots(bool of_data);

#endif  // CONDYLE_PYTHON_COMPUTED_H_
