// cache.h: finished assets, kept for the next model that needs the same.
//
// An asset is found by a key, a 128-bit digest of everything it was made from: the content of its
// files and all parameters. So a file that changed, or the same file with another scale, is another
// asset, and nothing has to be compared or expired. The digest is seeded at random in each process:
// nobody can write two files that share one. Assets are shared, never changed, and freed when
// neither a model in the making nor the cache holds them; the ones not used for longest leave first
// when the capacity is exceeded. Safe to use from several threads.     theory/model.md, Asset cache

#ifndef CONDYLE_COMPILE_ASSET_CACHE_H_
#define CONDYLE_COMPILE_ASSET_CACHE_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AssetKey_ {
  uint64_t half[2];
} AssetKey;

// First member of every asset.
typedef struct AssetShared_ {
  atomic_int holders;
  size_t bytes;
  void (*free)(void* asset);
} AssetShared;

// A key to which content is added, by the kind of asset.
AssetKey asset_key(const char* kind);
void asset_keyadd(AssetKey* key, const void* bytes, size_t count);

// Makes a new asset shareable, held once by the caller.
void asset_share(AssetShared* asset, size_t bytes, void (*free_asset)(void* asset));

// Gives a hold back; the last one frees the asset. NULL is fine.
void asset_release(void* asset);

// The asset of a key, held once more, or NULL.
void* asset_find(AssetKey key);

// Offers an asset to the cache, which holds it while there is room.
void asset_keep(AssetKey key, void* asset);

#endif  // CONDYLE_COMPILE_ASSET_CACHE_H_
