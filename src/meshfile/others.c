// others.c: the files that a glTF names, without reading what it shows.

#include <string.h>
#include <strings.h>

#include "base/memory/memory.h"
#include "base/text/json_read.h"
#include "meshfile/meshfile.h"

// The JSON of a glTF: all of it, or the first chunk of a GLB, behind a header of 12 bytes and its
// own of 8. NULL if it is neither.
static char* json_text(const char* name, const char* bytes, size_t size) {
  enum {
    HEADS = 20,
  };
  const char* dot = strrchr(name, '.');
  size_t start = 0, length = size;
  if (!dot || (strcasecmp(dot, ".gltf") != 0 && strcasecmp(dot, ".glb") != 0)) {
    return NULL;
  }
  if (strcasecmp(dot, ".glb") == 0) {
    if (size < HEADS || memcmp(bytes, "glTF", 4) != 0 || memcmp(bytes + 16, "JSON", 4) != 0) {
      return NULL;
    }
    start = HEADS;
    length = 0;
    for (size_t k = 0; k < 4; k++) {
      length |= (size_t)(unsigned char)bytes[12 + k] << 8 * k;
    }
    length = length < size - start ? length : size - start;
  }
  char* text = heap_take(length + 1);
  memcpy(text, bytes + start, length);
  text[length] = 0;
  return text;
}

static void tell_links(const JsonValue* list, MeshFileTell* tell, void* user) {
  for (size_t i = 0; i < json_count(list); i++) {
    const char* uri = json_member_text(json_element(list, i), "uri", NULL);
    if (uri && uri[0] && strncmp(uri, "data:", 5) != 0) {
      char* path = meshfile_path(uri, strlen(uri));
      tell(user, path);
      heap_free(path);
    }
  }
}

void meshfile_others(const char* name, const void* bytes, size_t size, int with_images,
                     MeshFileTell* tell, void* user) {
  const char *problem, *at;
  char* text = json_text(name, bytes, size);
  JsonValue* root = text ? json_parse(text, &problem, &at) : NULL;
  tell_links(json_member(root, "buffers"), tell, user);
  if (with_images) {
    tell_links(json_member(root, "images"), tell, user);
  }
  if (root) {
    json_free(root);
  }
  heap_free(text);
}
