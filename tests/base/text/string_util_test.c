// Names of kinds, sizes, texts.

#include <unistd.h>

#include "base/trials.h"

TEST(names_of_kinds_are_read_back) {
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    const char* name = mju_type2Str(type);
    assert_non_null(name);
    assert_int_equal(mju_str2Type(name), type);
  }
  assert_string_equal(mju_type2Str(mjOBJ_XBODY), "xbody");
  assert_string_equal(mju_type2Str(mjOBJ_FRAME), "frame");
}

TEST(what_is_no_kind_has_no_name) {
  assert_null(mju_type2Str(mjOBJ_UNKNOWN));
  assert_null(mju_type2Str(-1));
  assert_null(mju_type2Str(mjNOBJECT));
  assert_null(mju_type2Str(99));
  assert_int_equal(mju_str2Type("frame"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type("wing"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(""), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(NULL), mjOBJ_UNKNOWN);
}

TEST(bytes_are_written_in_the_largest_whole_unit) {
  assert_string_equal(mju_writeNumBytes(0), "0");
  assert_string_equal(mju_writeNumBytes(1023), "1023");
  assert_string_equal(mju_writeNumBytes(1024), "1K");
  assert_string_equal(mju_writeNumBytes(1536), "1536");
  assert_string_equal(mju_writeNumBytes((size_t)5 << 20), "5M");
  assert_string_equal(mju_writeNumBytes((size_t)3 << 30), "3G");
  assert_string_equal(mju_writeNumBytes((size_t)1 << 63), "8E");
}

TEST(a_copied_string_always_ends) {
  char text[4] = "abc";
  assert_string_equal(mju_strncpy(text, "x", 4), "x");
  assert_string_equal(mju_strncpy(text, "long text", 4), "lon");
  assert_string_equal(mju_strncpy(text, "no", 0), "lon");
  assert_string_equal(mju_strncpy(text, NULL, 4), "lon");
  assert_null(mju_strncpy(NULL, "x", 4));
}

// Declares `reference`, the reference's function of the same type as ours.
#define REFERENCE(name) \
  BRIDGE_OR_SKIP();     \
  __typeof__(&name) reference = (__typeof__(&name))(uintptr_t)bridge_function(#name)

TEST(kinds_and_warnings_have_the_names_of_the_reference) {
  {
    REFERENCE(mju_type2Str);
    for (int type = -2; type < 300; type++) {
      const char *ours = mju_type2Str(type), *theirs = reference(type);
      assert_that(!ours, ==, !theirs);
      assert_true(!ours || strcmp(ours, theirs) == 0);
    }
  }
  {
    REFERENCE(mju_str2Type);
    const char* words[] = {"body",  "frame", "Body",   "",       "bod",
                           "bodys", "flex",  "plugin", "default"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
      assert_int_equal(mju_str2Type(words[i]), reference(words[i]));
    }
  }
  {
    REFERENCE(mju_warningText);
    for (int kind = 0; kind < mjNWARNING; kind++) {
      assert_string_equal(mju_warningText(kind, 12), reference(kind, 12));
    }
  }
}

TEST(sizes_are_written_as_the_reference_writes_them) {
  REFERENCE(mju_writeNumBytes);
  trial_state = 1;
  for (int i = 0; i < NTRIALS; i++) {
    // of 20 digits the reference has room for 19
    size_t n = ((size_t)(draw_bits() >> draw_int(64)) << draw_int(64)) / 2;
    assert_string_equal(mju_writeNumBytes(n), reference(n));
  }
}

TEST(copies_are_cut_as_the_reference_cuts_them) {
  REFERENCE(mju_strncpy);
  trial_state = 1;
  for (int i = 0; i < NTRIALS; i++) {
    char from[12] = "", to[2][12];
    for (int k = draw_int(12); k > 0; k--) {
      from[k - 1] = (char)('a' + draw_int(26));
    }
    memset(to, 'z', sizeof(to));
    int n = draw_int(14) - 1;
    n = n > 12 ? 12 : n;
    assert_that(mju_strncpy(to[0], from, n), ==, to[0]);
    reference(to[1], from, n);
    assert_memory_equal(to[0], to[1], sizeof(to[0]));
  }
}

// What a call prints to stdout.
#define PRINTED(text, call)                           \
  do {                                                \
    FILE* file = tmpfile();                           \
    fflush(stdout);                                   \
    int kept = dup(STDOUT_FILENO);                    \
    dup2(fileno(file), STDOUT_FILENO);                \
    call;                                             \
    fflush(stdout);                                   \
    dup2(kept, STDOUT_FILENO);                        \
    close(kept);                                      \
    rewind(file);                                     \
    text[fread(text, 1, sizeof(text) - 1, file)] = 0; \
    fclose(file);                                     \
  } while (0)

TEST(matrices_are_printed_row_by_row) {
  const mjtNum mat[6] = {1, -2, 0, (mjtNum)0.125, 1000, -3};
  const int rownnz[2] = {1, 2}, rowadr[2] = {0, 1}, colind[3] = {2, 0, 1};
  char text[2][300];
  PRINTED(text[0], mju_printMat(mat, 2, 3));
  assert_string_equal(
      text[0], "1.00000000 -2.00000000 0.00000000 \n0.12500000 1000.00000000 -3.00000000 \n\n");
  PRINTED(text[1], mju_printMatSparse(mat, 2, rownnz, rowadr, colind));
  assert_string_equal(text[1], "(0 2):  1.000000  \n(1 0): -2.000000  (1 1):  0.000000  \n\n");

  if (bridge_available()) {
    char theirs[300];
    __typeof__(&mju_printMat) print = (__typeof__(print))(uintptr_t)bridge_function("mju_printMat");
    __typeof__(&mju_printMatSparse) print_sparse =
        (__typeof__(print_sparse))(uintptr_t)bridge_function("mju_printMatSparse");
    PRINTED(theirs, print(mat, 2, 3));
    assert_string_equal(theirs, text[0]);
    PRINTED(theirs, print_sparse(mat, 2, rownnz, rowadr, colind));
    assert_string_equal(theirs, text[1]);
  }
}
