// later.c: finds words of later releases in a document, for lint: who writes them may expect the
// other rules of that release, too.                                   theory/model/dialects.md

#include "mjcf/later.h"

#include <condyle/behaviour.h>
#include <string.h>

#include "spec/spec.h"

// Elements, NULL for any, that stand in a section, NULL for any; attributes, NULL for the element
// itself; the release. Names are separated by spaces.
typedef struct Later_ {
  const char *section, *elements, *attributes, *release;
} Later;

static const Later later[] = {
    {NULL, "compiler", "conflict", "3.10"},
    {NULL, "compiler", "savecanonical savecompiled", "3.16"},
    {NULL, "compiler", "passthrough", "3.17"},
    {NULL, "option", "sleep_tolerance", "3.4"},
    {NULL, "flag", "diagexact ipc sleep speculative", "3.4"},
    {NULL, "texture", "class embed", "3.17"},
    {NULL, "body", "sleep", "3.4"},
    {NULL, "body", "fuse simple", "3.11"},
    {NULL, "joint fixed spatial", "springyield", "4.0"},
    {NULL, "geom", "castshadow", "4.0"},
    {NULL, "geom", "surfacevel", "3.11"},
    {NULL, "geom pair", "adhesion", "3.11"},
    {NULL, "site", "mesh", "3.13"},
    {NULL, "camera", "output projection", "3.5"},
    {NULL, "light", "softness", "3.16"},
    {NULL, "frame", "massscale scale scaling", "3.16"},
    {NULL, "attach", "frame", "3.8"},
    {NULL, "flexcomp flex", "cellcount mesh nodecoord", "4.0"},
    {NULL, "flex", "dof", "4.0"},
    {NULL, "elasticity", "section sectionsize shear yield", "4.0"},
    {"equality", "flexstrain", NULL, "3.8"},
    {"default", "layer", NULL, "4.0"},
    {"default", "tendon", "actuatorfrclimited actuatorfrcrange armature", "3.14"},
    {"actuator", NULL, "delay interp nsample", "3.5"},
    {"actuator", "general motor position velocity intvelocity damper cylinder muscle",
     "armature damping", "3.7"},
    {"actuator", "general", "ffrange velrange input", "3.11"},
    {"actuator", "general", "inheritrange", "3.16"},
    {"actuator", "intvelocity", "actlimited", "3.11"},
    {"actuator", "dcmotor", NULL, "3.7"},
    {"actuator", "orientation", NULL, "3.11"},
    {"actuator", "pid", NULL, "3.12"},
    {"sensor", NULL, "delay interp interval nsample", "3.5"},
    {"sensor", "rangefinder", "camera data", "3.5"},
    {"sensor", "contact", "noise user", "3.16"},
    {"sensor", "insidesite", "enclosed", "3.15"},
    {"sensor", "tactile", "cutoff", "3.13"},
    {NULL, "key", "plastic", "4.0"},
};

// Words of attributes that are older than they.
static const struct {
  const char *element, *attribute, *word, *release;
} later_words[] = {{"option", "integrator", "discrete", "3.13"}};

// Is the word in a list? NULL is the list of all.
static int listed(const char* words, const char* word) {
  size_t length = strlen(word);
  for (const char* at = words; at; at = strchr(at, ' ')) {
    at += *at == ' ';
    if (!strncmp(at, word, length) && (at[length] == ' ' || !at[length])) {
      return 1;
    }
  }
  return !words;
}

// Keeps a word if it is of a later release than what is known.
static void note(const Reader* reader, const Node* node, const Attribute* attribute,
                 const char* release) {
  SpecTree* tree = spec_tree(reader->spec);
  int dialect = cnd_dialect(release);
  if (dialect <= tree->later.dialect) {
    return;
  }
  tree->later.dialect = dialect;
  tree->later.place = node_place(node, attribute);
  tree->later.place.file = spec_intern(tree, tree->later.place.file ? tree->later.place.file : "");
  tree->later.word = spec_intern(tree, attribute ? attribute->name : node->name);
  tree->later.element = spec_intern(tree, node->name);
}

static void note_node(const Reader* reader, const Node* node, const char* section) {
  for (size_t k = 0; k < sizeof(later) / sizeof(later[0]); k++) {
    const Later* row = later + k;
    if ((row->section && strcmp(row->section, section)) || !listed(row->elements, node->name)) {
      continue;
    }
    if (!row->attributes) {
      note(reader, node, NULL, row->release);
    }
    for (int i = 0; row->attributes && i < node->nattribute; i++) {
      if (listed(row->attributes, node->attributes[i].name)) {
        note(reader, node, &node->attributes[i], row->release);
      }
    }
  }
}

static void note_words(const Reader* reader, const Node* node) {
  for (size_t k = 0; k < sizeof(later_words) / sizeof(later_words[0]); k++) {
    for (int i = 0; i < node->nattribute; i++) {
      const Attribute* attribute = &node->attributes[i];
      if (!strcmp(node->name, later_words[k].element) &&
          !strcmp(attribute->name, later_words[k].attribute) &&
          !strcmp(attribute->value, later_words[k].word)) {
        note(reader, node, attribute, later_words[k].release);
      }
    }
  }
}

// Actuators in classes count as those of their section.
static const char* section_of(const Node* node, const Node* root) {
  static const char actuators[] =
      "general motor position velocity intvelocity damper cylinder muscle adhesion pid orientation "
      "dcmotor";
  if (node->parent && !strcmp(node->parent->name, "default") && listed(actuators, node->name)) {
    return "actuator";
  }
  while (node->parent && node->parent != root) {
    node = node->parent;
  }
  return node->name;
}

void later_note(const Reader* reader, const Node* root) {
  if (reader->generated) {
    return;
  }
  const Node* node = root;
  while (node) {
    note_node(reader, node, section_of(node, root));
    note_words(reader, node);
    const Node* next = node->first;
    while (!next && node && node != root) {
      next = node->next;
      node = node->parent;
    }
    node = next;
  }
}
