// asset.c: writes textures, materials, meshes, height fields and skins.
//                                                                   theory/model/format.md, Writing

#include <mujoco/api/spec.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "mjcf/write/context.h"
#include "mjcf/write/plugin.h"
#include "mjcf/write/rows.h"
#include "mjcf/write/sections.h"

// Writes the name of a file. If assets of several specs have different directories, the name
// includes the directory.
static void write_file(Writer* w, const char* attribute, const SpecObject* object,
                       const mjString* file) {
  const char* name = string_text(file);
  if (!name[0]) {
    return;
  }
  const mjSpec* spec = &(object->origin ? object->origin : object->tree)->spec;
  int is_texture = object->element.elemtype == mjOBJ_TEXTURE;
  name += spec->strippath ? path_dirlength(name) : 0;
  char* path = NULL;
  if (w->files) {
    path = w->files->name(w->files->user, object, string_text(file));
  } else if (w->joined) {
    path = path_join(string_text(is_texture ? spec->compiler.texturedir : spec->compiler.meshdir),
                     name);
  }
  write_text(w, attribute, path ? path : name);
  heap_free(path);
}

// Writes where the faces of a cube lie in its image, unless the class says the same.
void write_gridlayout(Writer* w, const mjsTexture* texture, const mjsTexture* fallback) {
  int n = texture->gridsize[0] * texture->gridsize[1];
  if (n <= 1 ||
      (n == fallback->gridsize[0] * fallback->gridsize[1] &&
       !strncmp(texture->gridlayout, fallback->gridlayout, sizeof(texture->gridlayout)))) {
    return;
  }
  char layout[sizeof(texture->gridlayout)] = "";
  memcpy(layout, texture->gridlayout, sizeof(layout) - 1);
  layout[sizeof(layout) - 1] = 0;
  layout[(size_t)n < sizeof(layout) ? (size_t)n : sizeof(layout) - 1] = 0;
  write_text(w, "gridlayout", layout);
}

static void write_texture(Writer* w, const SpecObject* object) {
  const mjsTexture* texture = &object->as.texture;
  ElementValues own, class;
  write_values(&own, &class, w, object);
  write_classed(w, "texture", object);
  write_rows(w, write_schema("asset", "texture"), texture, &class,
             &(RowChoice){.always = "type colorspace", .never = "file"});
  write_file(w, "file", object, texture->file);
  for (size_t i = 0; i < 6 && i < texture->cubefiles->num; i++) {
    write_file(w, schema_word(schema_cubefiles(), (int)i), object, &texture->cubefiles->ptr[i]);
  }
  write_gridlayout(w, texture, &class.texture);
  write_end(w);
}

// Writes the textures of a material. A single one for the colour is an attribute; other roles need
// layers.
void write_layers(Writer* w, const mjsMaterial* material, const mjsMaterial* fallback) {
  const SchemaElement* layer = schema_child(write_schema("asset", "material"), "layer");
  const mjStringVec *textures = material->textures, *before = fallback->textures;
  int differ = 0, other = 0;
  for (size_t i = 0; i < textures->num; i++) {
    const char* texture = string_text(&textures->ptr[i]);
    const char* inherited = i < before->num ? string_text(&before->ptr[i]) : "";
    differ |= strcmp(texture, inherited) != 0;
    other |= i != mjTEXROLE_RGB && texture[0];
  }
  if (!differ) {
    return;
  }
  if (!other) {
    write_text(w, "texture", string_text(&textures->ptr[mjTEXROLE_RGB]));
    return;
  }
  for (size_t i = 0; i < textures->num; i++) {
    const char* texture = string_text(&textures->ptr[i]);
    if (!texture[0]) {
      continue;
    }
    write_begin(w, "layer");
    write_text(w, "texture", texture);
    write_key(w, "role", schema_row(layer, "role")->keys, (int)i);
    write_end(w);
  }
}

static void material_values(mjsMaterial* out, const mjModel* m, int i) {
  out->texuniform = m->mat_texuniform[i];
  out->emission = m->mat_emission[i];
  out->specular = m->mat_specular[i];
  out->shininess = m->mat_shininess[i];
  out->reflectance = m->mat_reflectance[i];
  out->metallic = m->mat_metallic[i];
  out->roughness = m->mat_roughness[i];
  memcpy(out->texrepeat, m->mat_texrepeat + 2 * i, sizeof(out->texrepeat));
  memcpy(out->rgba, m->mat_rgba + 4 * i, sizeof(out->rgba));
}

static void write_material(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  if (!w->written) {
    material_values(&own.material, w->m, object->id);
  }
  write_classed(w, "material", object);
  write_rows(w, write_schema("asset", "material"), &own, &class, NULL);
  write_layers(w, &own.material, &class.material);
  write_end(w);
}

static void write_mesh(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  write_classed(w, "mesh", object);
  write_file(w, "file", object, object->as.mesh.file);
  write_rows(w, write_schema("asset", "mesh"), &own, &class, &(RowChoice){.never = "file"});
  write_use(w, object);
  write_end(w);
}

// Writes heights, with the top row first. In the model the bottom row is first.
static void write_elevation(Writer* w, int id) {
  const mjModel* m = w->m;
  int rows = m->hfield_nrow[id], columns = m->hfield_ncol[id];
  const float* data = m->hfield_data + m->hfield_adr[id];
  size_t row = (size_t)columns * sizeof(float);
  float* turned = heap_take((size_t)rows * row);
  for (int r = 0; r < rows; r++) {
    memcpy(turned + r * columns, data + (rows - 1 - r) * columns, row);
  }
  write_int(w, "nrow", rows);
  write_int(w, "ncol", columns);
  write_singles(w, "elevation", turned, rows * columns, columns);
  heap_free(turned);
}

// Writes heights as they are given: the bottom row comes first in a spec, too.
static void write_heights(Writer* w, const mjsHField* hfield) {
  size_t rows = (size_t)hfield->nrow, columns = (size_t)hfield->ncol;
  write_int(w, "nrow", hfield->nrow);
  write_int(w, "ncol", hfield->ncol);
  if (!hfield->userdata->num || hfield->userdata->num != rows * columns) {
    return;
  }
  float* turned = heap_take(rows * columns * sizeof(float));
  for (size_t r = 0; r < rows; r++) {
    memcpy(turned + r * columns, hfield->userdata->ptr + (rows - 1 - r) * columns,
           columns * sizeof(float));
  }
  write_singles(w, "elevation", turned, (int)(rows * columns), (int)columns);
  heap_free(turned);
}

static void write_hfield(Writer* w, const SpecObject* object) {
  ElementValues own = {.hfield = object->as.hfield}, usual;
  mjs_defaultHField(&usual.hfield);
  if (!w->written) {
    write_take(own.hfield.size, w->m->hfield_size + 4 * object->id, 4);
  }
  write_named(w, "hfield", object);
  write_rows(w, write_schema("asset", "hfield"), &own, &usual,
             &(RowChoice){.always = "size", .never = "file nrow ncol"});
  if (string_empty(own.hfield.file) && w->written) {
    write_heights(w, &own.hfield);
  } else if (string_empty(own.hfield.file)) {
    write_elevation(w, object->id);
  } else {
    write_file(w, "file", object, own.hfield.file);
  }
  write_end(w);
}

static void write_floats(Writer* w, const char* attribute, const mjFloatVec* list) {
  if (list->num) {
    write_singles(w, attribute, list->ptr, (int)list->num, 0);
  }
}

static void write_ints(Writer* w, const char* attribute, const mjIntVec* list) {
  double* number = heap_take((list->num + 1) * sizeof(double));
  for (size_t i = 0; i < list->num; i++) {
    number[i] = list->ptr[i];
  }
  write_reals(w, attribute, number, (int)list->num);
  heap_free(number);
}

void write_skin(Writer* w, const SpecObject* object) {
  const mjsSkin* skin = &object->as.skin;
  const mjModel* m = w->m;
  mjsSkin own = *skin, usual;
  mjs_defaultSkin(&usual);
  if (!w->written) {
    own.group = m->skin_group[object->id];
    own.inflate = m->skin_inflate[object->id];
    memcpy(own.rgba, m->skin_rgba + 4 * object->id, sizeof(own.rgba));
  }
  write_named(w, "skin", object);
  write_file(w, "file", object, skin->file);
  write_rows(w, write_schema("deformable", "skin"), &own, &usual, &(RowChoice){.never = "file"});
  for (size_t i = 0; i < skin->bodyname->num; i++) {
    write_begin(w, "bone");
    write_text(w, "body", string_text(&skin->bodyname->ptr[i]));
    write_singles(w, "bindpos", skin->bindpos->ptr + 3 * i, 3, 0);
    write_singles(w, "bindquat", skin->bindquat->ptr + 4 * i, 4, 0);
    write_ints(w, "vertid", &skin->vertid->ptr[i]);
    write_floats(w, "vertweight", &skin->vertweight->ptr[i]);
    write_end(w);
  }
  write_end(w);
}

void write_asset(Writer* w) {
  write_each(w, mjOBJ_TEXTURE, write_texture);
  write_each(w, mjOBJ_MATERIAL, write_material);
  write_each(w, mjOBJ_MESH, write_mesh);
  write_each(w, mjOBJ_HFIELD, write_hfield);
}
