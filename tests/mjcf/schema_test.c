// The schema table against the format: names, occurrence rules, and that its defaults are those of
// the editable model.

#include "mjcf/schema.h"

#include "base/text/text.h"
#include "mjcf/schema_names.h"
#include "support/test.h"

enum {
  NNAMES = sizeof(schema_names) / sizeof(schema_names[0]),
  TEXT_BYTES = 2048,
};

// The element at a path of names below the root.
static const SchemaElement* find(const char* path) {
  const SchemaElement* element = schema_root();
  char name[64];
  while (element && *path) {
    size_t length = strcspn(path, "/");
    snprintf(name, sizeof(name), "%.*s", (int)length, path);
    element = schema_child(element, name);
    path += length + (path[length] == '/');
  }
  return element;
}

static int compare_names(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// An element's attributes, sorted, one space between.
static void join(char text[TEXT_BYTES], const SchemaElement* element) {
  const char* names[128];
  int count = 0, length = 0;
  for (const SchemaRow* row; (row = schema_rowat(element, count)); count++) {
    names[count] = row->name;
  }
  qsort(names, (size_t)count, sizeof(names[0]), compare_names);
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    length += snprintf(text + length, TEXT_BYTES - (size_t)length, "%s%s", i ? " " : "", names[i]);
  }
}

TEST(every_element_has_exactly_the_formats_attributes) {
  for (int i = 0; i < NNAMES; i++) {
    const SchemaElement* element = find(schema_names[i].path);
    if (!element) {
      print_error("<%s> is missing\n", schema_names[i].path);
    }
    assert_non_null(element);
    char attributes[TEXT_BYTES];
    join(attributes, element);
    if (strcmp(attributes, schema_names[i].attributes) != 0) {
      print_error("<%s>\n", schema_names[i].path);
    }
    assert_string_equal(attributes, schema_names[i].attributes);
  }
}

TEST(every_element_occurs_as_often_as_in_the_format) {
  for (int i = 0; i < NNAMES; i++) {
    // the world is a body there, and once per section here
    if (strcmp(schema_names[i].path, "worldbody") != 0) {
      assert_int_equal(find(schema_names[i].path)->rule, schema_names[i].rule);
    }
  }
}

// Elements below one, each counted once; frames, which the format's list leaves out, aside.
static int count_elements(const SchemaElement* element) {
  int count = 1;
  const SchemaElement* child = element->children;
  for (; child && child->name; child++) {
    if (!(child->flags & (ELEMENT_IGNORED | ELEMENT_UNCHECKED)) &&
        child->children != element->children) {
      count += count_elements(child);
    }
  }
  return count;
}

TEST(there_is_no_element_that_the_format_lacks) {
  assert_int_equal(count_elements(schema_root()), NNAMES);
}

TEST(a_row_with_keywords_has_a_default_among_them) {
  for (int i = 0; i < NNAMES; i++) {
    const SchemaElement* element = find(schema_names[i].path);
    const SchemaRow* row;
    for (int k = 0; (row = schema_rowat(element, k)); k++) {
      assert_true(!row->keys || !row->fallback || schema_key(row->keys, row->fallback));
    }
  }
}

// The number in slot i of the field that a row points to.
static double field_number(const char* object, const SchemaRow* row, int i) {
  const char* field = object + row->offset;
  switch (row->store) {
    case STORE_BYTE:
      return ((const unsigned char*)field)[i];
    case STORE_SIZE:
      return (double)((const int64_t*)field)[i];
    case STORE_SINGLE:
      return (double)((const float*)field)[i];
    case STORE_DOUBLE:
      return ((const double*)field)[i];
    default:
      return ((const int*)field)[i];
  }
}

// Do a row's default text and a fresh object say the same?
static void check_default(const char* path, const char* object, const SchemaRow* row) {
  if (!row->fallback || row->store == STORE_CODE || row->store == STORE_HANDLE) {
    return;
  }
  const char* cursor = row->fallback;
  if (row->keys) {
    int value = schema_key(row->keys, row->fallback)->value;
    double found = field_number(object, row, 0);
    if (row->kind == ATTR_BIT) {
      found = ((int)found & row->value) != 0;
    }
    if (found != value) {
      print_error("%s %s: %g, but the table says %d\n", path, row->name, found, value);
    }
    assert_that(found, ==, value);
    return;
  }
  for (int i = 0; i < row->max; i++) {
    double number;
    float single;
    assert_int_equal(
        row->store == STORE_SINGLE ? text_single(&single, &cursor) : text_real(&number, &cursor),
        TEXT_OK);
    if (row->store == STORE_SINGLE) {
      number = (double)single;
    }
    double found = field_number(object, row, i);
    if (found != number) {
      print_error("%s %s[%d]: %g, but the table says %g\n", path, row->name, i, found, number);
    }
    assert_that(found, ==, number);
  }
}

static void check_defaults(const char* path, const void* object) {
  const SchemaElement* element = find(path);
  assert_non_null(element);
  const SchemaRow* row;
  for (int i = 0; (row = schema_rowat(element, i)); i++) {
    check_default(path, object, row);
  }
}

TEST(the_tables_defaults_are_those_of_the_editable_model) {
  mjSpec* spec = mj_makeSpec();
  mjsDefault* class = mjs_getSpecDefault(spec);
  check_defaults("compiler", spec);
  check_defaults("compiler/lengthrange", &spec->compiler.LRopt);
  check_defaults("option", &spec->option);
  check_defaults("option/flag", &spec->option);
  check_defaults("size", spec);
  static const char* const visuals[] = {"global", "quality", "headlight", "map", "scale", "rgba"};
  for (int i = 0; i < 6; i++) {
    char path[32];
    snprintf(path, sizeof(path), "visual/%s", visuals[i]);
    check_defaults(path, &spec->visual);
  }
  check_defaults("worldbody/joint", class->joint);
  check_defaults("worldbody/geom", class->geom);
  check_defaults("worldbody/site", class->site);
  check_defaults("worldbody/camera", class->camera);
  check_defaults("worldbody/light", class->light);
  check_defaults("worldbody/body", mjs_findBody(spec, "world"));
  check_defaults("worldbody/body/inertial", mjs_findBody(spec, "world"));
  check_defaults("asset/mesh", class->mesh);
  check_defaults("asset/material", class->material);
  check_defaults("asset/texture", class->texture);
  check_defaults("contact/pair", class->pair);
  check_defaults("equality/weld", class->equality);
  check_defaults("tendon/spatial", class->tendon);
  check_defaults("actuator/general", class->actuator);
  check_defaults("deformable/flex", class->flex);
  check_defaults("deformable/flex/contact", class->flex);
  check_defaults("deformable/flex/edge", class->flex);
  check_defaults("deformable/flex/elasticity", class->flex);
  mj_deleteSpec(spec);
}

TEST(hints_name_what_is_near_and_where_things_belong) {
  const SchemaElement* geom = find("worldbody/geom");
  assert_string_equal(schema_nearestrow(geom, "frction"), "friction");
  assert_string_equal(schema_nearestrow(geom, "szie"), "size");
  assert_null(schema_nearestrow(geom, "qqqqqq"));
  assert_string_equal(schema_nearestchild(find("worldbody"), "gome"), "geom");
  assert_string_equal(schema_parent("texture"), "asset");
  assert_string_equal(schema_parent("motor"), "actuator");
  assert_null(schema_parent("nothing"));
}
