// limit.h: when a range is in force.                                        theory/model.md, Limits

#ifndef CONDYLE_COMPILE_MECHANISM_LIMIT_H_
#define CONDYLE_COMPILE_MECHANISM_LIMIT_H_

#include "compile/context.h"

// 1 if the range of an object is in force. `empty` is the error if it is empty then; NULL: that is
// the caller's to judge. prefix ("", "ctrl", ...) begins the names of the range's two attributes.
int limit_active(Compile* c, const SpecObject* object, const char* prefix, int limited,
                 const double range[2], const char* empty);

#endif  // CONDYLE_COMPILE_MECHANISM_LIMIT_H_
