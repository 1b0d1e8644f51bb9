// diagnostic.c: a list of problems that grows by doubling up to MAX_KEPT. Problems beyond that are
// counted by severity but not kept. The list owns copies of all strings.

#include "base/diagnostic.h"

#include <mujoco/api/base.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"

enum {
  MAX_KEPT = 1000,  // problems kept; a broken file of a million elements must not fill the memory
  MAX_NAME = 64,    // longer names get no "did you mean"
  NSEVERITY = cndSEVERITY_WARNING + 1,
};

struct cndDiagnostics_ {
  cndDiagnostic* entry;
  int kept;
  int capacity;
  int count[NSEVERITY];  // problems added, kept or not, by severity
  int lost;              // 1 if an error could not be kept for lack of memory
};

// Last entry of a list that lost an error.
static const cndDiagnostic lost = {cndSEVERITY_ERROR,          .file = "", .element = "",
                                   .message = "out of memory", .hint = "", .check = ""};

cndDiagnostics* cnd_makeDiagnostics(void) {
  cndDiagnostics* list = calloc(1, sizeof(cndDiagnostics));
  if (!list) {
    mju_warning("no list of problems: out of memory");
  }
  return list;
}

static void clear(cndDiagnostic* entry) {
  free((char*)entry->file);
  free((char*)entry->element);
  free((char*)entry->message);
  free((char*)entry->hint);
  free((char*)entry->check);
}

void cnd_deleteDiagnostics(cndDiagnostics* list) {
  if (!list) {
    return;
  }
  for (int i = 0; i < list->kept; i++) {
    clear(&list->entry[i]);
  }
  free(list->entry);
  free(list);
}

int cnd_diagnosticCount(const cndDiagnostics* list, cndSeverity severity) {
  int count = 0;
  for (int i = 0; list && i <= (int)severity && i < NSEVERITY; i++) {
    count += list->count[i];
  }
  return count;
}

const cndDiagnostic* cnd_diagnostic(const cndDiagnostics* list, int i) {
  if (!list || i < 0 || i > list->kept) {
    return NULL;
  }
  return i < list->kept ? &list->entry[i] : list->lost ? &lost : NULL;
}

const cndDiagnostic* diagnostic_first(const cndDiagnostics* list, cndSeverity severity) {
  const cndDiagnostic* it;
  for (int i = 0; (it = cnd_diagnostic(list, i)); i++) {
    if (it->severity <= severity) {
      return it;
    }
  }
  return NULL;
}

// Copies text, NULL as "". Returns NULL if memory runs out.
static char* copy(const char* text) {
  size_t length = text ? strlen(text) : 0;
  char* result = malloc(length + 1);
  if (result) {
    memcpy(result, text ? text : "", length);
    result[length] = 0;
  }
  return result;
}

static char* print(const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char* text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) {
    vsnprintf(text, (size_t)length + 1, format, args);
  }
  return text;
}

// Makes room for one more problem. Returns 0 if the bound is reached or memory runs out.
static int reserve(cndDiagnostics* list) {
  if (list->kept < list->capacity) {
    return 1;
  }
  int capacity = int_min(MAX_KEPT, list->capacity ? 2 * list->capacity : 8);
  if (list->kept == capacity) {
    return 0;
  }
  cndDiagnostic* entry = realloc(list->entry, (size_t)capacity * sizeof(cndDiagnostic));
  if (!entry) {
    return 0;
  }
  list->entry = entry;
  list->capacity = capacity;
  return 1;
}

// Drops the last warning to make room for an error. Returns 0 if there is no warning.
static int drop_warning(cndDiagnostics* list) {
  for (int i = list->kept - 1; i >= 0; i--) {
    if (list->entry[i].severity == cndSEVERITY_WARNING) {
      clear(list->entry + i);
      list->kept--;
      memmove(list->entry + i, list->entry + i + 1,
              (size_t)(list->kept - i) * sizeof(cndDiagnostic));
      return 1;
    }
  }
  return 0;
}

// Keeps copies of the strings, but takes over the message. Returns 0 if memory runs out.
static int add(cndDiagnostics* list, const cndDiagnostic* problem, char* message) {
  cndDiagnostic entry = {
      .severity = problem->severity,
      .file = copy(problem->file),
      .line = problem->line,
      .column = problem->column,
      .element = copy(problem->element),
      .message = message,
      .hint = copy(problem->hint),
      .check = copy(problem->check),
      .owner_line = problem->owner_line,
      .owner_column = problem->owner_column,
  };
  if (!entry.file || !entry.element || !entry.message || !entry.hint || !entry.check) {
    clear(&entry);
    return 0;
  }
  list->entry[list->kept++] = entry;
  return 1;
}

static void report(cndDiagnostics* list, const cndDiagnostic* problem, const char* message,
                   va_list args) {
  if (!list) {
    return;
  }
  list->count[problem->severity]++;
  int error = problem->severity == cndSEVERITY_ERROR;
  int added =
      (reserve(list) || (error && drop_warning(list))) && add(list, problem, print(message, args));
  list->lost |= error && !added && list->kept < MAX_KEPT;
}

void diagnostic_report(cndDiagnostics* list, const cndDiagnostic* problem, const char* message,
                       ...) {
  va_list args;
  va_start(args, message);
  report(list, problem, message, args);
  va_end(args);
}

void diagnostic_add(cndDiagnostics* list, cndSeverity severity, SourcePlace place,
                    const char* element, const char* hint, const char* message, ...) {
  cndDiagnostic problem = {.severity = severity,
                           .file = place.file,
                           .line = place.line,
                           .column = place.column,
                           .element = element,
                           .hint = hint};
  va_list args;
  va_start(args, message);
  report(list, &problem, message, args);
  va_end(args);
}

typedef struct Piece_ {
  const char* text;
  size_t length;
} Piece;

// The longest path between quotes, an empty piece if there is none.
static Piece quoted_path(const char* message) {
  Piece longest = {message, 0};
  for (const char *begin = strchr(message, '\''), *end; begin; begin = strchr(end, '\'')) {
    size_t length = strcspn(++begin, "'");
    end = begin + length;
    if (memchr(begin, '/', length) && length > longest.length) {
      longest = (Piece){begin, length};
    }
  }
  return longest;
}

// Appends a piece at text + *at, cut to the room that is left.
static void append(char* text, size_t size, size_t* at, Piece piece) {
  size_t room = *at < size ? size - 1 - *at : 0;
  size_t n = piece.length < room ? piece.length : room;
  memcpy(text + *at, piece.text, n);
  *at += n;
  text[*at] = 0;
}

// Appends a piece, or "..." and its end if it is longer than `most` bytes.
static void append_end(char* text, size_t size, size_t* at, Piece piece, size_t most) {
  const size_t dots = 3;
  if (piece.length > most) {
    const char* end = piece.text + piece.length;
    const char* begin = end - (most > dots ? most - dots : 0);
    while (begin < end && ((unsigned char)*begin & 0xC0) == 0x80) {
      begin++;  // never start inside a UTF-8 character
    }
    append(text, size, at, (Piece){"...", dots});
    piece = (Piece){begin, (size_t)(end - begin)};
  }
  append(text, size, at, piece);
}

int cnd_formatDiagnostic(char* text, int size, const cndDiagnostic* diagnostic) {
  check_given(text, diagnostic);
  char place[48] = "";
  if (diagnostic->line > 0) {
    snprintf(place, sizeof(place), "%d:%d", diagnostic->line, diagnostic->column);
  }
  const char *element = diagnostic->element, *message = diagnostic->message;
  const char *hint = diagnostic->hint, *check = diagnostic->check ? diagnostic->check : "";
  Piece file = {diagnostic->file, strlen(diagnostic->file)}, path = quoted_path(message);
  const char* behind = path.text + path.length;
  const char* const fixed[] = {file.length && place[0] ? ":" : "",
                               place,
                               file.length || place[0] ? ": " : "",
                               element[0] ? "<" : "",
                               element,
                               element[0] ? ">: " : "",
                               NULL,  // the message
                               hint[0] ? " (" : "",
                               hint,
                               hint[0] ? ")" : "",
                               check[0] ? " [" : "",
                               check,
                               check[0] ? "]" : ""};
  const size_t nfixed = sizeof(fixed) / sizeof(fixed[0]);
  size_t around = strlen(message) - path.length, at = 0;
  for (size_t i = 0; i < nfixed; i++) {
    around += fixed[i] ? strlen(fixed[i]) : 0;
  }
  int full = (int)(around + file.length + path.length);
  if (size < 1) {
    return full;
  }

  // The file and the path in the message share the room that is left. Each gets half of it if both
  // need more.
  size_t total = (size_t)size, room = around < total - 1 ? total - 1 - around : 0;
  size_t in_file = room - (path.length < room / 2 ? path.length : room / 2);
  in_file = file.length < in_file ? file.length : in_file;
  text[0] = 0;
  append_end(text, total, &at, file, in_file);
  for (size_t i = 0; i < nfixed; i++) {
    if (fixed[i]) {
      append(text, total, &at, (Piece){fixed[i], strlen(fixed[i])});
      continue;
    }
    append(text, total, &at, (Piece){message, (size_t)(path.text - message)});
    append_end(text, total, &at, path, room - in_file);
    append(text, total, &at, (Piece){behind, strlen(behind)});
  }
  return full;
}

// Edit distance with transpositions: D(i,j) of the prefixes of lengths i and j is the least of
//   D(i-1,j) + 1,  D(i,j-1) + 1,  D(i-1,j-1) + (a_i != b_j),
//   D(i-2,j-2) + 1 if the last two letters are swapped.
static int distance(const char* a, int na, const char* b, int nb) {
  int row[3][MAX_NAME + 1];
  for (int j = 0; j <= nb; j++) {
    row[0][j] = j;
  }
  for (int i = 1; i <= na; i++) {
    int* now = row[i % 3];
    const int* last = row[(i + 2) % 3];
    const int* before = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      now[j] = int_min(last[j - 1] + (a[i - 1] != b[j - 1]), int_min(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = int_min(now[j], before[j - 2] + 1);
      }
    }
  }
  return row[na % 3][nb];
}

const char* diagnostic_nearest(const char* name, const char* const* candidates, int count) {
  size_t length = strlen(name);
  if (length < 2 || length > MAX_NAME) {
    return NULL;
  }
  const char* nearest = NULL;
  int least = (int)(length + 2) / 3 + 1;
  for (int i = 0; i < count; i++) {
    size_t n = strlen(candidates[i]);
    if (n > MAX_NAME) {
      continue;
    }
    int d = distance(name, (int)length, candidates[i], (int)n);
    if (d < least) {
      least = d;
      nearest = candidates[i];
    }
  }
  return nearest;
}

const char* diagnostic_hint(char hint[HINT_BYTES], const char* nearest) {
  if (!nearest) {
    return NULL;
  }
  snprintf(hint, HINT_BYTES, "did you mean '%s'?", nearest);
  return hint;
}
