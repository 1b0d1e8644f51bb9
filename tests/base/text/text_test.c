// Numbers in text: the library's values bit for bit, in every locale, and nothing but numbers.

#include "base/text/text.h"

#include <inttypes.h>
#include <limits.h>
#include <locale.h>

#include "support/random.h"
#include "support/test.h"

static uint64_t seed = 88172645463325252u;

static uint64_t next(void) {
  return xorshift_bits(&seed);
}

static void agrees_with_the_library(const char* text) {
  double number;
  float single;
  const char* cursor = text;
  if (text_real(&number, &cursor) == TEXT_OK) {
    double expected = strtod(text, NULL);
    if (memcmp(&number, &expected, sizeof(number)) != 0) {
      print_error("%s: %.17g, library %.17g\n", text, number, expected);
    }
    assert_memory_equal(&number, &expected, sizeof(number));
  }
  cursor = text;
  if (text_single(&single, &cursor) == TEXT_OK) {
    float expected = strtof(text, NULL);
    assert_memory_equal(&single, &expected, sizeof(single));
  }
}

TEST(numbers_are_rounded_as_the_library_rounds_them) {
  char text[80];
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = next();
    double number;
    memcpy(&number, &bits, sizeof(number));
    if (number == number) {
      snprintf(text, sizeof(text), "%.17g", number);
      agrees_with_the_library(text);
    }
    snprintf(text, sizeof(text), "%.*g", (int)(next() % 19) + 1, (double)(int64_t)next() / 9.2e18);
    agrees_with_the_library(text);
    snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64 "e%d", next() % 100000,
             next() % 1000000000, (int)(next() % 40) - 20);
    agrees_with_the_library(text);
  }
}

// Eight digits are read at once where that many bytes may be read, whatever stands behind the end.
TEST(digits_are_read_alike_with_any_end) {
  char text[80];
  for (int i = 0; i < 20000; i++) {
    int length =
        snprintf(text, sizeof(text), "%s%.*f%s", i % 2 ? " " : "", (int)(next() % 12),
                 (double)(int64_t)next() / 9.2e18 * (i % 3 ? 1 : 1000), i % 5 ? " 12345678" : "x");
    double expected = 77;
    const char* start = text;
    TextStatus status = text_real(&expected, &start);
    for (int end = 0; end <= length; end++) {
      double number = 77;
      const char* cursor = text;
      assert_int_equal(text_realbefore(&number, &cursor, text + end), status);
      assert_memory_equal(&number, &expected, sizeof(number));
      assert_ptr_equal(cursor, start);
    }
  }
}

TEST(the_edges_are_right) {
  static const char* const texts[] = {"0",
                                      "-0",
                                      "+0.0e5",
                                      ".5",
                                      "5.",
                                      "1e0",
                                      "9007199254740993",
                                      "9007199254740992.5",
                                      "9007199254740993.5",
                                      "18446744073709551615",
                                      "0.1",
                                      "1e-27",
                                      "1e-28",
                                      "1e22",
                                      "1e23",
                                      "16777217",
                                      "1.00000005960464477539",
                                      "123456789012345678901234567890",
                                      "0.000000000000000000000000000000000000012345",
                                      "0x1.8p3",
                                      "inf",
                                      "-INFINITY",
                                      "4.9406564584124654e-300",
                                      "1.7976931348623157e308"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    double number;
    const char* cursor = texts[i];
    assert_int_equal(text_real(&number, &cursor), TEXT_OK);
    assert_int_equal(*cursor, 0);
    agrees_with_the_library(texts[i]);
  }
}

TEST(what_is_no_number_is_refused_and_changes_nothing) {
  static const char* const bad[] = {"a", "1,2", "1.2.3", "--1", "+-1", "e5", ".",
                                    "-", "1e",  "1e+",   "0x",  "1f",  "1;"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    double number = 77;
    const char* cursor = bad[i];
    assert_int_equal(text_real(&number, &cursor), TEXT_BAD);
    assert_that(number, ==, 77);
    assert_ptr_equal(cursor, bad[i]);
  }
  static const char* const range[] = {"1e400", "-1e999999999999999999"};
  for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++) {
    double number = 77;
    const char* cursor = range[i];
    assert_int_equal(text_real(&number, &cursor), TEXT_RANGE);
    assert_that(number, ==, 77);
  }
}

// The nearest number of the type: a subnormal one, or zero.
TEST(tiny_numbers_are_read_as_the_nearest) {
  static const struct {
    const char* text;
    double real;
    float single;
  } cases[] = {{"1e-38", 1e-38, 1e-38f},     {"-1e-45", -1e-45, -0x1p-149f},
               {"1e-46", 1e-46, 0},          {"1e-308", 1e-308, 0},
               {"-1e-320", -0x7e8p-1074, 0}, {"1e-400", 0, 0},
               {"1e-99999999", 0, 0},        {"0x1p-2000", 0, 0}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    double real = 77;
    float single = 77;
    const char* cursor = cases[i].text;
    assert_int_equal(text_real(&real, &cursor), TEXT_OK);
    assert_int_equal(*cursor, 0);
    cursor = cases[i].text;
    assert_int_equal(text_single(&single, &cursor), TEXT_OK);
    if (real != cases[i].real || single != cases[i].single) {
      fail_msg("%s is read as %a and %a, not %a and %a", cases[i].text, real, (double)single,
               cases[i].real, (double)cases[i].single);
    }
  }
}

TEST(a_list_ends_where_only_space_is_left) {
  const char* cursor = " \t1\n2e0\r\v-3\f ";
  double number;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(text_real(&number, &cursor), TEXT_OK);
  }
  assert_that(number, ==, -3);
  assert_int_equal(text_real(&number, &cursor), TEXT_END);
}

TEST(integers_are_decimal_and_in_range) {
  static const struct {
    const char* text;
    TextStatus status;
    int value;
  } cases[] = {{"0", TEXT_OK, 0},
               {" +7 ", TEXT_OK, 7},
               {"2147483647", TEXT_OK, INT_MAX},
               {"-2147483648", TEXT_OK, INT_MIN},
               {"2147483648", TEXT_RANGE, 0},
               {"-2147483649", TEXT_RANGE, 0},
               {"99999999999999999999999", TEXT_RANGE, 0},
               {"1.0", TEXT_BAD, 0},
               {"1e2", TEXT_BAD, 0},
               {"0x10", TEXT_BAD, 0},
               {"-", TEXT_BAD, 0},
               {"  ", TEXT_END, 0}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int value = 0;
    const char* cursor = cases[i].text;
    assert_int_equal(text_int(&value, &cursor), cases[i].status);
    assert_int_equal(value, cases[i].value);
  }
}

TEST(the_locale_changes_nothing) {
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
    test_skip("no German or French locale (apt-get install locales-all)");
  }
  double number;
  const char* cursor = "1.25 0x1.8p0 123456789.12345678901234567890";
  assert_int_equal(text_real(&number, &cursor), TEXT_OK);
  assert_that(number, ==, 1.25);
  assert_int_equal(text_real(&number, &cursor), TEXT_OK);
  assert_that(number, ==, 1.5);
  assert_int_equal(text_real(&number, &cursor), TEXT_OK);
  setlocale(LC_NUMERIC, "C");
}
