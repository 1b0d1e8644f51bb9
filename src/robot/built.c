// built.c: places and names of what is made.

#include "robot/built.h"

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "spec/spec.h"

void built_place(const Builder* b, mjsElement* element, const Node* node) {
  SourcePlace place = node_place(node, NULL);
  place.file = spec_intern(spec_tree(b->spec), place.file);
  spec_object(element)->place = place;
  mjString* info = spec_info(spec_object(element));
  if (info && place.line) {
    string_format(info, "line %d", place.line);
  }
}

const char* built_name(const Builder* b, mjsElement* element, const char* name) {
  SpecTree* tree = spec_tree(b->spec);
  mjString full = {0};
  string_set(&full, name);
  for (int k = 1; spec_find(tree, element->elemtype, string_text(&full)); k++) {
    string_format(&full, "%s_%d", name, k);
  }
  mjs_setName(element, string_text(&full));
  const char* kept = spec_intern(tree, string_text(&full));
  string_clear(&full);
  return kept;
}

void built_base(char out[100], const char* path) {
  const char* name = path + path_dirlength(path);
  const char* dot = strrchr(name, '.');
  snprintf(out, 100, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}
