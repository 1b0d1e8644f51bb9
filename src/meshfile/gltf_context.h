// gltf_context.h: what the files of the glTF reader share. glTF 2.0, as text and as GLB.
//
//   scene -> node* -> mesh -> primitive -> accessor -> bufferView -> buffer
//                                  \--> material -> texture -> image

#pragma once

#include "base/text/json_read.h"
#include "meshfile/corners.h"

typedef struct GltfBuffer_ {
  const unsigned char* bytes;  // NULL until asked for
  size_t size;
} GltfBuffer;

// The numbers of an accessor, as floats or as indices.
typedef struct GltfAccessor_ {
  float* real;
  int* index;
  size_t count, width;  // elements, and components of each
} GltfAccessor;

// The primitives of a mesh in its own frame.
typedef struct GltfMesh_ {
  MeshPart* part;
  size_t npart;
  int is_read;
} GltfMesh;

typedef struct Gltf_ {
  MeshBuild* build;
  const JsonValue* root;
  const unsigned char* chunk;  // of a GLB, NULL if there is none
  size_t chunk_size;
  GltfBuffer* buffer;
  GltfAccessor* accessor;
  GltfMesh* mesh;
  int* material;  // index in the file, -1 until asked for
  Corners corners;
  size_t image_bytes;  // of all images so far
} Gltf;

// The element of a list of the root ("nodes") that `object` names by the index `key`; the index
// goes to `index`. NULL if it names none. Ends in an error if the element doesn't exist.
const JsonValue* gltf_refer(const Gltf* gltf, size_t* index, const JsonValue* object,
                            const char* key, const char* list);

// A member that is a count or an offset, 0 if it is missing. Ends in an error if it isn't whole.
size_t gltf_size(const Gltf* gltf, const JsonValue* object, const char* key);

// A copy of the bytes of an image inside of the file, NULL if it is elsewhere.
void* gltf_image(Gltf* gltf, const JsonValue* image, size_t* size);

// The accessor that `object` names by `key`, as floats (normalized integers between -1 and 1) or as
// indices; NULL if it names none.
const GltfAccessor* gltf_reals(Gltf* gltf, const JsonValue* object, const char* key);
const GltfAccessor* gltf_indices(Gltf* gltf, const JsonValue* object, const char* key);
