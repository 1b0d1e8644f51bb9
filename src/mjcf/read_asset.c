// custom and asset.

#include <stdlib.h>
#include <string.h>

#include "mjcf/read.h"

enum {
  MAX_NUMERIC = 500,  // numbers in a custom field
};

static void read_numeric(const Reader* reader, const Node* node) {
  mjsNumeric* numeric = mjs_addNumeric(reader->spec);
  read_place(reader, node, numeric->element);
  values_read(reader, node, numeric);
  int count, size = 0;
  double* data = values_list(&count, reader, node, "data");
  int given = values_int(&size, reader, node, "size");
  numeric->size = given ? size : count;
  if (numeric->size < 1 || numeric->size > MAX_NUMERIC) {
    values_error(reader, node, given ? "size" : NULL, NULL,
                 "custom field size must be between 1 and %d", MAX_NUMERIC);
  } else if (count > numeric->size) {
    values_error(reader, node, "data", NULL, "attribute 'data' has too much data (at most %d)",
                 numeric->size);
  } else if (count) {
    mjs_setDouble(numeric->data, data, count);
  }
  free(data);
}

static void read_text(const Reader* reader, const Node* node) {
  mjsText* text = mjs_addText(reader->spec);
  read_place(reader, node, text->element);
  values_read(reader, node, text);
  const char* data = values_text(node, "data");
  if (data && !data[0]) {
    values_error(reader, node, "data", NULL, "text field cannot be empty");
  }
}

static void read_tuple(const Reader* reader, const Node* node) {
  mjsTuple* tuple = mjs_addTuple(reader->spec);
  read_place(reader, node, tuple->element);
  values_read(reader, node, tuple);

  int count = 0;
  for (const Node* child = node->first; child; child = child->next) {
    count += read_is(child, "element");
  }
  int* types = calloc((size_t)count + 1, sizeof(int));
  double* parameters = calloc((size_t)count + 1, sizeof(double));
  int i = 0;
  for (const Node* child = node->first; child && types && parameters; child = child->next) {
    if (!read_is(child, "element")) {
      continue;
    }
    values_read(reader, child, NULL);
    const char *type = values_text(child, "objtype"), *name = values_text(child, "objname");
    const SchemaKey* key = type ? schema_key(schema_objects(), type) : NULL;
    if (type && !key) {
      values_error(reader, child, "objtype", NULL, "unknown object type '%s'", type);
    }
    types[i] = key ? key->value : mjOBJ_UNKNOWN;
    values_real(&parameters[i], reader, child, "prm");
    mjs_appendString(tuple->objname, name ? name : "");
    i++;
  }
  if (i) {
    mjs_setInt(tuple->objtype, types, i);
    mjs_setDouble(tuple->objprm, parameters, i);
  }
  free(types);
  free(parameters);
}

void read_custom(const Reader* reader, const Node* section) {
  for (const Node* node = section->first; node; node = node->next) {
    if (read_is(node, "numeric")) {
      read_numeric(reader, node);
    } else if (read_is(node, "text")) {
      read_text(reader, node);
    } else if (read_is(node, "tuple")) {
      read_tuple(reader, node);
    }
  }
}

static void read_texture(const Reader* reader, const Node* node) {
  mjsTexture* texture = mjs_addTexture(reader->spec);
  read_place(reader, node, texture->element);
  values_read(reader, node, texture);
  const char* layout = values_text(node, "gridlayout");
  size_t length = layout ? strlen(layout) : 0;
  if (!layout) {
    return;
  }
  if (length >= sizeof(texture->gridlayout)) {
    values_error(reader, node, "gridlayout", NULL, "gridlayout length cannot exceed %d characters",
                 (int)sizeof(texture->gridlayout) - 1);
  } else if ((double)length != (double)texture->gridsize[0] * texture->gridsize[1]) {
    values_error(reader, node, "gridlayout", NULL, "gridlayout length must match gridsize");
  } else {
    memcpy(texture->gridlayout, layout, length + 1);
  }
}

void read_material(const Reader* reader, const Node* node, mjsMaterial* material) {
  values_read(reader, node, material);

  // one place for each role
  while (material->textures->num < mjNTEXROLE) {
    mjs_appendString(material->textures, "");
  }
  const char* texture = values_text(node, "texture");
  if (texture) {
    mjs_setInStringVec(material->textures, mjTEXROLE_RGB, texture);
  }
  for (const Node* layer = node->first; layer; layer = layer->next) {
    int role;
    if (!read_is(layer, "layer")) {
      continue;
    }
    if (texture) {
      values_error(reader, layer, NULL, NULL,
                   "A material with a texture attribute cannot have layer sub-elements");
      continue;
    }
    values_read(reader, layer, material);
    const char* name = values_text(layer, "texture");
    if (values_key(&role, reader, layer, "role") && name) {
      mjs_setInStringVec(material->textures, role, name);
    }
  }
}

void read_asset(const Reader* reader, const Node* section) {
  const mjsDefault* main = mjs_getSpecDefault(reader->spec);
  for (const Node* node = section->first; node; node = node->next) {
    if (read_is(node, "texture")) {
      read_texture(reader, node);
    } else if (read_is(node, "material")) {
      mjsMaterial* material =
          mjs_addMaterial(reader->spec, read_class(reader, node, "class", main));
      read_place(reader, node, material->element);
      read_material(reader, node, material);
    }
  }
}
