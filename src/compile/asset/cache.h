// cache.h: finished assets, kept for later models that need the same.
//
// An asset is found by a key, a 128-bit digest of everything it was made from: the content of its
// files and all parameters. So a changed file, or the same file with another scale, is another
// asset, and nothing has to be compared or expired. The digest has a random seed in each process,
// so nobody can construct two files with the same digest. Assets are shared and never changed. They
// are freed when neither the cache nor a running compilation holds them. Beyond the capacity the
// least recently used ones leave first. Thread-safe.                   theory/model.md, Asset cache

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

// asset_key starts the key of a kind of asset. asset_keyadd adds content to it.
AssetKey asset_key(const char* kind);
void asset_keyadd(AssetKey* key, const void* bytes, size_t count);

// Makes a new asset shareable. The caller holds it once.
void asset_share(AssetShared* asset, size_t bytes, void (*free_asset)(void* asset));

// Releases a hold; the last one frees the asset. asset may be NULL.
void asset_release(void* asset);

// The asset of a key, with one more hold for the caller; NULL if there is none.
void* asset_find(AssetKey key);

// Offers an asset to the cache, which holds it while it has room.
void asset_keep(AssetKey key, void* asset);

#endif  // CONDYLE_COMPILE_ASSET_CACHE_H_
