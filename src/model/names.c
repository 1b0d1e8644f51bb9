// names.c: ids of names and names of ids, with a hash table for each kind of object.

#include "model/names.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"

// kinds of named objects in the order of the buffer: type, count, addresses of names
#define NAMED_KINDS(KIND)                           \
  KIND(mjOBJ_BODY, nbody, name_bodyadr)             \
  KIND(mjOBJ_JOINT, njnt, name_jntadr)              \
  KIND(mjOBJ_GEOM, ngeom, name_geomadr)             \
  KIND(mjOBJ_SITE, nsite, name_siteadr)             \
  KIND(mjOBJ_CAMERA, ncam, name_camadr)             \
  KIND(mjOBJ_LIGHT, nlight, name_lightadr)          \
  KIND(mjOBJ_FLEX, nflex, name_flexadr)             \
  KIND(mjOBJ_MESH, nmesh, name_meshadr)             \
  KIND(mjOBJ_SKIN, nskin, name_skinadr)             \
  KIND(mjOBJ_HFIELD, nhfield, name_hfieldadr)       \
  KIND(mjOBJ_TEXTURE, ntex, name_texadr)            \
  KIND(mjOBJ_MATERIAL, nmat, name_matadr)           \
  KIND(mjOBJ_PAIR, npair, name_pairadr)             \
  KIND(mjOBJ_EXCLUDE, nexclude, name_excludeadr)    \
  KIND(mjOBJ_EQUALITY, neq, name_eqadr)             \
  KIND(mjOBJ_TENDON, ntendon, name_tendonadr)       \
  KIND(mjOBJ_ACTUATOR, nactuator, name_actuatoradr) \
  KIND(mjOBJ_SENSOR, nsensor, name_sensoradr)       \
  KIND(mjOBJ_NUMERIC, nnumeric, name_numericadr)    \
  KIND(mjOBJ_TEXT, ntext, name_textadr)             \
  KIND(mjOBJ_TUPLE, ntuple, name_tupleadr)          \
  KIND(mjOBJ_KEY, nkey, name_keyadr)                \
  KIND(mjOBJ_PLUGIN, nplugin, name_pluginadr)

NamedKind names_kind(const mjModel* m, int i) {
  const NamedKind kinds[NAMES_KIND_COUNT] = {
#define KIND(type, count, adr) {type, (int)m->count, m->adr, NULL},
      NAMED_KINDS(KIND)
#undef KIND
  };
  int before = 0;
  for (int k = 0; k < i; k++) {
    before += 2 * kinds[k].count;
  }
  NamedKind kind = kinds[i];
  kind.map = m->names_map ? m->names_map + before : NULL;
  return kind;
}

// h <- 33 h xor c from h = 5381, in 64 bits. Characters beyond ASCII count as negative numbers on
// every platform, as on the platforms that made existing binary models. The table is part of the
// binary format (mjModel.names_map), so it does not use base/hash.h.
int names_hash(const char* name, int n) {
  uint64_t h = 5381;
  for (; *name; name++) {
    h = (33 * h) ^ (uint64_t)(signed char)*name;
  }
  return (int)(h % (uint64_t)n);
}

void names_index(mjModel* m) {
  for (int i = 0; i < m->nnames_map; i++) {
    m->names_map[i] = -1;
  }
  for (int i = 0; i < NAMES_KIND_COUNT; i++) {
    NamedKind kind = names_kind(m, i);
    int slots = 2 * kind.count;
    for (int id = 0; id < kind.count; id++) {
      const char* name = m->names + kind.name_adr[id];
      if (!*name) {
        continue;
      }
      int slot = names_hash(name, slots);
      while (kind.map[slot] >= 0) {
        slot = slot + 1 < slots ? slot + 1 : 0;
      }
      kind.map[slot] = id;
    }
  }
}

// Address array and count of a type's names; NULL if the type has none. The table NAMED_KINDS
// becomes a switch rather than a search, as this runs at every look-up of a name.
static const int* addresses(int* count, const mjModel* m, int type) {
  switch (type == mjOBJ_XBODY ? mjOBJ_BODY : type) {
#define KIND(type, number, adr) \
  case type:                    \
    *count = (int)m->number;    \
    return m->adr;
    NAMED_KINDS(KIND)
#undef KIND
    default:
      *count = 0;
      return NULL;
  }
}

int names_find(NamedKind* kind, const mjModel* m, int type) {
  if (type == mjOBJ_XBODY) {
    type = mjOBJ_BODY;
  }
  static const int types[NAMES_KIND_COUNT] = {
#define KIND(type, count, adr) type,
      NAMED_KINDS(KIND)
#undef KIND
  };
  for (int i = 0; i < NAMES_KIND_COUNT; i++) {
    if (types[i] == type) {
      *kind = names_kind(m, i);
      return 1;
    }
  }
  return 0;
}

int mj_name2id(const mjModel* m, int type, const char* name) {
  check_given(m);
  NamedKind kind;
  if (!name || !*name || !names_find(&kind, m, type) || !kind.count) {
    return -1;
  }

  // a table is at most half full, so an empty slot ends the search
  int slots = 2 * kind.count;
  int slot = names_hash(name, slots);
  for (int tried = 0; tried < slots && kind.map[slot] >= 0; tried++) {
    if (!strcmp(m->names + kind.name_adr[kind.map[slot]], name)) {
      return kind.map[slot];
    }
    slot = slot + 1 < slots ? slot + 1 : 0;
  }
  return -1;
}

const char* mj_id2name(const mjModel* m, int type, int id) {
  check_given(m);
  int count;
  const int* adr = addresses(&count, m, type);
  if (id < 0 || id >= count) {
    return NULL;
  }
  const char* name = m->names + adr[id];
  return *name ? name : NULL;
}
