// object.h: functions of object.c for other files of this folder.

#pragma once

#include "spec/spec.h"

// Points the handles of the object's public struct at object->vectors.
void object_attachhandles(SpecObject* object);

// Swaps values, names and classes of two objects of the same type in the body tree.
void object_swap(SpecObject* a, SpecObject* b);

// object_register counts an object and enters its name into the index. object_unregister undoes
// that.
void object_register(SpecObject* object);
void object_unregister(SpecObject* object);
