// mechanism.h: compiling elements outside the body tree, each kind in its own file.

#ifndef CONDYLE_COMPILE_MECHANISM_MECHANISM_H_
#define CONDYLE_COMPILE_MECHANISM_MECHANISM_H_

#include "compile/context.h"

void compile_contacts(Compile* c);
void compile_equalities(Compile* c);
void compile_tendons(Compile* c);
void compile_actuators(Compile* c);
void compile_custom(Compile* c);
void compile_contactoptions(Compile* c);  // custom.c; after compile_names
void compile_keyframes(Compile* c);

#endif  // CONDYLE_COMPILE_MECHANISM_MECHANISM_H_
