// limit.h: when a range is in force.
//
// limited is false, true or auto. Auto means "if the range is not empty", or, with the compiler's
// autolimits off, is an error as soon as a range is given: its author must say what it is for.
//                                                                           theory/model.md, Limits

#ifndef CONDYLE_COMPILE_MECHANISM_LIMIT_H_
#define CONDYLE_COMPILE_MECHANISM_LIMIT_H_

#include "compile/compile.h"

// 1 if the range of an object is in force. kind ("joint", "tendon", "actuator") is what the error
// of autolimits names, and prefix ("", "ctrl", ...) begins the names of its two attributes.
int limit_active(Compile* c, const SpecObject* object, const char* kind, const char* prefix,
                 int limited, const double range[2]);

#endif  // CONDYLE_COMPILE_MECHANISM_LIMIT_H_
