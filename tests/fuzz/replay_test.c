// Every file of the corpora, and a fixed stream of mutations of them, through their loaders: no
// crash, none that takes longer than a second. The fuzzer proper is fuzz.c.
//
//   CONDYLE_MUTATIONS=1000000 test.fuzz.replay   so many for each loader, whatever the time
//   CONDYLE_LOADER=stl test.fuzz.replay          only this loader
//   CONDYLE_SEEDS=FOLDER test.fuzz.replay        only files of this folder to start from

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <time.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "fuzz/targets.h"
#include "support/random.h"
#include "support/test.h"

enum {
  MAX_SEEDS = 512,
  MAX_BYTES = 1 << 14,
  MAX_CHANGES = 6,
};

static const double seconds_each = 0.25;
// that one input may take; the thread sanitizer makes of each access many
#ifdef __SANITIZE_THREAD__
static const double seconds_of_one = 10;
#else
static const double seconds_of_one = 1;
#endif

typedef struct Seed_ {
  uint8_t* bytes;
  size_t size;
} Seed;

static uint32_t pick(uint64_t* random, uint32_t n) {
  uint32_t bits = (uint32_t)(xorshift_bits(random) >> 32);
  return n ? bits % n : 0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char* const words[] = {
    "0",
    "-1",
    "1e308",
    "1e-300",
    "nan",
    "inf",
    "99999999",
    "2147483647",
    "''",
    "<",
    "/>",
    "<!--",
    "&#0;",
    "frame",
    "body",
    "type='mesh'",
    "replicate count='9'",
    "class='main'",
    "childclass='main'",
    "mocap='true'",
    "-1e308",
    "1e15",
    "mesh='m'",
    "enclosed='true'",
    "scale='2 1 .5'",
    "scaling='geometry'",
    "massscale='3'",
    "nsample='3' delay='.01'",
    "interval='.03 -.01'",
    "springyield='1'",
    "surfacevel='1 2 3 4 5 6'",
    "adhesion='-1'",
    "input='pos vel ff voltage'",
    "kp='3' ki='1' slewmax='2'",
    "motorconst='1' resistance='1'",
    "data='dist normal depth'",
    "stiffness='1 2 3' damping='1 2 3'",
    "dialect='4.0'",
    "savecompiled='false'",
    "attach body='b' prefix='c'",
};

static const uint32_t numbers[] = {0,          1,          0xFFFFFFFF, 0x7FFFFFFF, 0x80000000,
                                   0x7F800000, 0x7FC00000, 0x00010000, 0x3F800000, 0xFF};

// Puts bytes in place of some others.
static size_t replace(uint8_t* bytes, size_t size, size_t at, size_t old, const void* with,
                      size_t length) {
  old = old < size - at ? old : size - at;
  if (size - old + length > MAX_BYTES) {
    return size;
  }
  memmove(bytes + at + length, bytes + at + old, size - at - old);
  memcpy(bytes + at, with, length);
  return size - old + length;
}

// One change: a bit, a byte, a number, a word, a piece taken out, a piece doubled, the end cut off.
static size_t change(uint8_t* bytes, size_t size, int is_text, uint64_t* random) {
  static uint8_t piece[256];
  size_t at = pick(random, (uint32_t)size + 1);
  uint32_t number = numbers[pick(random, sizeof(numbers) / sizeof(numbers[0]))];
  switch (pick(random, 8)) {
    case 0:
      if (at < size) {
        bytes[at] = (uint8_t)(bytes[at] ^ (1u << pick(random, 8)));
      }
      return size;
    case 1:
      if (at < size) {
        bytes[at] = (uint8_t)pick(random, 256);
      }
      return size;
    case 2:
      return replace(bytes, size, at, pick(random, 32), piece, 0);
    case 3: {
      size_t length = pick(random, sizeof(piece));
      length = length < size - at ? length : size - at;
      memcpy(piece, bytes + at, length);
      return replace(bytes, size, pick(random, (uint32_t)size + 1), 0, piece, length);
    }
    case 4:
      return pick(random, 8) ? size : at;
    default: {
      if (!is_text) {
        at &= ~(size_t)3;
        return replace(bytes, size, at, 4, &number, sizeof(number));
      }

      // in place of the number there, or of nothing
      const char* word = words[pick(random, sizeof(words) / sizeof(words[0]))];
      size_t old = strspn((const char*)bytes + at, "0123456789.+-e");
      return replace(bytes, size, at, old, word, strlen(word));
    }
  }
}

static void run(const FuzzTarget* target, const uint8_t* bytes, size_t size) {
  double start = now();
  target->run(bytes, size);
  double seconds = now() - start;
  if (seconds > seconds_of_one) {
    fprintf(stderr, "%.*s\n", target->is_text ? (int)size : 0, (const char*)bytes);
    fail_msg("%s: an input of %zu bytes took %g seconds", target->name, size, seconds);
  }
}

// Adds every file of a folder to n seeds; how many there are now.
static int read_folder(Seed* seeds, int n, const char* folder) {
  char path[1024], error[160];
  DIR* dir = opendir(folder);
  for (struct dirent* it; dir && n < MAX_SEEDS && (it = readdir(dir));) {
    if (it->d_name[0] != '.') {
      snprintf(path, sizeof(path), "%s/%s", folder, it->d_name);
      seeds[n].bytes = (uint8_t*)file_read(&seeds[n].size, path, error, sizeof(error));
      n += seeds[n].bytes != NULL;
    }
  }
  if (dir) {
    closedir(dir);
  }
  return n;
}

static int read_seeds(Seed* seeds, const FuzzTarget* target) {
  const char* only = getenv("CONDYLE_SEEDS");
  if (only) {
    return read_folder(seeds, 0, only);
  }
  char folder[512];
  snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", CONDYLE_SOURCE_DIR, target->name);
  int n = read_folder(seeds, 0, folder);
  if (strcmp(target->name, "xml") == 0) {
    n = read_folder(seeds, n, CONDYLE_SOURCE_DIR "/tests/models");
    n = read_folder(seeds, n, CONDYLE_SOURCE_DIR "/tests/models/since");
  }
  if (target->seed) {
    seeds[n].bytes = target->seed(&seeds[n].size);
    n++;
  }
  return n;
}

static void replay(const FuzzTarget* target) {
  Seed seeds[MAX_SEEDS + 1];
  int nseed = read_seeds(seeds, target);
  assert_that(nseed, >, 0);
  for (int i = 0; i < nseed; i++) {
    run(target, seeds[i].bytes, seeds[i].size);
  }

  static uint8_t bytes[MAX_BYTES + 1];
  uint64_t random = 88172645463325252u;
  long count = test_setting("CONDYLE_MUTATIONS", 0), done = 0;
  for (double end = now() + seconds_each; count ? done < count : now() < end; done++) {
    const Seed* seed = &seeds[pick(&random, (uint32_t)nseed)];
    size_t size = seed->size < MAX_BYTES ? seed->size : MAX_BYTES;
    memcpy(bytes, seed->bytes, size);
    for (uint32_t i = 1 + pick(&random, MAX_CHANGES); i > 0; i--) {
      bytes[size] = 0;
      size = change(bytes, size, target->is_text, &random);
    }
    run(target, bytes, size);
  }
  print_message("%s: %d seeds, %ld mutations\n", target->name, nseed, done);
  for (int i = 0; i < nseed; i++) {
    heap_free(seeds[i].bytes);
  }
}

TEST(loaders_survive_mutations_of_their_corpora) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  const char* only = getenv("CONDYLE_LOADER");
  for (const FuzzTarget* target = fuzz_targets; target->name; target++) {
    if (!only || strcmp(only, target->name) == 0) {
      replay(target);
    }
  }
  mju_user_warning = before;
}
