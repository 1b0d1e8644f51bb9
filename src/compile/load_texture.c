// load_texture.c: pixels of textures that a model has left in their files: a texture is compiled
// alone, so it gets what compiling would have stored.
//                                                   theory/model/textures.md, Textures by reference

#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/model.h"

static void set_error(char* error, int error_sz, const char* text) {
  if (error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s", text);
  }
}

// A model that has one texture of another, in its file there, as its own.
static mjModel* compile_texture(const mjModel* m, int id, char* error, int error_sz) {
  mjSpec* spec = mj_makeSpec();
  mjsTexture* texture = spec ? mjs_addTexture(spec) : NULL;
  if (!texture) {
    mj_deleteSpec(spec);
    set_error(error, error_sz, MEMORY_OUT);
    return NULL;
  }
  mjs_setName(texture->element, m->names + m->name_texadr[id]);
  mjs_setString(texture->file, m->paths + m->tex_pathadr[id]);
  if (m->tex_contenttypeadr[id] >= 0) {
    mjs_setString(texture->content_type, m->paths + m->tex_contenttypeadr[id]);
  }
  texture->type = (mjtTexture)m->tex_type[id];
  texture->colorspace = (mjtColorSpace)m->tex_colorspace[id];
  texture->nchannel = m->tex_nchannel[id];
  texture->embed = mjEMBED_TRUE;
  mjModel* one = mj_compile(spec, NULL);
  if (!one) {
    set_error(error, error_sz, mjs_getError(spec));
  }
  mj_deleteSpec(spec);
  return one;
}

static int is_reference(const mjModel* m, int id) {
  return m->tex_adr[id] < 0 && m->tex_pathadr[id] >= 0;
}

static size_t texture_bytes(const mjModel* m, int id) {
  return (size_t)m->tex_width[id] * (size_t)m->tex_height[id] * (size_t)m->tex_nchannel[id];
}

int mj_loadTexture(const mjModel* m, int id, mjtByte** data, int* width, int* height,
                   int* colorspace, char* error, int error_sz) {
  check_given(m, data);
  *data = NULL;
  set_error(error, error_sz, "");
  if (id < 0 || id >= m->ntex) {
    char message[100];
    snprintf(message, sizeof(message), "texture id %d out of range", id);
    set_error(error, error_sz, message);
    return -1;
  }
  mjModel* one = is_reference(m, id) ? compile_texture(m, id, error, error_sz) : NULL;
  if (is_reference(m, id) && !one) {
    return -1;
  }
  const mjModel* from = one ? one : m;
  int at = one ? 0 : id;
  size_t bytes = texture_bytes(from, at);
  *data = mju_malloc(bytes ? bytes : 1);
  if (*data && bytes) {
    memcpy(*data, from->tex_data + from->tex_adr[at], bytes);
  }
  int* const out[] = {width, height, colorspace};
  const int value[] = {from->tex_width[at], from->tex_height[at], from->tex_colorspace[at]};
  for (int i = 0; i < 3; i++) {
    if (out[i]) {
      *out[i] = value[i];
    }
  }
  mj_deleteModel(one);
  return *data ? 0 : -1;
}

// embedding

// A copy of m with room for more pixels.
static mjModel* enlarge(const mjModel* m, size_t more) {
  mjModel sizes = *m;
  sizes.ntexdata += (int)more;
  return model_resize(m, &sizes);
}

// Stores texture `id` at adr: that of `from` with the index k. Returns its bytes.
static size_t take_texture(mjModel* to, int id, size_t adr, const mjModel* from, int k) {
  size_t bytes = texture_bytes(from, k);
  if (bytes) {
    memcpy(to->tex_data + adr, from->tex_data + from->tex_adr[k], bytes);
  }
  to->tex_adr[id] = (int)adr;
  to->tex_width[id] = from->tex_width[k];
  to->tex_height[id] = from->tex_height[k];
  to->tex_colorspace[id] = from->tex_colorspace[k];
  to->tex_contenttypeadr[id] = -1;
  return bytes;
}

mjModel* mj_embedAssets(const mjModel* m, char* error, int error_sz) {
  check_given(m);
  set_error(error, error_sz, "");
  mjModel** loaded = heap_zero((size_t)m->ntex + 1, sizeof(mjModel*));
  size_t more = 0;
  int ok = loaded != NULL;
  for (int i = 0; ok && i < m->ntex; i++) {
    if (is_reference(m, i)) {
      loaded[i] = compile_texture(m, i, error, error_sz);
      ok = loaded[i] != NULL;
      more += ok ? texture_bytes(loaded[i], 0) : 0;
    }
  }
  if (ok && more + (size_t)m->ntexdata > 0x7FFFFFFF) {
    set_error(error, error_sz, "textures too large together");
    ok = 0;
  }
  mjModel* to = ok ? enlarge(m, more) : NULL;
  size_t adr = 0;
  for (int i = 0; i < m->ntex && loaded; i++) {
    if (to) {
      adr += loaded[i] ? take_texture(to, i, adr, loaded[i], 0) : take_texture(to, i, adr, m, i);
    }
    mj_deleteModel(loaded[i]);
  }
  heap_free(loaded);
  if (ok && !to) {
    set_error(error, error_sz, MEMORY_OUT);
  }
  return to;
}
