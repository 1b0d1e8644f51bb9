// settings.c: reads compiler, option, size, visual and statistic. If a setting is given twice, the
// last one counts. A later section keeps the settings that it does not mention.

#include <condyle/behaviour.h>
#include <float.h>
#include <mujoco/api/spec.h>
#include <stdint.h>
#include <string.h>

#include "base/text/text.h"
#include "mjcf/read/context.h"
#include "mjcf/read/sections.h"
#include "spec/setting/authored.h"
#include "spec/spec.h"

enum {
  MAX_GROUP = 30,  // highest actuator group that can be disabled
};

static const mjtSize automatic = (mjtSize)-1;  // the compiler chooses the size of memory

// A child element of the section. One from an include inside the section passes the check but has
// no effect. [theory/model/format.md, Includes]
static const Node* own_child(const Reader* reader, const Node* section, const char* name) {
  const Node* child = node_child(section, name);
  if (child && child->source != section->source) {
    node_report(child, NULL, reader->problems, cndSEVERITY_WARNING, NULL,
                "included into <%s>: it has no effect", section->name);
    return NULL;
  }
  return child && !child->skip ? child : NULL;
}

// Reads attributes into a part of the spec, and records that they are given.
static void read_authored(const Reader* reader, const Node* node, void* target) {
  SpecTree* tree = spec_tree(reader->spec);
  size_t base = (size_t)((char*)target - (char*)reader->spec);
  values_read(reader, node, target);
  for (int i = 0; i < node->nattribute; i++) {
    const SchemaRow* row = node->attributes[i].row;
    if (row && row->store != STORE_CODE) {
      authored_note(tree, base + row->offset, row->kind == ATTR_BIT ? row->value : 0);
    }
  }
}

static void note_rules(const Reader* reader, const Node* node) {
  SpecTree* tree = spec_tree(reader->spec);
  tree->ruled = node_place(node, NULL);
  tree->ruled.file = spec_intern(tree, tree->ruled.file ? tree->ruled.file : "");
}

static void read_dialect(const Reader* reader, const Node* node, const char* attribute) {
  const char* text = values_text(node, attribute);
  int dialect = text ? cnd_dialect(text) : 0;
  if (text && !dialect) {
    values_error(reader, node, attribute, "give a release, such as \"4.0\"",
                 "a dialect is a release from 3.3 to 4.0");
  } else if (dialect) {
    cnd_setDialect(reader->spec, dialect);
    spec_setrules(spec_tree(reader->spec), reader->spec->option.behaviour);
    note_rules(reader, node);
  }
}

void read_dialecttext(const Reader* reader, const Node* root) {
  for (const Node* section = root->first; section; section = section->next) {
    for (const Node* it = section->first; read_is(section, "custom") && it; it = it->next) {
      const char* name = read_is(it, "text") && !it->skip ? values_text(it, "name") : NULL;
      if (name && !strcmp(name, "dialect")) {
        read_dialect(reader, it, "data");
      }
    }
  }
}

void read_compiler(const Reader* reader, const Node* section) {
  mjsCompiler* compiler = &reader->spec->compiler;

  // assetdir serves both; meshdir and texturedir of the same element override it
  const char* assetdir = values_text(section, "assetdir");
  if (assetdir) {
    mjs_setString(compiler->meshdir, assetdir);
    mjs_setString(compiler->texturedir, assetdir);
  }
  read_authored(reader, section, reader->spec);

  read_dialect(reader, section, "dialect");

  const char* sequence = values_text(section, "eulerseq");
  if (sequence && strlen(sequence) != sizeof(compiler->eulerseq)) {
    values_error(reader, section, "eulerseq", NULL, "euler format must have length 3");
  } else if (sequence && sequence[strspn(sequence, "xyzXYZ")]) {
    values_error(reader, section, "eulerseq", NULL,
                 "euler sequence can only contain x, y, z, X, Y, Z");
  } else if (sequence) {
    memcpy(compiler->eulerseq, sequence, sizeof(compiler->eulerseq));
    authored_note(spec_tree(reader->spec), offsetof(mjSpec, compiler.eulerseq), 0);
  }
  int global;
  if (values_key(&global, reader, section, "coordinate") && global) {
    values_error(
        reader, section, "coordinate", "give poses in the frame of the parent body",
        "global coordinates no longer supported. To convert existing models, load and save "
        "them in MuJoCo 2.3.3 or older");
  }
  const Node* lengthrange = own_child(reader, section, "lengthrange");
  if (lengthrange) {
    values_read(reader, lengthrange, &compiler->LRopt);
  }
}

// Later releases have it as a bit of disableflags: on unless it is disabled.
static void read_multiccd(const Reader* reader, const Node* flag, mjOption* option) {
  if (values_has(flag, "multiccd")) {
    option->disableflags &= ~mjDSBL_MULTICCD;
    option->disableflags |= option->enableflags & mjENBL_MULTICCD ? 0 : mjDSBL_MULTICCD;
    authored_note(spec_tree(reader->spec), offsetof(mjSpec, option.disableflags), mjDSBL_MULTICCD);
  }
}

// An experimental mode of release 4.0.0, with multipliers that no state has.
static void refuse_ipc(const Reader* reader, const Node* flag) {
  const char* word = values_text(flag, "ipc");
  int off;
  if (!word || strcmp(word, "enable")) {
    values_key(&off, reader, flag, "ipc");
  } else {
    values_error(reader, flag, "ipc", "contacts of flexes are rows of the solver without it",
                 "the flag ipc (contacts of flexes by an augmented Lagrangian, experimental in "
                 "4.0.0) is not there");
  }
}

void read_option(const Reader* reader, const Node* section) {
  mjOption* option = &reader->spec->option;
  read_authored(reader, section, option);
  if (option->timestep < 0 && values_has(section, "timestep")) {
    values_error(reader, section, "timestep", NULL, "timestep must not be negative");
  }

  // disabled groups accumulate
  int group[VALUES_MAX * 2];
  int count = values_ints(group, reader, section, "actuatorgroupdisable");
  for (int i = 0; i < count; i++) {
    if (group[i] < 0) {
      values_error(reader, section, "actuatorgroupdisable", NULL,
                   "disabled actuator group value must be non-negative");
    } else if (group[i] > MAX_GROUP) {
      values_error(reader, section, "actuatorgroupdisable", NULL,
                   "disabled actuator group value cannot exceed %d", MAX_GROUP);
    } else {
      option->disableactuator |= 1 << group[i];
    }
  }
  authored_note(spec_tree(reader->spec), offsetof(mjSpec, option.disableactuator),
                option->disableactuator);
  const Node* flag = own_child(reader, section, "flag");
  if (flag) {
    read_authored(reader, flag, option);
    read_multiccd(reader, flag, option);
    refuse_ipc(reader, flag);
  }
  const Node* behaviour = own_child(reader, section, "behaviour");
  if (behaviour) {
    values_read(reader, behaviour, option);
    spec_setrules(spec_tree(reader->spec), option->behaviour);
    note_rules(reader, behaviour);
  }
}

// Reads bytes as "N", "NK", "NM", ... up to "NE", or "-1" for automatic. Returns 0 if the text is
// none of these.
static int parse_memory(mjtSize* out, const char* text) {
  static const char suffixes[] = "KMGTPE";
  while (text_isspace(*text)) {
    text++;
  }
  int negative = *text == '-';
  text += negative || *text == '+';
  uint64_t value = 0;
  int digits = 0, shift = 0;
  for (; *text >= '0' && *text <= '9'; text++, digits++) {
    if (value > (uint64_t)INT64_MAX / 10 - 1) {
      return 0;
    }
    value = 10 * value + (uint64_t)(*text - '0');
  }
  char letter = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
  const char* suffix = letter ? strchr(suffixes, letter) : NULL;
  if (suffix) {
    shift = 10 * ((int)(suffix - suffixes) + 1);
    text++;
  }
  while (text_isspace(*text)) {
    text++;
  }
  if (!digits || *text || (negative && (value != 1 || suffix)) ||
      value > (uint64_t)INT64_MAX >> shift) {
    return 0;
  }
  *out = negative ? automatic : (mjtSize)(value << shift);
  return 1;
}

void read_size(const Reader* reader, const Node* section) {
  mjSpec* spec = reader->spec;
  const char* memory = values_text(section, "memory");
  if (memory && !parse_memory(&spec->memory, memory)) {
    values_error(reader, section, "memory", NULL,
                 "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in attribute "
                 "'memory' (or the size specified is too big)");
  }
  values_read(reader, section, spec);

  // problems of the whole model are shown here, because they are mostly about its sizes
  read_place(reader, section, spec->element);

  static const char* const outdated[] = {"njmax", "nstack"};
  for (int i = 0; i < 2; i++) {
    if (spec->memory != automatic && values_text(section, outdated[i])) {
      values_error(reader, section, outdated[i], NULL,
                   "either 'memory' and '%s' attribute can be specified, not both", outdated[i]);
    }
  }
  for (int i = 0; i < section->nattribute; i++) {
    const SchemaRow* row = section->attributes[i].row;
    int bounded = row && (text_equal(row->name, "nconmax") || !strncmp(row->name, "nuser_", 6));
    if (bounded && schema_number((char*)spec + row->offset, row->store, 0) < -1) {
      values_error(reader, section, row->name, NULL, "%s must be >= -1", row->name);
    }
  }
}

void read_visual(const Reader* reader, const Node* node) {
  mjVisual* visual = &reader->spec->visual;
  read_authored(reader, node, visual);
  if (read_is(node, "global") && visual->global.realtime <= 0) {
    values_error(reader, node, "realtime", NULL, "realtime must be greater than 0");
  }
  if (read_is(node, "map") && visual->map.znear <= 0) {
    values_error(reader, node, "znear", NULL, "znear must be strictly positive");
  }
}

void read_statistic(const Reader* reader, const Node* section) {
  mjStatistic* statistic = &reader->spec->stat;
  values_read(reader, section, statistic);
  if (statistic->extent < DBL_MIN && values_has(section, "extent")) {
    values_error(reader, section, "extent", NULL, "extent must be strictly positive");
  }
}
