// dedup.c: mjs_dedupAssets, which merges assets that would compile to the same. A model that
// attaches another one several times has such assets.
//
// Each asset has a digest of its file's path and of all its numbers; equal digests are equal
// assets.

#include <mujoco/api/compile.h>
#include <mujoco/api/spec.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/asset_file.h"
#include "spec/reference.h"
#include "spec/tree.h"

static void add_path(Digest* digest, const Compile* c, const SpecObject* object,
                     const mjString* name) {
  int given = !string_empty(name);
  digest_add(digest, &given, sizeof(given));
  if (given) {
    AssetFile file;
    asset_locate(&file, c, object, string_text(name));
    digest_add(digest, file.path, strlen(file.path) + 1);
    asset_closefile(&file);
  }
}

static void add_text(Digest* digest, const mjString* text) {
  digest_add(digest, string_text(text), strlen(string_text(text)) + 1);
}

#define ADD(member) digest_add(&digest, &(member), sizeof(member))
#define ADD_LIST(list, type)                                      \
  do {                                                            \
    digest_add(&digest, &(list)->num, sizeof(size_t));            \
    digest_add(&digest, (list)->ptr, (list)->num * sizeof(type)); \
  } while (0)

static Digest mesh_digest(const Compile* c, const SpecObject* object) {
  const mjsMesh* mesh = &object->as.mesh;
  Digest digest = asset_key("mesh");
  add_path(&digest, c, object, mesh->file);
  add_text(&digest, mesh->content_type);
  add_text(&digest, mesh->material);
  ADD(mesh->refpos);
  ADD(mesh->refquat);
  ADD(mesh->scale);
  ADD(mesh->inertia);
  ADD(mesh->smoothnormal);
  ADD(mesh->needsdf);
  ADD(mesh->maxhullvert);
  ADD(mesh->octree_maxdepth);
  ADD_LIST(mesh->uservert, float);
  ADD_LIST(mesh->usernormal, float);
  ADD_LIST(mesh->usertexcoord, float);
  ADD_LIST(mesh->userface, int);
  ADD_LIST(mesh->userfacenormal, int);
  ADD_LIST(mesh->userfacetexcoord, int);
  ADD_LIST(mesh->usernode, double);
  ADD_LIST(mesh->usertet, int);
  return digest;
}

static Digest texture_digest(const Compile* c, const SpecObject* object) {
  const mjsTexture* texture = &object->as.texture;
  Digest digest = asset_key("texture");
  add_path(&digest, c, object, texture->file);
  for (size_t i = 0; i < texture->cubefiles->num; i++) {
    add_path(&digest, c, object, &texture->cubefiles->ptr[i]);
  }
  add_text(&digest, texture->content_type);
  ADD(texture->type);
  ADD(texture->colorspace);
  ADD(texture->builtin);
  ADD(texture->mark);
  ADD(texture->rgb1);
  ADD(texture->rgb2);
  ADD(texture->markrgb);
  ADD(texture->random);
  ADD(texture->height);
  ADD(texture->width);
  ADD(texture->nchannel);
  ADD(texture->gridsize);
  ADD(texture->gridlayout);
  ADD(texture->hflip);
  ADD(texture->vflip);
  ADD_LIST(texture->data, unsigned char);
  return digest;
}

typedef struct Asset_ {
  Digest digest;
  SpecObject* object;
  int place;  // in the list
} Asset;

static int compare(const void* a, const void* b) {
  const Asset *x = a, *y = b;
  int order = memcmp(x->digest.half, y->digest.half, sizeof(x->digest.half));
  return order ? order : x->place - y->place;
}

// Points the scratch pointer `copy` of every asset to the first of its group.
static void group(SpecTree* tree, mjtObj type) {
  const Compile c = {.tree = tree};
  Asset* asset = heap_take(((size_t)spec_count(tree, type) + 1) * sizeof(Asset));
  size_t count = 0;
  int place = 0;
  for (SPEC_EACH(it, tree, type)) {
    if (spec_name(it)[0] && !(type == mjOBJ_MESH && it->as.mesh.plugin.active)) {
      asset[count++] =
          (Asset){type == mjOBJ_MESH ? mesh_digest(&c, it) : texture_digest(&c, it), it, place++};
    }
  }
  qsort(asset, count, sizeof(Asset), compare);
  for (size_t i = 0, first = 0; i < count; i++) {
    int same = i && !memcmp(&asset[i].digest, &asset[first].digest, sizeof(asset[i].digest.half));
    first = same ? first : i;
    asset[i].object->copy = asset[first].object;
  }
  heap_free(asset);
}

static int redirect(const NameUse* use, void* context) {
  SpecTree* tree = context;
  if (use->type == mjOBJ_MESH || use->type == mjOBJ_TEXTURE) {
    const SpecObject* object = spec_find(tree, use->type, string_text(use->name));
    if (object && object->copy && object->copy != object) {
      return string_set(use->name, spec_name(object->copy));
    }
  }
  return 1;
}

// Rewrites all references, those of classes too. Returns 0 if memory runs out.
static int redirect_all(SpecTree* tree) {
  static const mjtObj users[] = {mjOBJ_GEOM,   mjOBJ_SITE,  mjOBJ_LIGHT, mjOBJ_MATERIAL,
                                 mjOBJ_SENSOR, mjOBJ_TUPLE, mjOBJ_MESH,  mjOBJ_SKIN};
  int ok = 1;
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
    for (SPEC_EACH(it, tree, users[i])) {
      ok = ok && reference_visit(it, redirect, tree);
    }
    for (SPEC_EACH(it, tree, mjOBJ_DEFAULT)) {
      SpecObject* prototype = it->as.classdef.prototype[users[i]];
      ok = ok && (!prototype || reference_visit(prototype, redirect, tree));
    }
  }
  return ok;
}

static int delete_merged(SpecTree* tree, mjtObj type) {
  int count = 0;
  for (SpecObject *it = spec_first(tree, type), *next; it; it = next) {
    next = spec_next(it);
    if (it->copy && it->copy != it) {
      mjs_delete(&tree->spec, &it->element);
      count++;
    }
  }
  return count;
}

static void group_all(void* argument) {
  group(argument, mjOBJ_TEXTURE);
  group(argument, mjOBJ_MESH);
}

int mjs_dedupAssets(mjSpec* s) {
  check_given(s);
  SpecTree* tree = spec_tree(s);
  int count = -1;
  tree_clearcopies(tree);
  if (!error_catch(NULL, 0, group_all, tree) && redirect_all(tree)) {
    count = delete_merged(tree, mjOBJ_TEXTURE) + delete_merged(tree, mjOBJ_MESH);
  } else {
    spec_error(tree, MEMORY_OUT);
  }
  tree_clearcopies(tree);
  return count;
}
