// asset_cache.c: the process-wide cache of compiled assets: a hash table and a list by time of use.

#define _POSIX_C_SOURCE 200809L

#include "compile/asset_cache.h"

#include <mujoco/api/compile.h>
#include <pthread.h>
#include <time.h>

#include "base/hash.h"
#include "base/memory/memory.h"

// keys

static uint64_t seed[2];
static pthread_once_t seeded = PTHREAD_ONCE_INIT;

// Another one in each process: from the time and the addresses of this one.
static void make_seed(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  const void* here = &now;
  uint64_t at[4] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)(uintptr_t)here,
                    (uint64_t)(uintptr_t)&make_seed};
  Digest digest = digest_start(at, "seed");
  digest_add(&digest, at, sizeof(at));
  seed[0] = digest.half[0];
  seed[1] = digest.half[1];
}

Digest asset_key(const char* kind) {
  pthread_once(&seeded, make_seed);
  return digest_start(seed, kind);
}

// references to an asset

void asset_share(AssetShared* asset, size_t bytes, void (*free_asset)(void* asset)) {
  atomic_init(&asset->references, 1);
  asset->bytes = bytes;
  asset->free = free_asset;
}

void asset_release(void* asset) {
  AssetShared* shared = asset;
  if (shared && atomic_fetch_sub(&shared->references, 1) == 1) {
    shared->free(asset);
  }
}

// the cache

typedef struct Entry_ {
  Digest key;
  AssetShared* asset;
  struct Entry_ *newer, *older;  // neighbours by time of use
} Entry;

struct Cache {
  pthread_mutex_t lock;
  Hash entries;
  Entry *newest, *oldest;
  size_t bytes, capacity;
};

static struct Cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER, .capacity = (size_t)500 << 20};
static mjCache handle = {&cache};

// The slot of a key in the table, NULL if there is none.
static HashSlot* place_of(const Digest* key) {
  HashSlot* at = hash_find(&cache.entries, key->half[0]);
  while (at && !digest_equal(&((Entry*)at->item)->key, key)) {
    at = hash_next(at);
  }
  return at;
}

static void unlink_use(Entry* e) {
  *(e->newer ? &e->newer->older : &cache.newest) = e->older;
  *(e->older ? &e->older->newer : &cache.oldest) = e->newer;
}

static void link_use(Entry* e) {
  e->newer = NULL;
  e->older = cache.newest;
  *(cache.newest ? &cache.newest->newer : &cache.oldest) = e;
  cache.newest = e;
}

static void drop_oldest(void) {
  Entry* e = cache.oldest;
  hash_remove(&cache.entries, place_of(&e->key));
  unlink_use(e);
  cache.bytes -= e->asset->bytes;
  asset_release(e->asset);
  heap_free(e);
}

static void shrink(size_t capacity) {
  while (cache.oldest && cache.bytes > capacity) {
    drop_oldest();
  }
}

void* asset_find(Digest key) {
  AssetShared* asset = NULL;
  pthread_mutex_lock(&cache.lock);
  HashSlot* at = place_of(&key);
  if (at) {
    Entry* e = at->item;
    unlink_use(e);
    link_use(e);
    asset = e->asset;
    atomic_fetch_add(&asset->references, 1);
  }
  pthread_mutex_unlock(&cache.lock);
  return asset;
}

void asset_keep(Digest key, void* asset) {
  AssetShared* shared = asset;
  pthread_mutex_lock(&cache.lock);
  Heap* call = heap_pause();  // entries outlive the call
  int fits = !place_of(&key) && shared->bytes <= cache.capacity;
  Entry* e = fits ? heap_take(sizeof(Entry)) : NULL;
  if (e && hash_add(&cache.entries, key.half[0], e)) {
    atomic_fetch_add(&shared->references, 1);
    *e = (Entry){.key = key, .asset = shared};
    link_use(e);
    cache.bytes += shared->bytes;
    shrink(cache.capacity);
  } else {
    heap_free(e);
  }
  heap_resume(call);
  pthread_mutex_unlock(&cache.lock);
}

// public functions

mjCache* mj_getCache(void) {
  return &handle;
}

static size_t read_locked(const size_t* number) {
  pthread_mutex_lock(&cache.lock);
  size_t value = *number;
  pthread_mutex_unlock(&cache.lock);
  return value;
}

size_t mj_getCacheSize(const mjCache* c) {
  return c ? read_locked(&cache.bytes) : 0;
}

size_t mj_getCacheCapacity(const mjCache* c) {
  return c ? read_locked(&cache.capacity) : 0;
}

size_t mj_setCacheCapacity(mjCache* c, size_t size) {
  if (!c) {
    return 0;
  }
  pthread_mutex_lock(&cache.lock);
  cache.capacity = size;
  shrink(size);
  pthread_mutex_unlock(&cache.lock);
  return size;
}

void mj_clearCache(mjCache* c) {
  if (c) {
    pthread_mutex_lock(&cache.lock);
    while (cache.oldest) {
      drop_oldest();
    }
    hash_clear(&cache.entries);
    pthread_mutex_unlock(&cache.lock);
  }
}
