// texture.c: makes materials of a robot's pictures.
//
// A PNG beside the robot stays a file of the model. Pictures of other formats, and those inside of
// mesh files, become pixels of the model: MJCF has no name for them. What can't be read is left
// out, and the shape keeps its colour.

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "compile/texture/image.h"
#include "imagefile/imagefile.h"
#include "model/files/resource.h"
#include "robot/built.h"
#include "spec/spec.h"

enum {
  NCHANNEL = 3,
};

static void leave_out(const Builder* b, const Node* node, const char* shown, const char* reason) {
  robot_warn(b->robot, node, NULL, "the texture '%s' is left out: %s", shown, reason);
}

// Adds a texture and its material, and remembers what they are of.
static mjsTexture* add_texture(Builder* b, const Node* node, const char* source, const char* base,
                               const float rgba[4]) {
  mjsTexture* texture = mjs_addTexture(b->spec);
  built_place(b, texture->element, node);
  const char* name = built_name(b, texture->element, base);
  texture->type = mjTEXTURE_2D;
  mjsMaterial* material = mjs_addMaterial(b->spec, NULL);
  built_place(b, material->element, node);
  mjs_setName(material->element, name);
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, name);
  memcpy(material->rgba, rgba, sizeof(material->rgba));
  BuiltTexture* built = robot_push((void**)&b->textures, &b->ntexture, sizeof(BuiltTexture));
  *built = (BuiltTexture){spec_intern(spec_tree(b->spec), source), name};
  return texture;
}

static const char* known_texture(const Builder* b, const char* source) {
  for (int i = 0; i < b->ntexture; i++) {
    if (text_equal(b->textures[i].source, source)) {
      return b->textures[i].material;
    }
  }
  return NULL;
}

// pixels

typedef struct Png_ {
  AssetFile file;
  Image* image;
} Png;

static void read_png(void* argument) {
  Png* png = argument;
  const ImageRequest request = {IMAGE_PNG, &png->file, NCHANNEL, 0, 0};
  png->image = image_make(&request);
}

static void set_pixels(mjsTexture* texture, int width, int height, const void* pixels) {
  texture->width = width;
  texture->height = height;
  texture->nchannel = NCHANNEL;
  texture->colorspace = mjCOLORSPACE_LINEAR;
  mjs_setBuffer(texture->data, pixels, NCHANNEL * width * height);
}

// A picture to be added: its bytes, where they are from, and how its texture is called.
typedef struct Picture_ {
  const char *source, *base;
  const void* bytes;
  size_t size;
} Picture;

static const char* add_png(Builder* b, const Node* node, const Picture* picture,
                           const float rgba[4]) {
  char reason[400];
  Png png = {.file = {.bytes = (char*)(uintptr_t)picture->bytes, .size = picture->size}};
  path_show(png.file.shown, picture->source);
  if (error_catch(reason, sizeof(reason), read_png, &png)) {
    leave_out(b, node, picture->source, reason);
    return NULL;
  }
  mjsTexture* texture = add_texture(b, node, picture->source, picture->base, rgba);
  set_pixels(texture, png.image->width, png.image->height, png.image->pixel);
  if (png.image->srgb) {
    texture->colorspace = mjCOLORSPACE_SRGB;
  }
  asset_release(png.image);
  return known_texture(b, picture->source);
}

static const char* add_picture(Builder* b, const Node* node, const Picture* picture,
                               const float rgba[4]) {
  char reason[400];
  if (imagefile_kind(picture->source, picture->bytes, picture->size) == IMAGEFILE_PNG) {
    return add_png(b, node, picture, rgba);
  }
  ImageFile* file =
      imagefile_read(picture->source, picture->bytes, picture->size, reason, sizeof(reason));
  if (!file) {
    leave_out(b, node, picture->source, reason);
    return NULL;
  }
  mjsTexture* texture = add_texture(b, node, picture->source, picture->base, rgba);
  set_pixels(texture, file->width, file->height, file->pixel);
  imagefile_free(file);
  return known_texture(b, picture->source);
}

// sources

const char* robot_addtexture(Builder* b, const Node* node, const char* path, const float rgba[4]) {
  const char *known = known_texture(b, path), *dot = strrchr(path, '.');
  char base[100], reason[200];
  if (known) {
    return known;
  }
  size_t size;
  char* bytes = resource_read(&size, b->options->vfs, "", path, reason, sizeof(reason));
  if (!bytes) {
    leave_out(b, node, path, reason);
    return NULL;
  }
  built_base(base, path);
  const Picture picture = {path, base, bytes, size};
  if (dot && strcasecmp(dot, ".png") == 0 && imagefile_kind(path, bytes, size) == IMAGEFILE_PNG) {
    mjs_setString(add_texture(b, node, path, base, rgba)->file, path);
    known = known_texture(b, path);
  } else {
    known = add_picture(b, node, &picture, rgba);
  }
  heap_free(bytes);
  return known;
}

const char* robot_addimage(Builder* b, const Node* node, const char* path, int number,
                           const MeshMaterial* material, const float rgba[4]) {
  char base[100];
  size_t room = strlen(path) + 20;
  char* source = heap_take(room);
  snprintf(source, room, "%s#%d", path, number);
  built_base(base, path);
  const Picture picture = {source, material->name[0] ? material->name : base, material->image,
                           material->image_size};
  const char* known = known_texture(b, source);
  known = known ? known : add_picture(b, node, &picture, rgba);
  heap_free(source);
  return known;
}
