// material.h: compiling textures and materials.            theory/model/textures.md, Texture layout

#pragma once

#include "compile/context.h"

// compile_textures writes sizes and kinds of textures to the draft. compile_texturedata writes
// their pixels to the final model.
void compile_textures(Compile* c);
void compile_texturedata(Compile* c);

void compile_materials(Compile* c);

// Id of the material of an object, -1 if it names none. Reports an error if there is no such
// material.
int compile_material(Compile* c, const SpecObject* object, const mjString* material);
