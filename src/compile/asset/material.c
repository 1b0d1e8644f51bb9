// material.c: sizes, kinds and pixels of textures, and materials.
//                                                          theory/model/textures.md, Texture layout
#include "compile/asset/material.h"

#include <limits.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/parallel.h"
#include "compile/texture/builtin.h"
#include "compile/texture/file.h"
#include "compile/texture/image.h"
#include "compile/texture/reference.h"

enum {
  FEW_BYTES = 1 << 22,  // bytes below which threads don't pay
};

int compile_material(Compile* c, const SpecObject* object, const mjString* material) {
  if (string_empty(material)) {
    return -1;
  }
  int id = compile_find(c, mjOBJ_MATERIAL, material);
  if (id < 0) {
    compile_error(c, object, "material '%s' not found in %s %d", string_text(material),
                  spec_typename(object->element.elemtype), object->id);
  }
  return id;
}

// Height in pixels: six squares for a generated cube.
static int texture_height(const mjsTexture* spec) {
  int cube = spec->type != mjTEXTURE_2D;
  return spec->data->num == 0 && cube ? 6 * spec->width : spec->height;
}

// Does the texture come from files? The order of sources is: the user's pixels, a pattern, a file,
// files of a cube's faces.
static int has_files(const mjsTexture* spec) {
  if (spec->data->num || spec->builtin != mjBUILTIN_NONE) {
    return 0;
  }
  int found = !string_empty(spec->file);
  for (size_t i = 0; spec->type != mjTEXTURE_2D && i < spec->cubefiles->num; i++) {
    found |= !string_empty(&spec->cubefiles->ptr[i]);
  }
  return found;
}

static int check_texture(Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  int before = c->nerror;
  int generated = spec->data->num == 0 && spec->builtin != mjBUILTIN_NONE;
  if (spec->data->num == 0 && !generated) {
    if (spec->type == mjTEXTURE_2D) {
      compile_error(c, object, "Cannot load 2D texture from separate files, texture");
    } else {
      compile_error(c, object, "No cubefiles_ defined in cube or skybox texture");
    }
    return 0;
  }

  // the bound avoids an overflow of 6 width
  if (spec->width < 1) {
    compile_error(c, object, "Invalid width of %stexture", generated ? "builtin " : "");
  } else if (spec->width > INT_MAX / 6) {
    compile_error(c, object, "Builtin texture too large: width %d is above %d", spec->width,
                  INT_MAX / 6);
  } else if (texture_height(spec) < 1) {
    compile_error(c, object, "Invalid height of %stexture", generated ? "builtin " : "");
  } else if (spec->nchannel < (generated ? 3 : 1) || (generated && spec->nchannel > 4)) {
    compile_error(c, object, "Invalid number of channels in texture: %d", spec->nchannel);
  } else if (INT_MAX / spec->width / texture_height(spec) < spec->nchannel) {
    compile_error(c, object, "Builtin texture too large: %d x %d x %d bytes are more than %d",
                  spec->width, texture_height(spec), spec->nchannel, INT_MAX);
  } else if (!generated && spec->data->num != (size_t)spec->nchannel * (size_t)spec->width *
                                                  (size_t)spec->height) {
    compile_error(c, object, "Texture buffer has incorrect size, given %zu expected %d",
                  spec->data->num, spec->nchannel * spec->width * spec->height);
  }
  return c->nerror == before;
}

void compile_textures(Compile* c) {
  mjModel* m = c->m;
  int64_t adr = 0;
  for (int i = 0; i < c->count[mjOBJ_TEXTURE]; i++) {
    const SpecObject* object = c->list[mjOBJ_TEXTURE][i];
    const mjsTexture* spec = &object->as.texture;
    m->tex_type[i] = spec->type;
    m->tex_colorspace[i] = spec->colorspace;
    if (texture_isreference(c, object)) {
      m->tex_nchannel[i] = spec->nchannel;
      m->tex_adr[i] = -1;
      continue;
    }
    if (has_files(spec)) {
      int srgb;
      if (!texture_measure(&m->tex_width[i], &m->tex_height[i], &srgb, c, object)) {
        continue;
      }
      if (spec->colorspace == mjCOLORSPACE_AUTO) {
        m->tex_colorspace[i] = srgb ? mjCOLORSPACE_SRGB : mjCOLORSPACE_LINEAR;
      }
    } else if (check_texture(c, object)) {
      m->tex_width[i] = spec->width;
      m->tex_height[i] = texture_height(spec);
    } else {
      continue;
    }
    m->tex_nchannel[i] = spec->nchannel;
    m->tex_adr[i] = (int)adr;
    adr += (int64_t)m->tex_nchannel[i] * m->tex_width[i] * m->tex_height[i];
    if (adr > INT_MAX) {
      compile_error(c, object, "textures too large together");
      adr = 0;
    }
  }
  c->ntexdata = (int)adr;
}

static void write_texture(void* argument, int i) {
  const Compile* c = argument;
  const mjModel* m = c->m;
  const mjsTexture* spec = &c->list[mjOBJ_TEXTURE][i]->as.texture;
  if (m->tex_adr[i] < 0) {
    return;
  }
  mjtByte* pixels = m->tex_data + m->tex_adr[i];
  if (spec->data->num) {
    memcpy(pixels, spec->data->ptr, spec->data->num);
    image_flip(pixels, m->tex_width[i], m->tex_height[i], m->tex_nchannel[i], spec->hflip,
               spec->vflip);
  } else if (has_files(spec)) {
    texture_compose(pixels, c, c->list[mjOBJ_TEXTURE][i]);
  } else {
    texture_builtin(pixels, spec, m->tex_width[i], m->tex_height[i]);
  }
}

void compile_texturedata(Compile* c) {
  int is_alone = c->m->ntexdata < FEW_BYTES || !c->tree->spec.compiler.usethread;
  parallel_for(c->m->ntex, is_alone, write_texture, c);
}

void compile_materials(Compile* c) {
  mjModel* m = c->m;
  for (int i = 0; i < c->count[mjOBJ_MATERIAL]; i++) {
    const SpecObject* object = c->list[mjOBJ_MATERIAL][i];
    const mjsMaterial* spec = &object->as.material;
    for (int role = 0; role < mjNTEXROLE; role++) {
      int id = -1;
      if ((size_t)role < spec->textures->num && !string_empty(&spec->textures->ptr[role])) {
        const mjString* name = &spec->textures->ptr[role];
        id = compile_find(c, mjOBJ_TEXTURE, name);
        if (id < 0) {
          compile_error(c, object, "texture '%s' not found in material %d", string_text(name), i);
        }
      }
      m->mat_texid[mjNTEXROLE * i + role] = id;
    }
    m->mat_texuniform[i] = spec->texuniform;
    memcpy(m->mat_texrepeat + 2 * i, spec->texrepeat, 2 * sizeof(float));
    m->mat_emission[i] = spec->emission;
    m->mat_specular[i] = spec->specular;
    m->mat_shininess[i] = spec->shininess;
    m->mat_reflectance[i] = spec->reflectance;
    m->mat_metallic[i] = spec->metallic;
    m->mat_roughness[i] = spec->roughness;
    memcpy(m->mat_rgba + 4 * i, spec->rgba, 4 * sizeof(float));
  }
}
