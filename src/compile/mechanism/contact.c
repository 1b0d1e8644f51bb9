// Predefined pairs and excluded body pairs. Both are sorted by signature, (smaller body << 16) +
// larger body, so that collision can walk through them alongside its own sorted list; their ids are
// those of the sorted order.                                    theory/model.md, Pairs and excludes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compile/compile.h"

// an object and the two things it is about, smaller body first
typedef struct Signed_ {
  SpecObject* object;
  int signature;
  int order;  // of creation
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

// Sorts, and makes the sorted order the order of ids.
static void renumber(Compile* c, mjtObj type, Signed* entry, int count) {
  qsort(entry, (size_t)count, sizeof(Signed), by_signature);
  for (int i = 0; i < count; i++) {
    entry[i].object->id = i;
    c->list[type][i] = entry[i].object;
  }
}

static int signature(int body1, int body2) {
  return (int)(((unsigned)body1 << 16) + (unsigned)body2);
}

// What a pair leaves undefined (NaN) comes from its geoms: the stiffer one's if priorities differ,
// else a mixture.
static void inherit(mjModel* m, int pair, int g1, int g2) {
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

  // with equal priorities the smaller solref counts: the mixture that other parameters use can't be
  // reached
  mjtNum* solref = m->pair_solref + mjNREF * pair;
  if (isnan(solref[0])) {
    for (int i = 0; i < mjNREF; i++) {
      mjtNum r1 = m->geom_solref[mjNREF * g1 + i], r2 = m->geom_solref[mjNREF * g2 + i];
      solref[i] = priority > 0 ? r1 : priority < 0 ? r2 : mju_min(r1, r2);
    }
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
  compile_store(m->pair_friction + 5 * i, spec->friction, 5);
  inherit(m, i, entry->first, entry->second);
}

// 0 and an error if one of the two names is unknown
static int find_two(Compile* c, SpecObject* object, mjtObj type, const char* place,
                    const mjString* name1, const mjString* name2, Signed* out) {
  out->first = compile_find(c, type, name1);
  out->second = compile_find(c, type, name2);
  if (out->first < 0 || out->second < 0) {
    return compile_error(c, object, "%s '%s' not found in %s %d", spec_typename(type),
                         string_text(out->first < 0 ? name1 : name2), place, object->id);
  }
  return 1;
}

// Orders the two by body and notes the signature.
static void sign(Signed* entry, SpecObject* object, int body1, int body2) {
  entry->object = object;
  entry->order = object->id;
  if (body1 > body2) {
    int swap = entry->first;
    entry->first = entry->second;
    entry->second = swap;
  }
  entry->signature = body1 > body2 ? signature(body2, body1) : signature(body1, body2);
}

static void compile_pairs(Compile* c) {
  mjModel* m = c->m;
  int n = c->count[mjOBJ_PAIR], good = 0;
  Signed* entry = heap_take((size_t)n * sizeof(Signed));
  for (int i = 0; i < n; i++) {
    SpecObject* object = c->list[mjOBJ_PAIR][i];
    const mjsPair* spec = &object->as.pair;
    Signed* e = &entry[good];
    if (spec->condim != 1 && spec->condim != 3 && spec->condim != 4 && spec->condim != 6) {
      compile_error(c, object, "invalid condim in contact pair");
    }
    if (find_two(c, object, mjOBJ_GEOM, "collision", spec->geomname1, spec->geomname2, e)) {
      sign(e, object, m->geom_bodyid[e->first], m->geom_bodyid[e->second]);
      good++;
    }
  }
  if (good == n) {
    renumber(c, mjOBJ_PAIR, entry, n);
    for (int i = 0; i < n; i++) {
      write_pair(c, &entry[i], i);
    }
  }
  heap_free(entry);
}

static void compile_excludes(Compile* c) {
  int n = c->count[mjOBJ_EXCLUDE], good = 0;
  Signed* entry = heap_take((size_t)n * sizeof(Signed));
  for (int i = 0; i < n; i++) {
    SpecObject* object = c->list[mjOBJ_EXCLUDE][i];
    const mjsExclude* spec = &object->as.exclude;
    Signed* e = &entry[good];
    if (find_two(c, object, mjOBJ_BODY, "bodypair", spec->bodyname1, spec->bodyname2, e)) {
      sign(e, object, e->first, e->second);
      good++;
    }
  }
  if (good == n) {
    renumber(c, mjOBJ_EXCLUDE, entry, n);
    for (int i = 0; i < n; i++) {
      c->m->exclude_signature[i] = entry[i].signature;
    }
  }
  heap_free(entry);
}

void compile_contacts(Compile* c) {
  if (c->count[mjOBJ_PAIR]) {
    compile_pairs(c);
  }
  if (c->count[mjOBJ_EXCLUDE]) {
    compile_excludes(c);
  }
}
