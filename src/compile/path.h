// path.h: which file an asset's file attribute means.
//
//   modelfiledir / meshdir or texturedir / file,   a later absolute part discards what is before it
//
// The directories are those of the spec in which the asset was written.                       spec 03, section 15.6

#ifndef CONDYLE_COMPILE_PATH_H_
#define CONDYLE_COMPILE_PATH_H_

#include "compile/compile.h"

// Path of a file of a mesh, hfield, skin (meshdir) or texture (texturedir), relative to the model's directory: the name
// under which virtual files are found. The caller frees it; NULL if memory is out.
char* asset_path(const Compile* c, const SpecObject* object, const char* file);

// Bytes of such a file, followed by a 0; the caller frees them. NULL and an error of the object if it can't be read.
char* asset_read(size_t* size, Compile* c, const SpecObject* object, const char* file);

#endif  // CONDYLE_COMPILE_PATH_H_
