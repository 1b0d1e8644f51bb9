// write.c: the arrays of flexes: vertices, edges, elements, cells, plastic states.
//                                                      theory/smooth/deformables.md, What a flex is
#include <math.h>
#include <string.h>

#include "compile/flex/flex.h"
#include "compile/flex/work.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"

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
  int n = (int)flex_cell_numbers(flex);
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
  *adr += flex_yield_numbers(flex);
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
