// uservalue.h: user pointers attached to elements under a key.

#ifndef CONDYLE_SPEC_USERVALUE_H_
#define CONDYLE_SPEC_USERVALUE_H_

#include "spec/spec.h"

// Drops all values of an object, calling their cleanups.
void uservalue_clear(SpecObject* object);

#endif  // CONDYLE_SPEC_USERVALUE_H_
