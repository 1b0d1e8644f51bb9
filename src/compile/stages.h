// stages.h: stages that process all elements at once, in the order of compilation.

#pragma once

#include "compile/context.h"

// Adds keyframes that the size asks for, and names nameless assets. Returns 0 if there are too
// many. (number.c)
int compile_complete(Compile* c);

// Gives ids, fills the lists, names nameless assets, checks names and types of elements. (number.c)
int compile_number(Compile* c);

// Counts everything that follows from the lists alone, into m's sizes. (size.c)
void compile_sizes(Compile* c, mjModel* m);

// compile_usersizes sets nuser_* of m. compile_user writes the user_* arrays. (user.c)
void compile_usersizes(Compile* c, mjModel* m);
void compile_user(Compile* c);

// compile_namesizes sets the sizes of names, names_map and paths of m. compile_names writes their
// contents. (name.c)
void compile_namesizes(Compile* c, mjModel* m);
void compile_names(Compile* c);

// Signature of the structure of a model: its tree and the number of elements of each type, but not
// their names and numbers. It is never 0. Values of a model can only be copied back to the spec it
// came from, and mjData fit only their own model; both are checked by comparing signatures. Equal
// structures have equal signatures, different ones almost never. (signature.c)
//                                                                  theory/model/model.md, Signature
uint64_t compile_signature(const Compile* c);

// Reports parts whose dialects disagree with the model's where that can change a result.
// (dialect.c)
void compile_dialects(Compile* c);

// Keeps in a spec the numbers of its model for writing; a NULL model removes them. Returns 0 if
// memory runs out. (keep.c)
int compile_keep(SpecTree* tree, const mjModel* m);

// Does m have the sizes and the structure of the model that a spec was last compiled to? (keep.c)
int compile_fits(const SpecTree* tree, const mjModel* m);
