// place.c: where the vertices and nodes of a flex are, and the tree of boxes over its elements.
//                                                      theory/smooth/deformables.md, What a flex is
#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/derive/bvh.h"
#include "compile/flex/work.h"
#include "smooth/flex/flex.h"

// Edges of a cell are at right angles if cosines and lengths are this near to 0 and 1.
static const double SQUARE = 1e-8;

static int find_bodies(Compile* c, const SpecObject* object, int* id, const mjStringVec* name,
                       int n) {
  for (int i = 0; i < n; i++) {
    id[i] = compile_find(c, mjOBJ_BODY, &name->ptr[i]);
    if (id[i] < 0) {
      return compile_error(c, object, "unknown body '%s' in flex", string_text(&name->ptr[i]));
    }
  }
  return 1;
}

// Checks that every vertex of bending triangles has a body with three joints, which the behaviour
// flex doesn't need.
static int check_sliders(Compile* c, const SpecObject* object, const FlexWork* flex) {
  int bends = flex->dim == 2 && (object->as.flex.elastic2d == 1 || object->as.flex.elastic2d == 3);
  bends &= !flex->later;
  for (int i = 0; i < flex->nvert && bends; i++) {
    if (c->m->body_jntnum[flex->vertbody[i]] != 3) {
      return compile_error(c, object,
                           "body '%s' has %d joints: pins are not supported for bending, every "
                           "vertex needs a body with three sliders",
                           spec_name(c->list[mjOBJ_BODY][flex->vertbody[i]]),
                           c->m->body_jntnum[flex->vertbody[i]]);
    }
  }
  return 1;
}

static void place_points(double* out, const Pose* body, const int* id, const double* local, int n) {
  for (int i = 0; i < n; i++) {
    double offset[3] = {0, 0, 0};
    if (local) {
      pose_rotate(offset, local + 3 * (size_t)i, body[id[i]].quat);
    }
    for (int k = 0; k < 3; k++) {
      out[3 * (size_t)i + (size_t)k] = body[id[i]].pos[k] + offset[k];
    }
  }
}

static int all_zero(const mjDoubleVec* numbers) {
  for (size_t i = 0; i < numbers->num; i++) {
    if (numbers->ptr[i] != 0) {
      return 0;
    }
  }
  return 1;
}

// The node in corner i of the cage, (bit 2, bit 1, bit 0) of i along (x, y, z).
static int corner_node(const FlexWork* flex, int i) {
  int at = 0;
  for (int k = 0; k < 3; k++) {
    int last = flex->interp * flex->count[k];
    at = at * (last + 1) + (i >> (2 - k) & 1 ? last : 0);
  }
  return at;
}

static void take_corners(FlexWork* flex) {
  for (int i = 0; i < FLEX_NODES; i++) {
    memcpy(flex->box_node + 3 * i, flex->node + 3 * (size_t)corner_node(flex, i),
           3 * sizeof(double));
  }
}

// Turns n positions by the inverse of a rotation.
static void turn_back(double* position, int n, const double quat[4]) {
  const double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
  for (size_t i = 0; i < (size_t)n; i++) {
    pose_rotate(position + 3 * i, position + 3 * i, back);
  }
}

// Turns the positions of a flex with nodes into the axes of their box.
static void turn_to_box(FlexWork* flex) {
  mjtNum node0[3 * FLEX_NODES], quat[4];
  take_corners(flex);
  compile_store(node0, flex->box_node, 3 * FLEX_NODES);
  flex_box_axes(quat, node0);
  if (quat[0] == 1) {
    return;
  }
  const double axes[4] = {quat[0], quat[1], quat[2], quat[3]};
  turn_back(flex->box_node, FLEX_NODES, axes);
  turn_back(flex->position, flex->nvert, axes);
}

// The axes of the first cell of a cage, the unit vectors along its edges from the first node, as
// rows. Returns 0 if they are not at right angles.
static int cell_axes(double axis[3][3], const FlexWork* flex) {
  const int *count = flex->count, order = flex->interp;
  const int ny = order * count[1] + 1, nz = order * count[2] + 1;
  const int next[3] = {order * ny * nz, order * nz, order};
  double skew = 0;
  for (int k = 0; k < 3; k++) {
    for (int r = 0; r < 3; r++) {
      axis[k][r] = flex->node[3 * (size_t)next[k] + (size_t)r] - flex->node[r];
    }
    double length = sqrt(pose_dot(axis[k], axis[k]));
    for (int r = 0; r < 3; r++) {
      axis[k][r] /= length;
    }
    for (int j = 0; j <= k; j++) {
      double off = fabs(pose_dot(axis[k], axis[j]) - (j == k));
      skew = off <= skew ? skew : off;
    }
  }
  return skew <= SQUARE;
}

static void turn_to_rows(double* position, int n, const double axis[3][3]) {
  for (double* x = position; x < position + 3 * (size_t)n; x += 3) {
    const double y[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3; k++) {
      x[k] = pose_dot(axis[k], y);
    }
  }
}

// Turns the positions of a flex with nodes into the axes of its first cell, where release 4.0 keeps
// them.
static int turn_to_cell(Compile* c, const SpecObject* object, FlexWork* flex) {
  double axis[3][3], third[3];
  if (!cell_axes(axis, flex)) {
    return compile_error(c, object,
                         "nodes of a flex must be the corners of a box: the edges of the first "
                         "cell, from its first node, are not at right angles");
  }
  pose_cross(third, axis[0], axis[1]);
  if ((object->as.flex.young > 0 || flex->strained) && pose_dot(third, axis[2]) < 0) {
    return compile_error(c, object,
                         "nodes of an elastic flex must be the corners of a box: the edges of the "
                         "first cell are left-handed");
  }
  turn_to_rows(flex->node, flex->nnode, axis);
  turn_to_rows(flex->position, flex->nvert, axis);
  take_corners(flex);
  return 1;
}

int flex_place(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body) {
  const mjsFlex* spec = &object->as.flex;
  int single = spec->vertbody->num == 1;
  flex->vertbody = heap_take((size_t)flex->nvert * sizeof(int));
  flex->nodebody = heap_take((size_t)flex->nnode * sizeof(int));
  if (!find_bodies(c, object, flex->vertbody, spec->vertbody, single ? 1 : flex->nvert) ||
      !find_bodies(c, object, flex->nodebody, spec->nodebody, flex->nnode)) {
    return 0;
  }
  int same = 1;
  for (int i = 1; i < flex->nvert; i++) {
    if (single) {
      flex->vertbody[i] = flex->vertbody[0];
    }
    same &= flex->vertbody[i] == flex->vertbody[0];
  }
  flex->rigid = same && !flex->interp;
  flex->centered = all_zero(flex->interp ? spec->node : spec->vert);

  flex->position = heap_take(3 * (size_t)flex->nvert * sizeof(double));
  flex->node = heap_take(3 * (size_t)flex->nnode * sizeof(double));
  int local = spec->vert->num && (flex->interp || !flex->centered);
  place_points(flex->position, body, flex->vertbody, local ? spec->vert->ptr : NULL, flex->nvert);
  place_points(flex->node, body, flex->nodebody, flex->centered ? NULL : spec->node->ptr,
               flex->nnode);
  if (flex->interp && flex_behaves(c)) {
    if (!turn_to_cell(c, object, flex)) {
      return 0;
    }
  } else if (flex->interp) {
    turn_to_box(flex);
  }
  return check_sliders(c, object, flex);
}

// bounding volume hierarchy (BVH)

// Boxes of elements that can collide: all elements, or those of a solid near its surface.
static int list_leaves(BvhLeaf* leaf, const FlexWork* flex, const mjsFlex* spec) {
  int n = 0;
  for (int e = 0; e < flex->nelem; e++) {
    if (flex->dim == 3 && flex->layer[e] >= spec->activelayers) {
      continue;
    }
    BvhLeaf* out = leaf + n++;
    const int* v = flex->elem + (size_t)e * (size_t)(flex->dim + 1);
    out->id = e;
    for (int k = 0; k < 3; k++) {
      double low = flex->position[3 * (size_t)v[0] + (size_t)k], high = low;
      for (int i = 1; i <= flex->dim; i++) {
        double x = flex->position[3 * (size_t)v[i] + (size_t)k];
        low = fmin(low, x);
        high = fmax(high, x);
      }
      out->lower[k] = (mjtNum)(low - flex->radius);
      out->upper[k] = (mjtNum)(high + flex->radius);
      out->pos[k] = (mjtNum)(0.5 * (low + high));
    }
  }
  return n;
}

// Vertices as fractions of the box around all nodes, in the axes of its first cell.
static void place_in_nodes(FlexWork* flex) {
  double low[3], high[3];
  memcpy(low, flex->node, sizeof(low));
  memcpy(high, flex->node, sizeof(high));
  for (size_t i = 3; i < 3 * (size_t)flex->nnode; i++) {
    low[i % 3] = fmin(low[i % 3], flex->node[i]);
    high[i % 3] = fmax(high[i % 3], flex->node[i]);
  }
  for (size_t i = 0; i < 3 * (size_t)flex->nvert; i++) {
    size_t k = i % 3;
    flex->vert0[i] = (flex->position[i] - low[k]) / (high[k] - low[k]);
  }
}

// Vertices as fractions of the box around all colliding elements. A flat box has no fraction along
// its normal (by later rules 1/2), but an interpolated flex needs all three.
static void place_in_box(FlexWork* flex, const mjtNum* box) {
  for (size_t i = 0; i < 3 * (size_t)flex->nvert; i++) {
    size_t k = i % 3;
    double extent = 2 * (box[3 + k] - flex->radius);
    int middle = flex->later && !flex->interp && extent < POSE_EPS;
    flex->vert0[i] = middle ? 0.5 : (flex->position[i] - box[k]) / extent + 0.5;
  }
}

int flex_add_tree(Compile* c, const SpecObject* object, FlexWork* flex) {
  size_t nnode = 2 * (size_t)flex->nelem;
  BvhLeaf* leaf = heap_take((size_t)flex->nelem * sizeof(BvhLeaf));
  mjtNum* box = heap_zero(6 * nnode, sizeof(mjtNum));
  flex->bvhdepth = heap_take(nnode * sizeof(int));
  flex->bvhchild = heap_take(2 * nnode * sizeof(int));
  flex->bvhnodeid = heap_take(nnode * sizeof(int));
  flex->vert0 = heap_zero(3 * (size_t)flex->nvert, sizeof(double));
  BvhNodes nodes = {flex->bvhdepth, flex->bvhchild, flex->bvhnodeid, box};
  flex->nbvh = bvh_build(&nodes, leaf, list_leaves(leaf, flex, &object->as.flex));
  int finite = 1;
  if (flex->interp && flex_behaves(c)) {
    place_in_nodes(flex);
  } else if (flex->nbvh) {
    place_in_box(flex, box);
  }
  for (size_t i = 0; i < 3 * (size_t)flex->nvert; i++) {
    // processors make NaN of either sign
    flex->vert0[i] = isnan(flex->vert0[i]) ? (double)NAN : flex->vert0[i];
    finite &= isfinite(flex->vert0[i]) && fabs(flex->vert0[i]) < 1 / POSE_EPS;
  }
  heap_free(box);
  heap_free(leaf);
  return finite || !flex->interp ||
         compile_error(c, object, "vertices of a flex with nodes must not lie in one plane");
}
