// contour.c: makes triangles on the surface of a shape, where its distance function is zero.
//                                               theory/model/meshes.md, Surfaces of distance fields
//
// Marching cubes: the distance is sampled on a lattice. An edge of the lattice where it changes
// sign has a vertex at the zero of the linear interpolation. The signs at a cube's corners select
// the triangles that join its vertices. Cubes are visited by x, then y, then z, so only two layers
// are kept.

#include "compile/mesh/contour.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"

enum {
  SAMPLES = 300,  // sum over the three sides of the box
  NEDGE = 12,
};

// Triangles of a cube by the set of inside corners, where corner (x, y, z) is bit x + 2y + 4z.
// Edges are 0123 along x, 4567 along y, 89ab along z; within an axis the number is u + 2v, where u
// and v are the lower corner's other two coordinates. On a face whose inside corners are diagonal,
// each is cut off by itself, so neighbouring cubes fit.
static const char* const patterns[256] = {
    "",
    "048",
    "509",
    "495489",
    "1a4",
    "1801a8",
    "1a4950",
    "51a5a99a8",
    "b15",
    "5b1804",
    "0b109b",
    "14818bb89",
    "a5ba45",
    "05b0b88ba",
    "40949aa9b",
    "8ba89b",
    "286",
    "062046",
    "950628",
    "295256654",
    "41a286",
    "a62a21120",
    "0958621a4",
    "61a621251295",
    "28615b",
    "604620b15",
    "b09b10628",
    "46162916919b",
    "5a45ba286",
    "2a625a5ba052",
    "286a9ba49409",
    "2a629a9ba",
    "927",
    "048792",
    "250275",
    "827874475",
    "1a4279",
    "1801a8792",
    "250275a41",
    "827871175a81",
    "b15279",
    "0485b1279",
    "7b1712210",
    "48242112717b",
    "a5ba45279",
    "7928ba80b05b",
    "ba7a407a0702",
    "7827b8ba8",
    "879867",
    "904947746",
    "086065567",
    "467475",
    "7867981a4",
    "79661a916901",
    "a41567506086",
    "a51a65675",
    "87986715b",
    "15b746794904",
    "08606707b0b1",
    "17b147467",
    "4ba45b698679",
    "670ba0a605b0790",
    "ba06707b0860a40",
    "67b6ba",
    "36a",
    "a36048",
    "36a095",
    "94895436a",
    "341364",
    "680603301",
    "341364950",
    "958836538513",
    "36a5b1",
    "15b48036a",
    "0b109b6a3",
    "6a3b89b18148",
    "b36b65564",
    "8368030b305b",
    "09b0b3036064",
    "6b368b89b",
    "2a328a",
    "4a3430032",
    "a28a32509",
    "29525424a2a3",
    "841812213",
    "013032",
    "509213281841",
    "529512132",
    "2a328a5b1",
    "b150320434a3",
    "38a32819b109",
    "9b4324294a34b14",
    "5b4428b24b32",
    "b05b30320",
    "3249b4b34094284",
    "32939b",
    "792a36",
    "2796a3048",
    "527502a36",
    "36a475487827",
    "436413927",
    "927301360680",
    "164136075027",
    "138758518278368",
    "36a79215b",
    "04815b27936a",
    "a362102717b1",
    "14818212717b36a",
    "2795645b6b36",
    "05b0b3036068279",
    "02b64b40b36b27b",
    "27b2b3236268",
    "37939aa98",
    "a04a30390379",
    "8a0a370a7075",
    "34a374754",
    "184178798371",
    "937903013",
    "758138378418508",
    "137175",
    "5b1a98a39379",
    "04a0a303707915b",
    "8a7107087b17a37",
    "14a1a313717b",
    "4539838437935b3",
    "9070370b305b",
    "08437b",
    "7b3",
    "73b",
    "0483b7",
    "5093b7",
    "4954893b7",
    "b7341a",
    "81a80173b",
    "1a4b73095",
    "3b79a895a51a",
    "173157",
    "715731804",
    "973930031",
    "148187789317",
    "3a4347745",
    "80aa7307a057",
    "a40a03309397",
    "3973a9a89",
    "286b73",
    "062046b73",
    "2869503b7",
    "b73654625295",
    "3b7a41286",
    "73b1201a2a62",
    "0951a42863b7",
    "1a61621291953b7",
    "173157862",
    "246204357315",
    "628031093973",
    "469319149739629",
    "8627457343a4",
    "57a20a05a62a73a",
    "09707303a0a4286",
    "29727323a2a6",
    "3923b9",
    "3923b9480",
    "b50b03302",
    "54b482b42b23",
    "93b92341a",
    "0a801a2b923b",
    "41a3023b0b50",
    "235a858251a53b5",
    "592521123",
    "804123152592",
    "031023",
    "814821231",
    "23a2a4245259",
    "a852353a5925805",
    "43a403023",
    "23a2a8",
    "63b6b88b9",
    "04606303b0b9",
    "86383003b0b5",
    "b63b56546",
    "1a48b986b63b",
    "016b969063b61a6",
    "08606303b0b51a4",
    "1a616313b1b5",
    "985863583531",
    "319469639049159",
    "608630310",
    "314346",
    "983453593a43863",
    "3a6059",
    "08606303a0a4",
    "3a6",
    "6b76ab",
    "b6ab76048",
    "6b76ab095",
    "854895a76ab7",
    "1b7174476",
    "01b0b7076068",
    "9504764171b7",
    "891761681b71951",
    "a15a56657",
    "0486576a5a15",
    "7696a1961910",
    "7618919714816a1",
    "476457",
    "068056576",
    "940974764",
    "897876",
    "72878bb8a",
    "b7aa0470a720",
    "095b8ab78728",
    "ab25424a2952b72",
    "4284121721b7",
    "71b721201",
    "0951b7172128184",
    "1b7172129195",
    "15717212818a",
    "20a57a72a15a04a",
    "1078a7a17287097",
    "14a297",
    "872847457",
    "205257",
    "097072028084",
    "972",
    "26a2a99ab",
    "4809ab92a26a",
    "26a2a55ab025",
    "542ab2b526a2482",
    "1b9192126164",
    "b960161b6806926",
    "64b02b26b50b41b",
    "2681b5",
    "6a1612215259",
    "04815919212616a",
    "a26a12102",
    "14818212616a",
    "259265645",
    "059092026068",
    "026064",
    "268",
    "8ab8b9",
    "4904a9ab9",
    "0b508b8ab",
    "ab5a54",
    "1841b8b98",
    "01b0b9",
    "08404101b0b5",
    "b51",
    "5a159a98a",
    "04a0a1015059",
    "10818a",
    "14a",
    "459498",
    "590",
    "084",
    "",
};

static int edge_axis(int edge) {
  return edge / 4;
}

// The lower corner of an edge within its cube.
static void edge_corner(int corner[3], int edge) {
  int axis = edge_axis(edge), first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  corner[axis] = 0;
  corner[first] = edge & 1;
  corner[second] = edge >> 1 & 1;
}

typedef struct Lattice_ {
  const ContourField* field;
  int n[3];         // points
  double lower[3];  // first point, and distance to the last
  double size[3];
  float* value[2];  // distances in the layers of points below and above the cubes

  // vertex of each edge, -1 if none yet: along x and y in both layers, along z (upright) between
  int* vertex[2][2];
  int* upright;
  ContourMesh* mesh;
  float* at;  // vertices in units of cubes
  size_t vertcapacity, facecapacity;
} Lattice;

static size_t layer_points(const Lattice* l) {
  return (size_t)l->n[0] * (size_t)l->n[1];
}

static size_t place(const Lattice* l, int x, int y) {
  return (size_t)y * (size_t)l->n[0] + (size_t)x;
}

static void sample_layer(float* value, const Lattice* l, int z) {
  for (int y = 0; y < l->n[1]; y++) {
    for (int x = 0; x < l->n[0]; x++) {
      int index[3] = {x, y, z};
      mjtNum point[3];
      for (int k = 0; k < 3; k++) {
        point[k] = (mjtNum)(l->lower[k] + l->size[k] * index[k] / (l->n[k] - 1));
      }
      value[place(l, x, y)] = (float)l->field->distance(point, l->field->number);
    }
  }
}

// make room for one more vertex or face

static void grow_vertices(Lattice* l) {
  ContourMesh* mesh = l->mesh;
  if ((size_t)mesh->nvert == l->vertcapacity) {
    l->vertcapacity = l->vertcapacity ? 2 * l->vertcapacity : 1024;
    mesh->vert = heap_resize(mesh->vert, 3 * l->vertcapacity * sizeof(float));
    l->at = heap_resize(l->at, 3 * l->vertcapacity * sizeof(float));
  }
}

static void grow_faces(Lattice* l) {
  ContourMesh* mesh = l->mesh;
  if ((size_t)mesh->nface == l->facecapacity) {
    l->facecapacity = l->facecapacity ? 2 * l->facecapacity : 1024;
    mesh->face = heap_resize(mesh->face, 3 * l->facecapacity * sizeof(int));
  }
}

static int* edge_slot(Lattice* l, int x, int y, int edge) {
  int corner[3];
  edge_corner(corner, edge);
  size_t at = place(l, x + corner[0], y + corner[1]);
  int axis = edge_axis(edge);
  return axis == 2 ? l->upright + at : l->vertex[corner[2]][axis] + at;
}

// Adds the vertex where the line between the values v0 and v1 of an edge is zero.
static int add_vertex(Lattice* l, const int cube[3], int edge) {
  int corner[3], axis = edge_axis(edge);
  edge_corner(corner, edge);
  int end[3] = {corner[0], corner[1], corner[2]};
  end[axis] = 1;
  float v0 = l->value[corner[2]][place(l, cube[0] + corner[0], cube[1] + corner[1])];
  float v1 = l->value[end[2]][place(l, cube[0] + end[0], cube[1] + end[1])];
  ContourMesh* mesh = l->mesh;
  grow_vertices(l);
  for (int k = 0; k < 3; k++) {
    float at = (float)(cube[k] + corner[k]);
    at = k == axis ? at + v0 / (v0 - v1) : at;
    l->at[3 * (size_t)mesh->nvert + (size_t)k] = at;
    mesh->vert[3 * (size_t)mesh->nvert + (size_t)k] =
        (float)(l->lower[k] + l->size[k] * (double)at / (l->n[k] - 1));
  }
  return mesh->nvert++;
}

static int cube_pattern(const Lattice* l, int x, int y) {
  int pattern = 0;
  for (int i = 0; i < 8; i++) {
    float value = l->value[i >> 2][place(l, x + (i & 1), y + (i >> 1 & 1))];
    pattern |= (value < 0) << i;
  }
  return pattern;
}

static int hex_digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void add_cube(Lattice* l, const int cube[3]) {
  // edges that no earlier cube has come last
  static const int order[NEDGE] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11};
  const char* triangles = patterns[cube_pattern(l, cube[0], cube[1])];
  int used[NEDGE] = {0};
  for (const char* c = triangles; *c; c++) {
    used[hex_digit(*c)] = 1;
  }
  for (int i = 0; *triangles && i < NEDGE; i++) {
    int* slot = edge_slot(l, cube[0], cube[1], order[i]);
    if (used[order[i]] && *slot < 0) {
      *slot = add_vertex(l, cube, order[i]);
    }
  }
  ContourMesh* mesh = l->mesh;
  for (const char* c = triangles; *c; c += 3) {
    grow_faces(l);
    for (int k = 0; k < 3; k++) {
      mesh->face[3 * (size_t)mesh->nface + (size_t)k] =
          *edge_slot(l, cube[0], cube[1], hex_digit(c[k]));
    }
    mesh->nface++;
  }
}

// Vertex normals as sums of face normals, weighted by area, in units of cubes.
static void add_normals(Lattice* l) {
  ContourMesh* mesh = l->mesh;
  mesh->normal = heap_zero(3 * (size_t)mesh->nvert + 1, sizeof(float));
  for (size_t i = 0; i < (size_t)mesh->nface; i++) {
    const int* face = mesh->face + 3 * i;
    const float *a = l->at + 3 * (size_t)face[0], *b = l->at + 3 * (size_t)face[1],
                *c = l->at + 3 * (size_t)face[2];
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
      u[k] = b[k] - a[k];
      v[k] = c[k] - a[k];
    }
    float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int corner = 0; corner < 3; corner++) {
      for (size_t k = 0; k < 3; k++) {
        mesh->normal[3 * (size_t)face[corner] + k] += n[k];
      }
    }
  }
  for (size_t i = 0; i < (size_t)mesh->nvert; i++) {
    float* n = mesh->normal + 3 * i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3 && length > 0; k++) {
      n[k] /= length;
    }
  }
}

// Moves the upper layer to the lower one.
static void climb(Lattice* l) {
  size_t bytes = layer_points(l) * sizeof(int);
  float* value = l->value[0];
  l->value[0] = l->value[1];
  l->value[1] = value;
  for (int axis = 0; axis < 2; axis++) {
    int* vertex = l->vertex[0][axis];
    l->vertex[0][axis] = l->vertex[1][axis];
    l->vertex[1][axis] = vertex;
    memset(vertex, -1, bytes);
  }
  memset(l->upright, -1, bytes);
}

static void set_points(Lattice* l, const ContourField* field) {
  const mjtNum *center = field->aabb, *half = field->aabb + 3;
  double total = (double)half[0] + (double)half[1] + (double)half[2];
  for (int k = 0; k < 3; k++) {
    if (!(half[k] > 0) || !isfinite(half[k]) || !isfinite(center[k])) {
      mju_error("the box of the shape must have positive sizes");
    }
    l->n[k] = (int)floor(SAMPLES / total * half[k]) + 1;
    l->n[k] = l->n[k] < 2 ? 2 : l->n[k];
    l->lower[k] = (double)center[k] - (double)half[k];
    l->size[k] = 2 * (double)half[k];
  }
}

void contour_make(ContourMesh* mesh, const ContourField* field) {
  Lattice l = {.field = field, .mesh = mesh};
  *mesh = (ContourMesh){0};
  set_points(&l, field);
  size_t points = layer_points(&l);
  for (int i = 0; i < 2; i++) {
    l.value[i] = heap_take(points * sizeof(float));
    l.vertex[i][0] = heap_take(points * sizeof(int));
    l.vertex[i][1] = heap_take(points * sizeof(int));
    memset(l.vertex[i][0], -1, points * sizeof(int));
    memset(l.vertex[i][1], -1, points * sizeof(int));
  }
  l.upright = heap_take(points * sizeof(int));
  memset(l.upright, -1, points * sizeof(int));
  // value[1] has the lowest layer. Each step moves it down and samples the layer above the cubes.
  sample_layer(l.value[1], &l, 0);
  for (int z = 0; z + 1 < l.n[2]; z++) {
    climb(&l);
    sample_layer(l.value[1], &l, z + 1);
    for (int y = 0; y + 1 < l.n[1]; y++) {
      for (int x = 0; x + 1 < l.n[0]; x++) {
        add_cube(&l, (int[3]){x, y, z});
      }
    }
  }
  for (int i = 0; i < 2; i++) {
    heap_free(l.value[i]);
    heap_free(l.vertex[i][0]);
    heap_free(l.vertex[i][1]);
  }
  heap_free(l.upright);
  add_normals(&l);
  heap_free(l.at);
}
