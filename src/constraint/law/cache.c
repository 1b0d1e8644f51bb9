// The cache is one block on the stack of the arena: a list of problems, then their matrices.

#include "constraint/law/cache.h"

#include "constraint/law/problem.h"
#include "model/data/arena.h"

enum {
  ALIGN = 64,    // bytes of a SIMD vector
  FRACTION = 4,  // the cache takes less than 1/4 of the arena's free bytes
};

typedef struct {
  SolverCacheStart start;
  int n;
  SolverCache problem[];
} SolverCacheList;

static SolverCacheList* list_of(const mjData* d) {
  return arena_at(d, d->cnd_solverCache);
}

// Bytes of n elements, rounded up to whole SIMD vectors.
static size_t padded(size_t n, size_t size) {
  return (n * size + ALIGN - 1) / ALIGN * ALIGN;
}

// Assigns the arrays of a problem consecutive memory from `place` on. If place is NULL, the arrays
// are NULL. Returns the number of bytes.
static size_t lay_out(SolverCache* cache, char* place) {
  size_t n = (size_t)cache->n, nefc = (size_t)cache->nefc, ld = SIMD_PADDED(n), at = 0;
  if (n && problem_has_few_rows(cache->n, cache->nefc)) {
    cache->A = (mjtNum*)(void*)place;
    return padded(SIMD_PADDED(nefc) * SIMD_PADDED(nefc), sizeof(mjtNum));
  }
  size_t square = (n + DOF_BLOCK - 1) / DOF_BLOCK * DOF_BLOCK * ld;
  mjtNum** const numbers[] = {&cache->J, &cache->M, &cache->D, &cache->H, &cache->U, &cache->DInv};
  const size_t count[] = {nefc * ld, n * ld, nefc, square, square, ld};
  for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
    *numbers[i] = place ? (mjtNum*)(void*)(place + at) : NULL;
    at += padded(count[i], sizeof(mjtNum));
  }
  cache->blocks = place ? (uint64_t*)(void*)(place + at) : NULL;
  at += padded(nefc, sizeof(uint64_t));
  cache->state = place ? (int*)(void*)(place + at) : NULL;
  return at + padded(nefc, sizeof(int));
}

// A cache of problem i without arrays: dofs and rows of island i, or of the whole system without
// islands. Both are 0 if the problem is too large for dense matrices.
static SolverCache sized(const mjModel* m, const mjData* d, int i) {
  int n = d->nisland && !problem_is_whole(m, d) ? d->island_nv[i] : m->nv;
  SolverCache cache = {.n = n <= DENSE_UP_TO ? n : 0};
  cache.nefc = !cache.n ? 0 : d->nisland ? d->island_nefc[i] : d->nefc;
  return cache;
}

void solver_cache_open(const mjModel* m, mjData* d) {
  d->cnd_solverCache = 0;
  if (!d->nefc || m->opt.solver != mjSOL_NEWTON || d->efm_active) {
    return;
  }
  size_t used = d->pstack + d->parena, left = used < d->narena ? d->narena - used : 0;
  int n = d->nisland ? d->nisland : 1;
  size_t head = padded(1, sizeof(SolverCacheList) + (size_t)n * sizeof(SolverCache));
  size_t dofs = padded((size_t)m->nv, sizeof(mjtNum)),
         rows = padded((size_t)d->nefc, sizeof(mjtNum));
  size_t bytes = head + 2 * dofs + rows;
  for (int i = 0; i < n && bytes < left / FRACTION; i++) {
    SolverCache cache = sized(m, d, i);
    bytes += lay_out(&cache, NULL);
  }
  SolverCacheList* list = bytes < left / FRACTION ? arena_push(d, bytes, ALIGN) : NULL;
  if (!list) {
    return;
  }
  char* place = (char*)list + head;
  list->n = n;
  list->start = (SolverCacheStart){0, (mjtNum*)(void*)place, (mjtNum*)(void*)(place + 2 * dofs),
                                   (mjtNum*)(void*)(place + dofs)};
  place += 2 * dofs + rows;
  for (int i = 0; i < n; i++) {
    list->problem[i] = sized(m, d, i);
    place += lay_out(list->problem + i, place);
  }
  d->cnd_solverCache = d->pstack;
}

void solver_cache_close(mjData* d) {
  d->cnd_solverCache = 0;
}

void solver_cache_clear(mjData* d) {
  SolverCacheList* list = list_of(d);
  if (list) {
    list->start.filled = 0;
  }
  for (int i = 0; list && i < list->n; i++) {
    list->problem[i].dense = list->problem[i].factored = list->problem[i].products = 0;
  }
}

SolverCache* solver_cache_find(const mjData* d, int problem, int n, int nefc) {
  SolverCacheList* list = list_of(d);
  if (!list || problem >= list->n) {
    return NULL;
  }
  SolverCache* cache = list->problem + problem;
  return cache->n == n && cache->nefc == nefc ? cache : NULL;
}

SolverCacheStart* solver_cache_start(const mjData* d) {
  SolverCacheList* list = list_of(d);
  return list ? &list->start : NULL;
}
