// data.c: making, copying, resetting and freeing the data of a simulation.
//
//   d->buffer   | pad | qpos . qvel . act ... cfrc_ext | cnd_ arrays |
//   d->arena    | contacts, rows, islands -->        <-- stack |
//
// The buffer is laid out like that of the model (model.h). nbuffer counts its public arrays only.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stddef.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/checks/pair.h"
#include "model/copy.h"
#include "model/data/apart.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/data.h"
#include "model/data/history.h"
#include "model/field.h"
#include "model/input.h"
#include "model/layout.h"
#include "model/plastic.h"
#include "model/plugin.h"

// Number of entries of flexedge_J that are ever touched. The array has a column for each dof, so it
// grows with the square of a cloth and has gigabytes at 10,000 vertices. But sparse rows are packed
// at its start, and no row is longer than
//
//   dofs above both bodies <= B_rownnz[body1] + B_rownnz[body2]    (B also counts dofs below)
static size_t edge_entries(const mjModel* m) {
  size_t full = (size_t)m->nflexedge * (size_t)m->nv, count = 0;
  if (!m->buffer || !mj_isSparse(m)) {
    return full;
  }
  for (int f = 0; f < m->nflex; f++) {
    int first = m->flex_edgeadr[f], vert = m->flex_vertadr[f];
    for (int e = first; !m->flex_interp[f] && e < first + m->flex_edgenum[f]; e++) {
      for (int k = 0; k < 2; k++) {
        int body = m->flex_vertbodyid[vert + m->flex_edge[2 * e + k]];
        count += body ? (size_t)m->B_rownnz[body] : 0;
      }
    }
  }
  return count < full ? count : full;
}

enum {
  MANY_DOFS = 1000  // of models whose contacts and rows fill millions of bytes
};

// Makes the struct and its blocks, with a buffer of zeros. NULL if memory runs out.
static mjData* allocate(const mjModel* m) {
  mjData* d = memory_take_zero(sizeof(mjData));  // most of it is statistics, rarely touched
  if (!d) {
    return NULL;
  }
  d->narena = m->narena;

  size_t nbuffer = 0;
  size_t bytes = field_layout(&field_data, NULL, &nbuffer, m, NULL);
  size_t edges = (size_t)m->nflexedge * (size_t)m->nv - edge_entries(m);
  size_t spare = edges * (sizeof(mjtNum) + sizeof(int));
  d->buffer = bytes ? memory_take_sparse(bytes, bytes - spare) : NULL;
  size_t arena = 0;
  int fits = size_add(&arena, (size_t)m->narena, (size_t)arena_reserve(m)) && arena <= PTRDIFF_MAX;
  d->arena = d->buffer && fits ? memory_take(arena) : NULL;
  d->cnd_arena = arena;
  if (!d->arena) {
    mj_deleteData(d);
    return NULL;
  }
  if (m->nv >= MANY_DOFS) {
    memory_enlarge_pages(d->arena, arena);
  }
  field_layout(&field_data, d, &nbuffer, m, layout_base(d->buffer));
  d->nbuffer = nbuffer;
  pair_sizes(d->cnd_size, m);
  d->cnd_shape = pair_shape(d->cnd_size);
  apart_make(m, d);
  arena_clear(d);
  return d;
}

// Sets what is not zero after a reset. A model without a buffer has sizes only.
static void set_initial(const mjModel* m, mjData* d) {
  awake_start(m, d);
  if (!m->buffer) {
    return;
  }
  memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
  inputs_reset(m, d);
  if (m->neq) {
    memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  }
  for (int i = 0; i < m->nbody; i++) {
    int mocap = m->body_mocapid[i];
    if (mocap >= 0) {
      memcpy(d->mocap_pos + 3 * mocap, m->body_pos + 3 * i, 3 * sizeof(mjtNum));
      memcpy(d->mocap_quat + 4 * mocap, m->body_quat + 4 * i, 4 * sizeof(mjtNum));
    }
  }
  history_reset(m, d);
  plastic_reset(d->plastic, m);
  awake_update(m, d);
  d->signature = m->signature;
}

// Takes the thread pool away from d, and ends it if it is d's own.
static void drop_pool(mjData* d) {
  if (d->cnd_ownsPool) {
    mju_threadPoolDestroy((mjThreadPool*)d->threadpool);
  }
  arena_unshard(d);
  d->threadpool = 0;
  d->cnd_ownsPool = 0;
}

void mj_deleteData(mjData* d) {
  if (d) {
    plugin_destroy(d);
    drop_pool(d);
    apart_free(d);
    mju_free(d->buffer);
    mju_free(d->arena);
    mju_free(d);
  }
}

// Zeros the numbers inside the struct. Keeps the sizes of the blocks and the thread pool.
static void reset_header(mjData* d) {
  mjtSize narena = d->narena, nbuffer = d->nbuffer, arena = d->cnd_arena;
  int nplugin = d->nplugin, owns_pool = d->cnd_ownsPool;
  uintptr_t threadpool = d->threadpool, shard = d->cnd_shard, apart = d->cnd_apart;
  size_t pstack = threadpool ? d->pstack : 0;
  uint64_t shape = d->cnd_shape;
  int size[CND_NDATASIZE];
  memcpy(size, d->cnd_size, sizeof(size));
  arena_clear(d);
  for (int i = 0; i < field_data.count; i++) {
    const cndField* field = field_data.field + i;
    if (!field->pointer) {
      memset((char*)d + field->offset, 0, field_bytes(&field_data, i, NULL, NULL));
    }
  }
  d->narena = narena;
  d->nbuffer = nbuffer;
  d->cnd_arena = arena;
  d->nplugin = nplugin;
  d->threadpool = threadpool;
  d->cnd_shard = shard;
  d->cnd_apart = apart;
  d->cnd_ownsPool = owns_pool;
  d->pstack = pstack;
  d->cnd_shape = shape;
  memcpy(d->cnd_size, size, sizeof(size));
}

// Zeros state and inputs, which are defined after every reset, even one that fills with other
// bytes.
static void zero_inputs(const mjModel* m, mjData* d) {
  mju_zero(d->qpos, m->nq);
  mju_zero(d->qvel, m->nv);
  mju_zero(d->act, m->na);
  mju_zero(d->qfrc_applied, m->nv);
  mju_zero(d->xfrc_applied, 6 * m->nbody);
  mju_zero(d->qacc, m->nv);
  mju_zero(d->qacc_warmstart, m->nv);
  mju_zero(d->cnd_memory, CND_NMEMORY * m->cnd_nmemory);
  mju_zero(d->cnd_correction, m->nv);
  mju_zero(d->act_dot, m->na);
  mju_zero(d->userdata, m->nuserdata);
  mju_zero(d->sensordata, m->nsensordata);
  mju_zero(d->mocap_pos, 3 * m->nmocap);
  mju_zero(d->mocap_quat, 4 * m->nmocap);
  mju_zero(d->qM, m->nM);
}

// Fills the buffer with a byte, except for plugin state and memory, which plugins reset, and for
// the entries of flexedge_J that are never touched.
static void fill(const mjModel* m, mjData* d, size_t bytes, unsigned char value) {
  size_t used = edge_entries(m), spare = (size_t)m->nflexedge * (size_t)m->nv - used;
  int plugins = m->nplugin != 0;
  struct {
    char* start;
    size_t length;
  } kept[] = {
      // in the order of the buffer
      {(char*)d->plugin_state, plugins ? (size_t)m->npluginstate * sizeof(mjtNum) : 0},
      {(char*)d->plugin, plugins ? (size_t)m->nplugin * sizeof(int) : 0},
      {(char*)d->plugin_data, plugins ? (size_t)m->nplugin * sizeof(uintptr_t) : 0},
      {(char*)(d->flexedge_J_colind + used), spare * sizeof(int)},
      {(char*)(d->flexedge_J + used), spare * sizeof(mjtNum)},
  };
  char *from = d->buffer, *end = from + bytes;
  for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
    if (kept[i].length) {
      memset(from, value, (size_t)(kept[i].start - from));
      from = kept[i].start + kept[i].length;
    }
  }
  memset(from, value, (size_t)(end - from));
}

// Zeros counts and indices, so that stale rows of sparse matrices are empty instead of leading
// nowhere. The instances of plugins are no results.
static void zero_indices(const mjModel* m, mjData* d) {
  for (int i = 0; i < field_data.count; i++) {
    const cndField* field = field_data.field + i;
    if (field->pointer && !field->arena && !strcmp(field->type, "int") &&
        strcmp(field->name, "plugin")) {
      void* place = field_pointer(d, field);
      size_t bytes = place == d->flexedge_J_colind ? edge_entries(m) * sizeof(int)
                                                   : field_bytes(&field_data, i, m, NULL);
      if (bytes) {
        memset(place, 0, bytes);
      }
    }
  }
}

void data_reset(const mjModel* m, mjData* d, unsigned char value) {
  reset_header(d);

  size_t nbuffer = 0;
  size_t bytes = field_layout(&field_data, NULL, &nbuffer, m, NULL);
  fill(m, d, bytes, value);
  if (value) {
    zero_inputs(m, d);
    zero_indices(m, d);
  }
  field_write_absent(&field_data, d, m);
  set_initial(m, d);
  plugin_reset(m, d);
}

// Initializes plugins. After an error of a plugin frees d and returns 0.
static int init_plugins(const mjModel* m, mjData* d) {
  char reason[500];
  if (plugin_init(m, d, reason, (int)sizeof(reason))) {
    return 1;
  }
  mj_deleteData(d);
  if (strcmp(reason, MEMORY_OUT) == 0) {
    mju_warning("could not make mjData: a plugin is %s", reason);
  } else {
    mju_error("%s", reason);
  }
  return 0;
}

mjData* data_make(const mjModel* m) {
  mjData* d = allocate(m);
  if (!d) {
    mju_warning("mj_makeData: could not allocate memory (%zu bytes of arena)", (size_t)m->narena);
    return NULL;
  }
  if (!init_plugins(m, d)) {
    return NULL;
  }
  if (d->nplugin) {
    data_reset(m, d, 0);
  } else {
    field_write_absent(&field_data, d, m);
    set_initial(m, d);
  }
  return d;
}

// The arrays of a keyframe, as KEYED(array of data, array of keys, numbers).
#define KEYED_ARRAYS(KEYED)                   \
  KEYED(qpos, key_qpos, m->nq)                \
  KEYED(qvel, key_qvel, m->nv)                \
  KEYED(act, key_act, m->na)                  \
  KEYED(mocap_pos, key_mpos, 3 * m->nmocap)   \
  KEYED(mocap_quat, key_mquat, 4 * m->nmocap) \
  KEYED(ctrl, key_ctrl, m->nu)                \
  KEYED(plastic, key_plastic, m->nplastic)

void data_load_key(const mjModel* m, mjData* d, int key) {
  d->time = m->key_time[key];
#define LOAD(array, keys, n) memcpy(d->array, m->keys + key * (n), (size_t)(n) * sizeof(mjtNum));
  KEYED_ARRAYS(LOAD)
#undef LOAD
}

void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  check_pair(m, d);
  if (k < 0) {
    mju_error("mj_setKeyframe: keyframe index cannot be negative");
    return;
  }
  if (k >= m->nkey) {
    mju_error("mj_setKeyframe: index must be smaller than %d (keyframes allocated in model)",
              m->nkey);
    return;
  }
  m->key_time[k] = d->time;
#define STORE(array, keys, n) memcpy(m->keys + k * (n), d->array, (size_t)(n) * sizeof(mjtNum));
  KEYED_ARRAYS(STORE)
#undef STORE
}

void mju_bindThreadPool(mjData* d, void* thread_pool) {
  check_given(d, thread_pool);
  if (d->threadpool) {
    mju_error("Thread Pool already bound to mjData");
    return;
  }
  if (!arena_shard(d, ((const mjThreadPool*)thread_pool)->nworker)) {
    mju_warning("mju_bindThreadPool: out of memory: the thread pool is not used");
    return;
  }
  d->threadpool = (uintptr_t)thread_pool;
  memory_enlarge_pages(d->arena, (size_t)d->cnd_arena);
}

void mju_threadpool(mjData* d, int nthread) {
  check_given(d);
  if (nthread < 0 || nthread > mjMAXTHREAD) {
    mju_error("mju_threadpool: %d threads, must be 0 to %d", nthread, mjMAXTHREAD);
    return;
  }
  drop_pool(d);
  mjThreadPool* pool = nthread ? mju_threadPoolCreate((size_t)nthread) : NULL;
  if (!pool) {
    return;
  }
  mju_bindThreadPool(d, pool);
  d->cnd_ownsPool = d->threadpool != 0;
  if (!d->cnd_ownsPool) {
    mju_threadPoolDestroy(pool);
  }
}

// Chooses the thread pool of a copy. A pool that dest owns stays; one that src owns isn't shared.
static void copy_pool(mjData* dest, const mjData* src, uintptr_t own) {
  uintptr_t shared = src->cnd_ownsPool ? 0 : src->threadpool;
  dest->threadpool = 0;
  if (own && (dest->cnd_ownsPool || own == shared)) {
    dest->threadpool = own;
  } else if (shared) {
    mju_bindThreadPool(dest, (void*)shared);
  }
}

// Where an array of the arena lies in dest. It may share memory with another array of src, in the
// arena or the buffer, and then shares it with that array of dest.
static void* arena_place(mjData* dest, const mjData* src, const char* from) {
  const char* arena = src->arena;
  if (!from) {
    return NULL;
  }
  if (from >= arena && from < arena + src->cnd_arena) {
    return (char*)dest->arena + (from - arena);
  }
  return layout_base(dest->buffer) + (from - (const char*)layout_base(src->buffer));
}

mjData* data_copy(const char* function, mjData* dest, const mjModel* m, const mjData* src,
                  CopyKind kind) {
  if (src->pstack) {
    mju_error("%s: attempting to copy mjData while stack is in use", function);
    return NULL;
  }
  int fresh = !dest;
  if (fresh) {
    dest = allocate(m);
    if (!dest) {
      mju_warning("%s: could not allocate memory for the copy", function);
      return NULL;
    }
    if (!init_plugins(m, dest)) {
      return NULL;
    }
  }
  if (dest == src) {
    return dest;
  }
  if (dest->narena != src->narena) {
    if (fresh) {
      mj_deleteData(dest);
    }
    mju_error("%s: dest and src were made for different models: narena is %lld and %lld", function,
              (long long)dest->narena, (long long)src->narena);
    return NULL;
  }

  // Arrays of the arena keep their offset from its start. plugin_copy copies the memory of plugins.
  int nplugin = dest->nplugin, owns_pool = dest->cnd_ownsPool;
  size_t edges = edge_entries(m);
  uintptr_t shard = dest->cnd_shard, apart = dest->cnd_apart, threadpool = dest->threadpool;
  dest->signature = src->signature;
  for (int i = 0; i < field_data.count; i++) {
    const cndField* field = field_data.field + i;
    size_t bytes = field_bytes(&field_data, i, m, src);
    if (!field->pointer) {
      memcpy((char*)dest + field->offset, (const char*)src + field->offset, bytes);
      continue;
    }
    const char* from = field_pointer(src, field);
    if (bytes && src->nplugin && from == (const char*)src->plugin_data) {
      continue;
    }
    if (field->arena) {
      field_point(dest, field, arena_place(dest, src, from));
    }
    if (field->offset == offsetof(mjData, flexedge_J) ||
        field->offset == offsetof(mjData, flexedge_J_colind)) {
      bytes = edges * field->size;
    }
    if (from && (kind == COPY_ALL || !field_data.shape[i].heavy)) {
      memcpy(field_pointer(dest, field), from, bytes);
    }
  }
  dest->nplugin = nplugin;
  dest->cnd_shard = shard;
  dest->cnd_apart = apart;
  dest->cnd_pairs = 0;
  dest->cnd_solverCache = 0;
  dest->cnd_ownsPool = owns_pool;
  copy_pool(dest, src, threadpool);
  plugin_copy(dest, m, src);
  return dest;
}

mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  check_pair(m, src);
  if (dest) {
    check_pair(m, dest);
  }
  return data_copy(__func__, dest, m, src, COPY_ALL);
}

void mj_resetCtrl(const mjModel* m, mjData* d) {
  check_pair(m, d);
  inputs_reset(m, d);
}
