// store.c: the folder of the user's cache, its secret, and its entries.

#define _GNU_SOURCE  // dl_iterate_phdr

#include "base/store.h"

#include <condyle/output.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <link.h>
#endif

#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "base/system/files.h"
#include "base/system/machine.h"

enum {
  LAYOUT = 1,            // version of the entries
  MOST_PATH = 3000,      // bytes of the folder's path
  NAME = 32,             // digits of a digest
  MOST_ENTRY = 1 << 28,  // bytes
  DAY = 24 * 3600,       // seconds between notes that an entry is used
};

static const size_t usual_limit = (size_t)1 << 30;
static const char mark[8] = {'c', 'n', 'd', 'c', 'a', 'c', 'h', 'e'};
static const char ending[] = ".cache";
static const uint32_t byte_order = 0x01020304;

struct Store_ {
  char path[MOST_PATH + 1];
  uint64_t seed[2];
  Digest start;  // of every key
  size_t limit;
  atomic_int written;
  SlabPool large;
};

// What stands behind the content of an entry.
typedef struct Trailer_ {
  char mark[8];
  uint32_t byte_order, layout;
  uint64_t size, key[2], checksum[2];
} Trailer;

// the folder

static void store_folder(char out[MOST_PATH + 1]) {
  const char* given = getenv("CONDYLE_CACHE");
  int fits = given && *given ? snprintf(out, MOST_PATH, "%s", given) < MOST_PATH
                             : system_cachefolder(out, MOST_PATH);
  if (!fits || !strcmp(out, "off")) {
    out[0] = 0;
  }
}

// Makes the folders of a path that there aren't.
static void make_folders(char* path) {
  for (char* at = path + 1; *at; at++) {
    if (*at == '/') {
      *at = 0;
      system_makefolder(path, 0700);
      *at = '/';
    }
  }
  system_makefolder(path, 0700);
}

// the secret

static int read_seed(Store* store, const char* path) {
  FileState s;
  FILE* file = system_openown(&s, path);
  int good = file && s.size == sizeof(store->seed) &&
             fread(store->seed, sizeof(store->seed), 1, file) == 1;
  if (file) {
    fclose(file);
  }
  return good;
}

// Writes a new secret, unless another process or thread has done so meanwhile. Each writes a file
// of its own, so that the secret is whole when there is one.
static void make_seed(const char* path) {
  static atomic_uint count;
  char beside[MOST_PATH + 80];
  uint64_t seed[2];
  snprintf(beside, sizeof(beside), "%s.%ld.%u.tmp", path, system_process(),
           atomic_fetch_add(&count, 1));
  FILE* file = system_create(beside, 0600);
  if (!file) {
    return;
  }
  int good = system_random(seed, sizeof(seed)) && fwrite(seed, sizeof(seed), 1, file) == 1;
  good = fclose(file) == 0 && good;
  if (good && !system_link(beside, path) && errno != EEXIST) {
    system_rename(beside, path);  // a file system without links
  }
  system_remove(beside);
}

static int find_seed(Store* store) {
  char path[MOST_PATH + 20];
  snprintf(path, sizeof(path), "%s/seed", store->path);
  if (read_seed(store, path)) {
    return 1;
  }
  FileState s;
  if (system_linkstate(&s, path) && (s.kind != FILE_REGULAR || s.size != sizeof(store->seed))) {
    system_remove(path);  // damaged; entries of the lost one leave as the oldest
  }
  make_seed(path);
  return read_seed(store, path);
}

// the build

#ifdef __linux__

// Adds the number that the linker gave to the program or library that holds this code.
static int add_build(struct dl_phdr_info* info, size_t size, void* user) {
  enum {
    BUILD = 3,  // NT_GNU_BUILD_ID
  };
  (void)size;
  uintptr_t here = (uintptr_t)&store_open;
  int holds = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    holds |= part->p_type == PT_LOAD && here - start < part->p_memsz;
  }
  for (int i = 0; holds && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    const char* at = (const char*)info->dlpi_addr + part->p_vaddr;
    const char* end = at + (part->p_type == PT_NOTE ? part->p_memsz : 0);
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr)* note = (const void*)at;
      const char* name = at + sizeof(*note);
      const char* content = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == BUILD && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        digest_add(user, content, note->n_descsz);
        return 1;
      }
      at = content + ((note->n_descsz + 3) & ~3u);
    }
  }
  return holds;
}

#endif

// The version, and what tells builds of one version apart.
static void start_keys(Store* store) {
  store->start = digest_start(store->seed, CONDYLE_VERSION);
  const uint32_t layout[2] = {LAYOUT, byte_order};
  digest_add(&store->start, layout, sizeof(layout));
#ifdef __linux__
  dl_iterate_phdr(add_build, &store->start);
#endif
}

Store* store_open(void) {
  Store* store = heap_zero(1, sizeof(Store));
  FileState s;
  if (!store) {
    return NULL;
  }
  store_folder(store->path);
  if (store->path[0]) {
    make_folders(store->path);
  }
  int good = store->path[0] && system_state(&s, store->path) && s.kind == FILE_FOLDER && s.own &&
             find_seed(store);
  if (!good) {
    heap_free(store);
    return NULL;
  }
  start_keys(store);
  store->limit = usual_limit;
  slab_open(&store->large);
  return store;
}

// entries

Digest store_key(const Store* store, const char* kind) {
  Digest key = store->start;
  digest_add(&key, kind, strlen(kind));
  return key;
}

static void entry_path(char out[MOST_PATH + 60], const Store* store, const Digest* key) {
  snprintf(out, MOST_PATH + 60, "%s/%016llx%016llx%s", store->path,
           (unsigned long long)key->half[0], (unsigned long long)key->half[1], ending);
}

static Trailer make_trailer(const Store* store, const Digest* key, const void* content,
                            size_t size) {
  Trailer trailer = {.byte_order = byte_order, .layout = LAYOUT, .size = size};
  memcpy(trailer.mark, mark, sizeof(mark));
  memcpy(trailer.key, key->half, sizeof(trailer.key));
  Digest sum = digest_start(store->seed, "checksum");
  digest_add(&sum, key->half, sizeof(key->half));
  digest_add(&sum, content, size);
  memcpy(trailer.checksum, sum.half, sizeof(trailer.checksum));
  return trailer;
}

static void* take_block(SlabPool* pool, size_t size) {
  return pool ? slab_take(pool, size) : heap_try(NULL, size);
}

static void drop_block(const SlabPool* pool, void* block) {
  (pool ? slab_free : heap_free)(block);
}

// The content of an entry, in a block of a pool, or of the heap if that is NULL.
static void* read_entry(const Store* store, size_t* size, const Digest* key, SlabPool* pool) {
  char path[MOST_PATH + 60];
  FileState s;
  struct timespec now;
  entry_path(path, store, key);
  FILE* file = system_openown(&s, path);
  if (!file) {
    return NULL;
  }
  int fits = s.size >= sizeof(Trailer) && s.size <= MOST_ENTRY;
  size_t whole = fits ? (size_t)s.size : 0, content = whole - (fits ? sizeof(Trailer) : 0);
  char* bytes = fits ? take_block(pool, whole) : NULL;
  int good = bytes && fread(bytes, whole, 1, file) == 1;
  if (good) {
    Trailer expected = make_trailer(store, key, bytes, content);
    good = memcmp(bytes + content, &expected, sizeof(Trailer)) == 0;
  }
  if (good && clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec - s.written[0] > DAY) {
    system_touch(file);
  }
  fclose(file);
  if (!good) {
    drop_block(pool, bytes);
    return NULL;
  }
  *size = content;
  return bytes;
}

void* store_read(Store* store, size_t* size, const Digest* key) {
  return read_entry(store, size, key, NULL);
}

void* store_readlarge(Store* store, size_t* size, const Digest* key) {
  return read_entry(store, size, key, &store->large);
}

void* store_pack(size_t size) {
  size_t whole = store_step(0, size) + sizeof(Trailer);
  if (size > MOST_ENTRY || whole > MOST_ENTRY) {
    return NULL;
  }
  char* bytes = heap_try(NULL, whole);
  if (bytes) {
    memset(bytes + size, 0, whole - size);
  }
  return bytes;
}

void store_write(Store* store, const Digest* key, void* packed, size_t size) {
  char path[MOST_PATH + 60];
  cndOutput out;
  size = store_step(0, size);
  Trailer trailer = make_trailer(store, key, packed, size);
  memcpy((char*)packed + size, &trailer, sizeof(trailer));
  entry_path(path, store, key);
  if (cnd_openOutput(&out, path)) {
    // what can't be renamed would be seen half written
    int good = out.renames && system_setrights(out.file, 0600) &&
               fwrite(packed, size + sizeof(trailer), 1, out.file) == 1;
    cnd_closeOutput(&out, good);
  }
  atomic_store(&store->written, 1);
}

// the limit

typedef struct Entry_ {
  char name[NAME + sizeof(ending)];
  int64_t used;  // seconds
  size_t bytes;
} Entry;

// Is it the name of an entry, or of one that is being written? Nothing else is ever deleted.
static int is_entry(const char* name) {
  return strspn(name, "0123456789abcdef") == NAME &&
         strncmp(name + NAME, ending, sizeof(ending) - 1) == 0;
}

static int compare_use(const void* a, const void* b) {
  const Entry *x = a, *y = b;
  return x->used != y->used ? (x->used < y->used ? -1 : 1) : strcmp(x->name, y->name);
}

static void remove_in(const Store* store, const char* name) {
  char path[MOST_PATH + 300];
  snprintf(path, sizeof(path), "%s/%s", store->path, name);
  system_remove(path);
}

// Lists all entries. Files that a process left half written a day ago are deleted.
static size_t list_entries(Entry** out, const Store* store, Folder* folder) {
  size_t count = 0, room = 0;
  Entry* entries = NULL;
  for (const char* name; (name = folder_next(folder));) {
    char path[MOST_PATH + 300];
    FileState s;
    snprintf(path, sizeof(path), "%s/%s", store->path, name);
    if (!is_entry(name) || !system_linkstate(&s, path)) {
      continue;
    }
    if (strlen(name) >= sizeof(entries->name)) {
      if (time(NULL) - s.written[0] > DAY) {
        remove_in(store, name);
      }
      continue;
    }
    if (count == room) {
      room = room ? 2 * room : 256;
      Entry* larger = heap_try(entries, room * sizeof(Entry));
      if (!larger) {
        break;
      }
      entries = larger;
    }
    Entry* entry = &entries[count++];
    memcpy(entry->name, name, strlen(name) + 1);
    entry->used = s.written[0];
    entry->bytes = (size_t)s.size;
  }
  *out = entries;
  return count;
}

static void drop_oldest(const Store* store) {
  Folder* folder = folder_open(store->path);
  if (!folder) {
    return;
  }
  Entry* entries;
  size_t count = list_entries(&entries, store, folder), total = 0;
  for (size_t i = 0; i < count; i++) {
    total += entries[i].bytes;
  }
  if (count && total > store->limit) {
    qsort(entries, count, sizeof(Entry), compare_use);
  }
  for (size_t i = 0; i < count && total > store->limit; i++) {
    remove_in(store, entries[i].name);
    total -= entries[i].bytes;
  }
  heap_free(entries);
  folder_close(folder);
}

void store_limit(Store* store, size_t bytes) {
  store->limit = bytes ? bytes : usual_limit;
}

void store_close(Store* store) {
  if (!store) {
    return;
  }
  if (atomic_load(&store->written)) {
    drop_oldest(store);
  }
  slab_close(&store->large);
  heap_free(store);
}
