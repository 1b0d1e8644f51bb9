// flex_rod.c: surfaces of rods with a box section.
//
//      c2 _________ c1           corners of the section at a vertex; a side of each edge's box
//        |    ^ m2 |             is between two of them, the ends are squares
//        |    |    |
//        |    o--> m1            inside the rod, axes of a vertex are the means of its edges' axes,
//      c3|_________|c0           scaled to unit length; with flat shading each edge has its own
//                                                             theory/scenes.md, Surfaces of flexes

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/flex/rod_frame.h"
#include "scene/shape.h"
#include "view/flex_skin.h"

enum {
  EDGE_FACES = 12
};

// The section at one end of an edge: corners and axes.
typedef struct Section_ {
  mjtNum corner[4][3], axis[2][3];
} Section;

// The surface in the making: its place in the scene, and how many faces there are.
typedef struct RodSkin_ {
  float *face, *normal, *texcoord;  // texcoord: NULL if there is none
  int n;
} RodSkin;

// One triangle: corners, unit normals, ends of the edge that they are at.
static void write_triangle(RodSkin* skin, const mjtNum* const corner[3],
                           const mjtNum* const normal[3], const float* const coord[3]) {
  for (int k = 0; k < 3; k++) {
    scene_round3(skin->face + 9 * (size_t)skin->n + 3 * k, corner[k]);
    scene_round3(skin->normal + 9 * (size_t)skin->n + 3 * k, normal[k]);
    if (skin->texcoord) {
      memcpy(skin->texcoord + 6 * (size_t)skin->n + 2 * k, coord[k], 2 * sizeof(float));
    }
  }
  skin->n++;
}

// The four sides, one after the other, with normals m1, m2, -m1, -m2.
static void write_sides(RodSkin* skin, const Section at[2], const float coord[2][2]) {
  for (int side = 0; side < 4; side++) {
    int next = (side + 1) % 4;
    mjtNum n[2][3];
    for (int k = 0; k < 2; k++) {
      v3_scl(n[k], at[k].axis[side % 2], side < 2 ? 1 : -1);
    }
    const mjtNum *a0 = at[0].corner[side], *a1 = at[0].corner[next];
    const mjtNum *b0 = at[1].corner[side], *b1 = at[1].corner[next];
    write_triangle(skin, (const mjtNum* const[]){a0, a1, b1},
                   (const mjtNum* const[]){n[0], n[0], n[1]},
                   (const float* const[]){coord[0], coord[0], coord[1]});
    write_triangle(skin, (const mjtNum* const[]){a0, b1, b0},
                   (const mjtNum* const[]){n[0], n[1], n[1]},
                   (const float* const[]){coord[0], coord[1], coord[1]});
  }
}

// Both ends, seen from outside.
static void write_ends(RodSkin* skin, const Section at[2], const mjtNum t[3],
                       const float coord[2][2]) {
  static const int order[2][2][3] = {{{0, 3, 2}, {0, 2, 1}}, {{0, 1, 2}, {0, 2, 3}}};
  for (int end = 0; end < 2; end++) {
    mjtNum n[3];
    v3_scl(n, t, end ? 1 : -1);
    for (int i = 0; i < 2; i++) {
      const int* k = order[end][i];
      const mjtNum(*corner)[3] = (const mjtNum(*)[3])at[end].corner;
      write_triangle(skin, (const mjtNum* const[]){corner[k[0]], corner[k[1]], corner[k[2]]},
                     (const mjtNum* const[]){n, n, n},
                     (const float* const[]){coord[end], coord[end], coord[end]});
    }
  }
}

// The section of an edge at vertex x; `beside` is the other edge there, NULL if there is none.
static void find_section(Section* at, const RodBox* box, const RodBox* beside, const mjtNum x[3]) {
  static const int sign[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  for (int j = 0; j < 2; j++) {
    mjtNum other[3];
    m3_column(at->axis[j], box->mat, j);
    if (beside) {
      m3_column(other, beside->mat, j);
      v3_addto(at->axis[j], other);
      v3_normalize(at->axis[j]);
    }
  }
  for (int k = 0; k < 4; k++) {
    v3_copy(at->corner[k], x);
    for (int j = 0; j < 2; j++) {
      v3_addtoscl(at->corner[k], at->axis[j], (mjtNum)sign[k][j] * box->size[j]);
    }
  }
}

// Coordinates of the texture at both ends of an edge, which may go the other way in its element.
static void find_coords(float coord[2][2], const mjModel* m, int flex, int elem, int first) {
  int from = m->flex_elemdataadr[flex] + 2 * elem, turned = m->flex_elem[from] != first;
  for (int k = 0; k < 2; k++) {
    int corner = m->flex_elemtexcoord[from + (turned ? 1 - k : k)];
    int i = int_min(m->flex_texcoordadr[flex] + corner, m->nflextexcoord - 1);
    memcpy(coord[k], m->flex_texcoord + 2 * (size_t)i, 2 * sizeof(float));
  }
}

static void write_edge(RodSkin* skin, const mjModel* m, const mjData* d, const Rod* rod, int flex,
                       int elem, const RodBox* box) {
  const mjtNum* x = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  int e = rod_element(m, rod, flex, elem), flat = m->flex_flatskin[flex], vert[2];
  Section at[2];
  mjtNum t[3];
  float coord[2][2] = {{0}};
  rod_edge(vert, rod, e);
  find_section(&at[0], box + e, e && !flat ? box + e - 1 : NULL, x + 3 * (size_t)vert[0]);
  find_section(&at[1], box + e, e < rod->n && !flat ? box + e + 1 : NULL, x + 3 * (size_t)vert[1]);
  m3_column(t, box[e].mat, 2);
  if (skin->texcoord) {
    find_coords(coord, m, flex, elem, vert[0]);
  }
  write_sides(skin, at, (const float(*)[2])coord);
  write_ends(skin, at, t, (const float(*)[2])coord);
}

int flex_rod_skin(const mjModel* m, mjData* d, int flex, mjvScene* scn, const FlexParts* parts) {
  mjtNum half[2];
  Rod rod;
  if (!rod_section(half, m, flex) || !rod_of(&rod, m, flex) ||
      !flex_has_room(scn, flex, EDGE_FACES * m->flex_elemnum[flex])) {
    return 0;
  }
  size_t adr = (size_t)scn->flexfaceadr[flex];
  RodSkin skin = {
      .face = scn->flexface + 9 * adr,
      .normal = scn->flexnormal + 9 * adr,
      .texcoord = m->flex_texcoordadr[flex] >= 0 ? scn->flextexcoord + 6 * adr : NULL,
  };
  mj_markStack(d);
  RodBox* box = mj_stackAllocByte(d, (size_t)rod.nedge * sizeof(RodBox), sizeof(mjtNum));
  if (box) {
    rod_boxes(box, m, d, &rod, flex, 0, rod.nedge, half);
    for (int e = 0; e < m->flex_elemnum[flex]; e++) {
      write_edge(&skin, m, d, &rod, flex, parts->n ? parts->elem[e] : e, box);
    }
  }
  mj_freeStack(d);
  return skin.n;
}
