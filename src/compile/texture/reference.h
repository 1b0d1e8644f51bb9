// reference.h: textures that stay in their files: the model has the path alone.
//                                                   theory/model/textures.md, Textures by reference

#pragma once

#include "compile/context.h"

// Does a texture stay in its file? If it asks for that but can't, an error is reported.
int texture_isreference(Compile* c, const SpecObject* object);

// The path of the file of a texture, from where the program runs. The caller frees it.
char* texture_path(const Compile* c, const SpecObject* object);
