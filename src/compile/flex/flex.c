// flex.c: checks flexes, finds the positions of their vertices, and writes their rows and arrays.
//                                                      theory/smooth/deformables.md, What a flex is
#include "compile/flex/flex.h"

#include <condyle/behaviour.h>
#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/asset/material.h"
#include "compile/derive/bvh.h"
#include "compile/flex/cage.h"
#include "compile/flex/work.h"
#include "model/cage.h"
#include "model/flex/rod.h"
#include "model/options.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"

// Edges of a cell are at right angles if cosines and lengths are this near to 0 and 1.
static const double SQUARE = 1e-8;

// checks

static int check_numbers(Compile* c, const SpecObject* object) {
  const mjsFlex* spec = &object->as.flex;
  const double numbers[] = {spec->radius,        spec->margin,      spec->gap,   spec->solmix,
                            spec->edgestiffness, spec->edgedamping, spec->young, spec->poisson,
                            spec->damping,       spec->thickness};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (!isfinite(numbers[i])) {
      return compile_error(c, object, "flex has a number that is not finite");
    }
  }
  for (size_t i = 0; i < spec->vert->num; i++) {
    if (!isfinite(spec->vert->ptr[i])) {
      return compile_error(c, object, "vertex %zu of flex is not finite", i / 3);
    }
  }
  if (spec->radius < 0) {
    return compile_error(c, object, "radius of flex must not be negative: it is %g", spec->radius);
  }
  if (spec->condim != 1 && spec->condim != 3 && spec->condim != 4 && spec->condim != 6) {
    return compile_error(c, object, "condim of flex must be 1, 3, 4 or 6: it is %d", spec->condim);
  }
  if (spec->selfcollide < mjFLEXSELF_NONE || spec->selfcollide > mjFLEXSELF_AUTO) {
    return compile_error(c, object, "invalid selfcollide in flex");
  }
  return 1;
}

static int check_material(Compile* c, const SpecObject* object) {
  const mjsFlex* spec = &object->as.flex;
  if (spec->young > 0 && !(spec->poisson >= 0 && spec->poisson < 0.5)) {
    return compile_error(c, object, "Poisson ratio must be in [0, 0.5): it is %g", spec->poisson);
  }
  int bends = spec->dim == 2 && (spec->elastic2d == 1 || spec->elastic2d == 3);
  if (spec->young > 0 && bends && spec->thickness < 0) {
    return compile_error(c, object, "thickness must be positive for bending stiffness: it is %g",
                         spec->thickness);
  }
  return 1;
}

// Checks the yield strains, and finds what yields.
static int check_yield(Compile* c, const SpecObject* object, FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  const double* yield = spec->stressyield;
  int sheet = spec->dim == 2 && !flex->interp;
  if (!(yield[0] >= 0) || !(yield[1] >= 0)) {
    return compile_error(c, object, "yield cannot be negative: it is %g %g", yield[0], yield[1]);
  }
  if (spec->dim == 1 && (yield[0] > 0 || yield[1] > 0)) {
    return compile_error(c, object, "flex plasticity requires a 2d or 3d flex");
  }
  if (yield[1] > 0 && !sheet) {
    return compile_error(c, object, "bending yield requires a non-interpolated 2d flex");
  }
  int stretches = sheet ? spec->elastic2d >= 2 && spec->thickness > 0 : 1;
  int bends = spec->elastic2d == 1 || spec->elastic2d == 3;
  flex->yields = (yield[0] > 0 && stretches ? PLASTIC_STRETCH : 0) |
                 (yield[1] > 0 && bends ? PLASTIC_BEND : 0);
  flex->yields = spec->young > 0 && !flex->strained ? flex->yields : 0;
  flex->later |= flex->yields != 0;
  return 1;
}

static int check_elements(Compile* c, const SpecObject* object, int nvert) {
  const mjIntVec* elem = object->as.flex.elem;
  size_t per = (size_t)object->as.flex.dim + 1;
  for (size_t i = 0; i < elem->num; i++) {
    if (elem->ptr[i] < 0 || elem->ptr[i] >= nvert) {
      return compile_error(c, object,
                           "elem vertex id out of range: element %zu has %d, flex has %d vertices",
                           i / per, elem->ptr[i], nvert);
    }
    for (size_t k = i - i % per; k < i; k++) {
      if (elem->ptr[k] == elem->ptr[i]) {
        return compile_error(c, object, "repeated vertex in element %zu", i / per);
      }
    }
  }
  return 1;
}

// Checks texture coordinates: a pair per vertex, or pairs that triangles refer to.
static int check_texture(Compile* c, const SpecObject* object, int nvert) {
  const mjsFlex* spec = &object->as.flex;
  size_t pairs = spec->texcoord->num / 2;
  if (spec->texcoord->num % 2 ||
      (spec->texcoord->num && !spec->elemtexcoord->num && pairs != (size_t)nvert)) {
    return compile_error(c, object, "two texture coordinates per vertex expected");
  }
  for (size_t i = 0; spec->texcoord->num && i < spec->elemtexcoord->num; i++) {
    if (spec->elemtexcoord->ptr[i] < 0 || (size_t)spec->elemtexcoord->ptr[i] >= pairs) {
      return compile_error(c, object, "elemtexcoord names texture coordinate %d, flex has %zu",
                           spec->elemtexcoord->ptr[i], pairs);
    }
  }
  return 1;
}

// Checks that there is a node for each place of the cage. Sets its order and counts. A flex that
// names no order has linear cells.
static int check_cage(Compile* c, const SpecObject* object, FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  flex->interp = spec->order ? spec->order : 1;
  for (int k = 0; k < 3; k++) {
    flex->count[k] = spec->cellcount[k];
    if (spec->cellcount[k] < 1) {
      return compile_error(c, object,
                           "cellcount must be at least 1 along each axis: it is %d %d %d",
                           spec->cellcount[0], spec->cellcount[1], spec->cellcount[2]);
    }
  }
  if (flex->interp < 1 || flex->interp > CAGE_ORDER_MAX) {
    return compile_error(c, object, "order must be 1 (trilinear) or 2 (quadratic): it is %d",
                         spec->order);
  }
  int nodes = cage_nodes(flex->interp, flex->count);
  if (!nodes) {
    return compile_error(c, object, "too many cells: cellcount is %d %d %d", flex->count[0],
                         flex->count[1], flex->count[2]);
  }
  if (cage_is_large(flex->interp, flex->count)) {
    return compile_error(c, object, "too many cells for their stiffness: cellcount is %d %d %d",
                         flex->count[0], flex->count[1], flex->count[2]);
  }
  if ((size_t)nodes != spec->nodebody->num) {
    return compile_error(c, object, "number of nodes must be %d, it is %zu", nodes,
                         spec->nodebody->num);
  }
  return 1;
}

// Does an equality keep the strains of the flex?
static int is_strained(const Compile* c, const SpecObject* object) {
  for (int i = 0; i < c->count[mjOBJ_EQUALITY]; i++) {
    const mjsEquality* equality = &c->list[mjOBJ_EQUALITY][i]->as.equality;
    if (equality->type == mjEQ_FLEXSTRAIN &&
        !strcmp(string_text(equality->name1), spec_name(object))) {
      return 1;
    }
  }
  return 0;
}

// Is the elasticity that of the behaviour flex? Cages that 3.3.7 doesn't have have no other.
static int is_later(const Compile* c, const FlexWork* flex) {
  return (c->tree->spec.option.behaviour >> cndBEHAVIOUR_flex & 1) || flex->interp == 2 ||
         (flex->interp && cage_cells(flex->count) > 1);
}

// Checks what the later rules of elasticity and contact don't have here.
static int check_later(Compile* c, const SpecObject* object, const FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  int behaves = c->tree->spec.option.behaviour >> cndBEHAVIOUR_flex & 1;
  int is_sheet = flex->dim == 2 && !flex->interp;
  int elastic = spec->young > 0 && (!is_sheet || spec->elastic2d);
  if (flex->hollow && flex->strained) {
    return compile_error(c, object,
                         "strains are kept of cells, not of shells: use elastic2d=\"none\"");
  }
  if (flex->hollow && spec->young > 0 && !(spec->thickness > 0)) {
    return compile_error(c, object, "thickness must be positive for a shell: it is %g",
                         spec->thickness);
  }
  if (flex->hollow && flex->yields) {
    return compile_error(c, object, "shells of cells don't yield: use yield=\"0\"");
  }
  if (((behaves && elastic) || flex->rod) && !flex->rigid && options_is_implicit(c->m)) {
    return compile_error(
        c, object,
        "flex elasticity is not integrated implicitly: set integrator=\"discrete\", \"Euler\" "
        "or \"RK4\", or the behaviour flex=\"disable\"");
  }
  if (behaves && spec->passive) {
    return compile_error(c, object,
                         "passive contacts of flexes need a metric of contacts, which doesn't "
                         "exist here; with the behaviour flex=\"disable\" they are springs");
  }
  return 1;
}

// Checks everything that needs no computation. Sets the counts of vertices and nodes.
static int check_flex(Compile* c, const SpecObject* object, FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  if (spec->dim < 1 || spec->dim > 3) {
    return compile_error(c, object, "dim must be 1, 2 or 3: it is %d", spec->dim);
  }
  size_t per = (size_t)spec->dim + 1;
  if (!spec->elem->num) {
    return compile_error(c, object, "elem is empty");
  }
  if (spec->elem->num % per) {
    return compile_error(c, object, "elem size must be multiple of (dim+1): %zu numbers for dim %d",
                         (size_t)spec->elem->num, spec->dim);
  }
  if (!spec->vertbody->num) {
    return compile_error(c, object, "vertbody is empty");
  }
  if (spec->vert->num % 3) {
    return compile_error(c, object, "vert size must be a multiple of 3: it is %zu",
                         (size_t)spec->vert->num);
  }
  if (spec->edgestiffness > 0 && spec->dim > 1) {
    return compile_error(c, object,
                         "edge stiffness is for flexes of dim 1, others have elasticity");
  }
  if (spec->nodebody->num && (spec->selfcollide != mjFLEXSELF_NONE || spec->internal)) {
    return compile_error(c, object,
                         "a flex with nodes can't collide with itself: it needs "
                         "selfcollide=\"none\" and internal=\"false\"");
  }
  size_t nvert = spec->vert->num ? spec->vert->num / 3 : spec->vertbody->num;
  if (nvert > INT_MAX / 32 || spec->elem->num > INT_MAX / 32) {
    return compile_error(c, object, "too much data in flex");
  }
  if (nvert < per) {
    return compile_error(c, object, "a flex of dim %d needs %zu vertices, it has %zu", spec->dim,
                         per, nvert);
  }
  int single = spec->vertbody->num == 1 && spec->vert->num && !spec->nodebody->num;
  if (!single && spec->vertbody->num < nvert) {
    return compile_error(c, object,
                         "flex has %zu vertices and %zu bodies: it needs a body per vertex%s",
                         nvert, spec->vertbody->num, spec->nodebody->num ? "" : ", or one body");
  }
  if (spec->nodebody->num && !check_cage(c, object, flex)) {
    return 0;
  }
  if (spec->node->num && spec->node->num != 3 * spec->nodebody->num) {
    return compile_error(c, object,
                         "flex has %zu nodes and %zu node coordinates: it needs 3 per node",
                         spec->nodebody->num, spec->node->num);
  }
  flex->dim = spec->dim;
  flex->nvert = (int)nvert;
  flex->nnode = (int)spec->nodebody->num;
  flex->nelem = (int)(spec->elem->num / per);
  flex->strained = is_strained(c, object);
  flex->later = flex->strained || is_later(c, flex);
  flex->radius = spec->radius;
  flex->hollow = flex->interp && flex->later && spec->elastic2d;
  flex->rod = rod_is_meant(spec, c->tree->spec.option.behaviour >> cndBEHAVIOUR_flex & 1);
  if (flex->strained && !flex->interp) {
    return compile_error(c, object, "flex strain equality requires an interpolated flex '%s'",
                         spec_name(object));
  }
  if (flex->strained && spec->dim != 3) {
    return compile_error(c, object, "flexstrain is for flexes of dim 3: dim is %d", spec->dim);
  }
  if (flex->strained && spec->young > 0) {
    return compile_error(c, object,
                         "flex constraints and elasticity (young) cannot both be present");
  }
  if (flex->interp && spec->young > 0 && !flex->later &&
      FLEX_STIFFNESS * flex->nelem < 9 * FLEX_NODES * FLEX_NODES) {
    return compile_error(
        c, object, "an elastic flex with nodes needs at least 28 elements, it has %d", flex->nelem);
  }
  return check_numbers(c, object) && check_elements(c, object, flex->nvert) &&
         check_texture(c, object, flex->nvert) && check_material(c, object) &&
         rod_check(c, object, flex) && check_yield(c, object, flex);
}

// positions

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

// Are nodes kept in the axes of the first cell?
static int keeps_cell_axes(const Compile* c) {
  return c->tree->spec.option.behaviour >> cndBEHAVIOUR_flex & 1;
}

// World poses of all bodies in the reference configuration.
static Pose* body_poses(const Compile* c) {
  Pose* pose = heap_take((size_t)c->m->nbody * sizeof(Pose));
  pose[0] = POSE_IDENTITY;
  for (int b = 1; b < c->m->nbody; b++) {
    pose_compose(pose + b, pose + c->m->body_parentid[b], &c->body[b].pose);
  }
  return pose;
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

// Finds the bodies and positions of vertices and nodes.
static int place_flex(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body) {
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
  if (flex->interp && keeps_cell_axes(c)) {
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

// Makes the BVH, and vert0.
static int add_tree(Compile* c, const SpecObject* object, FlexWork* flex) {
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
  if (flex->interp && keeps_cell_axes(c)) {
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

// making

static int check_box(Compile* c, const SpecObject* object, const FlexWork* flex) {
  const double* node = flex->box_node;
  int flat = flex->interp && object->as.flex.young > 0 &&
             (node[12] == node[0] || node[7] == node[1] || node[5] == node[2]);
  if (flex->later) {
    flat = flex->interp && (object->as.flex.young > 0 || flex->strained) &&
           !(node[12] > node[0] && node[7] > node[1] && node[5] > node[2]);
  }
  return !flat || compile_error(c, object,
                                "nodes of an elastic flex must be the corners of a box: node 4 i + "
                                "2 j + k is at i along x, j along y, k along z");
}

static int make_flex(Compile* c, const SpecObject* object, FlexWork* flex, const Pose* body) {
  const mjsFlex* spec = &object->as.flex;
  if (!check_flex(c, object, flex) || !place_flex(c, object, flex, body) ||
      !check_later(c, object, flex) || !check_box(c, object, flex)) {
    return 0;
  }
  flex->elem = heap_take(spec->elem->num * sizeof(int));
  memcpy(flex->elem, spec->elem->ptr, spec->elem->num * sizeof(int));
  flex_connect(flex);
  flex_stiffen(flex, spec);
  if (!rod_stiffen(c, object, flex, body)) {
    return 0;
  }
  flex->ntexcoord = (int)(spec->texcoord->num / 2);
  return add_tree(c, object, flex);
}

// The material of all elements, or of the first of them.
static int flex_material(Compile* c, const SpecObject* object, const FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  const mjStringVec* list = spec->materials;
  int first = -1;
  if (!list->num) {
    return compile_material(c, object, spec->material);
  }
  if (list->num != 1 && list->num != (size_t)flex->nelem) {
    compile_error(c, object, "flex has %zu materials and %d elements: it needs one, or one each",
                  (size_t)list->num, flex->nelem);
    return -1;
  }
  for (size_t i = 0; i < list->num; i++) {
    int id = compile_material(c, object, &list->ptr[i]);
    first = i ? first : id;
  }
  return first;
}

static void write_row(Compile* c, const SpecObject* object, const FlexWork* flex) {
  mjModel* m = c->m;
  const mjsFlex* spec = &object->as.flex;
  int i = object->id;
  m->flex_contype[i] = spec->contype;
  m->flex_conaffinity[i] = spec->conaffinity;
  m->flex_condim[i] = spec->condim;
  m->flex_priority[i] = spec->priority;
  m->flex_solmix[i] = (mjtNum)spec->solmix;
  mju_copy(m->flex_solref + mjNREF * i, spec->solref, mjNREF);
  mju_copy(m->flex_solimp + mjNIMP * i, spec->solimp, mjNIMP);
  compile_store(m->flex_friction + 3 * i, spec->friction, 3);
  m->flex_margin[i] = (mjtNum)spec->margin;
  m->flex_gap[i] = (mjtNum)spec->gap;
  m->flex_internal[i] = spec->internal;
  m->flex_selfcollide[i] = spec->selfcollide;
  m->flex_activelayers[i] = spec->activelayers;
  m->flex_passive[i] = spec->passive;
  m->flex_dim[i] = spec->dim;
  m->flex_matid[i] = flex_material(c, object, flex);
  m->flex_group[i] = spec->group;
  m->flex_interp[i] = flex->interp;
  m->flex_radius[i] = (mjtNum)flex->radius;
  m->flex_damping[i] = (mjtNum)spec->damping;
  m->flex_yield[2 * i] = (mjtNum)spec->stressyield[0];
  m->flex_yield[2 * i + 1] = (mjtNum)spec->stressyield[1];
  for (int k = 0; k < 3 && flex->interp; k++) {
    m->flex_cellnum[3 * i + k] = flex->count[k];
  }
  m->flex_edgestiffness[i] = (mjtNum)spec->edgestiffness;
  m->flex_edgedamping[i] = (mjtNum)spec->edgedamping;
  m->flex_rigid[i] = (mjtByte)flex->rigid;
  m->flex_centered[i] = (mjtByte)flex->centered;
  m->flex_flatskin[i] = spec->flatskin;
  memcpy(m->flex_rgba + 4 * i, spec->rgba, sizeof(spec->rgba));
}

// Counts of the arrays of one flex, or of all flexes.
typedef struct FlexCounts_ {
  int64_t node, vert, edge, elem, elemdata, elemedge, shelldata, evpair, texcoord, bvh, cell,
      plastic;
} FlexCounts;

// Numbers of the stiffness of all cells.
static int64_t cell_numbers(const FlexWork* flex) {
  if (flex->hollow) {
    return flex->cell ? flex_shell_numbers(flex->interp, flex->count) : 0;
  }
  int64_t size = 3 * (flex->ncell ? cage_cell_nodes(flex->interp) : 0);
  return flex->ncell * size * size;
}

// Numbers of the plastic state, or of the frames of a rod.
static int64_t yield_numbers(const FlexWork* flex) {
  if (flex->twists) {
    return rod_state(flex->nedge);
  }
  int64_t n = flex->interp ? 6 * (int64_t)flex->ncell
                           : (int64_t)flex->nelem * flex_element_edges(flex->dim);
  return (flex->yields & PLASTIC_STRETCH ? n : 0) + (flex->yields & PLASTIC_BEND ? flex->nedge : 0);
}

static void count(FlexCounts* n, const FlexWork* flex) {
  n->node += flex->nnode;
  n->vert += flex->nvert;
  n->edge += flex->nedge;
  n->elem += flex->nelem;
  n->elemdata += (int64_t)flex->nelem * (flex->dim + 1);
  n->elemedge += (int64_t)flex->nelem * flex_element_edges(flex->dim);
  n->shelldata += (int64_t)flex->nshell * flex->dim;
  n->evpair += flex->nevpair;
  n->texcoord += flex->ntexcoord;
  n->bvh += flex->nbvh;
  n->cell += cell_numbers(flex);
}

// Writes addresses, which count across flexes. Overflow is found by flexes_sizes.
static void write_addresses(mjModel* m, const FlexWork* flex, int i, const FlexCounts* at) {
  m->flex_nodeadr[i] = (int)at->node;
  m->flex_nodenum[i] = flex->nnode;
  m->flex_vertadr[i] = (int)at->vert;
  m->flex_vertnum[i] = flex->nvert;
  m->flex_edgeadr[i] = (int)at->edge;
  m->flex_edgenum[i] = flex->nedge;
  m->flex_elemadr[i] = (int)at->elem;
  m->flex_elemnum[i] = flex->nelem;
  m->flex_elemdataadr[i] = (int)at->elemdata;
  m->flex_elemedgeadr[i] = (int)at->elemedge;
  m->flex_shellnum[i] = flex->nshell;
  m->flex_shelldataadr[i] = flex->nshell ? (int)at->shelldata : -1;
  m->flex_evpairnum[i] = flex->nevpair;
  m->flex_evpairadr[i] = flex->nevpair ? (int)at->evpair : -1;
  m->flex_texcoordadr[i] = flex->ntexcoord ? (int)at->texcoord : -1;
}

void compile_flexes(Compile* c) {
  int n = c->count[mjOBJ_FLEX];
  if (!n) {
    return;
  }
  FlexCounts at = {0};
  Pose* body = body_poses(c);
  c->flex = heap_zero((size_t)n, sizeof(FlexWork));
  for (int i = 0; i < n; i++) {
    const SpecObject* object = c->list[mjOBJ_FLEX][i];
    FlexWork* flex = c->flex + i;
    if (make_flex(c, object, flex, body)) {
      write_row(c, object, flex);
      write_addresses(c->m, flex, i, &at);
      count(&at, flex);
    }
  }
  heap_free(body);
}

void flexes_free(Compile* c) {
  for (int i = 0; c->flex && i < c->count[mjOBJ_FLEX]; i++) {
    FlexWork* f = c->flex + i;
    void* const blocks[] = {f->vertbody, f->nodebody,  f->position, f->node,  f->elem,
                            f->edge,     f->stencil,   f->elemedge, f->layer, f->shell,
                            f->evpair,   f->stiffness, f->bending,  f->vert0, f->bvhdepth,
                            f->bvhchild, f->bvhnodeid, f->cell};
    for (size_t k = 0; k < sizeof(blocks) / sizeof(blocks[0]); k++) {
      heap_free(blocks[k]);
    }
  }
  heap_free(c->flex);
  c->flex = NULL;
}

int64_t flexes_plastic(const Compile* c) {
  int64_t n = 0;
  for (int i = 0; c->flex && i < c->count[mjOBJ_FLEX]; i++) {
    n += yield_numbers(c->flex + i);
  }
  return n;
}

int flexes_sizes(Compile* c, mjModel* m) {
  FlexCounts n = {0};
  for (int i = 0; i < c->count[mjOBJ_FLEX]; i++) {
    count(&n, c->flex + i);
  }
  const struct {
    int64_t count;
    int* size;
  } row[] = {
      {n.node, &m->nflexnode},           {n.vert, &m->nflexvert},
      {n.edge, &m->nflexedge},           {n.elem, &m->nflexelem},
      {n.elemdata, &m->nflexelemdata},   {n.elemedge, &m->nflexelemedge},
      {n.shelldata, &m->nflexshelldata}, {n.evpair, &m->nflexevpair},
      {n.texcoord, &m->nflextexcoord},   {n.bvh, &m->nbvhdynamic},
  };
  for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
    if (row[i].count > INT_MAX / 32) {
      compile_error(c, NULL, "flexes are too large together");
      return 0;
    }
    *row[i].size += (int)row[i].count;
  }
  m->nbvh = m->nbvhstatic + m->nbvhdynamic;
  if (n.cell > INT_MAX / 32) {
    compile_error(c, NULL, "cells of flexes are too many together");
    return 0;
  }
  n.plastic = flexes_plastic(c);
  if (n.plastic > INT_MAX / 32) {
    compile_error(c, NULL, "plastic states of flexes are too large together");
    return 0;
  }
  m->cnd_nflexcell = n.cell;
  m->nplastic += n.plastic;
  return 1;
}

// arrays

// Writes texture indices: vertices, unless the author gave pairs. For elements with more corners
// than a triangle only given ones are stored.
static void write_texture(mjModel* m, const FlexWork* flex, const mjsFlex* spec, int i) {
  int* out = m->flex_elemtexcoord + m->flex_elemdataadr[i];
  size_t all = (size_t)flex->nelem * (size_t)(flex->dim + 1), n = all;
  const int* from = flex->elem;
  if (spec->texcoord->num) {
    int own = spec->elemtexcoord->num > 0;
    size_t given = own ? spec->elemtexcoord->num : 3 * (size_t)flex->nelem;
    from = own ? spec->elemtexcoord->ptr : spec->elem->ptr;
    n = given < all ? given : all;
    memcpy(m->flex_texcoord + 2 * (size_t)m->flex_texcoordadr[i], spec->texcoord->ptr,
           2 * (size_t)flex->ntexcoord * sizeof(float));
  }
  memcpy(out, from, n * sizeof(int));
}

static void write_vertices(mjModel* m, const FlexWork* flex, const mjsFlex* spec, int i) {
  size_t vert = (size_t)m->flex_vertadr[i], node = (size_t)m->flex_nodeadr[i];
  for (int v = 0; v < flex->nvert; v++) {
    m->flex_vertbodyid[vert + (size_t)v] = flex->interp ? -1 : flex->vertbody[v];
  }
  if (spec->vert->num && (flex->interp || !flex->centered)) {
    compile_store(m->flex_vert + 3 * vert, spec->vert->ptr, 3 * flex->nvert);
  }
  compile_store(m->flex_vert0 + 3 * vert, flex->vert0, 3 * flex->nvert);
  memcpy(m->flex_nodebodyid + node, flex->nodebody, (size_t)flex->nnode * sizeof(int));
  compile_store(m->flex_node0 + 3 * node, flex->node, 3 * flex->nnode);
  if (flex->interp && !flex->centered) {
    compile_store(m->flex_node + 3 * node, spec->node->ptr, 3 * flex->nnode);
  }
}

// Writes edges. An edge is rigid if its bodies can't move against each other.
static void write_edges(mjModel* m, const FlexWork* flex, const mjsFlex* spec, int i) {
  size_t edge = (size_t)m->flex_edgeadr[i];
  int bends = flex->dim == 2 && (spec->elastic2d == 1 || spec->elastic2d == 3);
  memcpy(m->flex_edge + 2 * edge, flex->edge, 2 * (size_t)flex->nedge * sizeof(int));
  compile_store(m->flex_bending + FLEX_BENDING * edge, flex->bending, FLEX_BENDING * flex->nedge);
  for (int e = 0; e < flex->nedge; e++) {
    const int *v = flex->edge + 2 * (size_t)e, *stencil = flex->stencil + 4 * (size_t)e;
    size_t at = edge + (size_t)e;
    m->flex_edgeflap[2 * at] = bends ? stencil[2] : -1;
    m->flex_edgeflap[2 * at + 1] = bends ? stencil[3] : -1;
    m->flexedge_rigid[at] =
        (mjtByte)(flex->rigid || (!flex->interp && m->body_weldid[flex->vertbody[v[0]]] ==
                                                       m->body_weldid[flex->vertbody[v[1]]]));
  }
}

static void copy_ints(int* to, int adr, const int* from, size_t n) {
  if (n) {
    memcpy(to + adr, from, n * sizeof(int));
  }
}

static void write_elements(mjModel* m, const FlexWork* flex, int i) {
  size_t nelem = (size_t)flex->nelem;
  copy_ints(m->flex_elem, m->flex_elemdataadr[i], flex->elem, nelem * (size_t)(flex->dim + 1));
  copy_ints(m->flex_elemedge, m->flex_elemedgeadr[i], flex->elemedge,
            nelem * (size_t)flex_element_edges(flex->dim));
  copy_ints(m->flex_elemlayer, m->flex_elemadr[i], flex->layer, nelem);
  copy_ints(m->flex_shell, m->flex_shelldataadr[i], flex->shell,
            (size_t)flex->nshell * (size_t)flex->dim);
  copy_ints(m->flex_evpair, 2 * m->flex_evpairadr[i], flex->evpair, 2 * (size_t)flex->nevpair);
  compile_store(m->flex_stiffness + FLEX_STIFFNESS * (size_t)m->flex_elemadr[i], flex->stiffness,
                FLEX_STIFFNESS * flex->nelem);
}

static void write_cells(mjModel* m, const FlexWork* flex, int i, int adr[1]) {
  int n = (int)cell_numbers(flex);
  m->cnd_flex_celladr[i] = n ? *adr : -1;
  m->cnd_flex_shell[i] = flex->hollow;
  if (n) {
    compile_store(m->cnd_flex_cell + *adr, flex->cell, n);
  }
  *adr += n;
}

// Places of the plastic states, which follow those of springs.
static void write_yields(mjModel* m, const FlexWork* flex, const mjsFlex* spec, int i,
                         mjtSize adr[1]) {
  m->flex_plasticmode[i] = flex->yields;
  if (!flex->yields && !flex->twists) {
    return;
  }
  m->flex_plasticadr[i] = (int)*adr;
  *adr += yield_numbers(flex);
  m->cnd_flex_thickness[i] = (mjtNum)spec->thickness;
  if (flex->yields & PLASTIC_BEND && flex->nelem) {
    // where release 4.0 keeps it, behind the six numbers of a triangle
    m->flex_stiffness[21 * (size_t)m->flex_elemadr[i] + 6] = (mjtNum)spec->thickness;
  }
}

static void write_materials(Compile* c, const SpecObject* object, const FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  int* id = c->m->cnd_flex_elemmatid + c->m->flex_elemadr[object->id];
  for (int e = 0; spec->materials->num == (size_t)flex->nelem && e < flex->nelem; e++) {
    id[e] = compile_find(c, mjOBJ_MATERIAL, &spec->materials->ptr[e]);
  }
}

// The plastic states of keyframes, whose length is known now. What they leave open is filled in
// when the rests of springs are known.
static void write_keys(Compile* c) {
  mjModel* m = c->m;
  size_t n = (size_t)m->nplastic;
  for (int k = 0; k < m->nkey; k++) {
    const mjDoubleVec* given =
        k < c->count[mjOBJ_KEY] ? c->list[mjOBJ_KEY][k]->as.key.plastic : NULL;
    for (size_t i = 0; i < n; i++) {
      m->key_plastic[(size_t)k * n + i] =
          given && i < given->num ? (mjtNum)given->ptr[i] : (mjtNum)NAN;
    }
  }
}

void flexes_write(Compile* c, int start) {
  mjModel* m = c->m;
  int celladr = 0;
  mjtSize plasticadr = m->nplastic - (mjtSize)flexes_plastic(c);
  if (flexes_plastic(c)) {
    write_keys(c);
  }
  for (int i = 0; i < m->nflex; i++) {
    const FlexWork* flex = c->flex + i;
    const mjsFlex* spec = &c->list[mjOBJ_FLEX][i]->as.flex;
    write_vertices(m, flex, spec, i);
    write_edges(m, flex, spec, i);
    write_elements(m, flex, i);
    write_texture(m, flex, spec, i);
    write_cells(m, flex, i, &celladr);
    write_yields(m, flex, spec, i, &plasticadr);
    write_materials(c, c->list[mjOBJ_FLEX][i], flex);
    copy_ints(m->bvh_depth, start, flex->bvhdepth, (size_t)flex->nbvh);
    copy_ints(m->bvh_child, 2 * start, flex->bvhchild, 2 * (size_t)flex->nbvh);
    copy_ints(m->bvh_nodeid, start, flex->bvhnodeid, (size_t)flex->nbvh);
    m->flex_bvhadr[i] = flex->nbvh ? start : -1;
    m->flex_bvhnum[i] = flex->nbvh;
    start += flex->nbvh;
  }
}
