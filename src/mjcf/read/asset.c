// asset.c: reads the elements of custom, asset, contact and keyframe whose attributes need more
// than the rows of the schema.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/spec.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "base/memory/memory.h"
#include "mjcf/read/context.h"
#include "mjcf/read/element.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"

enum {
  MAX_NUMERIC = 500,  // numbers in a custom field
};

static void read_numeric(const Reader* reader, const Node* node) {
  mjsNumeric* numeric = read_element(reader, node, mjOBJ_NUMERIC);
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
  heap_free(data);
}

static void read_text(const Reader* reader, const Node* node) {
  mjsText* text = read_element(reader, node, mjOBJ_TEXT);
  const char* data = values_text(node, "data");
  if (data && node->ncdata) {
    values_error(reader, node, "data", NULL,
                 "text field data cannot be specified as both attribute and CDATA");
  } else if (node->ncdata > 1) {
    values_error(reader, node, NULL, NULL, "text field cannot have multiple CDATA sections");
  } else if (!data && !node->ncdata) {
    values_error(reader, node, NULL, "or <![CDATA[...]]>", "required attribute missing: 'data'");
  } else if (!(data ? data : node->cdata)[0]) {
    values_error(reader, node, data ? "data" : NULL, NULL, "text field cannot be empty");
  } else if (node->ncdata) {
    mjs_setString(text->data, node->cdata);
  }
}

static void read_tuple(const Reader* reader, const Node* node) {
  mjsTuple* tuple = read_element(reader, node, mjOBJ_TUPLE);

  int count = 0;
  for (const Node* child = node->first; child; child = child->next) {
    count += read_is(child, "element");
  }
  int* types = heap_zero((size_t)count + 1, sizeof(int));
  double* parameters = heap_zero((size_t)count + 1, sizeof(double));
  int i = 0;
  for (const Node* child = node->first; child; child = child->next) {
    if (!read_is(child, "element")) {
      continue;
    }
    values_read(reader, child, NULL);
    const char *type = values_text(child, "objtype"), *name = values_text(child, "objname");
    const SchemaKey* key = type ? schema_key(schema_objects(), type) : NULL;
    key = key && key->value != mjOBJ_FRAME ? key : NULL;
    if (type && !key) {
      values_error(reader, child, "objtype", NULL, "unknown object type '%s'", type);
    }
    types[i] = key ? key->value : mjOBJ_UNKNOWN;
    values_reals(&parameters[i], reader, child, "prm");
    mjs_appendString(tuple->objname, name ? name : "");
    i++;
  }
  if (i) {
    mjs_setInt(tuple->objtype, types, i);
    mjs_setDouble(tuple->objprm, parameters, i);
  }
  heap_free(types);
  heap_free(parameters);
}

static void read_mesh(const Reader* reader, const Node* node) {
  mjsMesh* mesh = read_element(reader, node, mjOBJ_MESH);
  if (mesh->maxhullvert != -1 && mesh->maxhullvert <= 3) {
    values_error(reader, node, "maxhullvert", NULL, "maxhullvert must be larger than 3");
  }
  read_uses(reader, node, mesh->element);

  int builtin, count = 0;
  if (!values_key(&builtin, reader, node, "builtin")) {
    return;
  }
  double* params = values_list(&count, reader, node, "params");
  if (!values_text(node, "params")) {
    values_error(reader, node, NULL, NULL, "required attribute missing: 'params'");
  } else if (mesh->file->num) {
    values_error(reader, node, "builtin", NULL, "builtin cannot be used with a mesh file");
  } else if (mesh->uservert->num) {
    values_error(reader, node, "builtin", NULL,
                 "builtin mesh cannot be used with user vertex data");
  } else if (mjs_makeMesh(mesh, (mjtMeshBuiltin)builtin, params, count) != 0) {
    const char* error = mjs_getError(reader->spec);
    values_error(reader, node, "params", NULL, "%s",
                 error && error[0] ? error : "Unsupported mesh type");
  }
  heap_free(params);
}

// Index of the first number that overflows single precision; count if there is none. NaN passes,
// because it has a warning already.
static int first_infinite(const double* data, int count) {
  int i = 0;
  while (i < count && !(fabs(data[i]) > (double)FLT_MAX)) {
    i++;
  }
  return i;
}

// Reads a height field. The text has the top row first, the field the bottom row.
static void read_hfield(const Reader* reader, const Node* node) {
  mjsHField* hfield = read_element(reader, node, mjOBJ_HFIELD);
  if (hfield->file->num || hfield->nrow < 1 || hfield->ncol < 1) {
    return;
  }
  const size_t most = (size_t)1 << 28;
  size_t nrow = (size_t)hfield->nrow, ncol = (size_t)hfield->ncol;
  int count = 0;
  double* data = values_list(&count, reader, node, "elevation");
  float* rows = nrow * ncol <= most ? heap_zero(nrow * ncol, sizeof(float)) : NULL;
  if (!rows) {
    values_error(reader, node, "nrow", NULL, "height field of %d x %d samples is too large",
                 hfield->nrow, hfield->ncol);
  } else if (data && (size_t)count != nrow * ncol) {
    values_error(reader, node, "elevation", NULL,
                 "elevation data length must match nrow*ncol: %d numbers are given for %d x %d",
                 count, hfield->nrow, hfield->ncol);
  } else if (first_infinite(data, count) < count) {
    int at = first_infinite(data, count);
    values_error(reader, node, "elevation", NULL,
                 "elevation %d is %g, must be finite and at most %g in size", at, data[at],
                 (double)FLT_MAX);
  } else {
    for (size_t r = 0; data && r < nrow; r++) {
      for (size_t k = 0; k < ncol; k++) {
        rows[(nrow - 1 - r) * ncol + k] = (float)data[r * ncol + k];
      }
    }
    mjs_setFloat(hfield->userdata, rows, (int)(nrow * ncol));
  }
  heap_free(data);
  heap_free(rows);
}

static void read_cubefiles(const Reader* reader, const Node* node, mjsTexture* texture) {
  for (const SchemaKey* face = schema_cubefiles(); face->word; face++) {
    char* file = values_file(reader, node, face->word);
    while (file && texture->cubefiles->num < 6) {
      mjs_appendString(texture->cubefiles, "");
    }
    if (file) {
      mjs_setInStringVec(texture->cubefiles, face->value, file);
    }
    heap_free(file);
  }
}

static void read_texture(const Reader* reader, const Node* node) {
  read_cubefiles(reader, node, read_element(reader, node, mjOBJ_TEXTURE));
}

// Reads a bone and appends its numbers to the skin's lists.
static void read_bone(const Reader* reader, const Node* node, mjsSkin* skin) {
  values_read(reader, node, NULL);
  const char* body = values_text(node, "body");
  double number[7];
  float single[7];
  int id, count = 0;
  if (!values_reals(number, reader, node, "bindpos") ||
      !values_reals(number + 3, reader, node, "bindquat")) {
    return;
  }
  for (int i = 0; i < 7; i++) {
    single[i] = (float)number[i];
  }
  mjs_appendString(skin->bodyname, body ? body : "");
  memcpy(floats_push(skin->bindpos, 3), single, 3 * sizeof(float));
  memcpy(floats_push(skin->bindquat, 4), single + 3, 4 * sizeof(float));

  double* ids = values_list(&id, reader, node, "vertid");
  double* weights = values_list(&count, reader, node, "vertweight");
  int* vertid = heap_zero((size_t)id + 1, sizeof(int));
  float* weight = heap_zero((size_t)count + 1, sizeof(float));
  for (int i = 0; i < id; i++) {
    if (fabs(ids[i]) < INT_MAX) {
      vertid[i] = (int)ids[i];
    }
    if (vertid[i] != ids[i]) {
      values_error(reader, node, "vertid", NULL, "vertid must be whole numbers, not %g", ids[i]);
      break;
    }
  }
  for (int i = 0; i < count; i++) {
    weight[i] = (float)weights[i];
  }
  mjs_appendIntVec(skin->vertid, vertid, id);
  mjs_appendFloatVec(skin->vertweight, weight, count);
  heap_free(ids);
  heap_free(weights);
  heap_free(vertid);
  heap_free(weight);
}

static void read_skin(const Reader* reader, const Node* node) {
  mjsSkin* skin = read_element(reader, node, mjOBJ_SKIN);
  if (skin->group < 0 || skin->group >= mjNGROUP) {
    values_error(reader, node, "group", NULL, "skin group must be between 0 and %d", mjNGROUP - 1);
    skin->group = 0;
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (read_is(child, "bone")) {
      read_bone(reader, child, skin);
    }
  }
}

void read_asset(const Reader* reader, const Node* node) {
  static const struct {
    const char* name;
    void (*read)(const Reader* reader, const Node* node);
  } special[] = {
      {"numeric", read_numeric}, {"text", read_text},     {"tuple", read_tuple},
      {"mesh", read_mesh},       {"hfield", read_hfield}, {"texture", read_texture},
      {"skin", read_skin},
  };
  for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
    if (read_is(node, special[i].name)) {
      special[i].read(reader, node);
      return;
    }
  }
  read_element(reader, node, read_kind(node));
}
