// flex.c: makes all flexes of a spec, counts what they need, and writes their rows.
//                                                      theory/smooth/deformables.md, What a flex is
#include "compile/flex/flex.h"

#include <limits.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/asset/material.h"
#include "compile/flex/cage.h"
#include "compile/flex/work.h"
#include "model/cage.h"
#include "model/flex/rod.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"

// World poses of all bodies in the reference configuration.
static Pose* body_poses(const Compile* c) {
  Pose* pose = heap_take((size_t)c->m->nbody * sizeof(Pose));
  pose[0] = POSE_IDENTITY;
  for (int b = 1; b < c->m->nbody; b++) {
    pose_compose(pose + b, pose + c->m->body_parentid[b], &c->body[b].pose);
  }
  return pose;
}
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
  if (!flex_check(c, object, flex) || !flex_place(c, object, flex, body) ||
      !flex_check_later(c, object, flex) || !check_box(c, object, flex)) {
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
  return flex_add_tree(c, object, flex);
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

int64_t flex_cell_numbers(const FlexWork* flex) {
  if (flex->hollow) {
    return flex->cell ? flex_shell_numbers(flex->interp, flex->count) : 0;
  }
  int64_t size = 3 * (flex->ncell ? cage_cell_nodes(flex->interp) : 0);
  return flex->ncell * size * size;
}

int64_t flex_yield_numbers(const FlexWork* flex) {
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
  n->cell += flex_cell_numbers(flex);
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
    n += flex_yield_numbers(c->flex + i);
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
