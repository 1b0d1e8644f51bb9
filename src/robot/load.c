// load.c: the public functions that read robots.

#include <condyle/robot.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "compile/compile.h"
#include "mjcf/urdf/sdf.h"
#include "model/files/resource.h"
#include "robot/build.h"
#include "robot/read.h"
#include "robot/xacro.h"
#include "spec/spec.h"

void cnd_defaultRobotOptions(cndRobotOptions* options) {
  check_given(options);
  *options = (cndRobotOptions){.floating = -1, .visuals = 1, .exclude = "initial", .cache = 1};
}

static int ends_with(const char* name, const char* ending) {
  size_t n = name ? strlen(name) : 0, k = strlen(ending);
  return n > k && strcasecmp(name + n - k, ending) == 0;
}

int cnd_isRobot(const char* path) {
  return ends_with(path, ".urdf") || ends_with(path, ".xacro") || ends_with(path, ".sdf");
}

typedef struct Loading_ {
  const char* path;
  const cndRobotOptions* options;
  cndDiagnostics* problems;
  mjSpec* spec;
} Loading;

static void add_error(const Loading* loading, const char* message) {
  SourcePlace place = {loading->path, 0, 0};
  diagnostic_add(loading->problems, cndSEVERITY_ERROR, place, NULL, NULL, "%s", message);
}

static int is_one_of(const char* word, const char* const* words, int count) {
  for (int i = 0; i < count; i++) {
    if (text_equal(word, words[i])) {
      return 1;
    }
  }
  return 0;
}

// Are the words of the options known?
static int check_options(const Loading* loading) {
  static const char* const actuators[] = {"position", "velocity", "motor", "none"};
  static const char* const exclude[] = {"initial", "all", "none"};
  const cndRobotOptions* options = loading->options;
  char message[200];
  if (options->actuators && !is_one_of(options->actuators, actuators, 4)) {
    snprintf(message, sizeof(message),
             "actuators must be position, velocity, motor or none, not '%.40s'",
             options->actuators);
  } else if (!options->exclude || !is_one_of(options->exclude, exclude, 3)) {
    snprintf(message, sizeof(message), "exclude must be initial, all or none, not '%.40s'",
             options->exclude ? options->exclude : "");
  } else {
    return 1;
  }
  add_error(loading, message);
  return 0;
}

// The document of a robot's file, which xacro may have to make.
static Document* read_document(const Loading* loading) {
  const mjVFS* vfs = loading->options->vfs;
  if (!ends_with(loading->path, ".xacro")) {
    return document_readfile(NULL, loading->path, vfs, loading->problems);
  }
  char message[2000] = "";
  char* text = xacro_run(message, sizeof(message), loading->options, loading->path);
  if (!text) {
    add_error(loading, message);
    return NULL;
  }
  char name[4200];
  snprintf(name, sizeof(name), "%s, expanded", loading->path);
  char* directory = resource_directory(loading->path);
  Document* document = document_readtext(text, name, directory, vfs, loading->problems);
  heap_free(directory);
  heap_free(text);
  return document;
}

static void free_robot(RobotDescription* robot) {
  for (int i = 0; i < robot->nlink; i++) {
    heap_free(robot->links[i].geoms);
  }
  heap_free(robot->links);
  heap_free(robot->joints);
  heap_free(robot->sensors);
  heap_free(robot->unused);
  hash_clear(&robot->link_names);
  hash_clear(&robot->joint_names);
  hash_clear(&robot->colors);
}

static void free_builder(Builder* b) {
  robot_freefiles(b->files, b->nfile);
  for (int i = 0; i < b->nmesh; i++) {
    heap_free(b->meshes[i].path);
  }
  heap_free(b->meshes);
  heap_free(b->parts);
  heap_free(b->textures);
  heap_free(b->links);
}

static void read_robot(Loading* loading, Document* document) {
  if (sdf_is(document_root(document))) {
    sdf_rewrite(document, loading->problems);
  }
  const Node* root = document_root(document);
  RobotDescription robot = {.document = document, .problems = loading->problems, .name = ""};
  if (!node_islike(root, "robot")) {
    node_report(root, NULL, loading->problems, cndSEVERITY_ERROR,
                "a model of MJCF is loaded by mj_loadXML", "a robot begins with <robot>");
    return;
  }
  char* directory = resource_directory(loading->path);
  if (urdf_fill(&robot, root) && !cnd_diagnosticCount(loading->problems, cndSEVERITY_ERROR)) {
    Builder b = {.robot = &robot,
                 .spec = mj_makeSpec(),
                 .options = loading->options,
                 .directory = directory};
    robot_build(&b);
    loading->spec = b.spec;
    free_builder(&b);
  }
  robot_tellunused(&robot);
  free_robot(&robot);
  heap_free(directory);
}

static void load(void* argument) {
  Loading* loading = argument;
  Document* document = read_document(loading);
  if (document) {
    read_robot(loading, document);
  }
  document_free(document);
}

static mjSpec* parse(const char* path, const cndRobotOptions* options, cndDiagnostics* problems) {
  cndRobotOptions usual;
  cnd_defaultRobotOptions(&usual);
  Loading loading = {path, options ? options : &usual, problems, NULL};
  int before = cnd_diagnosticCount(problems, cndSEVERITY_ERROR);
  char message[400];
  if (!path) {
    loading.path = "";
    add_error(&loading, "no file name given");
  } else if (check_options(&loading) && error_catch(message, sizeof(message), load, &loading)) {
    add_error(&loading, message);
    return NULL;
  }
  if (loading.spec && cnd_diagnosticCount(problems, cndSEVERITY_ERROR) > before) {
    mj_deleteSpec(loading.spec);
    return NULL;
  }
  return loading.spec;
}

mjSpec* cnd_parseRobot(const char* path, const cndRobotOptions* options,
                       cndDiagnostics* diagnostics) {
  cndDiagnostics* problems = diagnostics ? diagnostics : cnd_makeDiagnostics();
  mjSpec* spec = problems ? parse(path, options, problems) : NULL;
  if (problems != diagnostics) {
    cnd_deleteDiagnostics(problems);
  }
  return spec;
}

mjModel* cnd_loadRobot(const char* path, const cndRobotOptions* options,
                       cndDiagnostics* diagnostics) {
  mjSpec* spec = cnd_parseRobot(path, options, diagnostics);
  if (!spec) {
    return NULL;
  }
  SpecTree* tree = spec_tree(spec);
  cndDiagnostics* own = tree->diagnostics;
  tree->diagnostics = diagnostics ? diagnostics : own;
  mjModel* m = compile_tree(tree, options ? options->vfs : NULL);
  if (diagnostics) {
    tree->diagnostics = own;
  }
  mj_deleteSpec(spec);
  return m;
}
