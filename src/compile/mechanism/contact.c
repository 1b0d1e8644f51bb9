// contact.c: compiles predefined geom pairs and excluded body pairs. Both are sorted by signature,
// (smaller body << 16) + larger body, so that collision can merge them with its own sorted list.
// Their ids follow the sorted order.                      theory/model/model.md, Pairs and excludes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <stdlib.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "compile/context.h"
#include "compile/derive/inertia.h"
#include "compile/mechanism/mechanism.h"

// A pair or exclude with its signature and its two geoms or bodies, smaller body first.
typedef struct Signed_ {
  SpecObject* object;
  int signature;
  int order;  // order of creation
  int first;
  int second;
} Signed;

static int by_signature(const void* a, const void* b) {
  const Signed *x = a, *y = b;
  if (x->signature != y->signature) {
    return x->signature < y->signature ? -1 : 1;
  }
  return x->order - y->order;
}

// Sets undefined (NaN) parameters of a pair from its geoms: those of the geom with higher priority,
// else a mixture.
static void inherit(mjModel* m, int pair, int g1, int g2, int later) {
  int priority =
      (m->geom_priority[g1] > m->geom_priority[g2]) - (m->geom_priority[g1] < m->geom_priority[g2]);
  mjtNum mix1 = m->geom_solmix[g1], mix2 = m->geom_solmix[g2], weight;
  if (priority != 0) {
    weight = priority > 0;
  } else if (mix1 >= (mjtNum)COMPILE_EPS && mix2 >= (mjtNum)COMPILE_EPS) {
    weight = mix1 / (mix1 + mix2);
  } else if (mix1 < (mjtNum)COMPILE_EPS && mix2 < (mjtNum)COMPILE_EPS) {
    weight = (mjtNum)0.5;
  } else {
    weight = mix1 >= (mjtNum)COMPILE_EPS;
  }

  if (isnan(m->pair_margin[pair])) {
    m->pair_margin[pair] = mju_max(m->geom_margin[g1], m->geom_margin[g2]);
  }
  if (isnan(m->pair_gap[pair])) {
    m->pair_gap[pair] = mju_max(m->geom_gap[g1], m->geom_gap[g2]);
  }

  // sliding in both directions, spinning, rolling in both
  mjtNum* friction = m->pair_friction + 5 * pair;
  if (isnan(friction[0])) {
    static const int source[5] = {0, 0, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
      mjtNum f1 = m->geom_friction[3 * g1 + source[i]], f2 = m->geom_friction[3 * g2 + source[i]];
      friction[i] = priority > 0 ? f1 : priority < 0 ? f2 : mju_max(f1, f2);
    }
  }

  // with equal priorities a pair takes the smaller solref, where other parameters are mixed; by the
  // later rule two time constants are mixed, too
  mjtNum* solref = m->pair_solref + mjNREF * pair;
  const mjtNum *ref1 = m->geom_solref + mjNREF * g1, *ref2 = m->geom_solref + mjNREF * g2;
  int mixes = later && priority == 0 && ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0, open = isnan(solref[0]); open && i < mjNREF; i++) {
    solref[i] = mixes          ? weight * ref1[i] + (1 - weight) * ref2[i]
                : priority > 0 ? ref1[i]
                : priority < 0 ? ref2[i]
                               : mju_min(ref1[i], ref2[i]);
  }
  mjtNum* solimp = m->pair_solimp + mjNIMP * pair;
  if (isnan(solimp[0])) {
    for (int i = 0; i < mjNIMP; i++) {
      solimp[i] =
          weight * m->geom_solimp[mjNIMP * g1 + i] + (1 - weight) * m->geom_solimp[mjNIMP * g2 + i];
    }
  }
}

static void write_pair(Compile* c, const Signed* entry, int i) {
  mjModel* m = c->m;
  const mjsPair* spec = &entry->object->as.pair;
  m->pair_dim[i] = spec->condim;
  m->pair_geom1[i] = entry->first;
  m->pair_geom2[i] = entry->second;
  m->pair_signature[i] = entry->signature;
  mju_copy(m->pair_solref + mjNREF * i, spec->solref, mjNREF);
  mju_copy(m->pair_solreffriction + mjNREF * i, spec->solreffriction, mjNREF);
  mju_copy(m->pair_solimp + mjNIMP * i, spec->solimp, mjNIMP);
  m->pair_margin[i] = (mjtNum)spec->margin;
  m->pair_gap[i] = (mjtNum)spec->gap;
  m->pair_adhesion[i] = (mjtNum)spec->adhesion;
  compile_store(m->pair_friction + 5 * i, spec->friction, 5);
  inherit(m, i, entry->first, entry->second, compile_behaves(entry->object, cndBEHAVIOUR_compile));
}

// Finds the two geoms of a pair, or the two bodies of an exclude, and computes the signature.
// Returns 0, with an error, if one is unknown.
static int sign(Signed* out, Compile* c, SpecObject* object) {
  const mjsPair* pair = object->element.elemtype == mjOBJ_PAIR ? &object->as.pair : NULL;
  const mjsExclude* exclude = &object->as.exclude;
  mjtObj type = pair ? mjOBJ_GEOM : mjOBJ_BODY;
  const mjString* name1 = pair ? pair->geomname1 : exclude->bodyname1;
  const mjString* name2 = pair ? pair->geomname2 : exclude->bodyname2;
  if (pair && pair->condim != 1 && pair->condim != 3 && pair->condim != 4 && pair->condim != 6) {
    compile_error(c, object, "invalid condim in contact pair: it is %d, not 1, 3, 4 or 6",
                  pair->condim);
  }
  int id1 = compile_find(c, type, name1), id2 = compile_find(c, type, name2);
  if (id1 < 0 || id2 < 0) {
    return compile_error(c, object, "%s '%s' not found in %s %d", spec_typename(type),
                         string_text(id1 < 0 ? name1 : name2), pair ? "collision" : "bodypair",
                         object->id);
  }

  int body1 = pair ? c->m->geom_bodyid[id1] : id1, body2 = pair ? c->m->geom_bodyid[id2] : id2;
  unsigned low = (unsigned)int_min(body1, body2), high = (unsigned)int_max(body1, body2);
  int swap = body1 > body2;
  *out = (Signed){.object = object,
                  .signature = (int)((low << 16) + high),
                  .order = object->id,
                  .first = swap ? id2 : id1,
                  .second = swap ? id1 : id2};
  return 1;
}

// Puts the objects of a type in the order of n entries, in the spec too, unless they are.
static void reorder(Compile* c, mjtObj type, const Signed* entry, int n) {
  int sorted = 1;
  for (int i = 0; i < n; i++) {
    sorted &= c->list[type][i] == entry[i].object;
  }
  if (sorted) {
    return;
  }
  Heap* heap = heap_pause();  // the index of names belongs to the spec
  for (int i = 0; i < n; i++) {
    spec_unlink(entry[i].object);
    spec_link(entry[i].object, NULL, NULL);
    entry[i].object->id = i;
    c->list[type][i] = entry[i].object;
  }
  heap_resume(heap);
}

// Sorts the objects of a type by signature, in the spec too, numbers them in this order and writes
// them.
static void compile_signed(Compile* c, mjtObj type) {
  int n = c->count[type], good = 0;
  Signed* entry = heap_take((size_t)n * sizeof(Signed));
  for (int i = 0; i < n; i++) {
    good += sign(&entry[good], c, c->list[type][i]);
  }
  qsort(entry, (size_t)good, sizeof(Signed), by_signature);
  if (good == n) {
    reorder(c, type, entry, n);
  }
  for (int i = 0; good == n && i < n; i++) {
    if (type == mjOBJ_PAIR) {
      write_pair(c, &entry[i], i);
    } else {
      c->m->exclude_signature[i] = entry[i].signature;
    }
  }
  heap_free(entry);
}

void compile_contacts(Compile* c) {
  compile_signed(c, mjOBJ_PAIR);
  compile_signed(c, mjOBJ_EXCLUDE);
}
