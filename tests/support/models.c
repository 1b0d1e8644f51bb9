// models.c: finding, reading and compiling the models that tests share.

#include "support/models.h"

#include <ctype.h>

#include "base/system/files.h"
#include "base/system/pattern.h"
#include "support/bridge_ref.h"

void shared_or_skip(void) {
  if (!system_readable(SHARED_MODELS)) {
    test_skip("no shared models beside the source folder");
  }
}

// Everything of a stream; NULL if that is nothing.
static char* read_all(FILE* stream) {
  size_t room = 1 << 16, length = 0;
  char* text = malloc(room);
  while (text && stream) {
    length += fread(text + length, 1, room - length - 1, stream);
    if (length < room - 1) {
      break;
    }
    text = realloc(text, room *= 2);
  }
  if (!text || !length) {
    free(text);
    return NULL;
  }
  text[length] = 0;
  return text;
}

char* model_output(const char* command) {
  FILE* program = popen(command, "r");
  char* text = read_all(program);
  int status = program ? pclose(program) : -1;
  if (!text || status) {
    free(text);
    fail_msg("status %d of: %s", status, command);
  }
  return text;
}

char* model_text(const char* model) {
  if (isdigit((unsigned char)model[0])) {
    char command[1100];
    snprintf(command, sizeof command, "python3 '" MODELS "crowd.py' %s", model);
    return model_output(command);
  }
  if (!strncmp(model, SHARED_MODELS, strlen(SHARED_MODELS))) {
    shared_or_skip();
  }
  FILE* file = fopen(model, "rb");
  char* text = read_all(file);
  if (file) {
    fclose(file);
  }
  if (!text) {
    fail_msg("%s can't be read", model);
  }
  return text;
}

mjModel* our_model(const char* model) {
  char* text = model_text(model);
  mjModel* m = test_model(text);
  free(text);
  return m;
}

Bridge* both_models(const char* model) {
  BRIDGE_OR_SKIP();
  char* text = model_text(model);
  Bridge* b = test_bridge(text);
  mj_deleteData(b->d);
  mj_deleteModel(b->m);
  b->m = cnd_loadXMLString(text, NULL, NULL);
  free(text);
  assert_non_null(b->m);
  b->d = mj_makeData(b->m);
  return b;
}

typedef struct Found_ {
  char** name;
  size_t count;
} Found;

// Adds the files whose paths are in a folder, given with a '/' at its end, and match a pattern.
static void find_in(Found* found, const char* folder, const char* pattern) {
  char part[300], path[1000];
  size_t length = strcspn(pattern, "/");
  snprintf(part, sizeof part, "%.*s", (int)length, pattern);
  Folder* open = folder_open(folder);
  for (const char* name; open && (name = folder_next(open));) {
    if (name[0] == '.' || !pattern_matches(part, name)) {
      continue;
    }
    snprintf(path, sizeof path, "%s%s%s", folder, name, pattern[length] ? "/" : "");
    if (pattern[length]) {
      find_in(found, path, pattern + length + 1);
    } else {
      found->name = realloc(found->name, (found->count + 1) * sizeof(char*));
      found->name[found->count++] = strcpy(malloc(strlen(path) + 1), path);
    }
  }
  if (open) {
    folder_close(open);
  }
}

static int compare_names(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

void models_matching(const char* pattern, void (*visit)(const char* path)) {
  char folder[1000];
  size_t fixed = strcspn(pattern, "*?[");
  while (fixed && pattern[fixed - 1] != '/') {
    fixed--;
  }
  snprintf(folder, sizeof folder, "%.*s", (int)fixed, pattern);
  Found found = {NULL, 0};
  find_in(&found, folder, pattern + fixed);
  if (!found.count) {
    fail_msg("no model is called %s", pattern);
  }
  qsort(found.name, found.count, sizeof(char*), compare_names);
  for (size_t i = 0; i < found.count; i++) {
    int before = test_owned();
    visit(found.name[i]);
    test_release_down_to(before);
    free(found.name[i]);
  }
  free(found.name);
}

void models_each(const char* prefix, void (*visit)(const char* path)) {
  char pattern[1000];
  snprintf(pattern, sizeof pattern, TEST_MODELS "%s*.xml", prefix);
  models_matching(pattern, visit);
}

void* reference_option(const Bridge* b, const char* name) {
  RefModelField* find;
  void* symbol = bridge_function("bridge_ref_model_field");
  memcpy(&find, &symbol, sizeof symbol);
  RefField field;
  assert_true(find(&field, b->ref_m, name));
  return field.data;
}

void tighten(mjModel* m) {
  m->opt.tolerance = 0;
  m->opt.ls_tolerance = (mjtNum)1e-10;
  m->opt.iterations = 200;
  m->opt.ls_iterations = 100;
}

void tighten_both(Bridge* b) {
  tighten(b->m);
  *(double*)reference_option(b, "tolerance") = (double)b->m->opt.tolerance;
  *(double*)reference_option(b, "ls_tolerance") = (double)b->m->opt.ls_tolerance;
  *(int*)reference_option(b, "iterations") = b->m->opt.iterations;
  *(int*)reference_option(b, "ls_iterations") = b->m->opt.ls_iterations;
}
