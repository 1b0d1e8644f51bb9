// view.c: condyle view MODEL, which shows a model in the browser.
//
// The page is one file (web/) in which the engine runs; this program only serves the page and the
// files of the model. Files are read on request, so reloading the page shows a changed model.

#include <condyle/load.h>
#include <condyle/robot.h>
#include <condyle/spec.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/files.h"
#include "base/system/program.h"
#include "command.h"
#include "options.h"
#include "server/note.h"
#include "server/server.h"
#include "stop.h"

enum {
  LARGEST_FILE = 1 << 29,  // bytes; the engine reads no larger ones
};

typedef struct View_ {
  const char* page;
  mjStringVec files;         // of the model, itself first
  const LoadedModel* robot;  // of which the model was made, NULL if it is none
  Note note;                 // tells the browser the address
} View;

// A text that grows; failed without memory.
typedef struct Text_ {
  char* bytes;
  size_t size, room;
  int failed;
} Text;

static void append(Text* text, const char* piece, size_t size) {
  if (text->failed) {
    return;
  }
  if (text->size + size > text->room) {
    size_t room = 2 * (text->size + size) + 256;
    char* moved = realloc(text->bytes, room);
    if (!moved) {
      text->failed = 1;
      return;
    }
    text->bytes = moved;
    text->room = room;
  }
  memcpy(text->bytes + text->size, piece, size);
  text->size += size;
}

static void append_text(Text* text, const char* piece) {
  append(text, piece, strlen(piece));
}

// A text in quotes, as JSON has it.
static void append_quoted(Text* text, const char* plain) {
  append_text(text, "\"");
  for (const char* c = plain; *c; c++) {
    char escape[16];
    if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*c);
      append_text(text, escape);
    } else {
      append(text, c, 1);
    }
  }
  append_text(text, "\"");
}

static int finish_text(Content* content, Text* text, const char* type) {
  if (text->failed) {
    free(text->bytes);
    return 503;
  }
  *content = (Content){text->bytes, text->size, type};
  return 200;
}

// Bytes of a file that can be sent.
static long long size_of(const char* path) {
  FileState s;
  return system_state(&s, path) && s.kind == FILE_REGULAR ? (long long)s.size : 0;
}

// What was changed while a robot was read, each with its place and the name of its body. Places in
// what xacro wrote have no file.
static void append_notes(Text* text, const LoadedModel* robot, const cndDiagnostics* list,
                         int* count) {
  const cndDiagnostic* it;
  for (int i = 0; (it = cnd_diagnostic(list, i)); i++) {
    int body = cnd_diagnosticBody(robot->spec, it);
    const char* owner = body >= 0 ? mj_id2name(robot->m, mjOBJ_BODY, body) : NULL;
    const char* const parts[][2] = {{"file", it->file},       {"element", it->element},
                                    {"message", it->message}, {"hint", it->hint},
                                    {"check", it->check},     {"owner", owner ? owner : ""}};
    append_text(text, (*count)++ ? ",{" : "{");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
      append_quoted(text, parts[k][0]);
      append_text(text, ":");
      append_quoted(text, parts[k][1]);
      append_text(text, ",");
    }
    char place[100];
    snprintf(place, sizeof place, "\"line\":%d,\"column\":%d,\"error\":false}",
             it->file[0] ? it->line : 0, it->file[0] ? it->column : 0);
    append_text(text, place);
  }
}

// The names and sizes of all files: {"main": ..., "files": [...], "sizes": [...], "notes": [...]}.
static int serve_list(Content* content, View* view) {
  Text text = {0};
  append_text(&text, "{\"main\":");
  append_quoted(&text, mjs_getString(view->files.ptr));
  append_text(&text, ",\"files\":[");
  for (size_t i = 0; i < view->files.num; i++) {
    append_text(&text, i ? "," : "");
    append_quoted(&text, mjs_getString(view->files.ptr + i));
  }
  append_text(&text, "],\"sizes\":[");
  for (size_t i = 0; i < view->files.num; i++) {
    char size[32];
    snprintf(size, sizeof size, "%s%lld", i ? "," : "",
             size_of(mjs_getString(view->files.ptr + i)));
    append_text(&text, size);
  }
  append_text(&text, "],\"notes\":[");
  if (view->robot) {
    int count = 0;
    append_notes(&text, view->robot, view->robot->reading, &count);
    append_notes(&text, view->robot, cnd_specDiagnostics(view->robot->spec), &count);
  }
  append_text(&text, "]}\n");
  return finish_text(content, &text, "application/json");
}

// Opens a regular file of a size that can be sent, without waiting for the other end of a pipe. The
// model decides which files these are.
static FILE* open_file(const char* path) {
  FileState s;
  FILE* file = system_openregular(&s, path);
  if (file && s.size > LARGEST_FILE) {
    fclose(file);
    return NULL;
  }
  return file;
}

static int serve_file(Content* content, const char* path, const char* type) {
  FILE* file = open_file(path);
  if (!file) {
    return 404;
  }
  Text text = {0};
  char piece[65536];
  size_t got;
  while (text.size <= LARGEST_FILE && (got = fread(piece, 1, sizeof piece, file)) > 0) {
    append(&text, piece, got);
  }
  // it may grow meanwhile
  int failed = ferror(file) || text.size > LARGEST_FILE;
  fclose(file);
  if (failed) {
    free(text.bytes);
    return 404;
  }
  if (!text.bytes && !text.failed) {
    append(&text, "", 1);
    text.size = 0;
  }
  return finish_text(content, &text, type);
}

// Files are requested by number only, so a path can't lead out of the model's files.
static int serve_numbered(Content* content, const View* view, const char* number) {
  size_t length = strlen(number), digits = strspn(number, "0123456789");
  if (length == 0 || length > 6 || digits != length) {
    return 404;
  }
  size_t i = strtoul(number, NULL, 10);
  return i < view->files.num
             ? serve_file(content, mjs_getString(view->files.ptr + i), "application/octet-stream")
             : 404;
}

static int serve(Content* content, const char* path, void* context) {
  View* view = context;
  if (!strcmp(path, "/")) {
    note_remove(&view->note);
    return serve_file(content, view->page, "text/html; charset=utf-8");
  }
  if (!strcmp(path, "/model.json")) {
    return serve_list(content, view);
  }
  return strncmp(path, "/files/", 7) ? 404 : serve_numbered(content, view, path + 7);
}

// The page: installed beside the program, or where the build puts it.
static int find_page(char* page, size_t size) {
  static const char* const places[] = {"../share/condyle/viewer.html", "../../web/viewer.html",
                                       "../web/viewer.html"};
  char program[4096];
  if (!program_path(program, sizeof program)) {
    return 0;
  }
  *(strrchr(program, '/') + 1) = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    int written = snprintf(page, size, "%s%s", program, places[i]);
    if (written > 0 && (size_t)written < size && system_readable(page)) {
      return 1;
    }
  }
  return 0;
}

// Asks the desktop to show the page. That it has none is no error: the address is printed. Words of
// a command are no secret, so they name a note with the address, which only this user can read.
static void open_browser(View* view, const char* address) {
  if (!note_write(&view->note, address)) {
    return;
  }
  program_show(view->note.path);
}

static int take_port(void* target, const char* option, const char* value) {
  double number;
  int status = parse_whole(&number, "view", option, value, 65535);
  if (status == STATUS_OK) {
    *(int*)target = (int)number;
  }
  return status;
}

static int show(View* view, int port, int quiet) {
  Server* server = server_open(port);
  if (!server) {
    return STATUS_FAILED;
  }
  printf("%s\n", server_address(server));
  fflush(stdout);
  fprintf(stderr, "Ctrl-C ends\n");
  if (!quiet) {
    open_browser(view, server_address(server));
  }
  int went_well = server_run(server, serve, view);
  note_remove(&view->note);
  server_close(server);
  return went_well ? STATUS_OK : STATUS_FAILED;
}

// Lists the files that are served. A robot is served as the MJCF that was made of it.
static void list_files(View* view, const char* path, const Stage* stage) {
  const char* model = view->robot ? stage->model : path;
  if (ends_with(model, ".mjb")) {
    mjs_appendString(&view->files, model);
  } else {
    mju_getXMLDependencies(model, &view->files);
  }
  if (view->robot && !ends_with(path, ".xacro")) {
    mjs_appendString(&view->files, path);  // to be read, at the lines of what was changed
  }
}

int command_view(int argc, char** argv) {
  const char *path = NULL, *page = NULL;
  int port = 0, quiet = 0;
  const Option known[] = {
      {"--port", take_port, &port}, {"--page", take_text, &page}, {"--no-browser", NULL, &quiet}};
  int status = parse_options(&path, NULL, "view", known, sizeof known / sizeof *known, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  // a model with mistakes is shown too: the page says where they are
  FileState s;
  if (!system_readable(path) || !system_state(&s, path)) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return STATUS_INPUT;
  }
  if (s.kind != FILE_REGULAR) {
    fprintf(stderr, "%s: the page reads it again and again, so it must be a regular file\n", path);
    return STATUS_INPUT;
  }
  char found[4200];
  if (!page && !find_page(found, sizeof found)) {
    fprintf(stderr,
            "the page of the viewer is not there: make web builds it, --page FILE names it\n");
    return STATUS_INPUT;
  }
  page = page ? page : found;
  if (!system_readable(page)) {
    fprintf(stderr, "%s: %s\n", page, strerror(errno));
    return STATUS_INPUT;
  }
  View view = {.page = page};
  Stage stage = {.folder = ""};
  if (cnd_isRobot(path)) {
    status = stage_robot(&stage, path);
    view.robot = &stage.robot;
  }
  stop_gently();
  if (status == STATUS_OK) {
    list_files(&view, path, &stage);
    status = show(&view, port, quiet);
  }
  mjs_setStringVec(&view.files, NULL);
  if (view.robot) {
    unstage_robot(&stage);
  }
  return status;
}
