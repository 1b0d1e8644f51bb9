// asset_cache.h: compiled assets, cached for later models that use the same assets.
//
// The key of an asset is a 128-bit digest of everything it was compiled from: the content of its
// files and all parameters. A changed file or another scale gives another key, so entries never
// become outdated. Each process seeds the digest at random, so nobody can construct two files with
// the same digest. Assets are immutable and reference-counted. The cache and each running
// compilation hold references. Over its capacity, the cache drops the least recently used assets.
// All functions are thread-safe.                                 theory/model/model.md, Asset cache

#pragma once

#include <stdatomic.h>
#include <stddef.h>

#include "base/digest.h"

// Header of an asset: its first member.
typedef struct AssetShared_ {
  atomic_int references;
  size_t bytes;
  void (*free)(void* asset);
} AssetShared;

// Starts the key of an asset of a kind; contents are then added (digest_add).
Digest asset_key(const char* kind);

// Initializes the header of a new asset. The caller holds one reference.
void asset_share(AssetShared* asset, size_t bytes, void (*free_asset)(void* asset));

// Drops a reference. The last one frees the asset. asset may be NULL.
void asset_release(void* asset);

// The asset of a key, with a new reference for the caller; NULL if there is none.
void* asset_find(Digest key);

// Adds an asset to the cache, unless it is larger than the capacity or already cached.
void asset_keep(Digest key, void* asset);
