// Do the models of tests/models, which are compared with the references, use all of the format?
//
// Every attribute of every usable element must have a value other than its default in one of them,
// in a class too, and every keyword must be written somewhere. What can't be used stands in
// `exceptions`, with the reason. A failure lists what is missing.

#define _GNU_SOURCE

#include <dirent.h>

#include "mjcf/check.h"
#include "support/test.h"

#define FOLDER CONDYLE_SOURCE_DIR "/tests/models"
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum {
  MAX_USES = 8192,
  MAX_DEPTH = 12,
  MAX_NUMBERS = 16,
};

// What no model can use; an empty field stands for any.
static const struct {
  const char *element, *attribute, *word, *why;
} exceptions[] = {
    {"worldbody", "name", "", "the world has no attributes"},
    {"worldbody", "childclass", "", "the same"},
    {"worldbody", "pos", "", "the same"},
    {"worldbody", "quat", "", "the same"},
    {"worldbody", "axisangle", "", "the same"},
    {"worldbody", "xyaxes", "", "the same"},
    {"worldbody", "zaxis", "", "the same"},
    {"worldbody", "euler", "", "the same"},
    {"worldbody", "mocap", "", "the same"},
    {"worldbody", "gravcomp", "", "the same"},
    {"worldbody", "user", "", "the same"},
    {"deformable", "", "", "holds deformables only"},
    {"compiler", "coordinate", "", "global is refused"},
    {"flag", "ipc", "", "enable is refused"},
    {"default", "class", "", "that of the outermost is main"},
    {"ballquat", "cutoff", "", "quaternions aren't cut off"},
    {"framequat", "cutoff", "", "the same"},
    {"framexaxis", "cutoff", "", "nor are axes"},
    {"frameyaxis", "cutoff", "", "the same"},
    {"framezaxis", "cutoff", "", "the same"},
    {"model", "content_type", "", "there is no other than the default"},
    {"mesh", "builtin", "none", "is refused"},
    {"texture", "class", "", "the reference's textures have none"},
    {"worldbody", "simple", "", "the world has no attributes"},
    {"worldbody", "fuse", "", "the same"},
    {"worldbody", "sleep", "", "the same"},
    {"compiler", "conflict", "", "of a later release than the reference"},
    {"body", "simple", "", "the same"},
    {"body", "fuse", "", "the same"},
    {"attach", "frame", "", "the same"},
    {"flexcomp", "mesh", "", "the same"},
    {"mesh", "builtin", "grid", "the same"},
    {"mesh", "builtin", "box", "the same"},
    {"mesh", "builtin", "cylinder", "the same"},
    {"mesh", "builtin", "ellipsoid", "the same"},
    {"mesh", "builtin", "square", "the same"},
    {"mesh", "builtin", "disc", "the same"},
    {"tendon", "actuatorfrclimited", "", "the reference's classes have none"},
    {"tendon", "actuatorfrcrange", "", "the same"},
    {"tendon", "armature", "", "the same"},
    {"site", "type", "plane", "is refused"},
    {"site", "type", "hfield", "is refused"},
    {"site", "type", "mesh", "is refused"},
    {"site", "type", "sdf", "has no mesh"},
    {"element", "objtype", "flex", "deformable"},
    {"composite", "type", "", "kinds other than cable are refused"},
    {"plugin", "instance", "", "the reference refuses it in composites"},
    {"element", "objtype", "dof", "has no names"},
    {"element", "objtype", "frame", "can't be found once compiled"},
};

// The types of object that have a frame: sensors refuse the others.
static const char* const framed[] = {"body", "xbody", "geom", "site", "camera"};

// One attribute of one kind of element with a value of its own, or, where there is a word, one
// keyword of a row, whichever element wrote it.
typedef struct Use_ {
  const SchemaElement* element;
  const SchemaRow* row;
  const char* word;
} Use;

static Use uses[MAX_USES];
static int nuse;

static int is_used(const SchemaElement* element, const SchemaRow* row, const char* word) {
  for (int i = 0; i < nuse; i++) {
    if (uses[i].element == element && uses[i].row == row && uses[i].word == word) {
      return 1;
    }
  }
  return 0;
}

static void add_use(const SchemaElement* element, const SchemaRow* row, const char* word) {
  if (!is_used(element, row, word)) {
    assert_that(nuse, <, MAX_USES);
    uses[nuse++] = (Use){element, row, word};
  }
}

static int matches(const char* pattern, const char* name) {
  return !pattern[0] || (name && !strcmp(pattern, name));
}

static int is_exception(const char* element, const char* attribute, const char* word) {
  for (size_t i = 0; i < LENGTH(exceptions); i++) {
    if (matches(exceptions[i].element, element) && matches(exceptions[i].attribute, attribute) &&
        matches(exceptions[i].word, word)) {
      return 1;
    }
  }
  int is_sensor = attribute && strcmp(element, "element") != 0;
  if (!word || !is_sensor || (strcmp(attribute, "objtype") && strcmp(attribute, "reftype"))) {
    return 0;
  }
  for (size_t i = 0; i < LENGTH(framed); i++) {
    if (!strcmp(framed[i], word)) {
      return 0;
    }
  }
  return 1;
}

static int read_numbers(double out[MAX_NUMBERS], const char* text) {
  int count = 0;
  char* end;
  for (; count < MAX_NUMBERS; count++, text = end) {
    out[count] = strtod(text, &end);
    if (end == text) {
      break;
    }
  }
  return count;
}

// Does a value say something else than its absence?
static int is_own_value(const SchemaRow* row, const char* value) {
  if (!row->fallback) {
    return 1;
  }
  double given[MAX_NUMBERS], usual[MAX_NUMBERS];
  int ngiven = read_numbers(given, value), nusual = read_numbers(usual, row->fallback);
  if (!ngiven || !nusual) {
    return strcmp(value, row->fallback) != 0;
  }
  for (int i = 0; i < ngiven && i < nusual; i++) {
    if (given[i] != usual[i]) {
      return 1;
    }
  }
  return 0;
}

// everything a document uses

static void collect(const Node* node) {
  add_use(node->schema, NULL, NULL);
  for (int i = 0; i < node->nattribute; i++) {
    const Attribute* attribute = &node->attributes[i];
    const SchemaRow* row = attribute->row;
    const SchemaKey* key = row && row->keys ? schema_key(row->keys, attribute->value) : NULL;
    if (row && is_own_value(row, attribute->value)) {
      add_use(node->schema, row, NULL);
    }
    if (key) {
      add_use(NULL, row, key->word);
    }
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (child->schema && !child->skip) {
      collect(child);
    }
  }
}

// Parts of a composite share the words of other elements; most are refused or have no effect.
static int count_missing_words(const char* path, const SchemaElement* element,
                               const SchemaRow* row) {
  if (strstr(path, "/composite")) {
    return 0;
  }
  int missing = 0;
  for (const SchemaKey* key = row->keys; key && key->word; key++) {
    if (!is_exception(element->name, row->name, key->word) && !is_used(NULL, row, key->word)) {
      print_error("no model uses %s/%s@%s='%s'\n", path, element->name, row->name, key->word);
      add_use(NULL, row, key->word);
      missing++;
    }
  }
  return missing;
}

static int count_missing_rows(const char* path, const SchemaElement* element) {
  const SchemaRow* row;
  int missing = 0;
  for (int i = 0; (row = schema_rowat(element, i)); i++) {
    if (is_exception(element->name, row->name, NULL)) {
      continue;
    }
    if (!is_used(element, row, NULL)) {
      print_error("no model uses %s/%s@%s\n", path, element->name, row->name);
      missing++;
    }
    missing += count_missing_words(path, element, row);
  }
  return missing;
}

// The reference, with which all models are compared, has no defaults of textures.
static int is_ours(const char* path, const SchemaElement* element) {
  return strstr(path, "/default") && strcmp(element->name, "texture") == 0;
}

static int count_missing(const char* path, const SchemaElement* element, int depth) {
  if ((element->flags & ELEMENT_IGNORED) || depth > MAX_DEPTH || is_ours(path, element) ||
      is_exception(element->name, NULL, NULL)) {
    return 0;
  }
  int missing = 0;
  if (!is_used(element, NULL, NULL)) {
    print_error("no model uses %s/%s\n", path, element->name);
    missing++;
  }
  missing += count_missing_rows(path, element);
  const SchemaElement* child = element->children;
  for (; child && child->name; child++) {
    // what holds itself is seen once
    char below[200];
    snprintf(below, sizeof(below), "%.100s/%.60s", path, element->name);
    if (child->children != element->children) {
      missing += count_missing(below, child, depth + 1);
    } else if (!(child->flags & ELEMENT_IGNORED)) {
      missing += count_missing_rows(below, child);
    }
  }
  return missing;
}

// what the table doesn't say: kinds of files, and what built-in textures combine

static const struct {
  const char *element, *attribute, *ending;
} files[] = {
    {"mesh", "file", ".stl"},    {"mesh", "file", ".obj"},    {"mesh", "file", ".msh"},
    {"hfield", "file", ".png"},  {"hfield", "file", ".bin"},  {"texture", "file", ".png"},
    {"texture", "file", ".bin"}, {"texture", "file", ".ktx"}, {"model", "file", ".xml"},
};
static int file_used[LENGTH(files)];

enum {
  NTYPE = 3,
  NBUILTIN = 4,
  NMARK = 4,
};
static int texture_used[NTYPE][NBUILTIN][NMARK];

// The value of a keyword attribute, its default if it isn't written.
static int word_of(const Node* node, const char* name) {
  const SchemaRow* row = schema_row(node->schema, name);
  const char* text = node_text(node, name);
  const SchemaKey* key = schema_key(row->keys, text ? text : row->fallback);
  return key ? key->value : 0;
}

static void collect_content(const Node* node) {
  for (size_t i = 0; i < LENGTH(files); i++) {
    const char* file =
        strcmp(node->name, files[i].element) ? NULL : node_text(node, files[i].attribute);
    file_used[i] |= file && strstr(file, files[i].ending);
  }
  if (!strcmp(node->name, "texture") && node_text(node, "builtin")) {
    texture_used[word_of(node, "type")][word_of(node, "builtin")][word_of(node, "mark")] = 1;
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (child->schema && !child->skip) {
      collect_content(child);
    }
  }
}

static int is_model(const struct dirent* entry) {
  const char* dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".xml") == 0;
}

static int visit_folder(const char* folder, void (*visit)(const Node*)) {
  struct dirent** list;
  int count = scandir(folder, &list, is_model, alphasort);
  assert_that(count, >, 0);
  for (int i = 0; i < count; i++) {
    Document* document = document_readfile(folder, list[i]->d_name, NULL, NULL);
    assert_non_null(document);
    if (check_document(document_root(document), NULL)) {
      visit(document_root(document));
    }
    document_free(document);
    free(list[i]);
  }
  free(list);
  return count;
}

// Visits the root of every model: those that the reference reads, and those with words of later
// releases.
static int visit_models(void (*visit)(const Node*)) {
  return visit_folder(FOLDER, visit) + visit_folder(FOLDER "/since", visit);
}

TEST(there_are_150_models) {
  int count = visit_models(collect);
  if (count < 150) {
    fail_msg("%d models", count);
  }
}

TEST(models_use_every_attribute_and_keyword) {
  visit_models(collect);
  assert_int_equal(count_missing("", schema_root(), 0), 0);
}

TEST(models_use_every_kind_of_file_and_builtin_texture) {
  visit_models(collect_content);
  int missing = 0;
  for (size_t i = 0; i < LENGTH(files); i++) {
    if (!file_used[i]) {
      print_error("no model uses <%s file='*%s'>\n", files[i].element, files[i].ending);
      missing++;
    }
  }
  for (int i = 0; i < NTYPE * (NBUILTIN - 1) * NMARK; i++) {
    int type = i % NTYPE, builtin = 1 + i / NTYPE % (NBUILTIN - 1),
        mark = i / NTYPE / (NBUILTIN - 1);
    if (!texture_used[type][builtin][mark]) {
      print_error("no texture of type %d, builtin %d, mark %d\n", type, builtin, mark);
      missing++;
    }
  }
  assert_int_equal(missing, 0);
}
