// uservalue.h: user pointers attached to elements under a key.

#pragma once

#include "spec/spec.h"

// Drops all values of an object, calling their cleanups.
void uservalue_clear(SpecObject* object);
