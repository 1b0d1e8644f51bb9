// table.c: reads comma-separated values.

#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

// The place that is being read.
typedef struct Reader_ {
  const char* path;
  char* at;   // the next line
  long line;  // its number, from 1
} Reader;

static int out_of_memory(void) {
  fprintf(stderr, "condyle plot: out of memory\n");
  return STATUS_FAILED;
}

static int wrong(const Reader* r, const char* message) {
  fprintf(stderr, "%s:%ld: %s\n", r->path, r->line, message);
  return STATUS_INPUT;
}

// Reads all of a file into a text that ends in 0. Returns a status, with errno set if it failed.
static int read_whole(char** text, FILE* file) {
  size_t size = 0, room = 1 << 16, n = 0;
  *text = malloc(room);
  while (*text && (n = fread(*text + size, 1, room - size - 1, file)) > 0) {
    size += n;
    if (room - size < 2) {
      char* more = realloc(*text, room *= 2);
      if (!more) {
        errno = ENOMEM;
        return STATUS_FAILED;
      }
      *text = more;
    }
  }
  if (!*text || ferror(file)) {
    return STATUS_FAILED;
  }
  // bytes after a zero would be lost
  for (size_t i = 0; i < size; i++) {
    (*text)[i] = (char)((*text)[i] ? (*text)[i] : '?');
  }
  (*text)[size] = 0;
  return STATUS_OK;
}

// Cuts off the next line that isn't blank; NULL at the end.
static char* next_line(Reader* r) {
  while (r->at && *r->at) {
    char *line = r->at, *end = strpbrk(line, "\r\n");
    r->line++;
    if (end) {
      r->at = end + (end[0] == '\r' && end[1] == '\n') + 1;
      *end = 0;
    } else {
      r->at = NULL;
    }
    if (line[strspn(line, " \t")]) {
      return line;
    }
  }
  return NULL;
}

// A field without blanks and quotation marks around it.
static char* trim(char* field) {
  field += strspn(field, " \t\"");
  for (size_t n = strlen(field); n && strchr(" \t\"", field[n - 1]); n--) {
    field[n - 1] = 0;
  }
  return field;
}

// Cuts off the next field of a line; NULL after the last one.
static char* next_field(char** rest) {
  char* field = *rest;
  if (field) {
    char* comma = strchr(field, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma) {
      *comma = 0;
    }
  }
  return field;
}

static int read_names(Table* table, const Reader* r, char* line) {
  table->columns = 1;
  for (const char* c = line; *c; c++) {
    table->columns += *c == ',';
  }
  table->name = malloc(table->columns * sizeof *table->name);
  if (!table->name) {
    return out_of_memory();
  }
  for (size_t i = 0; i < table->columns; i++) {
    char *name = trim(next_field(&line)), *end;
    strtod(name, &end);
    if (!*name || !*end) {
      return wrong(r, "the first line must name the columns");
    }
    table->name[i] = name;
  }
  return STATUS_OK;
}

static int read_row(double* row, size_t columns, const Reader* r, char* line) {
  for (size_t i = 0; i < columns; i++) {
    char *field = next_field(&line), *end;
    if (!field) {
      return wrong(r, "there are fewer numbers than columns");
    }
    field = trim(field);
    row[i] = *field ? strtod(field, &end) : (double)NAN;
    if (*field && *end) {
      char message[100];
      for (char* c = field; *c; c++) {
        *c = *c == 127 || (unsigned char)*c < ' ' ? '?' : *c;  // a terminal would obey
      }
      snprintf(message, sizeof message, "'%.40s' is not a number", field);
      return wrong(r, message);
    }
  }
  return line ? wrong(r, "there are more numbers than columns") : STATUS_OK;
}

static int read_rows(Table* table, Reader* r) {
  size_t room = 0;
  for (char* line; (line = next_line(r)); table->rows++) {
    if (table->rows == room) {
      room = room ? 2 * room : 256;
      double* more = room <= SIZE_MAX / sizeof(double) / table->columns
                         ? realloc(table->value, room * table->columns * sizeof(double))
                         : NULL;
      if (!more) {
        return out_of_memory();
      }
      table->value = more;
    }
    int status = read_row(table->value + table->rows * table->columns, table->columns, r, line);
    if (status != STATUS_OK) {
      return status;
    }
  }
  return table->rows ? STATUS_OK : wrong(r, "there are no numbers");
}

int table_read(Table* table, const char* path) {
  *table = (Table){0};
  FILE* file = strcmp(path, "-") ? fopen(path, "r") : stdin;
  int status = file ? read_whole(&table->text, file) : STATUS_INPUT;
  if (status != STATUS_OK) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    status = STATUS_INPUT;
  }
  if (file && file != stdin) {
    fclose(file);
  }
  if (status != STATUS_OK) {
    return status;
  }
  Reader reader = {path, table->text, 0};
  char* line = next_line(&reader);
  if (!line) {
    fprintf(stderr, "%s: is empty\n", path);
    return STATUS_INPUT;
  }
  status = read_names(table, &reader, line);
  return status == STATUS_OK ? read_rows(table, &reader) : status;
}

void table_free(Table* table) {
  free(table->name);
  free(table->value);
  free(table->text);
}
