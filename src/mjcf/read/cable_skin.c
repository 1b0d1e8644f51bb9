// cable_skin.c: makes the skin of a cable of boxes, a closed ribbon that follows the cable's
// bodies.
//                                                                    theory/plugins/cables.md, Skin
//
//   side 1   o---o---o---o   The vertices of each side form a lattice along and across the cable.
//   side 0  o---o---o---o    Walls join the two sides at their four edges. All vertices are written
//           v                at 0. Bones place them, one for each point of a coarser lattice.

#include "mjcf/read/cable_skin.h"

#include <mujoco/api/spec.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "base/memory/memory.h"
#include "mjcf/read/context.h"
#include "mjcf/read/submodel.h"
#include "spec/spec.h"

// Sizes of the ribbon, along the cable and across it.
typedef struct Ribbon_ {
  int bones[2];  // number of coarse points
  int verts[2];  // number of fine points, the vertices
  int parts;     // fine cells per coarse cell in each direction
} Ribbon;

const char* cable_name(mjString* buffer, const Cable* cable, char kind, int i) {
  int links = cable->nvert - 1;
  if (i == 0) {
    string_format(buffer, "%s%c_first", cable->prefix, kind);
  } else if (i == links - 1) {
    string_format(buffer, "%s%c_last", cable->prefix, kind);
  } else {
    string_format(buffer, "%s%c_%d", cable->prefix, kind, i);
  }
  return string_text(buffer);
}

static int vertex_id(const Ribbon* r, int side, int i, int j) {
  return side * r->verts[0] * r->verts[1] + i * r->verts[1] + j;
}

static void add_face(mjsSkin* skin, int a, int b, int c) {
  int* face = ints_push(skin->face, 3);
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

static void add_sides(mjsSkin* skin, const Ribbon* r) {
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i + 1 < r->verts[0]; i++) {
      for (int j = 0; j + 1 < r->verts[1]; j++) {
        int a = vertex_id(r, side, i, j), b = vertex_id(r, side, i + 1, j),
            c = vertex_id(r, side, i + 1, j + 1), e = vertex_id(r, side, i, j + 1);
        add_face(skin, a, side ? c : b, side ? b : c);
        add_face(skin, a, side ? e : c, side ? c : e);
      }
    }
  }
}

// Adds the wall between points a and b on the edge of side 0 and the opposite points. flipped
// reverses its orientation.
static void add_wall(mjsSkin* skin, const Ribbon* r, int a, int b, int flipped) {
  int other = r->verts[0] * r->verts[1], a1 = a + other, b1 = b + other;
  if (flipped) {
    add_face(skin, a, b1, b);
    add_face(skin, a, a1, b1);
  } else {
    add_face(skin, a, b, b1);
    add_face(skin, a, b1, a1);
  }
}

static void add_walls(mjsSkin* skin, const Ribbon* r) {
  int n = r->verts[0], m = r->verts[1];
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i + 1 < n; i++) {
      int j = end ? m - 1 : 0;
      add_wall(skin, r, vertex_id(r, 0, i, j), vertex_id(r, 0, i + 1, j), !end);
    }
  }
  for (int end = 0; end < 2; end++) {
    for (int j = 0; j + 1 < m; j++) {
      int i = end ? n - 1 : 0;
      add_wall(skin, r, vertex_id(r, 0, i, j), vertex_id(r, 0, i, j + 1), end);
    }
  }
}

// Weight of coarse point k at fine point i of one direction: cubic Hermite interpolation of values
// f with slopes (f_(k+1) - f_(k-1)) / 2, one-sided differences at the ends.
//   p(u) = h00 f_c + h01 f_(c+1) + h10 s_c + h11 s_(c+1)
static double hermite_weight(int k, int i, int points, int parts) {
  int cell = i / parts;
  double u = (double)(i % parts) / parts;
  if (cell == points - 1) {
    cell--;
    u = 1;
  }
  double uu = u * u, uuu = uu * u, weight = 0;
  double value[2] = {2 * uuu - 3 * uu + 1, -2 * uuu + 3 * uu},
         slope[2] = {uuu - 2 * uu + u, uuu - uu};
  for (int end = 0; end < 2; end++) {
    int at = cell + end, before = at > 0 ? at - 1 : at, behind = at < points - 1 ? at + 1 : at;
    double scale = behind - before;
    weight += k == at ? value[end] : 0;
    weight += slope[end] * ((k == behind) - (k == before)) / scale;
  }
  return weight;
}

typedef struct Weights_ {
  int count;
  int* vertid;
  float* weight;
} Weights;

// Adds the weights of a coarse point at the vertices of a coarse cell. Vertices on the upper sides
// belong to the next cell, if there is one.
static void weigh_cell(Weights* out, const Ribbon* r, const int point[2], const int cell[2]) {
  int end[2];
  for (int k = 0; k < 2; k++) {
    end[k] = (cell[k] + 1) * r->parts + (cell[k] == r->bones[k] - 2);
  }
  for (int x = cell[0] * r->parts; x < end[0]; x++) {
    double along = hermite_weight(point[0], x, r->bones[0], r->parts);
    for (int y = cell[1] * r->parts; y < end[1]; y++) {
      double weight = along * hermite_weight(point[1], y, r->bones[1], r->parts);
      for (int side = 0; side < 2 && weight != 0; side++) {
        out->vertid[out->count] = vertex_id(r, side, x, y);
        out->weight[out->count++] = (float)weight;
      }
    }
  }
}

// Adds a bone: the body of a coarse point, the point's position in the body, and the weights of
// nearby vertices.
static void add_bone(const Cable* cable, mjsSkin* skin, const Ribbon* r, int i, int j) {
  const double* size = cable->geom->size;
  int n = r->bones[0], m = r->bones[1];
  mjString name = {NULL, 0, 0};
  mjs_appendString(skin->bodyname, cable_name(&name, cable, 'B', i >= n - 2 ? n - 2 : i));
  string_clear(&name);
  float* pos = floats_push(skin->bindpos, 3);
  float* quat = floats_push(skin->bindquat, 4);
  pos[0] = (float)(i == n - 1 ? -2 * size[0] : 0);
  pos[1] = (float)(j == 0 ? -size[1] : j == m - 1 ? size[1] : 0);
  quat[0] = 1;

  Weights weights = {0, NULL, NULL};
  size_t most = 2 * (size_t)(4 * r->parts + 1) * (size_t)r->verts[1];
  weights.vertid = heap_take(most * sizeof(int));
  weights.weight = heap_take(most * sizeof(float));
  for (int along = i - 2 > 0 ? i - 2 : 0; along < i + 2 && along < n - 1; along++) {
    for (int across = 0; across < m - 1; across++) {
      weigh_cell(&weights, r, (int[2]){i, j}, (int[2]){along, across});
    }
  }
  mjs_appendIntVec(skin->vertid, weights.vertid, weights.count);
  mjs_appendFloatVec(skin->vertweight, weights.weight, weights.count);
  heap_free(weights.vertid);
  heap_free(weights.weight);
}

static void add_texcoords(mjsSkin* skin, const Ribbon* r) {
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < r->verts[0]; i++) {
      for (int j = 0; j < r->verts[1]; j++) {
        float* t = floats_push(skin->texcoord, 2);
        t[0] = (float)i / (float)(r->verts[0] - 1);
        t[1] = (float)j / (float)(r->verts[1] - 1);
      }
    }
  }
}

// The attributes of <skin>.
typedef struct SkinLook_ {
  double rgba[4];
  int subgrid, texcoord, group;
  const char* material;
} SkinLook;

enum {
  MAX_SUBGRID = 1000,
};

static SkinLook read_look(const Reader* reader, const Node* node) {
  SkinLook look = {.rgba = {1, 1, 1, 1}, .material = ""};
  if (!node || node->skip) {
    return look;
  }
  double inflate;  // has no effect
  values_reals(&inflate, reader, node, "inflate");
  values_reals(look.rgba, reader, node, "rgba");
  values_int(&look.subgrid, reader, node, "subgrid");
  values_key(&look.texcoord, reader, node, "texcoord");
  values_int(&look.group, reader, node, "group");
  if (values_text(node, "material")) {
    look.material = values_text(node, "material");
  }
  if (look.group < 0 || look.group >= mjNGROUP) {
    values_error(reader, node, "group", NULL, "skin group must be between 0 and %d", mjNGROUP - 1);
    look.group = 0;
  }
  if (look.subgrid < 0) {
    node_report(node, node_attribute(node, "subgrid"), reader->problems, cndSEVERITY_WARNING, NULL,
                "a negative subgrid counts as 0");
    look.subgrid = 0;
  }
  return look;
}

void read_cableskin(const Cable* cable, const Node* node) {
  const Reader* reader = cable->reader;
  SkinLook look = read_look(reader, node);
  if (cable->geom->type != mjGEOM_BOX) {
    return;
  }
  if (look.subgrid > MAX_SUBGRID) {
    values_error(reader, node, "subgrid", NULL, "subgrid must be between 0 and %d", MAX_SUBGRID);
    look.subgrid = 0;
  }
  int n = cable->nvert, m = look.subgrid ? 3 : 2, parts = look.subgrid + 1;
  Ribbon ribbon = {{n, m}, {n + (n - 1) * look.subgrid, m + (m - 1) * look.subgrid}, parts};
  SpecObject* object = spec_create(spec_tree(reader->spec), mjOBJ_SKIN, NULL);
  mjsSkin* skin = &object->as.skin;
  mjs_setString(skin->material, look.material);
  spec_link(object, NULL, NULL);
  read_place(reader, node ? node : cable->node, skin->element);
  mjString name = {NULL, 0, 0};
  string_format(&name, "%sSkin", cable->prefix);
  mjs_setName(skin->element, string_text(&name));
  string_clear(&name);
  for (int k = 0; k < 4; k++) {
    skin->rgba[k] = (float)look.rgba[k];
  }
  skin->inflate = (float)(2 * cable->geom->size[2]);
  skin->group = look.group;
  if (!read_fits(reader, cable->node, (double)ribbon.verts[0], (double)ribbon.verts[1])) {
    return;
  }
  memset(floats_push(skin->vert, 6 * (size_t)ribbon.verts[0] * (size_t)ribbon.verts[1]), 0,
         6 * (size_t)ribbon.verts[0] * (size_t)ribbon.verts[1] * sizeof(float));
  if (look.texcoord) {
    add_texcoords(skin, &ribbon);
  }
  add_sides(skin, &ribbon);
  add_walls(skin, &ribbon);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      add_bone(cable, skin, &ribbon, i, j);
    }
  }
}
