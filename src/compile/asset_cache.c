// asset_cache.c: the process-wide cache of compiled assets: a hash table and a list by time of use.

#define _POSIX_C_SOURCE 200809L

#include "compile/asset_cache.h"

#include <mujoco/api/compile.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/memory/memory.h"

__extension__ typedef unsigned __int128 Wide;

// keys

static uint64_t seed[2];
static pthread_once_t seeded = PTHREAD_ONCE_INIT;

// The product of two words, with its halves combined by xor.
static uint64_t fold(uint64_t a, uint64_t b) {
  Wide product = (Wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void make_seed(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t here = (uint64_t)(uintptr_t)&now, there = (uint64_t)(uintptr_t)&make_seed;
  seed[0] = fold((uint64_t)now.tv_nsec ^ 0x9E3779B97F4A7C15u, here | 1);
  seed[1] = fold((uint64_t)now.tv_sec ^ 0xC2B2AE3D27D4EB4Fu, there ^ seed[0]);
}

AssetKey asset_key(const char* kind) {
  pthread_once(&seeded, make_seed);
  AssetKey key = {{seed[0], seed[1]}};
  asset_keyadd(&key, kind, strlen(kind));
  return key;
}

typedef struct Lane_ {
  uint64_t a, b;
} Lane;

// Digests 16 bytes.
static inline void digest(Lane* lane, const unsigned char bytes[16]) {
  uint64_t word[2];
  memcpy(word, bytes, sizeof(word));
  lane->a = fold(word[0] ^ lane->a ^ seed[0], word[1] ^ 0x1D8E4E27C47D124Fu) + word[1];
  lane->b = fold(word[1] ^ lane->b ^ seed[1], word[0] ^ 0xEB44ACCAB455D165u) + word[0];
}

// Digests 16 bytes at a time by two products with different constants. Long contents take four
// independent lanes, because within a lane each product waits for the one before it. The count is
// digested too, so that bytes can't be shifted between neighbouring contents. The constants are
// those of wyhash: odd numbers with about half of their bits set.
void asset_keyadd(AssetKey* key, const void* bytes, size_t count) {
  enum {
    STEP = 16,
    NLANE = 4
  };
  const unsigned char* p = bytes;
  Lane first = {key->half[0] ^ fold(count ^ 0xA0761D6478BD642Fu, 0xE7037ED1A0B428DBu),
                key->half[1] ^ fold(count ^ 0x8EBC6AF09C88C6E3u, 0x589965CC75374CC3u)};
  if (count >= NLANE * STEP) {
    Lane lane[NLANE];
    for (uint64_t k = 0; k < NLANE; k++) {
      lane[k] = (Lane){first.a + k, first.b ^ k << 32};
    }
    for (; count >= NLANE * STEP; count -= NLANE * STEP, p += NLANE * STEP) {
      for (size_t k = 0; k < NLANE; k++) {
        digest(&lane[k], p + STEP * k);
      }
    }
    for (size_t k = 0; k < NLANE; k++) {
      unsigned char joined[STEP];
      memcpy(joined, &lane[k], STEP);
      digest(&first, joined);
    }
  }
  for (; count >= STEP; count -= STEP, p += STEP) {
    digest(&first, p);
  }
  if (count) {
    unsigned char rest[STEP] = {0};
    memcpy(rest, p, count);
    digest(&first, rest);
  }
  key->half[0] = fold(first.a ^ 0x2D358DCCAA6C78A5u, first.b ^ 0x8BB84B93962EACC9u) ^ first.a;
  key->half[1] = fold(first.b ^ 0x4B33A62ED433D4A3u, first.a ^ 0x4D5A2DA51DE1AA47u) ^ first.b;
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
  AssetKey key;
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
static HashSlot* place_of(const AssetKey* key) {
  HashSlot* at = hash_find(&cache.entries, key->half[0]);
  while (at && memcmp(&((Entry*)at->item)->key, key, sizeof(*key)) != 0) {
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

void* asset_find(AssetKey key) {
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

void asset_keep(AssetKey key, void* asset) {
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
