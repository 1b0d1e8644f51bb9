// boxes.c: trees of bounding boxes: of bodies, flexes and meshes, and octrees of distance fields.
// What is shown of a tree is one level, and leaves that end above it.

#include "view/draw/elements.h"

static int is_leaf(const mjModel* m, int node) {
  return m->bvh_child[2 * node] == -1 && m->bvh_child[2 * node + 1] == -1;
}

static int is_on_level(const Picture* p, int node) {
  const mjModel* m = p->m;
  int depth = m->bvh_depth[node], level = p->opt->bvh_depth;
  return depth == level || (depth < level && is_leaf(m, node));
}

// A box of center and half sizes in a frame.
static int draw_box(Picture* p, int node, const mjtNum box[6], const mjtNum pos[3],
                    const mjtNum mat[9], int active) {
  mjvGeom* geom =
      take_decor(p, mjOBJ_UNKNOWN, node, active ? p->m->vis.rgba.bvactive : p->m->vis.rgba.bv);
  if (!geom) {
    return 0;
  }
  mjtNum center[3];
  v3_toworld(center, box, pos, mat);
  geom->type = mjGEOM_LINEBOX;
  scene_round3(geom->size, box + 3);
  scene_pose(geom, center, mat);
  return 1;
}

static int is_marked(const Picture* p, int node) {
  return p->m->vis.global.bvactive && p->d->bvh_active[node];
}

// Leaves are the boxes of geoms, other nodes those of the tree, in the inertial frame of the body.
void draw_body_boxes(Picture* p, int body) {
  const mjModel* m = p->m;
  const mjData* d = p->d;
  int first = m->body_bvhadr[body];
  for (int node = first; node < first + m->body_bvhnum[body]; node++) {
    if (!is_on_level(p, node)) {
      continue;
    }
    int geom = m->bvh_nodeid[node];
    int drawn = is_leaf(m, node)
                    ? draw_box(p, node, m->geom_aabb + 6 * geom, d->geom_xpos + 3 * geom,
                               d->geom_xmat + 9 * geom, is_marked(p, node))
                    : draw_box(p, node, m->bvh_aabb + 6 * node, d->xipos + 3 * body,
                               d->ximat + 9 * body, is_marked(p, node));
    if (!drawn) {
      return;
    }
  }
}

// Where a node of the cage around an interpolated flex is.
static void node_place(mjtNum out[3], const Picture* p, int flex, int k) {
  const mjModel* m = p->m;
  int node = m->flex_nodeadr[flex] + k, body = m->flex_nodebodyid[node];
  if (m->flex_centered[flex]) {
    v3_copy(out, p->d->xpos + 3 * body);
  } else {
    v3_toworld(out, m->flex_node + 3 * node, p->d->xpos + 3 * body, p->d->xmat + 9 * body);
  }
}

// The edges of the cells of the cage, from each corner along x, y and z. Corners are every node of
// linear cells and every other one of quadratic ones; z is fastest.
static void draw_cage(Picture* p, int flex) {
  const int* count = p->m->flex_cellnum + 3 * (size_t)flex;
  int order = p->m->flex_interp[flex], nz = order * count[2] + 1, ny = order * count[1] + 1;
  const int stride[3] = {order * ny * nz, order * nz, order};
  int ncorner = (count[0] + 1) * (count[1] + 1) * (count[2] + 1);
  for (int corner = 0; corner < ncorner; corner++) {
    const int at[3] = {corner / ((count[1] + 1) * (count[2] + 1)),
                       corner / (count[2] + 1) % (count[1] + 1), corner % (count[2] + 1)};
    int node = at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2];
    for (int k = 0; k < 3; k++) {
      if (at[k] == count[k]) {
        continue;
      }
      mjtNum from[3], to[3];
      node_place(from, p, flex, node);
      node_place(to, p, flex, node + stride[k]);
      if (!draw_connector(p, mjOBJ_UNKNOWN, at[0], mjGEOM_LINE, 3, from, to, scene_blank.rgba)) {
        return;
      }
    }
  }
}

// Groups hide the boxes, not the cage.
void draw_flex_boxes(Picture* p, int flex) {
  static const mjtNum origin[3] = {0, 0, 0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const mjModel* m = p->m;
  int first = m->flex_bvhadr[flex], shown = is_group_shown(p->opt->flexgroup, m->flex_group[flex]);
  for (int node = first; shown && node < first + m->flex_bvhnum[flex]; node++) {
    const mjtNum* box = p->d->bvh_aabb_dyn + 6 * (size_t)(node - m->nbvhstatic);
    if (is_on_level(p, node) && !draw_box(p, node, box, origin, axes, is_marked(p, node))) {
      return;
    }
  }
  if (m->flex_interp[flex] && m->flex_nodenum[flex] >= 8) {
    draw_cage(p, flex);
  }
}

// The mesh of a geom, -1 if it has none.
static int mesh_of(const mjModel* m, int geom) {
  return m->geom_type[geom] == mjGEOM_HFIELD ? -1 : m->geom_dataid[geom];
}

// If nodes that a collision has visited are marked, only they are drawn.
void draw_mesh_boxes(Picture* p, int geom) {
  const mjModel* m = p->m;
  int mesh = mesh_of(m, geom);
  if (mesh < 0 || m->geom_type[geom] == mjGEOM_SDF || m->mesh_octnum[mesh]) {
    return;
  }
  int first = m->mesh_bvhadr[mesh];
  for (int node = first; node < first + m->mesh_bvhnum[mesh]; node++) {
    if (!is_on_level(p, node) || (m->vis.global.bvactive && !p->d->bvh_active[node])) {
      continue;
    }
    if (!draw_box(p, node, m->bvh_aabb + 6 * node, p->d->geom_xpos + 3 * geom,
                  p->d->geom_xmat + 9 * geom, is_marked(p, node))) {
      return;
    }
  }
}

void draw_octree(Picture* p, int geom) {
  const mjModel* m = p->m;
  int mesh = mesh_of(m, geom);
  if (mesh < 0 || !m->mesh_octnum[mesh]) {
    return;
  }
  int first = m->mesh_octadr[mesh];
  for (int node = first; node < first + m->mesh_octnum[mesh]; node++) {
    if (m->oct_depth[node] == p->opt->bvh_depth &&
        !draw_box(p, node, m->oct_aabb + 6 * node, p->d->geom_xpos + 3 * geom,
                  p->d->geom_xmat + 9 * geom, 0)) {
      return;
    }
  }
}
