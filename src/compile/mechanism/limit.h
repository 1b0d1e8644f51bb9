// limit.h: when a range is in force.
//
// limited is false, true or auto. Auto means "if the range is not empty", or, with the compiler's
// autolimits off, is an error as soon as a range is given: its author must say what it is for.
//                                                                           theory/model.md, Limits

#ifndef CONDYLE_COMPILE_MECHANISM_LIMIT_H_
#define CONDYLE_COMPILE_MECHANISM_LIMIT_H_

#include "compile/compile.h"

// 1 if the range of an object is in force; it may be empty then if `empty`, the text of that error,
// is NULL. prefix ("", "ctrl", ...) begins the names of the range's two attributes.
int limit_active(Compile* c, const SpecObject* object, const char* prefix, int limited,
                 const double range[2], const char* empty);

#endif  // CONDYLE_COMPILE_MECHANISM_LIMIT_H_
