// conflict.c: the table of settings that may differ, and what becomes of them when a model is
// attached to another.
//                                                       theory/model/model.md, Conflicting settings

#include "spec/setting/conflict.h"

#include <inttypes.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "spec/setting/authored.h"

typedef enum Kind_ {
  KIND_DOUBLE,
  KIND_FLOAT,
  KIND_INT,
  KIND_SIZE,
} Kind;

// What policy "merge" does with two authored values that differ.
typedef enum Rule_ {
  RULE_MIN,
  RULE_MAX,
  RULE_REFUSE,
} Rule;

// A setting that can be in conflict.
typedef struct Setting_ {
  const char* name;
  size_t offset;  // in mjSpec
  Kind kind;
  int count;
  Rule rule;
} Setting;

#define KIND_OF(member) \
  _Generic(((mjSpec*)0)->member,  \
      double: KIND_DOUBLE,        \
      double*: KIND_DOUBLE,       \
      float: KIND_FLOAT,          \
      float*: KIND_FLOAT,         \
      mjtSize: KIND_SIZE,         \
      default: KIND_INT)
#define SETTING(name, member, rule) \
  { #name, offsetof(mjSpec, member), KIND_OF(member), 1, rule }
#define OPTION(name, rule) SETTING(name, option.name, rule)
#define NUMBERS(name)                                                          \
  {                                                                            \
#name, offsetof(mjSpec, option.name), KIND_OF(option.name),                \
        (int)(sizeof(((mjSpec*)0)->option.name) / sizeof(mjtNum)), RULE_REFUSE \
  }
#define SIZE(name) SETTING(name, name, RULE_MAX)

// In the order of messages: options before flags, pictures and sizes after them.
static const Setting options[] = {
    OPTION(timestep, RULE_MIN),
    OPTION(tolerance, RULE_MIN),
    OPTION(ls_tolerance, RULE_MIN),
    OPTION(noslip_tolerance, RULE_MIN),
    OPTION(ccd_tolerance, RULE_MIN),
    OPTION(sleep_tolerance, RULE_MIN),
    OPTION(iterations, RULE_MAX),
    OPTION(ls_iterations, RULE_MAX),
    OPTION(noslip_iterations, RULE_MAX),
    OPTION(ccd_iterations, RULE_MAX),
    OPTION(sdf_iterations, RULE_MAX),
    OPTION(sdf_initpoints, RULE_MAX),
    OPTION(impratio, RULE_REFUSE),
    OPTION(density, RULE_REFUSE),
    OPTION(viscosity, RULE_REFUSE),
    OPTION(o_margin, RULE_REFUSE),
    OPTION(integrator, RULE_REFUSE),
    OPTION(cone, RULE_REFUSE),
    OPTION(jacobian, RULE_REFUSE),
    OPTION(solver, RULE_REFUSE),
    NUMBERS(gravity),
    NUMBERS(wind),
    NUMBERS(magnetic),
    NUMBERS(o_solref),
    NUMBERS(o_solimp),
    NUMBERS(o_friction),
};
static const Setting others[] = {
    SETTING(znear, visual.map.znear, RULE_MIN),
    SETTING(realtime, visual.global.realtime, RULE_MIN),
    SETTING(zfar, visual.map.zfar, RULE_MAX),
    SIZE(memory),
    SIZE(nuserdata),
    SIZE(nkey),
    SIZE(nuser_body),
    SIZE(nuser_jnt),
    SIZE(nuser_geom),
    SIZE(nuser_site),
    SIZE(nuser_cam),
    SIZE(nuser_tendon),
    SIZE(nuser_actuator),
    SIZE(nuser_sensor),
};

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

// conflicts

typedef struct Meeting_ {
  mjSpec* to;
  const mjSpec* from;
  mjSpec usual;  // values of a new spec
  int policy;
  int checks;  // 1: only looks for what the policy refuses
  int lines;   // number of settings that the text tells about
  mjString text;
  int ok;  // 0 if memory has run out
} Meeting;

static size_t bytes_of(const Setting* setting) {
  static const size_t bytes[] = {sizeof(double), sizeof(float), sizeof(int), sizeof(mjtSize)};
  return bytes[setting->kind] * (size_t)setting->count;
}

static int equal(const Setting* setting, const mjSpec* a, const mjSpec* b) {
  return !memcmp(authored_member(a, setting->offset), authored_member(b, setting->offset),
                 bytes_of(setting));
}

static int is_authored(const Meeting* m, const Setting* setting, const mjSpec* spec) {
  int bit;
  const uint64_t* mask = authored_mask(&bit, (mjSpec*)(uintptr_t)spec, setting->offset);
  return (mask && *mask >> bit & 1) || !equal(setting, spec, &m->usual);
}

static double number(const Setting* setting, const mjSpec* spec, int i) {
  const void* value = authored_member(spec, setting->offset);
  switch (setting->kind) {
    case KIND_DOUBLE:
      return ((const double*)value)[i];
    case KIND_FLOAT:
      return (double)((const float*)value)[i];
    case KIND_SIZE:
      return (double)*(const int64_t*)value;
    default:
      return *(const int*)value;
  }
}

typedef struct Shown_ {
  char text[160];
} Shown;

// The numbers of a setting, as messages show them.
static Shown show(const Setting* setting, const mjSpec* spec) {
  Shown out = {""};
  size_t length = 0;
  int whole = setting->kind == KIND_INT || setting->kind == KIND_SIZE;
  for (int i = 0; i < setting->count && length < sizeof(out.text); i++) {
    double value = number(setting, spec, i);
    int n =
        whole ? snprintf(out.text, sizeof(out.text), "%" PRId64, (int64_t)value)
              : snprintf(out.text + length, sizeof(out.text) - length, "%s%g", i ? " " : "", value);
    length += n > 0 ? (size_t)n : 0;
  }
  return out;
}

static void append(Meeting* m, const char* line) {
  m->lines++;
  m->ok = m->ok && string_format(&m->text, "%s\n%s", string_text(&m->text), line);
}

// Adopts the value of a setting, which counts as authored then.
static void take(const Meeting* m, const Setting* setting) {
  memcpy(authored_member(m->to, setting->offset), authored_member(m->from, setting->offset),
         bytes_of(setting));
  int bit;
  uint64_t* mask = authored_mask(&bit, m->to, setting->offset);
  if (mask) {
    *mask |= (uint64_t)1 << bit;
  }
}

static void tell(Meeting* m, const Setting* setting, int ours, const char* outcome) {
  char line[480];
  snprintf(line, sizeof(line), "%s: parent has %s%s, child has %s%s", setting->name,
           show(setting, m->to).text, ours ? "" : " (default)", show(setting, m->from).text,
           outcome);
  append(m, line);
}

static void meet_one(Meeting* m, const Setting* setting) {
  int ours = is_authored(m, setting, m->to), theirs = is_authored(m, setting, m->from);
  int merges = m->policy == mjCONFLICT_MERGE, refuses = ours && m->policy == mjCONFLICT_ERROR;
  refuses |= ours && merges && setting->rule == RULE_REFUSE;
  if (!theirs || equal(setting, m->to, m->from) || (m->checks && !refuses) ||
      (m->policy == mjCONFLICT_ERROR && !ours)) {
    return;
  }
  if (refuses) {
    tell(m, setting, ours, "");
  } else if (!merges) {
    tell(m, setting, ours, ", keeping parent value");
  } else if (!ours) {
    tell(m, setting, ours, ", adopting child value");
    take(m, setting);
  } else {
    int least = setting->rule == RULE_MIN;
    int is_less = number(setting, m->from, 0) < number(setting, m->to, 0);
    const char* outcome = least ? ", taking the minimum" : ", taking the maximum";
    if (is_less == least) {
      tell(m, setting, ours, outcome);
      take(m, setting);
    } else {
      tell(m, setting, ours,
           least ? ", keeping parent value (the minimum)" : ", keeping parent value (the maximum)");
    }
  }
}

static void tell_bit(Meeting* m, int set, int bit, const char* outcome) {
  char line[120];
  if (set == 2) {
    snprintf(line, sizeof(line), "disableactuator group %d: %s", bit, outcome);
  } else {
    snprintf(line, sizeof(line), "flag '%s': %s",
             set == 0 ? mjDISABLESTRING[bit] : cnd_ENABLESTRING[bit], outcome);
  }
  append(m, line);
}

// A flag that both give differently is a conflict; to merge is to unite.
static void meet_bits(Meeting* m, int set) {
  enum {
    NENABLE = sizeof(cnd_ENABLESTRING) / sizeof(cnd_ENABLESTRING[0])  // later flags, too
  };
  static const int counts[] = {mjNDISABLE, NENABLE, 31};
  int* ours = authored_member(m->to, authored_bits[set].offset);
  int* mask = authored_member(m->to, authored_bits[set].mask);
  int theirs = *(const int*)authored_member(m->from, authored_bits[set].offset);
  int both =
      (*mask | *ours) & (*(const int*)authored_member(m->from, authored_bits[set].mask) | theirs);
  for (int i = 0; i < counts[set]; i++) {
    int bit = 1 << i, is = *ours & bit, will = theirs & bit;
    if (is == will) {
      continue;
    }
    const char* present = is ? "parent set, child unset" : "parent unset, child set";
    if (m->policy == mjCONFLICT_MERGE && will && !m->checks) {
      tell_bit(m, set, i, "added from child");
      *ours |= bit;
      *mask |= bit;
    } else if (m->policy == mjCONFLICT_ERROR && (both & bit)) {
      tell_bit(m, set, i, present);
    } else if (m->policy == mjCONFLICT_WARNING && (both & bit) && !m->checks) {
      char outcome[80];
      snprintf(outcome, sizeof(outcome), "%s, keeping parent", present);
      tell_bit(m, set, i, outcome);
    }
  }
}

// Compares all settings. The first line of the text names the models and the policy.
static void meet_all(Meeting* m, int checks) {
  static const char* const policies[] = {"warning", "merge", "error"};
  const char *to = string_text(m->to->modelname), *from = string_text(m->from->modelname);
  const char* usual = "MuJoCo Model";
  int names_to = to[0] && strcmp(to, usual) != 0, names_from = from[0] && strcmp(from, usual) != 0;
  m->checks = checks;
  m->ok =
      m->ok && string_format(&m->text, "Attach conflict %s%s%s%s%s%s, policy is '%s'",
                             names_from ? "when attaching '" : "on attach", names_from ? from : "",
                             names_from ? "'" : "", names_to ? " to '" : "", names_to ? to : "",
                             names_to ? "'" : "", policies[m->policy]);
  for (int i = 0; i < LENGTH(options); i++) {
    meet_one(m, &options[i]);
  }
  for (int i = 0; i < AUTHORED_NBITS; i++) {
    meet_bits(m, i);
  }
  for (int i = 0; i < LENGTH(others); i++) {
    meet_one(m, &others[i]);
  }
}

int setting_meet(SpecTree* tree, const SpecTree* from) {
  int policy = (int)tree->spec.compiler.conflict;
  int known = policy == mjCONFLICT_MERGE || policy == mjCONFLICT_ERROR;
  Meeting m = {.to = &tree->spec,
               .from = &from->spec,
               .policy = known ? policy : mjCONFLICT_WARNING,
               .ok = 1};
  mjs_defaultSpec(&m.usual);
  meet_all(&m, 1);
  int refused = m.lines;
  if (!refused) {
    meet_all(&m, 0);
    m.ok = m.ok && (!m.lines || strings_append(&tree->conflicts, string_text(&m.text)));
  }
  if (!m.ok) {
    spec_nomemory(tree);
  } else if (refused) {
    spec_error(tree, "%s", string_text(&m.text));
  }
  string_clear(&m.text);
  return m.ok && !refused;
}

void setting_undo(SpecTree* tree, const mjSpec* before, int nconflict) {
  tree->spec.option = before->option;
  tree->spec.visual = before->visual;
  tree->spec.authored = before->authored;
  for (int i = 0; i < LENGTH(others); i++) {
    memcpy(authored_member(&tree->spec, others[i].offset),
           authored_member(before, others[i].offset), bytes_of(&others[i]));
  }
  while ((int)tree->conflicts.num > nconflict) {
    string_clear(&tree->conflicts.ptr[--tree->conflicts.num]);
  }
}
