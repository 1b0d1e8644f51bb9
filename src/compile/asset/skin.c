// skin.c: reads skins from inline data or SKN files:
//
//   int32  nvert, ntexcoord, nface, nbone
//   float  vert[3 nvert], texcoord[2 ntexcoord]
//   int32  face[3 nface]
//   nbone times: char body[40], float bindpos[3], bindquat[4], int32 n, int32 vertid[n],
//   float weight[n]
//
// theory/model/meshes.md, Skins

#include "compile/asset/skin.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <mujoco/mjvisualize.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/asset/material.h"
#include "compile/asset_file.h"

enum {
  NAME_BYTES = 40,
};

// A bone: a body, and the vertices that it moves with their weights.
typedef struct Bone_ {
  char* body;
  float pos[3], quat[4];
  int n;
  int* vertid;
  float* weight;
} Bone;

struct Skin_ {
  int nvert, ntexcoord, nface, nbone;
  float *vert, *texcoord;
  int* face;
  Bone* bone;
};

static void* copy_items(const void* items, size_t count, size_t size) {
  void* copy = heap_zero(count + 1, size);
  return count ? memcpy(copy, items, count * size) : copy;
}

// from inline data

static void check_counts(const mjsSkin* spec) {
  size_t nbone = spec->bodyname->num;
  if (!spec->vert->num || !spec->face->num || !nbone || !spec->bindpos->num ||
      !spec->bindquat->num || !spec->vertid->num || !spec->vertweight->num) {
    mju_error("Missing data in skin: it needs vertices, faces and bones");
  }
  if (spec->vert->num % 3) {
    mju_error("Vertex data must be multiple of 3: %zu numbers are given", (size_t)spec->vert->num);
  }
  if (spec->texcoord->num && spec->texcoord->num != 2 * (spec->vert->num / 3)) {
    mju_error("Vertex and texcoord data incompatible size: %zu numbers for %zu vertices",
              (size_t)spec->texcoord->num, (size_t)spec->vert->num / 3);
  }
  if (spec->face->num % 3) {
    mju_error("Face data must be multiple of 3: %zu numbers are given", (size_t)spec->face->num);
  }
  if (spec->bindpos->num != 3 * nbone) {
    mju_error("Unexpected bindpos array size in skin: %zu numbers for %zu bones",
              (size_t)spec->bindpos->num, nbone);
  }
  if (spec->bindquat->num != 4 * nbone) {
    mju_error("Unexpected bindquat array size in skin: %zu numbers for %zu bones",
              (size_t)spec->bindquat->num, nbone);
  }
  if (spec->vertid->num != nbone) {
    mju_error("Unexpected vertid array size in skin: %zu lists for %zu bones",
              (size_t)spec->vertid->num, nbone);
  }
  if (spec->vertweight->num != nbone) {
    mju_error("Unexpected vertweight array size in skin: %zu lists for %zu bones",
              (size_t)spec->vertweight->num, nbone);
  }
  if (spec->vert->num > INT32_MAX || spec->face->num > INT32_MAX || nbone > INT32_MAX) {
    mju_error("skin is too large");
  }
}

static void take_inline(Skin* skin, const mjsSkin* spec) {
  check_counts(spec);
  skin->nvert = (int)(spec->vert->num / 3);
  skin->ntexcoord = (int)(spec->texcoord->num / 2);
  skin->nface = (int)(spec->face->num / 3);
  skin->nbone = (int)spec->bodyname->num;
  skin->vert = copy_items(spec->vert->ptr, spec->vert->num, sizeof(float));
  skin->texcoord = copy_items(spec->texcoord->ptr, spec->texcoord->num, sizeof(float));
  skin->face = copy_items(spec->face->ptr, spec->face->num, sizeof(int));
  skin->bone = heap_zero((size_t)skin->nbone, sizeof(Bone));
  for (int i = 0; i < skin->nbone; i++) {
    Bone* bone = skin->bone + i;
    const mjIntVec* id = &spec->vertid->ptr[i];
    const mjFloatVec* weight = &spec->vertweight->ptr[i];
    if (!id->num || id->num != weight->num || id->num > INT32_MAX) {
      mju_error("vertid and vertweight must have same non-zero size in skin (bone %d)", i);
    }
    const char* body = string_text(&spec->bodyname->ptr[i]);
    bone->body = copy_items(body, strlen(body) + 1, 1);
    memcpy(bone->pos, spec->bindpos->ptr + 3 * (size_t)i, sizeof(bone->pos));
    memcpy(bone->quat, spec->bindquat->ptr + 4 * (size_t)i, sizeof(bone->quat));
    bone->n = (int)id->num;
    bone->vertid = copy_items(id->ptr, id->num, sizeof(int));
    bone->weight = copy_items(weight->ptr, weight->num, sizeof(float));
  }
}

// from a file

typedef struct Cursor_ {
  const AssetFile* file;
  size_t at;
} Cursor;

// Copies the next items of the file, which needn't be aligned.
static void* take_items(Cursor* cursor, int64_t count, size_t size) {
  size_t left = cursor->file->size - cursor->at, bytes = 0;
  if (count < 0 || !size_multiply(&bytes, (size_t)count, size) || bytes > left) {
    mju_error("insufficient data in skin file '%s'", cursor->file->shown);
  }
  void* items = copy_items(cursor->file->bytes + cursor->at, (size_t)count, size);
  cursor->at += bytes;
  return items;
}

static void take_numbers(Cursor* cursor, void* out, int64_t count) {
  void* items = take_items(cursor, count, sizeof(int32_t));
  memcpy(out, items, (size_t)count * sizeof(int32_t));
  heap_free(items);
}

static void take_file(Skin* skin, const AssetFile* file) {
  Cursor cursor = {file, 0};
  int32_t count[4];
  take_numbers(&cursor, count, 4);
  if (count[0] < 0 || count[1] < 0 || count[2] < 0 || count[3] < 0) {
    mju_error("negative size in header of skin file '%s'", file->shown);
  }
  skin->nvert = count[0];
  skin->ntexcoord = count[1];
  skin->nface = count[2];
  skin->vert = take_items(&cursor, 3 * (int64_t)count[0], sizeof(float));
  skin->texcoord = take_items(&cursor, 2 * (int64_t)count[1], sizeof(float));
  skin->face = take_items(&cursor, 3 * (int64_t)count[2], sizeof(int32_t));

  // bound nbone by the least number of bytes of a bone
  const size_t least = NAME_BYTES + 8 * sizeof(float);
  if ((size_t)count[3] > (file->size - cursor.at) / least) {
    mju_error("insufficient data in skin file '%s'", file->shown);
  }
  skin->bone = heap_zero((size_t)count[3] + 1, sizeof(Bone));
  for (; skin->nbone < count[3]; skin->nbone++) {
    Bone* bone = skin->bone + skin->nbone;
    bone->body = take_items(&cursor, NAME_BYTES, 1);
    bone->body[NAME_BYTES - 1] = 0;
    take_numbers(&cursor, bone->pos, 3);
    take_numbers(&cursor, bone->quat, 4);
    take_numbers(&cursor, &bone->n, 1);
    if (bone->n < 1) {
      mju_error("vertex count must be positive in skin file '%s', bone %d", file->shown,
                skin->nbone);
    }
    bone->vertid = take_items(&cursor, bone->n, sizeof(int32_t));
    bone->weight = take_items(&cursor, bone->n, sizeof(float));
  }
  if (cursor.at != file->size) {
    mju_error("unexpected buffer size in skin file '%s'", file->shown);
  }
  if (!skin->nvert || !skin->nface || !skin->nbone) {
    mju_error("Missing data in skin: it needs vertices, faces and bones");
  }
  if (skin->ntexcoord && skin->ntexcoord != skin->nvert) {
    mju_error("Vertex and texcoord data incompatible size");
  }
}

// checks and weights

static int all_finite(const float* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

static void check_numbers(const Skin* skin) {
  int finite = all_finite(skin->vert, 3 * (size_t)skin->nvert) &&
               all_finite(skin->texcoord, 2 * (size_t)skin->ntexcoord);
  for (size_t i = 0; i < 3 * (size_t)skin->nface; i++) {
    if (skin->face[i] < 0 || skin->face[i] >= skin->nvert) {
      mju_error("vertex id %d of a face is out of range: the skin has %d vertices", skin->face[i],
                skin->nvert);
    }
  }
  for (int i = 0; i < skin->nbone; i++) {
    const Bone* bone = skin->bone + i;
    finite = finite && all_finite(bone->pos, 3) && all_finite(bone->quat, 4) &&
             all_finite(bone->weight, (size_t)bone->n);
    for (int k = 0; k < bone->n; k++) {
      if (bone->vertid[k] < 0 || bone->vertid[k] >= skin->nvert) {
        mju_error("vertid %d out of range in skin, bone %d: the skin has %d vertices",
                  bone->vertid[k], i, skin->nvert);
      }
    }
  }
  if (!finite) {
    mju_error("skin has numbers that are not finite");
  }
}

// Scales the weights of each vertex to sum 1 and normalizes the quaternions of bones.
static void normalize(Skin* skin) {
  float* total = heap_zero((size_t)skin->nvert, sizeof(float));
  for (int i = 0; i < skin->nbone; i++) {
    const Bone* bone = skin->bone + i;
    for (int k = 0; k < bone->n; k++) {
      total[bone->vertid[k]] += bone->weight[k];
    }
  }
  for (int i = 0; i < skin->nvert; i++) {
    if (!(total[i] > mjMINVAL)) {
      mju_error("vertex %d must have positive total weight in skin", i);
    }
  }
  for (int i = 0; i < skin->nbone; i++) {
    Bone* bone = skin->bone + i;
    for (int k = 0; k < bone->n; k++) {
      bone->weight[k] /= total[bone->vertid[k]];
    }
    double quat[4] = {bone->quat[0], bone->quat[1], bone->quat[2], bone->quat[3]};
    pose_normalize(quat, 4);
    for (int k = 0; k < 4; k++) {
      bone->quat[k] = (float)quat[k];
    }
  }
  heap_free(total);
}

typedef struct Making_ {
  Skin* skin;
  const mjsSkin* spec;
  AssetFile* file;
} Making;

static void take_from_file(const Making* making) {
  const mjsSkin* spec = making->spec;
  const char *name = string_text(spec->file), *dot = strrchr(name, '.');
  if (spec->vert->num || spec->texcoord->num || spec->face->num || spec->bodyname->num) {
    mju_error("Data already exists, trying to load from skin file: %s", name);
  }
  if (!dot || strcasecmp(dot, ".skn") != 0) {
    mju_error("Unknown skin file type: %s", name);
  }
  asset_load(making->file);
  take_file(making->skin, making->file);
}

static void make(void* argument) {
  Making* making = argument;
  if (string_empty(making->spec->file)) {
    take_inline(making->skin, making->spec);
  } else {
    take_from_file(making);
  }
  check_numbers(making->skin);
  normalize(making->skin);
}

static void embed(void* argument) {
  const Making* making = argument;
  take_from_file(making);
  check_numbers(making->skin);
}

// Makes a skin; 0, with an error, if that fails.
static int make_one(Skin* skin, Compile* c, const SpecObject* object, void (*how)(void*)) {
  AssetFile file = {0};
  Making making = {skin, &object->as.skin, &file};
  char problem[300];
  if (!string_empty(object->as.skin.file)) {
    asset_locate(&file, c, object, string_text(object->as.skin.file));
  }
  int failed = error_catch(problem, sizeof(problem), how, &making);
  if (failed) {
    *skin = (Skin){0};  // its memory was freed by the catch
    file.bytes = NULL;
    compile_error(c, object, "%s", problem);
  }
  asset_closefile(&file);
  return !failed;
}

void skins_make(Compile* c) {
  c->skin = heap_zero((size_t)c->count[mjOBJ_SKIN] + 1, sizeof(Skin));
  for (int i = 0; i < c->count[mjOBJ_SKIN]; i++) {
    make_one(c->skin + i, c, c->list[mjOBJ_SKIN][i], make);
  }
}

static void skin_free(Skin* skin) {
  for (int k = 0; k < skin->nbone; k++) {
    heap_free(skin->bone[k].body);
    heap_free(skin->bone[k].vertid);
    heap_free(skin->bone[k].weight);
  }
  heap_free(skin->bone);
  heap_free(skin->vert);
  heap_free(skin->texcoord);
  heap_free(skin->face);
}

int skin_embed(Compile* c, SpecObject* object) {
  mjsSkin* spec = &object->as.skin;
  Skin skin = {0};
  if (!make_one(&skin, c, object, embed)) {
    return 0;
  }
  mjs_setString(spec->file, "");
  mjs_setFloat(spec->vert, skin.vert, 3 * skin.nvert);
  mjs_setFloat(spec->texcoord, skin.texcoord, 2 * skin.ntexcoord);
  mjs_setInt(spec->face, skin.face, 3 * skin.nface);
  float* pos = heap_zero(3 * (size_t)skin.nbone + 1, sizeof(float));
  float* quat = heap_zero(4 * (size_t)skin.nbone + 1, sizeof(float));
  for (int i = 0; i < skin.nbone; i++) {
    const Bone* bone = skin.bone + i;
    memcpy(pos + 3 * i, bone->pos, sizeof(bone->pos));
    memcpy(quat + 4 * i, bone->quat, sizeof(bone->quat));
    mjs_appendString(spec->bodyname, bone->body);
    mjs_appendIntVec(spec->vertid, bone->vertid, bone->n);
    mjs_appendFloatVec(spec->vertweight, bone->weight, bone->n);
  }
  mjs_setFloat(spec->bindpos, pos, 3 * skin.nbone);
  mjs_setFloat(spec->bindquat, quat, 4 * skin.nbone);
  heap_free(pos);
  heap_free(quat);
  skin_free(&skin);
  return 1;
}

void skins_free(Compile* c) {
  for (int i = 0; c->skin && i < c->count[mjOBJ_SKIN]; i++) {
    skin_free(c->skin + i);
  }
  heap_free(c->skin);
  c->skin = NULL;
}

// into the model

void skins_sizes(Compile* c, mjModel* m) {
  int64_t vert = 0, texcoord = 0, face = 0, bone = 0, weighted = 0;
  for (int i = 0; i < c->count[mjOBJ_SKIN]; i++) {
    const Skin* skin = c->skin + i;
    vert += skin->nvert;
    texcoord += skin->ntexcoord;
    face += skin->nface;
    bone += skin->nbone;
    for (int k = 0; k < skin->nbone; k++) {
      weighted += skin->bone[k].n;
    }
  }
  if (vert > INT32_MAX || face > INT32_MAX || weighted > INT32_MAX || bone > INT32_MAX) {
    compile_error(c, NULL, "skins are too large together");
    return;
  }
  m->nskin = c->count[mjOBJ_SKIN];
  m->nskinvert = (int)vert;
  m->nskintexvert = (int)texcoord;
  m->nskinface = (int)face;
  m->nskinbone = (int)bone;
  m->nskinbonevert = (int)weighted;
}

// Indices of the next items of each kind.
typedef struct Fill_ {
  int vert, texcoord, face, bone, weighted;
} Fill;

static void write_bone(Compile* c, const SpecObject* object, const Bone* bone, Fill* fill) {
  mjModel* m = c->m;
  int i = fill->bone++;
  mjString name = {bone->body, strlen(bone->body), 0};
  m->skin_bonebodyid[i] =
      compile_named(c, object, mjOBJ_BODY, &name, "unknown body '%s' in skin %d");
  memcpy(m->skin_bonebindpos + 3 * i, bone->pos, sizeof(bone->pos));
  memcpy(m->skin_bonebindquat + 4 * i, bone->quat, sizeof(bone->quat));
  m->skin_bonevertadr[i] = fill->weighted;
  m->skin_bonevertnum[i] = bone->n;
  memcpy(m->skin_bonevertid + fill->weighted, bone->vertid, (size_t)bone->n * sizeof(int));
  memcpy(m->skin_bonevertweight + fill->weighted, bone->weight, (size_t)bone->n * sizeof(float));
  fill->weighted += bone->n;
}

static void write_skin(Compile* c, const SpecObject* object, const Skin* skin, Fill* fill) {
  mjModel* m = c->m;
  const mjsSkin* spec = &object->as.skin;
  int i = object->id;
  if (spec->group < 0 || spec->group >= mjNGROUP) {
    compile_error(c, object, "skin group must be between 0 and %d", mjNGROUP - 1);
  }
  m->skin_matid[i] = compile_material(c, object, spec->material);
  m->skin_group[i] = spec->group;
  memcpy(m->skin_rgba + 4 * i, spec->rgba, sizeof(spec->rgba));
  m->skin_inflate[i] = spec->inflate;
  m->skin_vertadr[i] = fill->vert;
  m->skin_vertnum[i] = skin->nvert;
  m->skin_texcoordadr[i] = skin->ntexcoord ? fill->texcoord : -1;
  m->skin_faceadr[i] = fill->face;
  m->skin_facenum[i] = skin->nface;
  m->skin_boneadr[i] = fill->bone;
  m->skin_bonenum[i] = skin->nbone;
  memcpy(m->skin_vert + 3 * (size_t)fill->vert, skin->vert,
         3 * (size_t)skin->nvert * sizeof(float));
  memcpy(m->skin_texcoord + 2 * (size_t)fill->texcoord, skin->texcoord,
         2 * (size_t)skin->ntexcoord * sizeof(float));
  memcpy(m->skin_face + 3 * (size_t)fill->face, skin->face, 3 * (size_t)skin->nface * sizeof(int));
  fill->vert += skin->nvert;
  fill->texcoord += skin->ntexcoord;
  fill->face += skin->nface;
  for (int k = 0; k < skin->nbone; k++) {
    write_bone(c, object, skin->bone + k, fill);
  }
}

void skins_write(Compile* c) {
  Fill fill = {0};
  for (int i = 0; i < c->count[mjOBJ_SKIN]; i++) {
    write_skin(c, c->list[mjOBJ_SKIN][i], c->skin + i, &fill);
  }
}
