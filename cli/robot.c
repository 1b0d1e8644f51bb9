// robot.c: robots on the command line: which packages lie where, what drives the joints.
//
// These options mean the same to every subcommand that loads a model, so they are read in one place
// and kept here until the robot is.

#include <condyle/load.h>
#include <condyle/robot.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/files.h"
#include "command.h"

enum {
  MOST_WORDS = 100,  // packages, and arguments of xacro
};

static cndRobotOptions chosen;
static const char* packages[MOST_WORDS];
static const char* arguments[MOST_WORDS];
static int is_set;

static cndRobotOptions* choice(void) {
  if (!is_set) {
    cnd_defaultRobotOptions(&chosen);
    chosen.scene = 1;
    chosen.packages = packages;
    chosen.xacro = arguments;
    is_set = 1;
  }
  return &chosen;
}

static int take_word(const char** list, int* count, const char* option, const char* value,
                     const char* separator) {
  if (separator && !strstr(value, separator)) {
    return usage_error(NULL, "%s needs NAME%sVALUE, not '%s'", option, separator, value);
  }
  if (*count == MOST_WORDS) {
    return usage_error(NULL, "%s can be given %d times", option, MOST_WORDS);
  }
  list[(*count)++] = value;
  return STATUS_OK;
}

int take_robot_option(int* status, int* words, int argc, char** argv) {
  cndRobotOptions* options = choice();
  const char *option = argv[0], *value = argc > 1 ? argv[1] : NULL;
  static const char* const known[] = {"--package", "--xacro-arg", "--actuators", "--exclude"};
  *status = STATUS_OK;
  *words = 1;
  if (!strcmp(option, "--floating") || !strcmp(option, "--fixed")) {
    options->floating = option[3] == 'l';
    return 1;
  }
  if (!strcmp(option, "--simplify")) {
    options->simplify = 1;
    return 1;
  }
  int which = 0;
  while (which < 4 && strcmp(option, known[which])) {
    which++;
  }
  if (which == 4) {
    return 0;
  }
  *words = 2;
  if (!value) {
    *status = usage_error(NULL, "%s needs a value", option);
  } else if (which == 0) {
    *status = take_word(packages, &options->npackage, option, value, NULL);
  } else if (which == 1) {
    *status = take_word(arguments, &options->nxacro, option, value, ":=");
  } else {
    *(which == 2 ? &options->actuators : &options->exclude) = value;
  }
  return 1;
}

mjSpec* parse_robot(const char* path, cndDiagnostics* problems) {
  return cnd_parseRobot(path, choice(), problems);
}

void make_robots_plain(void) {
  choice()->scene = 0;
}

// MJCF of a robot with its meshes, in a folder of its own for this user alone.

int stage_robot(Stage* stage, const char* path) {
  int status = load_told(&stage->robot, path);
  const mjSpec* spec = stage->robot.spec;
  if (status == STATUS_OK) {
    show_problems(stage->robot.reading, 1);
    show_problems(cnd_specDiagnostics(spec), 1);
  }
  if (status == STATUS_OK && !system_maketemporary(stage->folder, sizeof stage->folder, 0)) {
    fprintf(stderr, "%s: %s\n", stage->folder, strerror(errno));
    status = STATUS_FAILED;
  }
  char error[1000] = "";
  if (status == STATUS_OK) {
    snprintf(stage->model, sizeof stage->model, "%s/robot.xml", stage->folder);
    if (cnd_saveAlone(spec, stage->model, error, sizeof error)) {
      fprintf(stderr, "%s: %s\n", path, error);
      status = STATUS_INPUT;
    } else {
      mju_getXMLDependencies(stage->model, &stage->files);
    }
  }
  return status;
}

void unstage_robot(Stage* stage) {
  char assets[sizeof stage->folder + 10];
  for (size_t i = 0; i < stage->files.num; i++) {
    system_remove(mjs_getString(stage->files.ptr + i));
  }
  snprintf(assets, sizeof assets, "%s/assets", stage->folder);
  system_removefolder(assets);
  system_remove(stage->model);
  system_removefolder(stage->folder);
  mjs_setStringVec(&stage->files, NULL);
  free_told(&stage->robot);
}
