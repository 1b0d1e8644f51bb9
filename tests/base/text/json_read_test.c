// JSON: values, texts with escapes, and what is no JSON.

#include "base/text/json_read.h"

#include "base/text/number.h"
#include "support/near.h"
#include "support/test.h"

static JsonValue* parse(const char* text) {
  const char *problem, *at;
  JsonValue* value = json_parse(text, &problem, &at);
  if (!value) {
    fail_msg("%s at '%s'", problem, at);
  }
  return value;
}

TEST(members_and_elements_are_found) {
  JsonValue* root = parse(" {\"a\": [1, -2.5e1, true], \"b\" : {\"c\":\"d\"}, \"e\":null} ");
  const JsonValue* list = json_member(root, "a");
  assert_int_equal(json_count(list), 3);
  assert_near(json_element(list, 1)->number, -25, 0);
  assert_int_equal(json_element(list, 2)->kind, JSON_TRUE);
  assert_null(json_element(list, 3));
  assert_string_equal(json_member_text(json_member(root, "b"), "c", ""), "d");
  assert_string_equal(json_member_text(root, "a", "none"), "none");
  assert_near(json_member_number(root, "f", 7), 7, 0);
  assert_int_equal(json_member(root, "e")->kind, JSON_NULL);
  assert_null(json_member(list, "a"));
  assert_int_equal(json_count(json_member(root, "b")), 0);
  json_free(root);
}

TEST(escapes_become_utf8) {
  JsonValue* root = parse("\"\\\"\\\\\\/\\n\\u0041\\u00e4\\u20ac\\ud83d\\ude00\\ud83d\\u0000\"");
  assert_string_equal(root->text,
                      "\"\\/\nA\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd");
  json_free(root);
}

TEST(what_is_no_json_is_refused_at_its_place) {
  static const struct {
    const char *text, *problem;
    int at;
  } cases[] = {
      {"", "the text ends too early", 0},
      {"[1,2", "',' or ']' is missing", 4},
      {"[1 2]", "',' or ']' is missing", 3},
      {"{\"a\" 1}", "':' is missing", 5},
      {"{a:1}", "a member has no name in quotes", 1},
      {"[\"a]", "a text without an end", 1},
      {"[\"\\x\"]", "an unknown escape", 1},
      {"[\"\\u12\"]", "an unknown escape", 1},
      {"[nan]", "not a value", 1},
      {"[-]", "not a number", 1},
      {"[1e999]", "not a number", 1},
      {"[1] x", "something stands behind the end", 4},
      {"[1,]", "not a value", 3},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const char *problem, *at;
    JsonValue* value = json_parse(cases[i].text, &problem, &at);
    if (value || !strstr(problem, cases[i].problem)) {
      fail_msg("%s: '%s', expected '%s'", cases[i].text, value ? "a value" : problem,
               cases[i].problem);
    }
    assert_int_equal(at - cases[i].text, cases[i].at);
  }
}

TEST(values_nested_without_end_are_refused) {
  static char text[100000];
  const char *problem, *at;
  memset(text, '[', sizeof(text) - 1);
  assert_null(json_parse(text, &problem, &at));
  assert_string_equal(problem, "too many values, or values nested too deeply");
}

TEST(numbers_are_those_of_the_c_library) {
  static const char* const texts[] = {
      "0",
      "-0.0",
      "1",
      "-17",
      "3.25",
      ".5",
      "5.",
      "1e3",
      "1E-3",
      "-2.5e+2",
      "1e22",
      "1e-30",
      "1e300",
      "1e-310",
      "1e400",
      "-1e999",
      "12345678901234567890123",
      "0.00000000000000000000000012345",
      "4.35e17",
      "0.1000000000000000000000",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    double value = -1, expected = strtod(texts[i], NULL);
    const char* end = number_read(&value, texts[i]);
    assert_that(end == texts[i] + strlen(texts[i]), ==, 1);
    if (isinf(expected)) {
      assert_that(value == expected, ==, 1);
    } else {
      assert_near(value, expected, 2e-15 * fabs(expected) + 1e-320);
    }
  }
}

TEST(what_is_not_finite_is_told_from_what_is_no_number) {
  double value = 0;
  assert_non_null(number_read(&value, "nan "));
  assert_that(isnan(value), !=, 0);
  assert_non_null(number_read(&value, "-1.#IND<"));
  assert_that(isnan(value), !=, 0);
  assert_non_null(number_read(&value, "inf"));
  assert_that(isinf(value), !=, 0);
  assert_null(number_read(&value, "x"));
  assert_null(number_read(&value, ""));
  assert_null(number_read(&value, "-"));
  assert_null(number_read(&value, "1e"));
  int whole = 0;
  assert_string_equal(number_int(&whole, " -12/3"), "/3");
  assert_int_equal(whole, -12);
  number_int(&whole, "99999999999999999999");
  assert_int_equal(whole, INT32_MAX);
  assert_null(number_int(&whole, "x"));
}
