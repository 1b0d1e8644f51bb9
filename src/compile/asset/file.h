// file.h: the files that assets come from.
//
// What the cache needs is a digest of the content; the content itself only if the asset is not in
// the cache. So a file is first located, then digested, then perhaps loaded. The digest of a file
// on disk that has not been touched since it was last read is remembered (device, file, size and
// time of change are the same, and that time was over when it was read).    theory/format.md, Files

#ifndef CONDYLE_COMPILE_ASSET_FILE_H_
#define CONDYLE_COMPILE_ASSET_FILE_H_

#include <mujoco/mjspec.h>

#include "base/file.h"
#include "compile/asset/cache.h"
#include "compile/context.h"

typedef struct AssetFile_ {
  char* name;              // under the model's directory
  const char* directory;   // of the model
  char* path;              // both together
  char shown[PATH_SHOWN];  // the path for messages
  const mjVFS* vfs;
  char* bytes;      // content, a 0 behind it; NULL until loaded
  size_t size;      // of the content
  AssetKey digest;  // of the content
} AssetFile;

// Where a file named in a mesh, height field, skin (meshdir) or texture (texturedir) is. Free
// with asset_closefile.
void asset_locate(AssetFile* out, const Compile* c, const SpecObject* object, const char* name);

// Finds the digest, perhaps without the content; the content and its digest. A file that can't be
// read is an error (mju_error), to be caught.
void asset_digest(AssetFile* file);
void asset_load(AssetFile* file);

void asset_closefile(AssetFile* file);

// Type of a file as type/subtype, from its content_type if that is given, else from the extension;
// "" if neither says anything. 0 if content_type is not of that form.
int asset_type(char out[64], const mjString* content_type, const char* file);

#endif  // CONDYLE_COMPILE_ASSET_FILE_H_
