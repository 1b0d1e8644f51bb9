// newest.h: attributes of MjModel and MjData that later releases have added.

#ifndef CONDYLE_PYTHON_NEWEST_H_
#define CONDYLE_PYTHON_NEWEST_H_

#include <vector>

#include "wrapper.h"

// The arrays and numbers of one of both classes, after `first` slots of its cache.
void newest_attributes(std::vector<PyGetSetDef>* list, bool of_data, int first);

// Slots of the cache that they take.
int newest_slots(bool of_data);

#endif  // CONDYLE_PYTHON_NEWEST_H_
