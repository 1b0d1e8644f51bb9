// binary.c: models as bytes.

#include <unistd.h>

#include "support/bridge.h"
#include "support/caught.h"
#include "support/small_model.h"
#include "support/test.h"

enum {
  HEADER_BYTES = 5 * sizeof(int),
  NINT = 84,  // int sizes in front of the two 64-bit ones
};

// A file of this test's own.
static const char* file_name(void) {
  static char name[100];
  snprintf(name, sizeof(name), "binary_test_%d.mjb", (int)getpid());
  return name;
}

static void write_file(const char* bytes, size_t size) {
  FILE* file = fopen(file_name(), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

TEST(sizes_of_64_bits_are_those_of_an_int) {
  mjModel* m = small_model();
  int64_t size = cnd_sizeModel(m);
  assert_int_equal(size, mj_sizeModel(m));
  char* wide = malloc((size_t)size);
  char* narrow = malloc((size_t)size);
  cnd_saveModel(m, NULL, wide, size);
  mj_saveModel(m, NULL, narrow, (int)size);
  assert_memory_equal(wide, narrow, (size_t)size);
  assert_error(cnd_saveModel(m, NULL, wide, size - 1), "buffer too small");
  free(wide);
  free(narrow);
  mj_deleteModel(m);
}

static char* bytes_of(const mjModel* m, size_t* size) {
  *size = (size_t)mj_sizeModel(m);
  char* bytes = malloc(*size);
  mj_saveModel(m, NULL, bytes, (int)*size);
  return bytes;
}

// Loads bytes through a file.
static mjModel* load(const char* bytes, size_t size) {
  write_file(bytes, size);
  warning_text[0] = 0;
  mju_user_warning = keep_warning;
  mjModel* m = mj_loadModel(file_name(), NULL);
  mju_user_warning = NULL;
  remove(file_name());
  return m;
}

static void assert_refused(const char* bytes, size_t size, const char* reason) {
  mjModel* m = load(bytes, size);
  assert_null(m);
  if (!strstr(warning_text, reason)) {
    fail_msg("expected the warning \"%s\", got \"%s\"", reason, warning_text);
  }
}

TEST(a_loaded_model_has_every_byte_of_the_saved_one) {
  mjModel* m = small_model();
  size_t size, again_size;
  char* bytes = bytes_of(m, &size);
  mjModel* loaded = load(bytes, size);
  assert_non_null(loaded);
  assert_int_equal(bridge_compare_models(m, loaded, NULL, 0), 0);
  assert_that(loaded->signature, ==, 0u);
  char* again = bytes_of(loaded, &again_size);
  assert_int_equal(again_size, size);
  assert_memory_equal(again, bytes, size);
  free(again);
  free(bytes);
  mj_deleteModel(loaded);
  mj_deleteModel(m);
}

TEST(a_file_has_the_bytes_of_a_buffer) {
  mjModel* m = small_model();
  size_t size;
  char *bytes = bytes_of(m, &size), *read = malloc(size + 1);
  mj_saveModel(m, file_name(), NULL, 0);
  FILE* file = fopen(file_name(), "rb");
  assert_non_null(file);
  assert_int_equal(fread(read, 1, size + 1, file), size);
  fclose(file);
  remove(file_name());
  assert_memory_equal(read, bytes, size);
  assert_error(mj_saveModel(m, NULL, read, (int)size - 1), "buffer too small");
  free(read);
  free(bytes);
  mj_deleteModel(m);
}

TEST(a_file_that_ends_early_is_refused_wherever_it_ends) {
  mjModel* m = small_model();
  size_t size;
  char* bytes = bytes_of(m, &size);
  for (size_t cut = 0; cut < size; cut += cut < 2000 ? 37 : 997) {
    assert_null(load(bytes, cut));
    assert_that(warning_text[0], !=, 0);
  }
  assert_refused(bytes, HEADER_BYTES - 1, "incomplete header");
  assert_refused(bytes, HEADER_BYTES + 8, "ran out of data while reading sizes");
  assert_refused(bytes, HEADER_BYTES + NINT * 4 + 16, "ran out of data while reading structs");
  assert_refused(bytes, size - 1, "Truncated model file - ran out of data while reading");
  free(bytes);
  mj_deleteModel(m);
}

TEST(a_foreign_header_is_refused) {
  static const char* const reason[] = {
      "Model missing header ID",
      "different floating point precision",
      "different number of ints in mjModel",
      "different number of size_t members in mjModel",
      "different number of pointers in mjModel",
  };
  mjModel* m = small_model();
  size_t size;
  char* bytes = bytes_of(m, &size);
  for (int i = 0; i < 5; i++) {
    bytes[4 * i] ^= 1;
    assert_refused(bytes, size, reason[i]);
    bytes[4 * i] ^= 1;
  }
  free(bytes);
  mj_deleteModel(m);
}

TEST(impossible_sizes_are_refused) {
  mjModel* m = small_model();
  size_t size;
  char* bytes = bytes_of(m, &size);
  char* longer = calloc(size + 1, 1);
  memcpy(longer, bytes, size);
  assert_refused(longer, size + 1, "Model file is too large");

  int wrong[] = {-1, 0, 0x7FFFFFFF};
  static const char* const reason[] = {"negative nbody", "nbody == 0", "ran out of data"};
  char* nbody = bytes + HEADER_BYTES + 4 * sizeof(int);
  for (int i = 0; i < 3; i++) {
    memcpy(nbody, &wrong[i], sizeof(int));
    assert_refused(bytes, size, reason[i]);
  }
  memcpy(bytes, longer, size);

  mjtSize nbuffer = 64;
  memcpy(bytes + HEADER_BYTES + NINT * 4 + 8, &nbuffer, sizeof(nbuffer));
  assert_refused(bytes, size, "wrong nbuffer field");
  memcpy(bytes, longer, size);
  free(longer);
  free(bytes);
  mj_deleteModel(m);
}

TEST(an_id_out_of_bounds_is_refused) {
  mjModel* m = small_model();
  size_t size;
  m->jnt_bodyid[0] = m->nbody;
  char* bytes = bytes_of(m, &size);
  assert_refused(bytes, size, "Invalid model: jnt_bodyid out of bounds.");
  free(bytes);
  mj_deleteModel(m);
}

TEST(files_that_cannot_be_opened_give_a_warning) {
  mjModel* m = small_model();
  mju_user_warning = keep_warning;
  assert_null(mj_loadModel("no/such/file.mjb", NULL));
  assert_string_equal(warning_text,
                      "Error opening file 'no/such/file.mjb': No such file or directory");
  warning_text[0] = 0;
  mj_saveModel(m, "no/such/file.mjb", NULL, 0);
  assert_non_null(strstr(warning_text, "Could not open file 'no/such/file.mjb'"));
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

// whatever one bit does, loading ends with a valid model or none
TEST(flipped_bits_never_crash_the_loader) {
  mjModel* m = small_model();
  size_t size;
  char* bytes = bytes_of(m, &size);
  unsigned random = 1;
  for (int i = 0; i < 2000; i++) {
    random = random * 1664525u + 1013904223u;
    size_t at = i < 800 ? (random >> 8) % (HEADER_BYTES + NINT * 4 + 16) : (random >> 8) % size;
    char bit = (char)(1 << (i % 8));
    bytes[at] ^= bit;
    mj_deleteModel(load(bytes, size));
    bytes[at] ^= bit;
  }
  free(bytes);
  mj_deleteModel(m);
}

typedef void SaveModel(const void* m, const char* filename, void* buffer, int buffer_sz);
typedef void* LoadModel(const char* filename, const void* vfs);
typedef void DeleteModel(void* m);

TEST(the_reference_writes_and_reads_the_same_bytes) {
  BRIDGE_OR_SKIP();
  Bridge* b = bridge_load(CONDYLE_SOURCE_DIR "/models/humanoid.xml");
  assert_non_null(b);
  SaveModel* save = (SaveModel*)(uintptr_t)bridge_function("mj_saveModel");
  LoadModel* read = (LoadModel*)(uintptr_t)bridge_function("mj_loadModel");
  DeleteModel* delete = (DeleteModel*)(uintptr_t)bridge_function("mj_deleteModel");

  save(b->ref_m, file_name(), NULL, 0);
  mjModel* m = mj_loadModel(file_name(), NULL);
  assert_non_null(m);
  assert_int_equal(bridge_compare_models(b->m, m, NULL, 0), 0);

  size_t size;
  char *bytes = bytes_of(m, &size), *theirs = malloc(size);
  save(b->ref_m, NULL, theirs, (int)size);
  assert_memory_equal(bytes, theirs, size);

  mj_saveModel(m, file_name(), NULL, 0);
  void* back = read(file_name(), NULL);
  assert_non_null(back);
  delete (back);
  remove(file_name());
  free(theirs);
  free(bytes);
  mj_deleteModel(m);
  bridge_free(b);
}
