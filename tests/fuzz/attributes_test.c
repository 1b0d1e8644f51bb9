// Every number of the format at the ends of what numbers can say: each real or integer attribute of
// the schema, each of its places, is set in turn to what no author means. A model is refused, with
// a reason and a place, or it is stepped.
//
// The models of tests/models, which use every attribute, say where one may stand.
// CONDYLE_ATTRIBUTE=geom@size runs one alone and prints each value.

#define _GNU_SOURCE

#include <condyle/condyle.h>
#include <condyle/lint.h>
#include <condyle/load.h>
#include <dirent.h>
#include <unistd.h>

#include "base/memory/error.h"
#include "compile/compile.h"
#include "mjcf/check.h"
#include "support/test.h"

#define FOLDER CONDYLE_SOURCE_DIR "/tests/models"

static const char* const reals[] = {"NaN", "Inf", "-Inf", "1e308", "-1e308", "1e-320", "0", "-1"};
static const char* const integers[] = {"2147483647", "-2147483648", "2147483648", "65537",
                                       "1073741824", "-1",          "0",          "1e9"};
_Static_assert(sizeof(reals) == sizeof(integers), "as many of each");

enum {
  NVALUE = sizeof(reals) / sizeof(reals[0]),
  MAX_PLACES = 1024,
  MAX_NUMBERS = 16,       // places in an array that are tried
  SMALL_ARENA = 1 << 20,  // zeroing the usual one would take most of the time
#ifdef __SANITIZE_THREAD__
  MAX_BYTES = 1 << 25,  // the thread sanitizer takes many times as much for itself
#else
  MAX_BYTES = 1 << 28,
#endif
  MAX_LENGTHRANGE = 100,  // steps to find the range of an actuator: how many is the author's choice
};

// Where an attribute of a kind of element stands in the smallest model that has it.
typedef struct Place_ {
  const SchemaElement* element;
  const SchemaRow* row;
  char file[64];
  size_t size;           // of the file
  size_t first, length;  // of the attribute's value in it
} Place;

static Place places[MAX_PLACES];
static int nplace;

static int is_real(const SchemaRow* row) {
  return row &&
         (row->kind == ATTR_REAL || row->kind == ATTR_QUAT || row->kind == ATTR_ALTERNATIVE ||
          row->kind == ATTR_REALS || row->kind == ATTR_SINGLES);
}

static int is_integer(const SchemaRow* row) {
  return row && (row->kind == ATTR_INT || row->kind == ATTR_INTS || row->kind == ATTR_INTEGERS);
}

static Place* place_of(const SchemaElement* element, const SchemaRow* row) {
  for (int i = 0; i < nplace; i++) {
    if (places[i].element == element && places[i].row == row) {
      return &places[i];
    }
  }
  assert_that(nplace, <, MAX_PLACES);
  places[nplace] = (Place){.element = element, .row = row};
  return &places[nplace++];
}

// The text of an attribute's value in the source.
static const char* find_value(const Node* node, const Attribute* attribute) {
  size_t length = strlen(attribute->name);
  const char* text = node->source->text + node->offset;
  while ((text = strstr(text + 1, attribute->name))) {
    const char* quote = text + length + strspn(text + length, "= \n");
    if (strchr(" \n", text[-1]) && strchr("= ", text[length]) && strchr("'\"", *quote)) {
      return quote + 1;
    }
  }
  return NULL;
}

static void collect(const Node* node, const char* file) {
  for (int i = 0; i < node->nattribute && !node->source->includer; i++) {
    const Attribute* attribute = &node->attributes[i];
    int is_number = is_real(attribute->row) || is_integer(attribute->row);
    Place* place = is_number ? place_of(node->schema, attribute->row) : NULL;
    if (place && (!place->size || node->source->size < place->size)) {
      const char* value = find_value(node, attribute);
      assert_non_null(value);
      snprintf(place->file, sizeof(place->file), "%s", file);
      place->size = node->source->size;
      place->first = (size_t)(value - node->source->text);
      place->length = strcspn(value, "'\"");
    }
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (child->schema && !child->skip) {
      collect(child, file);
    }
  }
}

static int is_model(const struct dirent* entry) {
  const char* dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".xml") == 0;
}

static void collect_models(void) {
  struct dirent** list;
  int count = scandir(FOLDER, &list, is_model, alphasort);
  for (int i = 0; i < count; i++) {
    Document* document = document_readfile(FOLDER, list[i]->d_name, NULL, NULL);
    assert_non_null(document);
    if (check_document(document_root(document), NULL)) {
      collect(document_root(document), list[i]->d_name);
    }
    document_free(document);
    free(list[i]);
  }
  free(list);
}

static char* read_file(const char* name, size_t size) {
  char* text = malloc(size + 1);
  FILE* file = fopen(name, "r");
  assert_true(text);
  assert_true(file);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  text[size] = 0;
  return text;
}

// The text with the k-th number of a value replaced; NULL if there are fewer. The caller frees it.
static char* replaced(const char* text, const Place* place, int k, const char* number) {
  const char *at = text + place->first, *end = at + place->length;
  at += strspn(at, " \n\t");
  for (; k && at < end; k--) {
    at += strcspn(at, " \n\t'\"");
    at += strspn(at, " \n\t");
  }
  if (at >= end) {
    return NULL;
  }
  char* out = malloc(place->size + strlen(number) + 1);
  assert_non_null(out);
  size_t before = (size_t)(at - text), length = strcspn(at, " \n\t'\"");
  memcpy(out, text, before);
  strcpy(out + before, number);
  strcat(out + before, at + length);
  return out;
}

static void limit_work(mjSpec* spec) {
  mjLROpt* range = &spec->compiler.LRopt;
  if (range->inttotal > MAX_LENGTHRANGE * range->timestep && range->inttotal < 1e6) {
    range->inttotal = MAX_LENGTHRANGE * range->timestep;
  }
  if (spec->memory == (mjtSize)-1 && spec->nstack == (mjtSize)-1 && spec->njmax < 0) {
    spec->memory = SMALL_ARENA;
  }
}

typedef struct Run_ {
  const mjSpec* spec;
  const mjModel* model;
  mjData* data;
  int is_unreadable;  // what was saved of it
} Run;

// What a program does with a model that loaded.
static void use(void* argument) {
  Run* run = argument;
  run->data = mj_makeData(run->model);
  for (int i = 0; i < 2 && run->data; i++) {
    mj_step(run->model, run->data);
  }
  static char saved[1 << 18];
  if (mj_saveXMLString(run->spec, saved, sizeof(saved), NULL, 0) == 0) {
    mjSpec* again = mj_parseXMLString(saved, NULL, NULL, 0);
    run->is_unreadable = !again;
    mj_deleteSpec(again);
  }
  cnd_lintModel(run->model, NULL, NULL);
}

// 1 if every row of an array has length 1, or is not a number as its author wrote.
static int are_unit(const mjtNum* v, int rows, int columns) {
  for (int i = 0; i < rows; i++) {
    mjtNum length = mju_norm(v + i * columns, columns);
    if (mju_abs(length - 1) > (mjtNum)1e-3) {
      return 0;
    }
  }
  return 1;
}

static int has_directions(const mjModel* m) {
  return are_unit(m->body_quat, m->nbody, 4) && are_unit(m->body_iquat, m->nbody, 4) &&
         are_unit(m->geom_quat, m->ngeom, 4) && are_unit(m->site_quat, m->nsite, 4) &&
         are_unit(m->cam_quat, m->ncam, 4) && are_unit(m->jnt_axis, m->njnt, 3) &&
         are_unit(m->light_dir, m->nlight, 3);
}

// 1 if there is an error with a place.
static int has_place(const cndDiagnostics* problems) {
  const cndDiagnostic* it;
  for (int i = 0; (it = cnd_diagnostic(problems, i)); i++) {
    if (it->severity == cndSEVERITY_ERROR && it->line > 0 && it->message[0]) {
      return 1;
    }
  }
  return 0;
}

// NULL if all is well with a model, else what is not.
static const char* trouble(const char* text, int* refused) {
  static char message[400];
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(text, NULL, problems);
  mjModel* model = NULL;
  message[0] = 0;
  if (spec) {
    limit_work(spec);
    spec_tree(spec)->diagnostics = problems;
    model = compile_tree(spec_tree(spec), NULL);
    spec_tree(spec)->diagnostics = NULL;
  }
  *refused = !model;
  if (model) {
    Run run = {.spec = spec, .model = model};
    error_catch(message, sizeof(message), use, &run);
    if (run.is_unreadable) {
      snprintf(message, sizeof(message), "the saved file can't be read");
    }
    if (!has_directions(model)) {
      snprintf(message, sizeof(message), "a direction without length");
    }
    mj_deleteData(run.data);
    mj_deleteModel(model);
  } else if (!has_place(problems)) {
    snprintf(message, sizeof(message), "no place: %s", cnd_diagnostic(problems, 0)->message);
  }
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  return message[0] ? message : NULL;
}

TEST(extreme_numbers_are_refused_at_their_place_or_stepped) {
  collect_models();
  assert_int_equal(chdir(FOLDER), 0);
  mju_user_warning = silent;
  cnd_limitMemory(MAX_BYTES);
  const char* one = getenv("CONDYLE_ATTRIBUTE");
  int tried = 0, nrefused = 0, wrong = 0;
  for (int i = 0; i < nplace; i++) {
    const Place* place = &places[i];
    const char* const* values = is_real(place->row) ? reals : integers;
    char name[100];
    snprintf(name, sizeof(name), "%s@%s", place->element->name, place->row->name);
    if (!place->size || (one && strcmp(one, name) != 0)) {
      continue;
    }
    char *text = read_file(place->file, place->size), *changed = NULL;
    for (int k = 0; k < NVALUE * MAX_NUMBERS; k++) {
      changed = replaced(text, place, k / NVALUE, values[k % NVALUE]);
      if (!changed) {
        break;
      }
      if (one) {
        print_message("%s: %s, number %d of %s\n", place->file, values[k % NVALUE], k / NVALUE,
                      name);
      }
      int refused;
      const char* problem = trouble(changed, &refused);
      if (problem) {
        print_error("%s: %s as number %d of %s: %s\n", place->file, values[k % NVALUE], k / NVALUE,
                    name, problem);
        wrong++;
      }
      tried++;
      nrefused += refused;
      free(changed);
    }
    free(text);
  }
  cnd_limitMemory(0);
  mju_user_warning = NULL;
  print_message("%d attributes, %d models, %d of them refused\n", nplace, tried, nrefused);
  assert_int_equal(wrong, 0);
  assert_true(one || (nplace > 300 && nrefused > tried / 8));
}
