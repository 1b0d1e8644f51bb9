// object.h: what the files of this folder need of object.c beyond spec.h.

#ifndef CONDYLE_SPEC_OBJECT_H_
#define CONDYLE_SPEC_OBJECT_H_

#include "spec/spec.h"

// Points the handles of the object's public struct at object->vectors.
void object_attachhandles(SpecObject* object);

// Two objects of the same type in the body tree change values, names and classes.
void object_swap(SpecObject* a, SpecObject* b);

// Counts an object and makes it found by name; takes that back.
void object_register(SpecObject* object);
void object_unregister(SpecObject* object);

#endif  // CONDYLE_SPEC_OBJECT_H_
