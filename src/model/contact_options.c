// contact_options.c: the table of contact options, and reading them from custom elements named
// condyle.*.

#include "model/contact_options.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diagnostic.h"

#define PREFIX "condyle."
static const char* const restitution_tuple = PREFIX "restitution";
static const char* const mode_text = PREFIX "contact";
static const char* const modes[cndNCONTACT] = {"soft", "hard", "stick"};

// A numeric element: where its value goes, its default and its bounds. A count goes to an int, any
// other value to an mjtNum.
typedef struct Setting_ {
  const char* name;
  int is_count;
  size_t place;
  double standard;
  double least, most;
} Setting;

#define PLACE(member) offsetof(cndContactOption, member)
static const Setting settings[] = {
    {PREFIX "iterations", 1, PLACE(iterations), 120, 1, 1e6},
    {PREFIX "tolerance", 0, PLACE(tolerance), 1e-10, 0, HUGE_VAL},
    {PREFIX "restitution", 0, PLACE(restitution), 0, 0, 1},
    {PREFIX "restitution_threshold", 0, PLACE(restitution_threshold), 0.01, 0, HUGE_VAL},
    {PREFIX "correction", 0, PLACE(correction), 0.2, 0, 1},
    {PREFIX "slop", 0, PLACE(slop), 1e-4, 0, HUGE_VAL},
    {PREFIX "correction_velocity", 0, PLACE(correction_velocity), 0.5, 0, HUGE_VAL},
};
enum {
  NSETTING = sizeof(settings) / sizeof(settings[0])
};

typedef struct Reader_ {
  mjModel* m;
  ContactReport report;
  void* context;
  int nproblem;
} OptionReader;

static void problem(OptionReader* reader, mjtObj type, int id, const char* text) {
  reader->report(reader->context, type, id, text);
  reader->nproblem++;
}

static void store(cndContactOption* option, const Setting* setting, double value) {
  void* place = (char*)option + setting->place;
  if (setting->is_count) {
    *(int*)place = (int)value;
  } else {
    *(mjtNum*)place = (mjtNum)value;
  }
}

// The type of custom element that an option of this name must be, mjOBJ_UNKNOWN if there is no such
// option. The restitution may be a numeric or a tuple: a tuple if `preferred` is one.
static mjtObj known_as(const char* name, mjtObj preferred) {
  if (!strcmp(name, mode_text)) {
    return mjOBJ_TEXT;
  }
  if (preferred == mjOBJ_TUPLE && !strcmp(name, restitution_tuple)) {
    return mjOBJ_TUPLE;
  }
  for (int i = 0; i < NSETTING; i++) {
    if (!strcmp(name, settings[i].name)) {
      return mjOBJ_NUMERIC;
    }
  }
  return mjOBJ_UNKNOWN;
}

int contact_options_ishard(const char* name, const char* word) {
  return !strcmp(name, mode_text) &&
         (!strcmp(word, modes[cndCONTACT_HARD]) || !strcmp(word, modes[cndCONTACT_STICK]));
}

static void report_unknown(OptionReader* reader, mjtObj type, int id, const char* name) {
  const char* candidates[NSETTING + 1] = {mode_text};
  for (int i = 0; i < NSETTING; i++) {
    candidates[i + 1] = settings[i].name;
  }
  char text[300];
  const char* nearest = diagnostic_nearest(name, candidates, NSETTING + 1);
  snprintf(text, sizeof(text), "unknown setting '%.100s'%s%s%s", name,
           nearest ? " (did you mean '" : " (names that begin with " PREFIX " are Condyle's own)",
           nearest ? nearest : "", nearest ? "'?)" : "");
  problem(reader, type, id, text);
}

// Is the element a contact option? Reports an element that has the prefix but no option's name.
static int is_ours(OptionReader* reader, mjtObj type, int id, const char* name) {
  if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) {
    return 0;
  }
  mjtObj known = known_as(name, type);
  if (known == mjOBJ_UNKNOWN) {
    report_unknown(reader, type, id, name);
  } else if (known != type) {
    char text[200];
    snprintf(text, sizeof(text), "'%s' is given by a <%s> element", name,
             known == mjOBJ_TEXT ? "text" : "numeric");
    problem(reader, type, id, text);
  }
  return known == type;
}

static void read_text(OptionReader* reader, int id) {
  mjModel* m = reader->m;
  if (!is_ours(reader, mjOBJ_TEXT, id, m->names + m->name_textadr[id])) {
    return;
  }
  const char* word = m->text_data + m->text_adr[id];
  for (int mode = 0; mode < cndNCONTACT; mode++) {
    size_t length = strlen(modes[mode]) + 1;
    if ((size_t)m->text_size[id] == length && !memcmp(word, modes[mode], length)) {
      m->cnd_contact.mode = mode;
      return;
    }
  }
  problem(reader, mjOBJ_TEXT, id, "'condyle.contact' is 'soft', 'hard' or 'stick'");
}

static void read_numeric(OptionReader* reader, int id) {
  mjModel* m = reader->m;
  const char* name = m->names + m->name_numericadr[id];
  if (!is_ours(reader, mjOBJ_NUMERIC, id, name)) {
    return;
  }
  const Setting* setting = settings;
  while (strcmp(setting->name, name) != 0) {
    setting++;
  }
  char text[200];
  if (m->numeric_size[id] != 1) {
    snprintf(text, sizeof(text), "'%s' is one number, here are %d", name, m->numeric_size[id]);
    problem(reader, mjOBJ_NUMERIC, id, text);
    return;
  }
  double value = (double)m->numeric_data[m->numeric_adr[id]];
  int within = isfinite(value) && value >= setting->least && value <= setting->most;
  if (within && (!setting->is_count || value == floor(value))) {
    store(&m->cnd_contact, setting, value);
    return;
  }
  const char* kind = setting->is_count ? "a whole number" : "a number";
  if (isfinite(setting->most)) {
    snprintf(text, sizeof(text), "'%s' is %s of %g .. %g, not %g", name, kind, setting->least,
             setting->most, value);
  } else {
    snprintf(text, sizeof(text), "'%s' is a finite number of at least %g, not %g", name,
             setting->least, value);
  }
  problem(reader, mjOBJ_NUMERIC, id, text);
}

// Reads the restitution of one geom. The first one given to a geom counts.
static void read_member(OptionReader* reader, int id, int member) {
  mjModel* m = reader->m;
  char text[200];
  int geom = m->tuple_objid[member];
  mjtNum value = m->tuple_objprm[member];
  if (m->tuple_objtype[member] != mjOBJ_GEOM) {
    problem(reader, mjOBJ_TUPLE, id, "'condyle.restitution' lists geoms: objtype=\"geom\"");
  } else if (geom < 0 || geom >= m->ngeom) {
    return;  // the name is unknown, which has been reported
  } else if (!(value >= 0 && value <= 1)) {
    snprintf(text, sizeof(text), "restitution of geom '%.100s' is a number of 0 .. 1, not %g",
             m->names + m->name_geomadr[geom], (double)value);
    problem(reader, mjOBJ_TUPLE, id, text);
  } else if (m->cnd_geom_restitution[geom] >= 0) {
    snprintf(text, sizeof(text), "geom '%.100s' is listed twice", m->names + m->name_geomadr[geom]);
    problem(reader, mjOBJ_TUPLE, id, text);
  } else {
    m->cnd_geom_restitution[geom] = value;
  }
}

static void read_tuple(OptionReader* reader, int id) {
  mjModel* m = reader->m;
  if (is_ours(reader, mjOBJ_TUPLE, id, m->names + m->name_tupleadr[id])) {
    for (int i = 0; i < m->tuple_size[id]; i++) {
      read_member(reader, id, m->tuple_adr[id] + i);
    }
  }
}

// Number of constraints whose forces are kept between steps: every constraint that is not a
// contact, with both sides of each limit, and an estimate of the contacts in a pile of all geoms.
// Both parts are bounded by `most`.
static int memory_size(const mjModel* m) {
  const int64_t most = 65536;
  if (m->cnd_contact.mode == cndCONTACT_SOFT) {
    return 0;
  }
  int64_t contacts = 64 + 16 * (int64_t)m->ngeom;
  int64_t others = m->neq + 2 * ((int64_t)m->njnt + m->ntendon) + m->nv + m->ntendon;
  return (int)((contacts < most ? contacts : most) + (others < most ? others : most));
}

int contact_options_read(mjModel* m, ContactReport report, void* context) {
  OptionReader reader = {m, report, context, 0};
  m->cnd_contact = (cndContactOption){.mode = cndCONTACT_SOFT};
  for (int i = 0; i < NSETTING; i++) {
    store(&m->cnd_contact, settings + i, settings[i].standard);
  }
  for (int i = 0; i < m->ngeom; i++) {
    m->cnd_geom_restitution[i] = -1;
  }

  for (int i = 0; i < m->ntext; i++) {
    read_text(&reader, i);
  }
  for (int i = 0; i < m->nnumeric; i++) {
    read_numeric(&reader, i);
  }
  for (int i = 0; i < m->ntuple; i++) {
    read_tuple(&reader, i);
  }
  m->cnd_nmemory = memory_size(m);
  return reader.nproblem;
}
