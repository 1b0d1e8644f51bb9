// main.c: the condyle program: picks the subcommand.

#include <condyle/condyle.h>
#include <condyle/load.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

typedef struct Command_ {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* arguments;
  const char* meaning;
} Command;

static const Command commands[] = {
    {"simulate", command_simulate,
     "MODEL.xml [--time S | --steps N] [--key NAME|N] [--ctrl zero|noise:SCALE]\n"
     "                   [--out FILE.csv] [--seed N]",
     "simulates a model, ends with a table; --out writes time, qpos, qvel and energy of every "
     "step"},
    {"compile", command_compile, "MODEL.xml|.urdf|.mjb [-o OUT.xml|OUT.mjb|OUT.txt|-]",
     "checks a model: every problem with its place, or its sizes, masses and degrees of freedom;\n"
     "      -o converts it: to MJCF with every number exact (\"-\": to the standard output), to a "
     "binary\n"
     "      model, to text"},
    {"lint", command_lint, "MODEL.xml|.urdf|.mjb [--disable CHECK,...] | --list",
     "reports what compiles but is probably wrong, each with its place and what would be right;\n"
     "      --list names the checks"},
    {"fields", command_fields, "[model|data] [NAME]",
     "lists the arrays of mjModel and mjData with type, shape and meaning"},
};
enum {
  COMMAND_COUNT = sizeof commands / sizeof *commands
};

static void print_help(void) {
  printf("condyle %s: physics of articulated bodies in contact\n\n", cnd_version());
  for (int i = 0; i < COMMAND_COUNT; i++) {
    printf("  condyle %s %s\n      %s\n", commands[i].name, commands[i].arguments,
           commands[i].meaning);
  }
  printf(
      "  condyle --help | --version\n\n"
      "Exit status: 0 done, 1 the system failed or lint has findings, 2 bad arguments or model, "
      "3 the simulation diverged.\n");
}

int usage_error(const char* command, const char* message, ...) {
  fprintf(stderr, "condyle%s%s: ", command ? " " : "", command ? command : "");
  va_list args;
  va_start(args, message);
  vfprintf(stderr, message, args);
  va_end(args);
  fprintf(stderr, " (see condyle --help)\n");
  return STATUS_INPUT;
}

int ends_with(const char* name, const char* ending) {
  size_t length = strlen(name), n = strlen(ending);
  return length > n && !strcmp(name + length - n, ending);
}

const char* option_value(const char* command, int argc, char** argv, int* i) {
  if (*i + 1 >= argc) {
    usage_error(command, "%s needs a value", argv[*i]);
    return NULL;
  }
  return argv[++*i];
}

int parse_real(double* value, const char* command, const char* option, const char* text, double low,
               double high) {
  char* end;
  *value = strtod(text, &end);
  if (end == text || *end || !(*value >= low && *value <= high)) {
    usage_error(command, "%s must be a number from %g to %g, not '%s'", option, low, high, text);
    return 0;
  }
  return 1;
}

mjModel* load_model(const char* path) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXML(path, NULL, problems);
  int count = cnd_diagnosticCount(problems, cndSEVERITY_WARNING);
  for (int i = 0, errors = 0; i < count && !errors; i++) {
    const cndDiagnostic* problem = cnd_diagnostic(problems, i);
    errors = problem->severity == cndSEVERITY_ERROR;
    char line[2000];
    cnd_formatDiagnostic(line, sizeof line, problem);
    fprintf(stderr, "%s%s\n", errors ? "" : "warning: ", line);
  }
  cnd_deleteDiagnostics(problems);
  return m;
}

void dof_name(char* text, int size, const mjModel* m, int dof) {
  static const char* const free_parts[6] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  int joint = m->dof_jntid[dof], part = dof - m->jnt_dofadr[joint];
  const char* name = mj_id2name(m, mjOBJ_JOINT, joint);
  char number[32];
  snprintf(number, sizeof number, "joint %d", joint);
  if (!name || !*name) {
    name = number;
  }
  if (m->jnt_type[joint] == mjJNT_FREE) {
    snprintf(text, (size_t)size, "%s, %s", name, free_parts[part]);
  } else if (m->jnt_type[joint] == mjJNT_BALL) {
    snprintf(text, (size_t)size, "%s, %s", name, free_parts[3 + part]);
  } else {
    snprintf(text, (size_t)size, "%s", name);
  }
}

// warnings of the engine: to the screen alone, without the log file that the library keeps for programs
static void show_warning(const char* message) {
  fprintf(stderr, "warning: %s\n", message);
}

// What was printed must have arrived: a full disk is no success.
static int finish(int status) {
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "standard output: %s\n", strerror(errno));
    return STATUS_FAILED;
  }
  return status;
}

int main(int argc, char** argv) {
  mju_user_warning = show_warning;
  if (argc < 2) {
    return usage_error(NULL, "a command is missing");
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    print_help();
    return STATUS_OK;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("condyle %s (MuJoCo API %s)\n", cnd_version(), mj_versionString());
    return STATUS_OK;
  }
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (!strcmp(argv[1], commands[i].name)) {
      return finish(commands[i].run(argc - 2, argv + 2));
    }
  }
  return usage_error(NULL, "unknown command '%s'", argv[1]);
}
