// computed.h: attributes of MjModel and MjData that later releases have added.

#ifndef CONDYLE_PYTHON_COMPUTED_H_
#define CONDYLE_PYTHON_COMPUTED_H_

#include <vector>

#include "wrapper.h"

// The arrays and numbers of one of both classes, after `first` slots of its cache.
void computed_attributes(std::vector<PyGetSetDef>* list, bool of_data, int first);

// Slots of the cache that they take.
int computed_slots(bool of_data);

#endif  // CONDYLE_PYTHON_COMPUTED_H_
