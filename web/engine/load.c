// load.c: files of the page, and the model that they make.
//
// If a model can't be loaded, the one before stays, so a text may be broken for a while when it is
// edited. Problems, and the positions of elements in the files, go to the page as JSON.

#include <condyle/lint.h>
#include <condyle/load.h>
#include <condyle/robot.h>
#include <condyle/spec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carry.h"
#include "json.h"
#include "viewer.h"

// Adds a file, in place of one of the same name. Returns 1 if there is memory for it.
WEB int web_file(const char* name, const void* content, int size) {
  mj_deleteFileVFS(&viewer.files, name);
  return mj_addBufferVFS(&viewer.files, name, content, size) == 0;
}

WEB void web_forgetFiles(void) {
  mj_deleteVFS(&viewer.files);
  mj_defaultVFS(&viewer.files);
}

// With the spec of a compiled model each problem tells its body, -1 if it is about no single one.
static void write_problems(const cndDiagnostics* list, const mjSpec* spec) {
  const cndDiagnostic* it;
  for (int i = 0; (it = cnd_diagnostic(list, i)); i++) {
    const char* keys[] = {"file", "element", "message", "hint", "check"};
    const char* texts[] = {it->file, it->element, it->message, it->hint, it->check};
    json_raw(i ? ",{" : "{");
    for (int k = 0; k < 5; k++) {
      json_text(keys[k]);
      json_raw(":");
      json_text(texts[k]);
      json_raw(",");
    }
    json_raw("\"error\":");
    json_raw(it->severity == cndSEVERITY_ERROR ? "true" : "false");
    json_raw(",\"line\":");
    json_number(it->line);
    json_raw(",\"column\":");
    json_number(it->column);
    json_raw(",\"body\":");
    json_number(spec ? cnd_diagnosticBody(spec, it) : -1);
    json_raw("}");
  }
}

// Writes a problem without a position.
static void write_message(const char* message) {
  json_raw(
      "{\"file\":\"\",\"element\":\"\",\"hint\":\"\",\"check\":\"\",\"error\":true,"
      "\"line\":0,\"column\":0,\"body\":-1,\"message\":");
  json_text(message);
  json_raw("}");
}

typedef struct Loading_ {
  const char* name;
  int is_robot;
  cndDiagnostics* problems;  // of reading
  mjSpec* spec;
  mjModel* m;
} Loading;

// A page has no files to read textures from later, so they go into the model.
static void take_textures(mjSpec* spec) {
  mjsElement* it = mjs_firstElement(spec, mjOBJ_TEXTURE);
  for (; it; it = mjs_nextElement(spec, it)) {
    mjs_asTexture(it)->embed = mjEMBED_TRUE;
  }
}

static void read_and_compile(void* argument) {
  Loading* it = argument;
  size_t length = strlen(it->name);
  if (length > 4 && !strcmp(it->name + length - 4, ".mjb")) {
    it->m = mj_loadModel(it->name, &viewer.files);
    return;
  }
  if (it->is_robot) {
    cndRobotOptions options;
    cnd_defaultRobotOptions(&options);
    options.scene = 1;
    options.cache = 0;  // a page has no disk
    options.vfs = &viewer.files;
    it->spec = cnd_parseRobot(it->name, &options, it->problems);
  } else {
    it->spec = cnd_parseXML(it->name, &viewer.files, it->problems);
  }
  if (it->spec) {
    take_textures(it->spec);
    it->m = mj_compile(it->spec, &viewer.files);
  }
}

static void write_loading(const Loading* it) {
  const cndDiagnostics* compiling = it->spec ? cnd_specDiagnostics(it->spec) : NULL;
  json_start();
  json_raw("[");
  const mjSpec* compiled = it->m ? it->spec : NULL;
  write_problems(it->problems, compiled);
  int separate = cnd_diagnosticCount(it->problems, cndSEVERITY_WARNING) > 0;
  if (separate && cnd_diagnosticCount(compiling, cndSEVERITY_WARNING) > 0) {
    json_raw(",");
  }
  write_problems(compiling, compiled);
  int count = cnd_diagnosticCount(it->problems, cndSEVERITY_ERROR) +
              cnd_diagnosticCount(compiling, cndSEVERITY_ERROR);
  if (!it->m && count == 0) {
    json_raw(separate ? "," : "");
    write_message(viewer.error[0] ? viewer.error : "this is not a model");
  }
  json_raw("]");
}

// Loads the model from a file that was added; a robot is read as it is meant, and stands on a
// floor. With keep, elements with the same name keep their state, so the simulation continues.
// Returns 1 if there is a new model; web_text has the problems in either case.
WEB int web_load(const char* name, int keep, int is_robot) {
  Loading it = {name, is_robot, cnd_makeDiagnostics(), NULL, NULL};
  viewer.error[0] = 0;
  cnd_sealVFS(&viewer.files);  // a page has no disk
  attempt(read_and_compile, &it);
  World next = {0};
  if (it.m && !open_world(&next, it.m)) {
    it.m = NULL;
  }
  write_loading(&it);
  cnd_deleteDiagnostics(it.problems);
  if (!it.m) {
    mj_deleteSpec(it.spec);
    return 0;
  }

  World* before = main_world();
  int first = viewer.own < 0;
  if (keep && !first) {
    carry_state(&next, before);
  }
  for (int i = 0; i < cndNCONTACT; i++) {
    close_world(&viewer.world[i]);
  }
  mj_deleteSpec(viewer.spec);
  viewer.spec = it.spec;
  viewer.own = next.m->cnd_contact.mode;
  *main_world() = next;
  if (first) {
    mjv_defaultOption(&viewer.option);
    memcpy(viewer.flags, next.scene.flags, sizeof viewer.flags);
  }
  if (first || !keep) {
    first_camera(next.m);
    mjv_defaultPerturb(&viewer.perturb);
  }
  if (viewer.perturb.select >= next.m->nbody) {
    mjv_defaultPerturb(&viewer.perturb);
  }
  if (viewer.camera.fixedcamid >= next.m->ncam || viewer.camera.trackbodyid >= next.m->nbody) {
    mjv_defaultFreeCamera(next.m, &viewer.camera);
  }
  return 1;
}

// The problems that the last web_load or web_lint found, or the places of web_places.
WEB const char* web_text(void) {
  return json_end();
}

typedef struct Choice_ {
  int law;
  mjModel* m;
} Choice;

static void compile_with_law(void* argument) {
  static const char* const names[cndNCONTACT] = {"soft", "hard", "stick"};
  Choice* it = argument;
  mjSpec* copy = mj_copySpec(viewer.spec);
  if (!copy) {
    return;
  }
  mjsElement* element = mjs_findElement(copy, mjOBJ_TEXT, "condyle.contact");
  if (!element) {
    element = mjs_addText(copy)->element;
    mjs_setName(element, "condyle.contact");
  }
  mjs_setString(mjs_asText(element)->data, names[it->law]);
  it->m = mj_compile(copy, &viewer.files);
  mj_deleteSpec(copy);
}

// Opens a world for each law of contacts, in the state of the main world, or closes all but that
// one. Returns 1 if it went well.
WEB int web_compare(int on) {
  for (int law = 0; law < cndNCONTACT; law++) {
    World* world = &viewer.world[law];
    if (law == viewer.own) {
      continue;
    }
    close_world(world);
    Choice it = {law, NULL};
    if (!on) {
      continue;
    }
    if (!viewer.spec || !attempt(compile_with_law, &it) || !it.m || !open_world(world, it.m)) {
      strcpy(viewer.error, "contacts can only be compared for models in text");
      web_compare(0);
      return 0;
    }
    copy_state(world, main_world());
  }
  return 1;
}

static void lint(void* list) {
  if (viewer.spec) {
    mjSpec* copy = mj_copySpec(viewer.spec);
    if (copy) {
      cnd_lintSpec(copy, &viewer.files, NULL, list);
      mj_deleteSpec(copy);
    }
  } else if (main_world()->m) {
    cnd_lintModel(main_world()->m, NULL, list);
  }
}

// Runs the linter on the model; web_text has the problems.
WEB void web_lint(void) {
  cndDiagnostics* list = cnd_makeDiagnostics();
  attempt(lint, list);
  json_start();
  json_raw("[");
  write_problems(list, NULL);
  json_raw("]");
  cnd_deleteDiagnostics(list);
}

// Writes where the elements of a type (mjtObj) stand in the files of the model to web_text:
// [[id, file, line], ...].
WEB void web_places(int type) {
  json_start();
  json_raw("[");
  int count = 0;
  mjsElement* element = viewer.spec ? mjs_firstElement(viewer.spec, (mjtObj)type) : NULL;
  for (; element; element = mjs_nextElement(viewer.spec, element)) {
    int line = 0, id = mjs_getId(element);
    const char* file = cnd_elementPlace(element, &line, NULL);
    if (id < 0 || line <= 0) {
      continue;
    }
    json_raw(count++ ? ",[" : "[");
    json_number(id);
    json_raw(",");
    json_text(file);
    json_raw(",");
    json_number(line);
    json_raw("]");
  }
  json_raw("]");
}
