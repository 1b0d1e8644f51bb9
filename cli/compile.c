// compile.c: condyle compile MODEL [-o OUT]. It prints all problems of a model, or a summary of its
// elements, or writes the model in another format. OUT "-" is MJCF on the standard output.

#include <condyle/behaviour.h>
#include <condyle/output.h>
#include <condyle/robot.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "report/report.h"

static const char* name_or(const mjModel* m, int type, int id, const char* fallback) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : fallback;
}

static void print_sizes(const mjModel* m) {
  static const char* const joint_types[4] = {"free", "ball", "slide", "hinge"};
  int joints[4] = {0};
  for (int i = 0; i < m->njnt; i++) {
    joints[m->jnt_type[i]]++;
  }
  printf("model '%s'\n", m->names);
  printf("  positions %d, degrees of freedom %d, controls %d, activations %d\n", (int)m->nq,
         (int)m->nv, (int)m->nu, (int)m->na);
  printf("  bodies %d in %d trees, geoms %d, sites %d, cameras %d, lights %d\n", (int)m->nbody,
         (int)m->ntree, (int)m->ngeom, (int)m->nsite, (int)m->ncam, (int)m->nlight);
  printf("  joints %d:", (int)m->njnt);
  for (int i = 0; i < 4; i++) {
    printf(" %s %d%s", joint_types[i], joints[i], i < 3 ? "," : "\n");
  }
  printf("  tendons %d, equalities %d, contact pairs %d, exclusions %d\n", (int)m->ntendon,
         (int)m->neq, (int)m->npair, (int)m->nexclude);
  printf("  meshes %d, height fields %d, textures %d, materials %d, keyframes %d\n", (int)m->nmesh,
         (int)m->nhfield, (int)m->ntex, (int)m->nmat, (int)m->nkey);
  printf("  total mass %.6g kg, extent %.4g m, timestep %g s\n", (double)m->body_subtreemass[0],
         (double)m->stat.extent, (double)m->opt.timestep);
  printf("  model %.1f KB, arena %.1f KB\n", (double)m->nbuffer / 1024, (double)m->narena / 1024);
}

static void print_bodies(const mjModel* m) {
  printf("\n%-24s %-20s %12s %12s   %s\n", "body", "parent", "mass kg", "subtree kg",
         "principal inertia kg m2");
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* inertia = m->body_inertia + 3 * i;
    printf("%-24s %-20s %12.5g %12.5g   %.4g %.4g %.4g\n", name_or(m, mjOBJ_BODY, i, "-"),
           name_or(m, mjOBJ_BODY, m->body_parentid[i], "-"), (double)m->body_mass[i],
           (double)m->body_subtreemass[i], (double)inertia[0], (double)inertia[1],
           (double)inertia[2]);
  }
}

static void print_dofs(const mjModel* m) {
  if (!m->nv) {
    return;
  }
  printf("\n%-32s %-20s %11s %11s %11s   %s\n", "degree of freedom", "body", "inertia", "armature",
         "damping", "range");
  for (int i = 0; i < m->nv; i++) {
    char name[100];
    dof_name(name, sizeof name, m, i);
    printf("%-32s %-20s %11.4g %11.4g %11.4g   ", name,
           name_or(m, mjOBJ_BODY, m->dof_bodyid[i], "-"), (double)m->dof_M0[i],
           (double)m->dof_armature[i], (double)m->dof_damping[i]);
    int joint = m->dof_jntid[i];
    if (m->jnt_limited[joint] && m->jnt_type[joint] != mjJNT_FREE) {
      printf("%.4g .. %.4g\n", (double)m->jnt_range[2 * joint],
             (double)m->jnt_range[2 * joint + 1]);
    } else {
      printf("-\n");
    }
  }
}

// The directory of a file, with the final separator. Cut to size.
static void directory_of(char* directory, size_t size, const char* path) {
  const char* end = strrchr(path, '/');
  snprintf(directory, size, "%.*s", end ? (int)(end - path) + 1 : 0, path);
}

// Would a copy of the model, written to `out`, find its files? Their names are relative to the
// model's directory.
static int finds_files(const char* path, const char* out) {
  char from[1000], to[1000];
  directory_of(from, sizeof from, path);
  directory_of(to, sizeof to, out);
  if (!strcmp(from, to) || !strcmp(out, "-")) {
    return 1;
  }
  char error[1000] = "";
  mjModel* m = mj_loadXML(out, NULL, error, sizeof error);
  int found = m != NULL;
  mj_deleteModel(m);
  if (!found) {
    fprintf(stderr, "%s\n%s: its files are looked for beside it: write it to %s instead\n", error,
            out, from[0] ? from : "this directory");
  }
  return found;
}

// Prints MJCF on the standard output. Returns 0, after a message, if it can't be.
static int print_xml(const mjSpec* spec) {
  char error[1000] = "";
  int length = mj_saveXMLString(spec, NULL, 0, error, sizeof error);
  char* text = length > 0 ? malloc((size_t)length + 1) : NULL;
  int made = text && mj_saveXMLString(spec, text, length + 1, error, sizeof error) == 0;
  if (!made) {
    fprintf(stderr, "%s\n", length > 0 && !text ? "condyle compile: out of memory" : error);
  }
  int failed = made && (fputs(text, stdout) < 0 || fflush(stdout)) ? errno : 0;
  if (failed) {
    tell_unwritten("-", failed);
  }
  free(text);
  return made && !failed;
}

// Reads the editable model, as one of a dialect unless that is 0.
static mjSpec* parse(const char* path, int dialect, char* error, int error_sz) {
  mjSpec* spec =
      cnd_isRobot(path) ? parse_robot(path, NULL) : mj_parseXML(path, NULL, error, error_sz);
  if (spec && dialect) {
    cnd_setDialect(spec, dialect);
  }
  return spec;
}

// Tells what a dialect would change.
static int tell_dialect(const mjModel* m, const char* path, int dialect) {
  char error[1000] = "";
  mjSpec* spec = parse(path, dialect, error, sizeof error);
  mjModel* then = spec ? mj_compile(spec, NULL) : NULL;
  if (then) {
    print_behaviours(m, dialect);
    print_compiled(m, then);
  } else {
    fprintf(stderr, "%s\n", spec ? mjs_getError(spec) : error);
  }
  int told = then != NULL;
  mj_deleteModel(then);
  mj_deleteSpec(spec);
  return told ? STATUS_OK : STATUS_INPUT;
}

static int is_archive(const char* out) {
  return ends_with(out, ".mjz") || ends_with(out, ".zip");
}

// Writes MJCF, alone or in an archive, from the editable model, because compiling loses some of
// what the author wrote.
static int save_spec(const char* path, const char* out, int dialect) {
  char error[1000] = "";
  int is_robot = cnd_isRobot(path);
  mjSpec* spec = parse(path, dialect, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  int to_output = !strcmp(out, "-"), packs = is_archive(out);
  int saved = m && (to_output  ? print_xml(spec)
                    : packs    ? mj_encode(spec, NULL, out, NULL, NULL, error, sizeof error) >= 0
                    : is_robot ? cnd_saveAlone(spec, out, error, sizeof error) == 0
                               : mj_saveXML(spec, out, error, sizeof error) == 0);
  if (!saved && (!m || !to_output)) {
    fprintf(stderr, "%s: %s\n", out, spec && !m ? mjs_getError(spec) : error);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return saved && (is_robot || packs || finds_files(path, out));
}

// Set by a warning: the library reports a failed write by a warning only.
static int write_failed;

static void note_failure(const char* message) {
  fprintf(stderr, "%s\n", message);
  write_failed = 1;
}

// Writes a binary model or text.
static int save_model(const mjModel* m, const char* out) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = note_failure;
  write_failed = 0;
  if (ends_with(out, ".mjb")) {
    mj_saveModel(m, out, NULL, 0);
  } else {
    mj_printModel(m, out);
  }
  mju_user_warning = before;
  return !write_failed;
}

// Can the output be opened for writing? Its present content stays for now.
static int can_open(const char* path) {
  cndOutput out;
  int opened = cnd_openOutput(&out, path);
  if (!opened) {
    tell_unwritten(path, out.reason);
  } else {
    cnd_closeOutput(&out, 0);
  }
  return opened;
}

// Writes URDF, and tells what it can't say.
static int save_urdf(const mjModel* m, const char* out) {
  cndDiagnostics* notes = cnd_makeDiagnostics();
  int saved = cnd_saveURDF(m, out, notes);
  show_problems(notes, INT_MAX);
  cnd_deleteDiagnostics(notes);
  return saved;
}

static int is_xml(const char* out) {
  return ends_with(out, ".xml") || !strcmp(out, "-");
}

// Converts to the format given by the ending of the output. Returns the exit status.
static int convert(const mjModel* m, const char* path, const char* out, int dialect) {
  if (!can_open(out)) {
    return STATUS_FAILED;
  }
  int saved = is_xml(out) || is_archive(out) ? save_spec(path, out, dialect)
              : ends_with(out, ".urdf")      ? save_urdf(m, out)
                                             : save_model(m, out);
  return saved ? STATUS_OK : STATUS_FAILED;
}

// Tells what the model is made of and what was changed, and writes the page if it is asked for.
static int tell(const char* path, const char* page) {
  LoadedModel loaded;
  int status = load_told(&loaded, path);
  if (status == STATUS_OK && page && overwrites_model(path, page)) {
    status = STATUS_INPUT;
  }
  Report report;
  if (status == STATUS_OK && !report_make(&report, path, &loaded)) {
    fprintf(stderr, "condyle compile: out of memory\n");
    status = STATUS_FAILED;
  } else if (status == STATUS_OK) {
    // first, because whoever reads the table may stop (| head)
    status = page ? report_write(&report, page) : STATUS_OK;
    report_print(&report);
    report_free(&report);
  }
  free_told(&loaded);
  return status;
}

// The page of a report: behind --report, or behind -o. Returns a status.
static int find_page(const char** page, const char* report, const char* out) {
  *page = report && *report ? report : out;
  if (report && *report && out) {
    return usage_error("compile", "give the page of the report behind --report or -o, not both");
  }
  if (out && !ends_with(out, ".html")) {
    return usage_error("compile", "a report is a page: its name must end with .html, not '%s'",
                       out);
  }
  return STATUS_OK;
}

int command_compile(int argc, char** argv) {
  const char *path = NULL, *out = NULL, *report = NULL, *page = NULL;
  int dialect = 0;
  const Option known[] = {{"-o", take_text, &out},
                          {"--report", take_html, &report},
                          {"--dialect", take_dialect, &dialect}};
  make_robots_plain();
  int status =
      parse_options(&path, NULL, "compile", known, sizeof known / sizeof *known, argc, argv);
  if (status == STATUS_OK && report) {
    status = find_page(&page, report, out);
    return status == STATUS_OK ? tell(path, page) : status;
  }
  if (status != STATUS_OK) {
    return status;
  }
  if (out && ends_with(out, ".html")) {
    return usage_error("compile", "--report writes '%s'", out);
  }
  if (out && !is_xml(out) && !is_archive(out) && !ends_with(out, ".mjb") &&
      !ends_with(out, ".urdf") && !ends_with(out, ".txt")) {
    return usage_error("compile",
                       "the output must end with .xml, .urdf, .mjz, .mjb or .txt, not '%s'", out);
  }
  if (out && (is_xml(out) || is_archive(out)) && ends_with(path, ".mjb")) {
    return usage_error("compile", "a binary model can't become MJCF: it has no classes and frames");
  }
  if (dialect && (ends_with(path, ".mjb") || (out && !is_xml(out) && !is_archive(out)))) {
    return usage_error("compile", "--dialect needs a model as text, and -o FILE.xml, if any");
  }
  mjModel* m = load_model(path, INT_MAX);
  if (!m) {
    return STATUS_INPUT;
  }
  if (out && overwrites_model(path, out)) {
    status = STATUS_INPUT;
  } else if (out) {
    status = convert(m, path, out, dialect);
  } else if (dialect) {
    status = tell_dialect(m, path, dialect);
  } else {
    print_sizes(m);
    print_bodies(m);
    print_dofs(m);
  }
  mj_deleteModel(m);
  return status;
}
