// Do the models of tests/models, which are compared with the reference, use all of the format? Every
// attribute of every usable element must have a value other than its default in one of them.

#define _GNU_SOURCE

#include <dirent.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mjcf/check.h"

#define FOLDER CONDYLE_SOURCE_DIR "/tests/models"

enum {
  MAX_USES = 4096,
  MAX_DEPTH = 12,
};

// Rows of the schema, which elements that are alike share, and elements that occur.
static const void* uses[MAX_USES];
static int nuse;

static int is_used(const void* item) {
  for (int i = 0; i < nuse; i++) {
    if (uses[i] == item) {
      return 1;
    }
  }
  return 0;
}

static void add_use(const void* item) {
  if (!is_used(item)) {
    assert_true(nuse < MAX_USES);
    uses[nuse++] = item;
  }
}

// What other tests cover with files of their own (assets from files), what has one value only, and
// containers of nothing that is usable.
static int elsewhere(const SchemaElement* element, const SchemaRow* row) {
  static const char* const elements[] = {"mesh", "hfield", "skin", "extension", "deformable"};
  static const char* const attributes[] = {"mesh",     "hfield",     "fitscale", "content_type",
                                           "gridsize", "gridlayout", "meshdir",  "texturedir",
                                           "assetdir", "strippath",  "fitaabb",  "coordinate"};
  for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
    if (strcmp(element->name, elements[i]) == 0) {
      return 1;
    }
  }
  for (size_t i = 0; row && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
    if (strcmp(row->name, attributes[i]) == 0) {
      return 1;
    }
  }
  return row && row->kind == ATTR_FILE;
}

static void collect(const Node* node) {
  add_use(node->schema);
  for (int i = 0; i < node->nattribute; i++) {
    const Attribute* attribute = &node->attributes[i];
    const SchemaRow* row = attribute->row;
    if (row && !(row->fallback && strcmp(row->fallback, attribute->value) == 0)) {
      add_use(row);
    }
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (child->schema && !child->skip) {
      collect(child);
    }
  }
}

static int count_missing(const char* path, const SchemaElement* element, int depth) {
  int unusable = ELEMENT_NOTYET | ELEMENT_IGNORED;
  if ((element->flags & unusable) || depth > MAX_DEPTH || elsewhere(element, NULL)) {
    return 0;
  }
  int missing = 0;
  if (!is_used(element)) {
    print_error("no model uses %s/%s\n", path, element->name);
    missing++;
  }
  const SchemaRow* row;
  for (int i = 0; (row = schema_rowat(element, i)); i++) {
    if (!(row->flags & ROW_NOTYET) && !elsewhere(element, row) && !is_used(row)) {
      print_error("no model uses %s/%s@%s\n", path, element->name, row->name);
      missing++;
    }
  }
  const SchemaElement* child = element->children;
  for (; child && child->name; child++) {
    // what holds itself is seen once
    if (child->children != element->children) {
      char below[200];
      snprintf(below, sizeof(below), "%.100s/%.60s", path, element->name);
      missing += count_missing(below, child, depth + 1);
    } else if (!(child->flags & unusable) && !is_used(child)) {
      print_error("no model uses %s/%s/%s\n", path, element->name, child->name);
      missing++;
    }
  }
  return missing;
}

static int ismodel(const struct dirent* entry) {
  const char* dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".xml") == 0;
}

static void models_use_every_attribute(void** state) {
  (void)state;
  struct dirent** list;
  int count = scandir(FOLDER, &list, ismodel, alphasort);
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    Document* document = document_readfile(FOLDER, list[i]->d_name, NULL, NULL);
    assert_non_null(document);
    if (check_document(document_root(document), NULL)) {
      collect(document_root(document));
    }
    document_free(document);
    free(list[i]);
  }
  free(list);
  assert_int_equal(count_missing("", schema_root(), 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_use_every_attribute),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
