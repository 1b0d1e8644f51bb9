// generate.c: makes the bodies, joints, flex and equality of a <flexcomp>.
//                                                    theory/smooth/deformables.md, Generated flexes
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "mjcf/read/context.h"
#include "mjcf/read/flexcomp/macro.h"
#include "mjcf/read/plugin.h"

enum {
  CORNERS = 8,  // corner nodes of the box of a trilinear flex
};

static void slide(mjsBody* body, const Macro* macro, const double axis[3]) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  read_place(macro->reader, macro->node, joint->element);
  joint->type = mjJNT_SLIDE;
  memset(joint->pos, 0, sizeof(joint->pos));
  memcpy(joint->axis, axis, sizeof(joint->axis));
}

// Adds a body with slide joints at a position in the parent. group is that of its geom, -1 for the
// group of the class.
static mjsBody* add_body(const Macro* macro, const char* name, const double pos[3], double mass,
                         int group) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mjsBody* body = mjs_addBody(macro->parent, NULL);
  read_place(macro->reader, macro->node, body->element);
  mjs_setName(body->element, name);
  double box = macro->comp.inertiabox;
  memcpy(body->pos, pos, sizeof(body->pos));
  body->explicitinertial = 1;
  body->mass = mass;
  for (int k = 0; k < 3; k++) {
    body->ipos[k] = 0;
    body->inertia[k] = mass * (2 * box * box) / 3;
  }
  FlexcompDof dof = macro->comp.dof;
  if (dof == FLEXCOMP_RADIAL) {
    double axis[3] = {pos[0], pos[1], pos[2]};
    pose_normalize(axis, 3);
    slide(body, macro, axis);
  }
  int slides = dof == FLEXCOMP_RADIAL ? 0 : dof == FLEXCOMP_PLANAR ? 2 : 3;
  for (int k = 0; k < slides; k++) {
    slide(body, macro, axes[k]);
  }
  if (macro->flex->vertcollide) {
    mjsGeom* geom = mjs_addGeom(body, NULL);
    read_place(macro->reader, macro->node, geom->element);
    geom->type = mjGEOM_SPHERE;
    geom->size[0] = macro->flex->radius;
    geom->group = group >= 0 ? group : geom->group;
  }
  return body;
}

static const char* parent_name(const Macro* macro) {
  return spec_name(spec_object(macro->parent->element));
}

// Adds bodies at the corners of the box around the points. Corner c is pinned if point c is pinned.
static void add_corners(const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  mjsFlex* flex = macro->flex;
  double node[3 * CORNERS];
  for (int c = 0; c < CORNERS; c++) {
    const int at[3] = {c >> 2 & 1, c >> 1 & 1, c & 1};
    for (int k = 0; k < 3; k++) {
      node[3 * c + k] = at[k] ? macro->upper[k] : macro->lower[k];
    }
    if ((size_t)c < macro_count_points(macro) && comp->pinned[c]) {
      mjs_appendString(flex->nodebody, parent_name(macro));
      continue;
    }
    mjString name = {0};
    string_format(&name, "%s_%d_%d_%d", macro->name, at[0], at[1], at[2]);
    mjs_appendString(flex->nodebody, string_text(&name));
    add_body(macro, string_text(&name), node + 3 * c, comp->mass / CORNERS, -1);
    memset(node + 3 * c, 0, 3 * sizeof(double));
    string_clear(&name);
  }
  if (macro_any_pinned(macro)) {
    mjs_setDouble(flex->node, node, 3 * CORNERS);
  }
}

// The cage around the used points.
static void measure(Cage* cage, const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  cage->order = comp->order;
  memcpy(cage->count, comp->cells, sizeof(cage->count));
  cage_measure(cage, comp->point.ptr, comp->element.ptr, (int)comp->element.num / (comp->dim + 1),
               comp->dim, macro->lower, macro->upper);
}

// A cage with nodes by the rules of later releases. Nodes of empty cells belong to the parent, as
// pinned ones do; the others share the mass.
static void add_nodes(const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  mjsFlex* flex = macro->flex;
  int n[3], nnode = cage_nodes(comp->order, comp->cells);
  Cage cage;
  measure(&cage, macro);
  for (int k = 0; k < 3; k++) {
    n[k] = comp->order * comp->cells[k] + 1;
  }
  double *mass = heap_take((size_t)nnode * sizeof(double)), whole = 0;
  double* node = heap_zero(3 * (size_t)nnode, sizeof(double));
  if (flex->elastic2d) {
    shell_masses(mass, comp->order, comp->cells);
  } else {
    cage_masses(mass, &cage);
  }
  cage_free(&cage);
  for (int i = 0; i < nnode; i++) {
    whole += comp->pinned[i] ? 0 : mass[i];
  }
  int held = 0;
  for (int i = 0; i < nnode; i++) {
    const int at[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    double pos[3];
    for (int k = 0; k < 3; k++) {
      double part = (double)at[k] / (n[k] - 1);
      pos[k] = macro->lower[k] + part * (macro->upper[k] - macro->lower[k]);
    }
    if (comp->pinned[i] || !(mass[i] > 0)) {
      mjs_appendString(flex->nodebody, parent_name(macro));
      memcpy(node + 3 * (size_t)i, pos, sizeof(pos));
      held = 1;
      continue;
    }
    mjString name = {0};
    string_format(&name, "%s_%d_%d_%d", macro->name, at[0], at[1], at[2]);
    mjs_appendString(flex->nodebody, string_text(&name));
    add_body(macro, string_text(&name), pos, comp->mass * mass[i] / whole, -1);
    string_clear(&name);
  }
  if (held) {
    mjs_setDouble(flex->node, node, 3 * nnode);
  }
  heap_free(mass);
  heap_free(node);
}

// Adds a body for every used point that is not pinned. Pinned points belong to the parent.
static void add_vertices(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  mjsFlex* flex = macro->flex;
  size_t npoint = macro_count_points(macro), kept = 0, sharing = npoint;
  for (size_t i = 0; i < npoint; i++) {
    sharing -= comp->shares && !macro->used[i];
  }
  int follows = comp->order > 0;
  for (size_t i = 0; i < npoint; i++) {
    double* p = comp->point.ptr + 3 * i;
    if (!macro->used[i]) {
      continue;
    }
    double own[3] = {0, 0, 0};
    if (follows || comp->pinned[i]) {
      mjs_appendString(flex->vertbody, parent_name(macro));
      read_share(&macro->parent->plugin, macro->instance);
      memcpy(own, p, sizeof(own));
    } else {
      mjString name = {0};
      string_format(&name, "%s_%zu", macro->name, i);
      mjs_appendString(flex->vertbody, string_text(&name));
      mjsBody* body = add_body(macro, string_text(&name), p, comp->mass / (double)sharing, 4);
      read_share(&body->plugin, macro->instance);
      string_clear(&name);
    }
    memcpy(comp->point.ptr + 3 * kept++, own, sizeof(own));
  }
  if (follows || macro_any_pinned(macro)) {
    mjs_setDouble(flex->vert, comp->point.ptr, (int)(3 * kept));
  }
}

// Renumbers the points in elements, counting used points only.
static void renumber(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  size_t npoint = macro_count_points(macro);
  int *number = heap_take(npoint * sizeof(int)), next = 0;
  for (size_t i = 0; i < npoint; i++) {
    number[i] = next;
    next += macro->used[i];
  }
  for (size_t i = 0; i < comp->element.num; i++) {
    comp->element.ptr[i] = number[comp->element.ptr[i]];
  }
  if (comp->texcoord.num == 2 * npoint && !comp->elemtexcoord.num) {
    for (size_t i = 0; i < npoint; i++) {
      if (macro->used[i]) {
        memcpy(comp->texcoord.ptr + 2 * (size_t)number[i], comp->texcoord.ptr + 2 * i,
               2 * sizeof(float));
      }
    }
    comp->texcoord.num = 2 * (size_t)next;
  }
  heap_free(number);
}

static mjsEquality* add_equality(const Macro* macro) {
  mjsEquality* equality = mjs_addEquality(macro->reader->spec, NULL);
  read_place(macro->reader, macro->node, equality->element);
  equality->type = mjEQ_FLEX;
  equality->active = 1;
  mjs_setString(equality->name1, macro->name);
  memcpy(equality->solref, macro->solref, sizeof(macro->solref));
  memcpy(equality->solimp, macro->solimp, sizeof(macro->solimp));
  return equality;
}

// One equality for each cell that is not empty.
static void add_strains(const Macro* macro) {
  Cage cage;
  measure(&cage, macro);
  for (int cell = 0; cell < cage_cells(cage.count); cell++) {
    if (cage_is_empty(&cage, cell)) {
      continue;
    }
    mjsEquality* equality = add_equality(macro);
    equality->type = mjEQ_FLEXSTRAIN;
    int layer = cell / (cage.count[1] * cage.count[2]);
    equality->data[0] = layer;
    equality->data[1] = cell / cage.count[2] % cage.count[1];
    equality->data[2] = cell % cage.count[2];
  }
  cage_free(&cage);
}

void macro_generate(Macro* macro) {
  Flexcomp* comp = &macro->comp;
  mjsFlex* flex = macro->flex;
  mjs_setDouble(flex->vert, NULL, 0);
  if (comp->type == FLEXCOMP_BOX || comp->type == FLEXCOMP_CYLINDER ||
      (comp->type == FLEXCOMP_GRID && comp->dim == 3)) {
    flex->flatskin = 1;
  }
  flex->dim = comp->dim;
  if (comp->rigid) {
    mjs_appendString(flex->vertbody, parent_name(macro));
    mjs_setDouble(flex->vert, comp->point.ptr, (int)comp->point.num);
  } else {
    renumber(macro);
    add_vertices(macro);
  }
  mjs_setInt(flex->elem, comp->element.ptr, (int)comp->element.num);
  mjs_setFloat(flex->texcoord, comp->texcoord.ptr, (int)comp->texcoord.num);
  mjs_setInt(flex->elemtexcoord, comp->elemtexcoord.ptr, (int)comp->elemtexcoord.num);
  if (!comp->rigid && comp->by_nodes) {
    add_nodes(macro);
  } else if (!comp->rigid && comp->order) {
    add_corners(macro);
  }
  macro_add_twists(macro);
  if (!comp->rigid && macro->equality == 3) {
    add_strains(macro);
  } else if (!comp->rigid && macro->equality) {
    add_equality(macro);
  }
}
