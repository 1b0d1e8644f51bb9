// Sources of a geom's field (plugin, octree, rays, primitive), and combinations of two fields.
//                                                            theory/contact/sdf.md, Combined fields

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it ends the descent elsewhere

#include "collision/sdf/field.h"

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <stdatomic.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"

// sources

static mjtNum plugin_distance(const Field* field, const mjtNum x[3]) {
  return field->plugin->sdf_distance(x, field->d, field->id);
}

static void plugin_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  field->plugin->sdf_gradient(gradient, x, field->d, field->id);
}

static void plugin_distances(mjtNum dist[FIELD_LANES], const Field* field,
                             const mjtNum x[3][FIELD_LANES]) {
  field->plugin->cnd_sdf_distances(dist, x, field->d, field->id);
}

static const FieldKind plugin_kind = {plugin_distance, plugin_gradient, NULL};
static const FieldKind plugin_lanes = {plugin_distance, plugin_gradient, plugin_distances};

// The plugin of a geom, NULL if there is none that makes shapes.
static const mjpPlugin* plugin_of(const mjModel* m, int geom) {
  int instance = m->geom_plugin[geom];
  const mjpPlugin* plugin = instance < 0 ? NULL : mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && plugin->capabilityflags & mjPLUGIN_SDF ? plugin : NULL;
}

static int use_octree(Field* field, const mjModel* m, int mesh) {
  if (mesh < 0 || !m->mesh_octnum[mesh]) {
    return 0;
  }
  int root = m->mesh_octadr[mesh];
  field->kind = behaves(m, cndBEHAVIOUR_gjkepa) ? &field_octree_in_space : &field_octree;
  field->tree = (FieldTree){.child = m->oct_child + 8 * (size_t)root,
                            .box = m->oct_aabb + 6 * (size_t)root,
                            .value = m->oct_coeff + 8 * (size_t)root};
  const mjtNum *center = field->tree.box, *half = center + 3;
  for (int k = 0; k < 3; k++) {
    field->tree.lower[k] = center[k] - half[k];
    field->tree.scale[k] = (1 << FIELD_DIGITS) / (2 * half[k]);
  }
  return 1;
}

// Uses a plugin's shape; returns 0 if the plugin makes none.
static int use_plugin(Field* field, const mjpPlugin* plugin, int instance) {
  field->kind = plugin && plugin->cnd_sdf_distances ? &plugin_lanes : &plugin_kind;
  field->plugin = plugin;
  field->id = instance;
  return plugin && plugin->sdf_distance && plugin->sdf_gradient;
}

static int use_geom(Field* field, const mjModel* m, int type, int geom) {
  if (type == mjGEOM_MESH && use_octree(field, m, m->geom_dataid[geom])) {
    return 1;
  }
  int is_mesh = type == mjGEOM_MESH && m->geom_dataid[geom] >= 0;
  field->kind = is_mesh ? &field_rays : field_primitive + type;
  field->size = m->geom_size + 3 * (size_t)geom;
  return field->kind->distance != NULL;
}

int field_of(Field* field, const mjModel* m, const mjData* d, int geom) {
  int type = m->geom_type[geom], instance = m->geom_plugin[geom];
  *field = (Field){.m = m, .d = d, .id = geom};
  if (type != mjGEOM_SDF) {
    return use_geom(field, m, type, geom);
  }
  return instance >= 0 ? use_plugin(field, plugin_of(m, geom), instance)
                       : use_octree(field, m, m->geom_dataid[geom]);
}

void field_missing(const mjModel* m, int geom) {
  static atomic_flag warned;  // zero is the clear state
  if (!atomic_flag_test_and_set(&warned)) {
    const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
    mju_warning(
        "geom %d (%s) has no distance field: neither a registered plugin that makes shapes "
        "nor a mesh with an octree; distance fields and tactile sensors pass through such geoms",
        geom, name ? name : "unnamed");
  }
}

void field_begin(const Field* field) {
  if (field->plugin && field->plugin->reset) {
    void* data = (void*)field->d->plugin_data[field->id];
    field->plugin->reset(field->m, NULL, data, field->id);
  }
}

void field_meet(const Field* field, int g1, int g2) {
  if (field->plugin && field->plugin->cnd_sdf_meet) {
    field->plugin->cnd_sdf_meet(field->m, (mjData*)field->d, field->id, g1, g2);
  }
}

void field_search(const Field* field) {
  if (field->plugin && field->plugin->compute) {
    field->plugin->compute(field->m, (mjData*)field->d, field->id, mjPLUGIN_SDF);
  }
}

// combinations

static mjtNum distance_at(const FieldPair* pair, int i, const mjtNum x[3]) {
  return pair->field[i].kind->distance(pair->field + i, x);
}

static void to_second(mjtNum y[3], const FieldPair* pair, const mjtNum x[3]) {
  m3_mulv(y, pair->mat, x);
  v3_addto(y, pair->pos);
}

void pair_distance(mjtNum dist[2], const FieldPair* pair, const mjtNum x[3]) {
  mjtNum y[3];
  to_second(y, pair, x);
  dist[0] = distance_at(pair, 0, x);
  dist[1] = distance_at(pair, 1, y);
}

int pair_has_lanes(const FieldPair* pair) {
  return pair->field[0].kind->distances && pair->field[1].kind->distances;
}

typedef mjtNum Lanes SIMD_TYPE(FIELD_LANES * sizeof(mjtNum));

KERNEL static void to_second_lanes(mjtNum y[3][FIELD_LANES], const FieldPair* pair,
                                   const mjtNum x[3][FIELD_LANES]) {
  const Lanes x0 = SIMD_READ(Lanes, x[0]), x1 = SIMD_READ(Lanes, x[1]), x2 = SIMD_READ(Lanes, x[2]);
  for (int r = 0; r < 3; r++) {
    const mjtNum* row = pair->mat + 3 * r;
    SIMD_AT(Lanes, y[r]) = row[0] * x0 + row[1] * x1 + row[2] * x2 + pair->pos[r];
  }
}

void pair_distances(mjtNum dist[2][FIELD_LANES], const FieldPair* pair,
                    const mjtNum x[3][FIELD_LANES]) {
  const Field* field = pair->field;
  mjtNum y[3][FIELD_LANES];
  to_second_lanes(y, pair, x);
  field[0].kind->distances(dist[0], field, x);
  field[1].kind->distances(dist[1], field + 1, (const mjtNum(*)[FIELD_LANES])y);
}

// Gradient of field i, along the axes of the first.
static void gradient_at(mjtNum gradient[3], const FieldPair* pair, int i, const mjtNum x[3]) {
  const Field* field = pair->field + i;
  if (i == 0) {
    field->kind->gradient(gradient, field, x);
  } else {
    mjtNum y[3];
    to_second(y, pair, x);
    field->kind->gradient(gradient, field, y);
    m3_tmulv(gradient, pair->mat, gradient);
  }
}

// At a tie the second field counts as the larger.
void pair_gradient(mjtNum gradient[3], const FieldPair* pair, mjtSDFType type, const mjtNum dist[2],
                   const mjtNum x[3]) {
  int larger = dist[0] > dist[1] ? 0 : 1;
  if (type == mjSDFTYPE_SINGLE || type == mjSDFTYPE_INTERSECTION) {
    gradient_at(gradient, pair, type == mjSDFTYPE_SINGLE ? 0 : larger, x);
    return;
  }
  mjtNum g[2][3];
  gradient_at(g[0], pair, 0, x);
  gradient_at(g[1], pair, 1, x);
  if (type == mjSDFTYPE_COLLISION) {
    v3_add(gradient, g[0], g[1]);
    v3_addtoscl(gradient, g[larger], dist[larger] > 0 ? 1 : -1);
  } else {
    v3_normalize(g[0]);
    v3_normalize(g[1]);
    v3_sub(gradient, g[0], g[1]);
    v3_normalize(gradient);
  }
}

// interface

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  check_given(m);
  check_index(__func__, "geom", id, m->ngeom);
  const mjpPlugin* plugin = plugin_of(m, id);
  if (!plugin) {
    mju_error("mjc_getSDF: geom %d has no plugin that makes shapes", id);
  }
  return plugin;
}

// Looks up field i of those in a program's mjSDF.
static void field_given(Field* field, const char* function, const mjModel* m, const mjData* d,
                        const mjSDF* s, int i) {
  check_pointers(function, "s->id, s->geomtype", (const void* const[]){s->id, s->geomtype}, 2);
  int id = s->id[i], type = (int)s->geomtype[i], found;
  *field = (Field){.m = m, .d = d, .id = id};
  if (s->plugin && s->plugin[i]) {
    check_index(function, "plugin instance", id, m->nplugin);
    found = use_plugin(field, s->plugin[i], id);
  } else if (type == mjGEOM_SDF) {
    check_index(function, "mesh", id, m->nmesh);
    found = use_octree(field, m, id);
  } else {
    check_index(function, "shape", type, mjNGEOMTYPES);
    check_index(function, "geom", id, m->ngeom);
    found = use_geom(field, m, type, id);
  }
  if (!found) {
    mju_error("%s: shape %d of id %d has no distance field", function, type, id);
  }
}

// The pair of one or two fields in a program's mjSDF, and the distances of x from them.
static void pair_given(FieldPair* pair, mjtNum dist[2], const char* function, const mjModel* m,
                       const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  check_index(function, "combination", (int)s->type, mjSDFTYPE_COLLISION + 1);
  field_given(pair->field, function, m, d, s, 0);
  if (s->type == mjSDFTYPE_SINGLE) {
    dist[0] = dist[1] = distance_at(pair, 0, x);
    return;
  }
  check_pointers(function, "s->relpos, s->relmat", (const void* const[]){s->relpos, s->relmat}, 2);
  field_given(pair->field + 1, function, m, d, s, 1);
  v3_copy(pair->pos, s->relpos);
  m3_copy(pair->mat, s->relmat);
  pair_distance(dist, pair, x);
}

mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  check_pair(m, d);
  check_given(s, x);
  FieldPair pair;
  mjtNum dist[2];
  pair_given(&pair, dist, __func__, m, d, s, x);
  return pair_value(s->type, dist);
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                  const mjtNum x[3]) {
  check_pair(m, d);
  check_given(s, gradient, x);
  FieldPair pair;
  mjtNum dist[2], copy[3];
  v3_copy(copy, x);
  pair_given(&pair, dist, __func__, m, d, s, copy);
  pair_gradient(gradient, &pair, s->type, dist, copy);
}
