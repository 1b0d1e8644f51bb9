// check.c: what of a flex is told before anything is computed.
//                                                      theory/smooth/deformables.md, What a flex is
#include <limits.h>
#include <math.h>
#include <string.h>

#include "compile/flex/cage.h"
#include "compile/flex/work.h"
#include "model/cage.h"
#include "model/options.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"

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
  return flex_behaves(c) || flex->interp == 2 || (flex->interp && cage_cells(flex->count) > 1);
}

int flex_check_later(Compile* c, const SpecObject* object, const FlexWork* flex) {
  const mjsFlex* spec = &object->as.flex;
  int behaves = flex_behaves(c);
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

int flex_check(Compile* c, const SpecObject* object, FlexWork* flex) {
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
  flex->rod = rod_is_meant(spec, flex_behaves(c));
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
