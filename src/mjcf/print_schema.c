// print_schema.c: prints the grammar of MJCF as text or as rows of an HTML table. Every element
// comes with its rule and its attributes in alphabetical order. Recursive elements are printed
// once.

#include <condyle/output.h>
#include <mujoco/api/base.h>
#include <mujoco/api/mjcf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/text/text.h"
#include "mjcf/schema.h"

enum {
  MAX_ATTRIBUTES = 128,
  NAME_COLUMNS = 30,  // width of the first column of the text
  FULL_LINE = 60,     // a longer line gets no further attribute
  LEVEL_COLUMNS = 3,
  LEVEL_PIXELS = 15,
  FIRST_PIXELS = 5,
  LEVEL_SPACES = 4,
};

// The printed text. size keeps counting beyond the capacity.
typedef struct Print_ {
  char* text;
  size_t size, capacity;
  int html, pad;
} SchemaPrint;

static void add(SchemaPrint* print, const char* text) {
  size_t length = strlen(text);
  if (print->size + length + 1 > print->capacity) {
    size_t capacity = 2 * (print->size + length + 1);
    print->text = heap_resize(print->text, capacity);
    print->capacity = capacity;
  }
  memcpy(print->text + print->size, text, length + 1);
  print->size += length;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Collects the names of an element's attributes in alphabetical order. Returns their number.
static int sorted_names(const char* names[MAX_ATTRIBUTES], const SchemaElement* element) {
  const SchemaRow* row;
  int n = 0;
  while (n < MAX_ATTRIBUTES && (row = schema_rowat(element, n))) {
    names[n++] = row->name;
  }
  qsort(names, (size_t)n, sizeof(names[0]), by_name);
  return n;
}

static void print_text(SchemaPrint* print, const SchemaElement* element, const char* name,
                       char rule, int level) {
  const char* names[MAX_ATTRIBUTES];
  int n = sorted_names(names, element);
  char head[200];
  snprintf(head, sizeof(head), "%*s%s (%c)", level * LEVEL_COLUMNS, "", name, rule);
  char line[300];
  int length = snprintf(line, sizeof(line), "%-*s", NAME_COLUMNS, head);
  add(print, line);
  for (int i = 0; i < n; i++) {
    if (length > FULL_LINE) {
      snprintf(line, sizeof(line), "\n%*s", NAME_COLUMNS, "");
      add(print, line);
      length = NAME_COLUMNS;
    }
    length += snprintf(line, sizeof(line), "%s ", names[i]);
    add(print, line);
  }
  add(print, "\n");
}

static void print_html(SchemaPrint* print, const SchemaElement* element, const char* name,
                       char rule, int level) {
  char cell[200];
  add(print, "<tr>\n");
  if (print->pad) {
    snprintf(cell, sizeof(cell),
             "\t<td style=\"padding-left:%d\" bgcolor=\"#EEEEEE\" class=\"el\">",
             FIRST_PIXELS + LEVEL_PIXELS * level);
    add(print, cell);
  } else {
    add(print, "\t<td bgcolor=\"#EEEEEE\" class=\"el\">");
    for (int i = 0; i < LEVEL_SPACES * level; i++) {
      add(print, "&nbsp;");
    }
  }
  snprintf(cell, sizeof(cell), "%s</td>\n\t<td class=\"ty\">%c</td>\n\t<td class=\"at\">", name,
           rule);
  add(print, cell);

  const char* names[MAX_ATTRIBUTES];
  int n = sorted_names(names, element);
  for (int i = 0; i < n; i++) {
    add(print, names[i]);
    add(print, " ");
  }
  add(print, n ? "" : "<span style=\"color:black\"><i>no attributes</i></span>");
  add(print, "</td>\n</tr>\n");
}

static void print_element(SchemaPrint* print, const SchemaElement* element, int level) {
  // the world is a body without attributes; both share a row
  int world = text_equal(element->name, "worldbody");
  const char* name = world ? "(world)body" : element->name;
  char rule = world ? 'R' : element->rule;
  if (print->html) {
    print_html(print, element, name, rule, level);
  } else {
    print_text(print, element, name, rule, level);
  }
  for (const SchemaElement* child = element->children; child && child->name; child++) {
    int again = child->children == element->children;
    if (!again && !(child->flags & ELEMENT_IGNORED)) {
      print_element(print, child, level + 1);
    }
  }
}

static void print_all(void* argument) {
  SchemaPrint* print = argument;
  add(print, print->html ? "<table border=\"1\">\n" : "");
  print_element(print, schema_root(), 0);
  add(print, print->html ? "</table>\n" : "");
}

int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  SchemaPrint print = {.html = flg_html, .pad = flg_pad};
  char message[300];
  if (error_catch(message, sizeof(message), print_all, &print)) {
    mju_warning("mj_printSchema: %s", message);
    return -1;
  }
  if (filename) {
    cndOutput out;
    if (cnd_openOutput(&out, filename)) {
      fputs(print.text, out.file);
    }
    if (!cnd_closeOutput(&out, 1)) {
      mju_warning("Could not write file '%s': %s", filename, strerror(out.reason));
    }
  }
  if (buffer && buffer_sz > 0) {
    snprintf(buffer, (size_t)buffer_sz, "%s", print.text);
  }
  heap_free(print.text);
  return (int)print.size;
}
