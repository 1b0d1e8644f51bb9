// visit.h: functions of visit.c for other files of this folder.

#pragma once

#include "spec/spec.h"

// Index of a type in the per-type arrays of a tree. mjOBJ_XBODY shares that of bodies.
int object_slot(mjtObj type);

// The next object in the subtree of root: children of every type, parents first. NULL at the end.
SpecObject* object_walk(const SpecObject* object, const SpecObject* root);
