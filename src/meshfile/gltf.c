// gltf.c: the scene of a glTF file: nodes, meshes, primitives and materials.
//
// A GLB is a header of 12 bytes (magic, version, length) and chunks (length, type, bytes), of which
// the first is the text and the second the first buffer; all numbers are little-endian.

#include "meshfile/gltf_context.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "meshfile/formats.h"

enum {
  HEADER_BYTES = 12,
  CHUNK_HEAD = 8,
  CHUNK_JSON = 0x4E4F534A,
  CHUNK_BINARY = 0x004E4942,
  MODE_TRIANGLES = 4,
  MODE_STRIP,
  MODE_FAN,
  SAMPLES = 256,
};

// materials

static const JsonValue* image_of(const Gltf* gltf, const JsonValue* color) {
  size_t index;
  const JsonValue* info = json_member(color, "baseColorTexture");
  const JsonValue* texture = info ? gltf_refer(gltf, &index, info, "index", "textures") : NULL;
  return texture ? gltf_refer(gltf, &index, texture, "source", "images") : NULL;
}

// Index of the material of a primitive, -1 if it has none.
static int read_material(Gltf* gltf, const JsonValue* primitive) {
  size_t index;
  const JsonValue* node = gltf_refer(gltf, &index, primitive, "material", "materials");
  if (!node || gltf->material[index] >= 0) {
    return node ? gltf->material[index] : -1;
  }
  const JsonValue* color = json_member(node, "pbrMetallicRoughness");
  const JsonValue* factor = json_member(color, "baseColorFactor");
  float rgba[4] = {1, 1, 1, 1};
  for (size_t k = 0; k < 4; k++) {
    const JsonValue* number = json_element(factor, k);
    rgba[k] = number && number->kind == JSON_NUMBER ? (float)number->number : 1;
  }
  if (strcmp(json_member_text(node, "alphaMode", "OPAQUE"), "OPAQUE") == 0) {
    rgba[3] = 1;
  }
  const JsonValue* image = image_of(gltf, color);
  const char* uri = json_member_text(image, "uri", NULL);
  size_t size = 0;
  void* bytes = gltf_image(gltf, image, &size);
  uri = uri && strncmp(uri, "data:", 5) != 0 ? build_path(uri, strlen(uri)) : NULL;
  int made =
      build_material(gltf->build, json_member_text(node, "name", NULL), factor ? rgba : NULL, uri);
  gltf->build->file->material[made].image = bytes;
  gltf->build->file->material[made].image_size = bytes ? size : 0;
  gltf->material[index] = made;
  return gltf->material[index];
}

// A material of the mean colour of a primitive's vertices, which has no material of its own; -1 if
// they have no colours.
static int color_material(Gltf* gltf, const JsonValue* attributes) {
  const GltfAccessor* color = gltf_reals(gltf, attributes, "COLOR_0");
  if (!color || color->width < 3 || !color->count) {
    return -1;
  }
  // some hundred of them tell as much as all
  float rgba[4] = {1, 1, 1, 1};
  size_t step = color->count / SAMPLES + 1;
  for (size_t k = 0; k < color->width; k++) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < color->count; i += step) {
      sum += (double)color->real[i * color->width + k];
      n++;
    }
    rgba[k] = (float)(sum / n);
  }
  return build_material(gltf->build, NULL, rgba, NULL);
}

// meshes

static CornerValues values_of(const GltfAccessor* accessor, size_t width) {
  return accessor && accessor->width == width
             ? (CornerValues){accessor->real, accessor->count, width}
             : (CornerValues){NULL, 0, width};
}

// The vertex of corner i of a primitive.
static int corner(Gltf* gltf, const GltfAccessor* indices, size_t i, const char* place) {
  int v = indices ? indices->index[i] : (int)i, at[NCORNER];
  for (int k = 0; k < NCORNER; k++) {
    at[k] = gltf->corners.values[k].count ? v : -1;
  }
  return corners_vertex(&gltf->corners, at, place);
}

static void read_triangles(Gltf* gltf, const GltfAccessor* indices, size_t count, int mode,
                           const char* place) {
  size_t step = mode == MODE_TRIANGLES ? 3 : 1;
  for (size_t i = 0; i + 2 < count; i += step) {
    // every second triangle of a strip runs the other way round
    size_t odd = mode == MODE_STRIP && i % 2;
    int a = corner(gltf, indices, mode == MODE_FAN ? 0 : i + odd, place);
    int b = corner(gltf, indices, i + 1 - odd, place);
    int c = corner(gltf, indices, i + 2, place);
    corners_triangle(&gltf->corners, a, b, c);
  }
}

// Adds a primitive to a mesh, if it is one of triangles.
static void read_primitive(Gltf* gltf, GltfMesh* mesh, const JsonValue* node) {
  double mode = json_member_number(node, "mode", MODE_TRIANGLES);
  const JsonValue* attributes = json_member(node, "attributes");
  if (mode != MODE_TRIANGLES && mode != MODE_STRIP && mode != MODE_FAN) {
    return;
  }
  const GltfAccessor* position = gltf_reals(gltf, attributes, "POSITION");
  if (!position || position->width != 3) {
    build_fail(gltf->build, node->at, "the primitive has no POSITION of VEC3");
  }
  const CornerValues values[NCORNER] = {values_of(position, 3),
                                        values_of(gltf_reals(gltf, attributes, "NORMAL"), 3),
                                        values_of(gltf_reals(gltf, attributes, "TEXCOORD_0"), 2)};
  const GltfAccessor* indices = gltf_indices(gltf, node, "indices");
  corners_values(&gltf->corners, values);
  size_t count = indices ? indices->count * indices->width : position->count;
  read_triangles(gltf, indices, count, (int)mode, node->at);

  MeshPart* part = &mesh->part[mesh->npart++];
  int material = read_material(gltf, node);
  *part = (MeshPart){.material = material < 0 ? color_material(gltf, attributes) : material};
  corners_part(part, &gltf->corners);
  // images have their origin in the upper left corner
  for (size_t i = 0; part->texcoord && i < (size_t)part->nvert; i++) {
    part->texcoord[2 * i + 1] = 1 - part->texcoord[2 * i + 1];
  }
}

static void add_mesh(Gltf* gltf, size_t index, const JsonValue* node, const MeshPlace* place,
                     const char* name) {
  GltfMesh* mesh = &gltf->mesh[index];
  const JsonValue* primitives = json_member(node, "primitives");
  if (!mesh->is_read) {
    mesh->is_read = 1;
    mesh->part = heap_zero(json_count(primitives) + 1, sizeof(MeshPart));
    for (size_t i = 0; i < json_count(primitives); i++) {
      read_primitive(gltf, mesh, json_element(primitives, i));
    }
  }
  for (size_t i = 0; i < mesh->npart; i++) {
    MeshPart part = mesh->part[i];
    part.name = (char*)json_member_text(node, "name", name);
    build_part(gltf->build, &part, place);
  }
}

// nodes

// Reads `count` numbers of a member; `out` stays where it is missing.
static void read_reals(const Gltf* gltf, double* out, size_t count, const JsonValue* node,
                       const char* key) {
  const JsonValue* list = json_member(node, key);
  if (!list) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const JsonValue* number = json_element(list, i);
    if (!number || number->kind != JSON_NUMBER) {
      build_fail(gltf->build, list->at, "'%s' needs %zu numbers", key, count);
    }
    out[i] = number->number;
  }
}

static MeshPlace node_place(const Gltf* gltf, const JsonValue* node) {
  if (json_member(node, "matrix")) {
    double column[16];
    MeshPlace place;
    read_reals(gltf, column, 16, node, "matrix");
    for (int i = 0; i < 12; i++) {
      place.m[i] = column[4 * (i % 4) + i / 4];
    }
    return place;
  }
  double move[3] = {0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
  read_reals(gltf, move, 3, node, "translation");
  read_reals(gltf, turn, 4, node, "rotation");
  read_reals(gltf, scale, 3, node, "scale");
  double length =
      sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  length = length > 0 ? length : 1;
  const double quat[4] = {turn[3] / length, turn[0] / length, turn[1] / length, turn[2] / length};
  return place_make(move, quat, scale);
}

static void add_node(Gltf* gltf, const JsonValue* node, const MeshPlace* outer, int depth) {
  build_visit(gltf->build, node->at, depth);
  MeshPlace own = node_place(gltf, node), place = place_join(outer, &own);
  size_t index;
  const JsonValue* mesh = gltf_refer(gltf, &index, node, "mesh", "meshes");
  if (mesh) {
    // a skin is where its bones are, not where its node is
    const MeshPlace* shown = json_member(node, "skin") ? &mesh_noplace : &place;
    add_mesh(gltf, index, mesh, shown, json_member_text(node, "name", NULL));
  }
  const JsonValue *children = json_member(node, "children"),
                  *nodes = json_member(gltf->root, "nodes");
  for (size_t i = 0; i < json_count(children); i++) {
    const JsonValue* link = json_element(children, i);
    double number = link->kind == JSON_NUMBER ? link->number : -1;
    const JsonValue* child =
        number >= 0 && number < 1e9 ? json_element(nodes, (size_t)number) : NULL;
    if (!child || child->kind != JSON_OBJECT) {
      build_fail(gltf->build, link->at, "a child is no element of 'nodes'");
    }
    add_node(gltf, child, &place, depth + 1);
  }
}

// Shows the nodes of the scene, or without scenes all meshes as they are.
static void add_scene(Gltf* gltf) {
  size_t index;
  const JsonValue* scene = gltf_refer(gltf, &index, gltf->root, "scene", "scenes");
  scene = scene ? scene : json_element(json_member(gltf->root, "scenes"), 0);
  if (scene) {
    // the roots of a scene are listed as the children of a node are
    const JsonValue* roots = json_member(scene, "nodes");
    JsonValue member = roots ? *roots : (JsonValue){.kind = JSON_NULL};
    member.key = (char*)"children";
    const JsonValue node = {.kind = JSON_OBJECT, .at = scene->at, .item = &member, .count = 1};
    add_node(gltf, &node, &mesh_noplace, 0);
    return;
  }
  const JsonValue* meshes = json_member(gltf->root, "meshes");
  for (size_t i = 0; i < json_count(meshes); i++) {
    add_mesh(gltf, i, json_element(meshes, i), &mesh_noplace, NULL);
  }
}

// files

static void check_version(const Gltf* gltf) {
  const JsonValue* asset = json_member(gltf->root, "asset");
  const char* version = json_member_text(asset, "version", "");
  if (strncmp(version, "2.", 2) != 0) {
    build_fail(gltf->build, NULL, "glTF version '%s' is unknown; known is 2.0", version);
  }
  // compressed triangles can't be read; other extensions only change how they look
  const JsonValue* required = json_member(gltf->root, "extensionsRequired");
  for (size_t i = 0; i < json_count(required); i++) {
    const JsonValue* name = json_element(required, i);
    if (name->kind == JSON_TEXT && strstr(name->text, "compression")) {
      build_fail(gltf->build, name->at, "the extension '%s' is unknown: save it uncompressed",
                 name->text);
    }
  }
}

static void read_json(MeshBuild* build, const char* text, const unsigned char* chunk,
                      size_t chunk_size) {
  Gltf* gltf = heap_zero(1, sizeof(Gltf));
  const char *problem, *at;
  gltf->build = build;
  gltf->chunk = chunk;
  gltf->chunk_size = chunk_size;
  gltf->root = json_parse(text, &problem, &at);
  if (!gltf->root) {
    build_fail(build, at, "JSON: %s", problem);
  }
  check_version(gltf);
  size_t nmaterial = json_count(json_member(gltf->root, "materials"));
  gltf->buffer = heap_zero(json_count(json_member(gltf->root, "buffers")) + 1, sizeof(GltfBuffer));
  gltf->accessor =
      heap_zero(json_count(json_member(gltf->root, "accessors")) + 1, sizeof(GltfAccessor));
  gltf->mesh = heap_zero(json_count(json_member(gltf->root, "meshes")) + 1, sizeof(GltfMesh));
  gltf->material = heap_take((nmaterial + 1) * sizeof(int));
  for (size_t i = 0; i < nmaterial; i++) {
    gltf->material[i] = -1;
  }
  corners_start(&gltf->corners, build);
  build->file->up = 'y';
  add_scene(gltf);
}

void gltf_read(MeshBuild* build) {
  read_json(build, build->bytes, NULL, 0);
}

static uint32_t little32(const char* at) {
  const unsigned char* c = (const unsigned char*)at;
  return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

void glb_read(MeshBuild* build) {
  const char *bytes = build->bytes, *binary = NULL;
  if (build->size < HEADER_BYTES + CHUNK_HEAD || memcmp(bytes, "glTF", 4) != 0) {
    build_fail(build, NULL, "it doesn't begin as a GLB");
  }
  if (little32(bytes + 4) != 2) {
    build_fail(build, NULL, "GLB version %u is unknown; known is 2", little32(bytes + 4));
  }
  size_t at = HEADER_BYTES, binary_size = 0;
  char* text = NULL;
  while (build->size - at >= CHUNK_HEAD) {
    size_t length = little32(bytes + at);
    uint32_t type = little32(bytes + at + 4);
    at += CHUNK_HEAD;
    if (length > build->size - at) {
      build_fail(build, NULL, "a chunk of %zu bytes ends behind the file", length);
    }
    if (type == CHUNK_JSON && !text) {
      text = build_text(bytes + at, length);
    } else if (type == CHUNK_BINARY && !binary) {
      binary = bytes + at;
      binary_size = length;
    }
    at += length;
  }
  if (!text) {
    build_fail(build, NULL, "the GLB has no chunk of JSON");
  }
  read_json(build, text, (const unsigned char*)binary, binary_size);
}
