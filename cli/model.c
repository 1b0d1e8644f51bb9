// model.c: loading a model, naming its coordinates and choosing a keyframe, for several
// subcommands.

#include <condyle/load.h>
#include <condyle/robot.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/files.h"
#include "command.h"

void tell_hidden(int count) {
  if (count > 0) {
    fprintf(stderr, "%d more are not shown\n", count);
  }
}

// The file being read, to name it in warnings of the library.
static const char* reading;

static void show_problem(const char* message) {
  fprintf(stderr, "%s: %s\n", reading, message);
}

int take_contact(void* target, const char* option, const char* value) {
  ContactChoice* contact = target;
  (void)option;
  for (int mode = 0; mode < cndNCONTACT; mode++) {
    if (!strcmp(value, contact_modes[mode])) {
      contact->mode = mode;
      return STATUS_OK;
    }
  }
  return usage_error(NULL, "--contact must be soft, hard or stick, not '%s'", value);
}

mjModel* load_binary(const char* path) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = show_problem;
  reading = path;
  mjModel* m = mj_loadModel(path, NULL);
  mju_user_warning = before;
  return m;
}

// Are path and out the same regular file? Terminals and pipes have no content to destroy.
static int same_file(const char* path, const FileState* out) {
  FileState file;
  return system_state(&file, path) && file.kind == FILE_REGULAR && file.device == out->device &&
         file.number == out->number;
}

int is_same_file(const char* a, const char* b) {
  FileState file;
  return system_state(&file, b) && same_file(a, &file);
}

int overwrites_model(const char* model, const char* out) {
  FileState source, target;
  if (!system_state(&target, out) || !system_state(&source, model)) {
    return 0;
  }
  int same = same_file(model, &target);
  mjStringVec files = {NULL, 0, 0};
  // a pipe can't be read a second time to find its dependencies
  if (!ends_with(model, ".mjb") && source.kind == FILE_REGULAR) {
    mju_getXMLDependencies(model, &files);
  }
  for (size_t i = 0; i < files.num && !same; i++) {
    same = same_file(mjs_getString(files.ptr + i), &target);
  }
  mjs_setStringVec(&files, NULL);
  if (same) {
    fprintf(stderr, "%s: is read for the model and would be overwritten\n", out);
  }
  return same;
}

void show_problems(const cndDiagnostics* problems, int max_errors) {
  int count = cnd_diagnosticCount(problems, cndSEVERITY_WARNING), shown = 0, errors = 0;
  for (const cndDiagnostic* problem;
       errors < max_errors && (problem = cnd_diagnostic(problems, shown)); shown++) {
    int error = problem->severity == cndSEVERITY_ERROR;
    char line[2000];
    cnd_formatDiagnostic(line, sizeof line, problem);
    fprintf(stderr, "%s%s\n", error ? "" : "warning: ", line);
    errors += error;
  }
  if (errors < max_errors) {
    tell_hidden(count - shown);
  }
}

// Compiles a spec and prints the problems of that.
static mjModel* compile_spec(mjSpec* spec, const char* path, int max_errors) {
  mjModel* m = mj_compile(spec, NULL);
  const cndDiagnostics* problems = cnd_specDiagnostics(spec);
  if (problems) {
    show_problems(problems, max_errors);
  } else if (!m) {
    fprintf(stderr, "%s: %s\n", path, mjs_getError(spec));
  }
  return m;
}

static mjModel* load_robot(const char* path, int max_errors) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = parse_robot(path, problems);
  show_problems(problems, max_errors);
  mjModel* m = spec ? compile_spec(spec, path, max_errors) : NULL;
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  return m;
}

mjModel* load_model(const char* path, int max_errors) {
  if (ends_with(path, ".mjb")) {
    return load_binary(path);
  }
  if (cnd_isRobot(path)) {
    return load_robot(path, max_errors);
  }
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXML(path, NULL, problems);
  mj_freeLastXML();
  show_problems(problems, max_errors);
  cnd_deleteDiagnostics(problems);
  return m;
}

int load_told(LoadedModel* loaded, const char* path) {
  *loaded = (LoadedModel){.reading = cnd_makeDiagnostics()};
  if (ends_with(path, ".mjb")) {
    loaded->m = load_binary(path);
    return loaded->m ? STATUS_OK : STATUS_INPUT;
  }
  loaded->spec = cnd_isRobot(path) ? parse_robot(path, loaded->reading)
                                   : cnd_parseXML(path, NULL, loaded->reading);
  loaded->m = loaded->spec ? mj_compile(loaded->spec, NULL) : NULL;
  if (!loaded->m) {
    show_problems(loaded->reading, INT_MAX);
    show_problems(loaded->spec ? cnd_specDiagnostics(loaded->spec) : NULL, INT_MAX);
  }
  return loaded->m ? STATUS_OK : STATUS_INPUT;
}

void free_told(LoadedModel* loaded) {
  mj_deleteModel(loaded->m);
  mj_deleteSpec(loaded->spec);
  cnd_deleteDiagnostics(loaded->reading);
}

// The name of a joint, or its number, and the component `part`, if any.
static void part_name(char* text, size_t size, const mjModel* m, int joint, const char* part) {
  const char* name = mj_id2name(m, mjOBJ_JOINT, joint);
  char number[32];
  snprintf(number, sizeof number, "joint %d", joint);
  snprintf(text, size, "%s%s%s", name && *name ? name : number, *part ? ", " : "", part);
}

void dof_name(char* text, size_t size, const mjModel* m, int dof) {
  static const char* const parts[6] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  int joint = m->dof_jntid[dof], type = m->jnt_type[joint], part = dof - m->jnt_dofadr[joint];
  part_name(text, size, m, joint,
            type == mjJNT_FREE   ? parts[part]
            : type == mjJNT_BALL ? parts[3 + part]
                                 : "");
}

void position_name(char* text, size_t size, const mjModel* m, int position) {
  static const char* const parts[7] = {"x", "y", "z", "quat w", "quat x", "quat y", "quat z"};
  int joint = m->njnt - 1;
  while (m->jnt_qposadr[joint] > position) {
    joint--;
  }
  int type = m->jnt_type[joint], part = position - m->jnt_qposadr[joint];
  part_name(text, size, m, joint,
            type == mjJNT_FREE   ? parts[part]
            : type == mjJNT_BALL ? parts[3 + part]
                                 : "");
}

int find_element(int* id, const char* command, const mjModel* m, mjtObj type, const char* wanted) {
  int is_key = type == mjOBJ_KEY, count = (int)(is_key ? m->nkey : m->ncam);
  *id = mj_name2id(m, type, wanted);
  if (*id < 0) {
    char* end;
    long number = strtol(wanted, &end, 10);
    if (end == wanted || *end || number < 0 || number >= count) {
      return usage_error(command, "no %s '%s': the model has %d", is_key ? "keyframe" : "camera",
                         wanted, count);
    }
    *id = (int)number;
  }
  return STATUS_OK;
}

int reset_to_key(const char* command, const mjModel* m, mjData* d, const char* key) {
  int id, status = find_element(&id, command, m, mjOBJ_KEY, key);
  if (status == STATUS_OK) {
    mj_resetDataKeyframe(m, d, id);
  }
  return status;
}

const char* const contact_modes[cndNCONTACT] = {"soft", "hard", "stick"};

// The custom element of this type and name; makes it if there is none.
static mjsElement* custom_element(mjSpec* spec, mjtObj type, const char* name) {
  mjsElement* element = mjs_findElement(spec, type, name);
  if (!element) {
    element = type == mjOBJ_TEXT ? mjs_addText(spec)->element : mjs_addNumeric(spec)->element;
    mjs_setName(element, name);
  }
  return element;
}

static void choose_contact(mjSpec* spec, const ContactChoice* contact) {
  if (contact->mode >= 0) {
    mjsText* text = mjs_asText(custom_element(spec, mjOBJ_TEXT, "condyle.contact"));
    mjs_setString(text->data, contact_modes[contact->mode]);
  }
  if (contact->restitution >= 0) {
    mjsNumeric* numeric = mjs_asNumeric(custom_element(spec, mjOBJ_NUMERIC, "condyle.restitution"));
    mjs_setDouble(numeric->data, &contact->restitution, 1);
  }
}

// Sets contact options in a binary model. It has no custom elements to change, and no memory for
// the forces of hard contacts.
static mjModel* choose_in_model(mjModel* m, const ContactChoice* contact) {
  if (m && contact->mode >= 0) {
    m->cnd_contact.mode = contact->mode;
  }
  if (m && contact->restitution >= 0) {
    m->cnd_contact.restitution = (mjtNum)contact->restitution;
  }
  return m;
}

mjModel* load_model_with(const char* path, int max_errors, const ContactChoice* contact) {
  if (contact->mode < 0 && contact->restitution < 0) {
    return load_model(path, max_errors);
  }
  if (ends_with(path, ".mjb")) {
    return choose_in_model(load_binary(path), contact);
  }
  mjModel* m = NULL;
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec =
      cnd_isRobot(path) ? parse_robot(path, problems) : cnd_parseXML(path, NULL, problems);
  show_problems(problems, max_errors);
  if (spec) {
    choose_contact(spec, contact);
    m = compile_spec(spec, path, max_errors);
  }
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  return m;
}

// Checks the model against the needs of this work. Returns a status.
static int check_work(const Work* work, const mjModel* m) {
  if (work->timeless && !(m->opt.timestep > 0)) {
    fprintf(stderr, "%s: with a timestep of %g no time is ever reached%s\n", work->model,
            (double)m->opt.timestep, work->timeless);
    return STATUS_INPUT;
  }
  const char* written[] = {work->out, work->save};
  for (int i = 0; i < 2; i++) {
    if (written[i] && overwrites_model(work->model, written[i])) {
      return STATUS_INPUT;
    }
  }
  return STATUS_OK;
}

int work_on_model(const Work* work, int (*act)(const void* options, mjModel* m, mjData* d),
                  const void* options) {
  mjModel* m =
      work->contact ? load_model_with(work->model, 1, work->contact) : load_model(work->model, 1);
  if (!m) {
    return STATUS_INPUT;
  }
  int status = check_work(work, m);
  mjData* d = status == STATUS_OK ? mj_makeData(m) : NULL;
  if (status == STATUS_OK && !d) {
    fprintf(stderr, "condyle %s: out of memory\n", work->command);
    status = STATUS_FAILED;
  }
  if (status == STATUS_OK && work->key) {
    status = reset_to_key(work->command, m, d, work->key);
  }
  if (status == STATUS_OK) {
    status = act(options, m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return status;
}
