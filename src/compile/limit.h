// limit.h: whether a range applies.                                   theory/model/model.md, Limits

#pragma once

#include "compile/context.h"

// Does the range of an object apply? `empty` is the error message if it applies but is empty; NULL
// if the caller checks that. prefix ("", "ctrl", ...) begins the names of the range's two
// attributes.
int limit_active(Compile* c, const SpecObject* object, const char* prefix, int limited,
                 const double range[2], const char* empty);
