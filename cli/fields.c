// fields.c: condyle fields, which prints the tables of fields of mjOption, mjModel and mjData.

#include <condyle/condyle.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

// The tables that can be listed. A name selects its first row.
static const struct Table_ {
  const char* name;
  const char* title;
  int (*count)(void);
  const cndField* (*field)(int i);
} tables[] = {
    {"model", "sizes of mjModel", cnd_sizeFieldCount, cnd_sizeField},
    {"model", "members of mjOption (mjModel.opt)", cnd_optionFieldCount, cnd_optionField},
    {"model", "arrays of mjModel", cnd_modelFieldCount, cnd_modelField},
    {"data", "fields of mjData", cnd_dataFieldCount, cnd_dataField},
};
enum {
  TABLE_COUNT = sizeof tables / sizeof *tables
};

static void print_field(const cndField* f) {
  char shape[64];
  if (!f->pointer && !strcmp(f->rows, "1") && !strcmp(f->columns, "1")) {
    snprintf(shape, sizeof shape, "-");
  } else if (!strcmp(f->columns, "1")) {
    snprintf(shape, sizeof shape, "%s", f->rows);
  } else {
    snprintf(shape, sizeof shape, "%s x %s", f->rows, f->columns);
  }
  printf("%-12s %-22s %-24s %s", f->type, f->name, shape, f->meaning);
  printf(f->since ? " (since %s)\n" : "\n", f->since);
}

int command_fields(int argc, char** argv) {
  const char* table = argc > 0 ? argv[0] : NULL;
  const char* name = argc > 1 ? argv[1] : NULL;
  if (argc > 2 || (table && strcmp(table, "model") && strcmp(table, "data"))) {
    return usage_error("fields", "expected model or data, then perhaps one NAME");
  }
  int printed = 0;
  for (int t = 0; t < TABLE_COUNT; t++) {
    if (table && strcmp(table, tables[t].name)) {
      continue;
    }
    if (!name) {
      printf("%s%s\n", printed ? "\n" : "", tables[t].title);
    }
    for (int i = 0; i < tables[t].count(); i++) {
      const cndField* field = tables[t].field(i);
      if (!field->hidden && (!name || !strcmp(name, field->name))) {
        print_field(field);
        printed++;
      }
    }
  }
  return printed ? STATUS_OK : usage_error("fields", "no field '%s' in the %s", name, table);
}
