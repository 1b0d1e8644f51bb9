// flex_surface.c: the faces of flexes as drawn: separate flat triangles, or a smooth skin
// (flex_skin.c, flex_rod.c).
//
// Flat: both sides of each triangle of a sheet, or all sides of the tetrahedra of one layer of a
// solid, moved outwards by the radius.                        theory/scenes.md, Surfaces of flexes

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "scene/shape.h"
#include "view/flex_skin.h"
#include "view/surface.h"

// One face: three vertices of an element.
static void write_face(mjvScene* scn, const mjModel* m, const mjData* d, int flex, int number,
                       const int* elem, const int* texcoord, const int side[3]) {
  const mjtNum* vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  int face = scn->flexfaceadr[flex] + number;
  mjtNum edge[2][3], n[3], x[3];
  v3_sub(edge[0], vert + 3 * elem[side[1]], vert + 3 * elem[side[0]]);
  v3_sub(edge[1], vert + 3 * elem[side[2]], vert + 3 * elem[side[0]]);
  v3_cross(n, edge[0], edge[1]);
  v3_normalize(n);
  for (int k = 0; k < 3; k++) {
    v3_addscl(x, vert + 3 * elem[side[k]], n, m->flex_radius[flex]);
    scene_round3(scn->flexface + 9 * face + 3 * k, x);
    scene_round3(scn->flexnormal + 9 * face + 3 * k, n);
  }
  if (m->flex_texcoordadr[flex] >= 0) {
    flex_set_texture(scn->flextexcoord + 6 * face, m, flex, texcoord[side[0]], texcoord[side[1]],
                     texcoord[side[2]]);
  }
}

// Returns the number of faces.
static int flat_surface(mjvScene* scn, const mjModel* m, const mjData* d, int flex, int layer,
                        const FlexParts* parts) {
  static const int sides[2][4][3] = {{{0, 1, 2}, {0, 2, 1}},
                                     {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  int dim = m->flex_dim[flex], nside = dim == 3 ? 4 : 2, used = 0;
  const int* layers = m->flex_elemlayer + m->flex_elemadr[flex];
  const int* elem = m->flex_elem + m->flex_elemdataadr[flex];
  const int* texcoord = m->flex_elemtexcoord + m->flex_elemdataadr[flex];
  for (int i = 0; i < m->flex_elemnum[flex]; i++) {
    int e = parts->n ? parts->elem[i] : i, at = e * (dim + 1);
    if (dim == 3 && layers[e] != layer) {
      continue;
    }
    if (!flex_has_room(scn, flex, used + nside)) {
      break;
    }
    for (int k = 0; k < nside; k++) {
      write_face(scn, m, d, flex, used++, elem + at, texcoord + at, sides[dim - 2][k]);
    }
  }
  return used;
}

int check_surfaces(const char* function, const mjModel* m, const mjvScene* scn) {
  int same = scn->nflex == m->nflex && scn->nskin == m->nskin;
  for (int i = 0; same && i < m->nflex; i++) {
    same = scn->flexvertadr[i] == m->flex_vertadr[i] && scn->flexvertnum[i] == m->flex_vertnum[i];
  }
  for (int i = 0; same && i < m->nskin; i++) {
    same = scn->skinvertadr[i] == m->skin_vertadr[i] && scn->skinvertnum[i] == m->skin_vertnum[i];
  }
  if (!same) {
    mju_error("%s: the scene was made for a model with other flexes or skins", function);
  }
  return same;
}

KERNEL static void round_all(float* restrict out, const mjtNum* restrict x, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = (float)x[i];
  }
}

// Edges of flexes of dim 1 in the order of their parts, if they have some.
static void order_edges(mjvScene* scn, const mjModel* m, int flex, const FlexParts* parts) {
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
  int adr = m->flex_edgeadr[flex];
  for (int i = 0; parts->n && i < m->flex_elemnum[flex]; i++) {
    memcpy(scn->flexedge + 2 * (size_t)(adr + i),
           m->flex_edge + 2 * (size_t)(adr + edge[parts->elem[i]]), 2 * sizeof(int));
  }
}

void update_flexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn) {
  scn->flexvertopt = opt->flags[mjVIS_FLEXVERT];
  scn->flexedgeopt = opt->flags[mjVIS_FLEXEDGE];
  scn->flexfaceopt = opt->flags[mjVIS_FLEXFACE];
  scn->flexskinopt = opt->flags[mjVIS_FLEXSKIN];
  if (m->nflexvert) {
    round_all(scn->flexvert, d->flexvert_xpos, 3 * m->nflexvert);
  }
  for (int flex = 0; flex < m->nflex; flex++) {
    int used = 0, dim = m->flex_dim[flex];
    mj_markStack(d);
    FlexParts parts = flex_parts(m, d, flex, opt);
    if (dim > 1 && scn->flexskinopt) {
      used = flex_skin(m, d, flex, scn, &parts);
    } else if (dim > 1 && scn->flexfaceopt) {
      used = flat_surface(scn, m, d, flex, opt->flex_layer, &parts);
    } else if (scn->flexskinopt) {
      used = flex_rod_skin(m, d, flex, scn, &parts);
    }
    if (dim == 1 && !used) {
      order_edges(scn, m, flex, &parts);
    }
    mj_freeStack(d);
    scn->flexfaceused[flex] = used;
  }
}
