// dependencies.c: mju_getXMLDependencies, the list of files that make up a model.
//
// The text is parsed, with includes and sub-models, but not checked, so a model with errors has
// dependencies too. Every file is listed once, in the order of the text.

#include <mujoco/api/base.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/spec.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/text/text.h"
#include "meshfile/meshfile.h"
#include "mjcf/document.h"
#include "model/files/resource.h"
#include "spec/vector.h"

enum {
  MAX_DEPTH = 32,  // nested models
};

// The directory attribute of <compiler> that applies to the files of an element.
typedef enum Folder_ {
  FOLDER_NONE,
  FOLDER_MESH,
  FOLDER_TEXTURE,
} Folder;

static const struct {
  const char *element, *attribute;
  Folder folder;
} uses[] = {
    {"mesh", "file", FOLDER_MESH},           {"hfield", "file", FOLDER_MESH},
    {"skin", "file", FOLDER_MESH},           {"flexcomp", "file", FOLDER_MESH},
    {"texture", "file", FOLDER_TEXTURE},     {"texture", "fileright", FOLDER_TEXTURE},
    {"texture", "fileleft", FOLDER_TEXTURE}, {"texture", "fileup", FOLDER_TEXTURE},
    {"texture", "filedown", FOLDER_TEXTURE}, {"texture", "filefront", FOLDER_TEXTURE},
    {"texture", "fileback", FOLDER_TEXTURE}, {"model", "file", FOLDER_NONE},
};

typedef struct Walk_ {
  mjStringVec* found;
  const Document* document;
  const char* folder[3];
  int depth;  // number of models around this one
} Walk;

// Adds a path. Returns 0 if it was in the list already.
static int add(mjStringVec* found, const char* path) {
  for (size_t i = 0; i < found->num; i++) {
    if (strcmp(string_text(&found->ptr[i]), path) == 0) {
      return 0;
    }
  }
  mjs_appendString(found, path);
  return 1;
}

static void list_model(mjStringVec* found, const char* file, int depth);

// Reads the directories of files; the last <compiler> that sets one counts.
static void find_folders(Walk* walk, const Node* node) {
  for (; node; node = node->next) {
    if (text_equal(node->name, "compiler")) {
      const char *assets = node_text(node, "assetdir"), *meshes = node_text(node, "meshdir");
      const char* textures = node_text(node, "texturedir");
      walk->folder[FOLDER_MESH] = meshes ? meshes : assets ? assets : walk->folder[FOLDER_MESH];
      walk->folder[FOLDER_TEXTURE] = textures ? textures
                                     : assets ? assets
                                              : walk->folder[FOLDER_TEXTURE];
    }
  }
}

// The path of a file: in the model's directory for this kind of file. If the element is in an
// included file and no such file exists, the path is next to the included file.
static char* path_of(const Walk* walk, const Node* node, Folder folder, const char* file) {
  const char* model = document_directory(walk->document);
  char* inner = resource_path(walk->folder[folder], file);
  char* path = resource_path(model, inner);
  if (node->source->includer && !resource_exists(NULL, NULL, path)) {
    heap_free(path);
    path = resource_path(node->source->directory, file);
  }
  heap_free(inner);
  return path;
}

typedef struct Beside_ {
  mjStringVec* found;
  char* directory;
} Beside;

static void add_beside(void* user, const char* name) {
  const Beside* beside = user;
  char* path = resource_path(beside->directory, name);
  add(beside->found, path);
  heap_free(path);
}

// Adds the files that a mesh file names: buffers and images of a glTF.
static void list_mesh(mjStringVec* found, const char* path) {
  char reason[200];
  size_t size;
  const char* dot = strrchr(path, '.');
  if (!dot || (strcasecmp(dot, ".gltf") != 0 && strcasecmp(dot, ".glb") != 0)) {
    return;
  }
  Beside beside = {found, resource_directory(path)};
  char* bytes = resource_read(&size, NULL, "", path, reason, sizeof(reason));
  if (bytes) {
    meshfile_others(path, bytes, size, 1, add_beside, &beside);
  }
  heap_free(bytes);
  heap_free(beside.directory);
}

static void list_node(const Walk* walk, const Node* node) {
  for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
    const char* file =
        text_equal(node->name, uses[i].element) ? node_text(node, uses[i].attribute) : NULL;
    char* path = file && file[0] ? path_of(walk, node, uses[i].folder, file) : NULL;
    int is_new = path && add(walk->found, path);
    if (is_new && uses[i].folder == FOLDER_NONE && walk->depth < MAX_DEPTH) {
      list_model(walk->found, path, walk->depth + 1);
    }
    if (is_new && text_equal(node->name, "mesh")) {
      list_mesh(walk->found, path);
    }
    heap_free(path);
  }
  for (const Node* child = node->first; child; child = child->next) {
    list_node(walk, child);
  }
}

// Adds the dependencies of a model. Its own name is in the list already.
static void list_model(mjStringVec* found, const char* file, int depth) {
  Document* document = document_readfile(depth ? "" : NULL, file, NULL, NULL);
  if (!document) {
    return;
  }
  for (int i = 1; document_file(document, i); i++) {
    add(found, document_file(document, i));
  }
  Walk walk = {found, document, {"", "", ""}, depth};
  find_folders(&walk, document_root(document)->first);
  list_node(&walk, document_root(document));
  document_free(document);
}

typedef struct Listing_ {
  const char* filename;
  mjStringVec* dependencies;
  int missing;
} Listing;

static void list_all(void* argument) {
  Listing* listing = argument;
  listing->missing = !resource_exists(NULL, NULL, listing->filename);
  if (listing->missing) {
    return;
  }
  mjStringVec found = {NULL, 0, 0};
  vector_copy((Vector*)&found, (const Vector*)listing->dependencies, VECTOR_STRINGS);
  char* path = resource_path(NULL, listing->filename);
  add(&found, path);
  list_model(&found, path, 0);
  heap_free(path);
  vector_clear((Vector*)listing->dependencies, VECTOR_STRINGS);
  *listing->dependencies = found;
}

void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  check_given(filename);
  Listing listing = {filename, dependencies, 0};
  char message[300];
  if (error_catch(message, sizeof(message), list_all, &listing)) {
    mju_warning("mju_getXMLDependencies: %s", message);
  } else if (listing.missing) {
    mju_error("Problem reading XML file '%s'", filename);
  }
}
