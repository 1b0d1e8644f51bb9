// keep.c: keeps the numbers of a compiled model in its spec, for writing it as MJCF.
//                                                                theory/model/model.md, Recompiling
//
// The numbers are a copy of the model without data that the spec has itself (vertices, pixels) and
// without derived data (patterns, trees, names), which are most of its bytes.

#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "compile/stages.h"
#include "model/model.h"

static void leave_out(mjModel* sizes) {
  int* const left_out[] = {
      &sizes->nbvh,
      &sizes->nbvhstatic,
      &sizes->nbvhdynamic,
      &sizes->noct,
      &sizes->nM,
      &sizes->nB,
      &sizes->nC,
      &sizes->nD,
      &sizes->nmeshvert,
      &sizes->nmeshnormal,
      &sizes->nmeshtexcoord,
      &sizes->nmeshface,
      &sizes->nmeshgraph,
      &sizes->nmeshpoly,
      &sizes->nmeshpolyvert,
      &sizes->nmeshpolymap,
      &sizes->ntexdata,
      &sizes->nnames,
      &sizes->nnames_map,
      &sizes->npaths,
      &sizes->nJmom,
      &sizes->nskinvert,
      &sizes->nskintexvert,
      &sizes->nskinface,
      &sizes->nskinbonevert,
      &sizes->nflexvert,
      &sizes->nflexedge,
      &sizes->nflexelem,
      &sizes->nflexelemdata,
      &sizes->nflexelemedge,
      &sizes->nflexshelldata,
      &sizes->nflexevpair,
      &sizes->nflextexcoord,
  };
  sizes->nJten = sizes->nJfe = 0;
  for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
    *left_out[i] = 0;
  }
}

// Copies the numbers needed for writing to a new model. Sizes whose arrays are not needed are 0.
// NULL if memory runs out.
static mjModel* extract(const mjModel* m) {
  mjModel sizes = *m;
  leave_out(&sizes);
  return model_resize(m, &sizes);
}

// Does m have the sizes and the structure of the model from which `kept` was extracted?
static int fits(const mjModel* kept, const mjModel* m) {
  if (!kept || kept->signature != m->signature) {
    return 0;
  }
#define COMPARE(type, name, meaning)                                          \
  if (kept->name && kept->name != m->name && strcmp(#name, "nbuffer") != 0) { \
    return 0;                                                                 \
  }
  CND_MODEL_SIZES(COMPARE)
#undef COMPARE
  return 1;
}

int compile_fits(const SpecTree* tree, const mjModel* m) {
  return fits(tree->values, m) && tree->self.element.signature == m->signature;
}

int compile_keep(SpecTree* tree, const mjModel* m) {
  mj_deleteModel(tree->values);
  tree->values = m ? extract(m) : NULL;
  tree->copied_back = tree->shrunk = 0;
  if (m) {
    tree->computed = m->stat;
  }
  return !m || tree->values;
}

static int same_mass(const mjModel* a, const mjModel* b, int i) {
  return a->body_mass[i] == b->body_mass[i] &&
         !memcmp(a->body_inertia + 3 * i, b->body_inertia + 3 * i, 3 * sizeof(mjtNum)) &&
         !memcmp(a->body_ipos + 3 * i, b->body_ipos + 3 * i, 3 * sizeof(mjtNum)) &&
         !memcmp(a->body_iquat + 4 * i, b->body_iquat + 4 * i, 4 * sizeof(mjtNum));
}

int mj_copyBack(mjSpec* s, const mjModel* m) {
  check_given(s, m);
  SpecTree* tree = spec_tree(s);
  if (!fits(tree->values, m)) {
    spec_error(tree,
               "incompatible models in CopyBack: sizes or structure differ from those of the spec");
    return 0;
  }
  mjModel* values = extract(m);
  if (!values || (tree->scaled && !mj_copyBack(&tree->scaled->spec, m))) {
    mj_deleteModel(values);
    spec_error(tree, "out of memory");
    return 0;
  }
  for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
    body->weighed = body->weighed && same_mass(tree->values, values, body->id);
  }
  mj_deleteModel(tree->values);
  tree->values = values;
  tree->copied_back = 1;
  return 1;
}
