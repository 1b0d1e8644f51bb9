// asset_file.h: the files of assets.
//
// The cache needs a digest of the content; the content itself is needed only if the asset is not in
// the cache. So a file is first located, then digested, then perhaps loaded. The digest of a file
// on disk is remembered as long as its device, number, size and time of change are the same.
//                                                                     theory/model/format.md, Files

#pragma once

#include <mujoco/mjspec.h>

#include "base/file.h"
#include "compile/asset_cache.h"
#include "compile/context.h"

typedef struct AssetFile_ {
  char* name;              // relative to the model's directory
  const char* directory;   // directory of the model
  char* path;              // directory and name
  char shown[PATH_SHOWN];  // the path for messages
  const mjVFS* vfs;
  char* bytes;    // content, with a 0 behind it; NULL until loaded
  size_t size;    // size of the content
  Digest digest;  // digest of the content
} AssetFile;

// Both locate the file of a mesh, height field, skin (meshdir) or texture (texturedir) that an
// object names: of a spec as a whole, and while it is compiled. Free with asset_closefile.
void asset_place(AssetFile* out, const SpecTree* whole, const mjVFS* vfs, const SpecObject* object,
                 const char* name);
void asset_locate(AssetFile* out, const Compile* c, const SpecObject* object, const char* name);

// Size of a located file on disk, 0 for others.
size_t asset_size(const AssetFile* file);

// asset_digest finds the digest, without loading the content if possible. asset_load loads the
// content and updates the digest. A file that can't be read ends in mju_error, to be caught.
void asset_digest(AssetFile* file);
void asset_load(AssetFile* file);

void asset_closefile(AssetFile* file);

// Type of a file as type/subtype, from content_type if that is given, else from the extension; ""
// if neither tells. Returns 0 if content_type is not of that form.
int asset_type(char out[64], const mjString* content_type, const char* file);
