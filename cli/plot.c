// plot.c: condyle plot FILE.csv, which draws columns of numbers.

#include <condyle/output.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/pattern.h"
#include "chart.h"
#include "command.h"
#include "options.h"

typedef struct Options_ {
  const char *file, *out;
  const char* x;        // name of the column of the horizontal axis, NULL for the first one
  const char* columns;  // patterns of names with commas between, NULL for all
  const char* title;
} Options;

// What is drawn: columns, sorted by panel.
typedef struct Choice_ {
  size_t *column, count;
  Panel* panels;
  size_t npanel;
} Choice;

static int read_options(Options* options, int argc, char** argv) {
  *options = (Options){0};
  const Option known[] = {
      {"-o", take_text, &options->out},
      {"--x", take_text, &options->x},
      {"--columns", take_text, &options->columns},
      {"--title", take_text, &options->title},
  };
  int count = sizeof known / sizeof *known;
  return parse_options(&options->file, NULL, "plot", known, count, argc, argv);
}

// The part of a name before its index. Columns with the same stem share a panel, and so do all
// energies.
static size_t stem(const char** text, const char* name) {
  *text = name;
  if (!strcmp(name, "potential") || !strcmp(name, "kinetic")) {
    *text = "energy";
    return strlen(*text);
  }
  size_t n = strlen(name);
  while (n && (isdigit((unsigned char)name[n - 1]) || strchr("_[]. ", name[n - 1]))) {
    n--;
  }
  return n ? n : strlen(name);
}

static int same_panel(const char* a, const char* b) {
  const char *s, *t;
  size_t n = stem(&s, a), k = stem(&t, b);
  return n == k && !memcmp(s, t, n);
}

// Does a name match one of the patterns?
static int is_asked(const char* patterns, const char* name) {
  char one[200];
  for (const char* at = patterns; at; at = strchr(at, ',')) {
    at += at != patterns;
    size_t n = strcspn(at, ",");
    if (n < sizeof one) {
      snprintf(one, sizeof one, "%.*s", (int)n, at);
      if (pattern_matches(one, name)) {
        return 1;
      }
    }
  }
  return !patterns;
}

// The index of the column of the horizontal axis, or the number of columns if it isn't found.
static size_t find_x(const Options* options, const Table* table) {
  size_t x = 0;
  while (options->x && x < table->columns && strcmp(table->name[x], options->x) != 0) {
    x++;
  }
  return x;
}

// Adds all columns that belong in the panel of column `first`.
static void fill_panel(Choice* choice, const Table* table, const char* asked, size_t first) {
  const char* title;
  size_t length = stem(&title, table->name[first]);
  Panel* panel = choice->panels + choice->npanel++;
  *panel = (Panel){title, length, choice->column + choice->count, 0};
  for (size_t i = first; i < table->columns; i++) {
    if (asked[i] && same_panel(table->name[i], table->name[first])) {
      choice->column[choice->count++] = i;
      panel->count++;
    }
  }
}

// Is a column the first one of its panel?
static int opens_panel(const Table* table, const char* asked, size_t i) {
  for (size_t k = 0; k < i; k++) {
    if (asked[k] && same_panel(table->name[k], table->name[i])) {
      return 0;
    }
  }
  return 1;
}

// Returns 0 if memory is out. The choice has to be freed in either case.
static int choose(Choice* choice, const Options* options, const Table* table, size_t x) {
  char* asked = calloc(table->columns, 1);
  *choice = (Choice){.column = malloc(table->columns * sizeof(size_t)),
                     .panels = malloc(table->columns * sizeof(Panel))};
  int done = asked && choice->column && choice->panels;
  for (size_t i = 0; i < table->columns && done; i++) {
    asked[i] = i != x && is_asked(options->columns, table->name[i]);
  }
  for (size_t i = 0; i < table->columns && done; i++) {
    if (asked[i] && opens_panel(table, asked, i)) {
      fill_panel(choice, table, asked, i);
    }
  }
  free(asked);
  return done;
}

static int write_chart(const Options* options, const Table* table, size_t x, const Choice* choice) {
  cndOutput out;
  if (cnd_openOutput(&out, options->out ? options->out : "-")) {
    chart_write(out.file, table, x, choice->panels, choice->npanel,
                options->title ? options->title : options->file);
  }
  return cnd_closeOutput(&out, 1) ? STATUS_OK : tell_unwritten(out.path, out.reason);
}

static int plot(const Options* options, const Table* table) {
  size_t x = find_x(options, table);
  if (x == table->columns) {
    return usage_error("plot", "there is no column '%s' for --x", options->x);
  }
  Choice choice;
  int status = STATUS_OK;
  if (!choose(&choice, options, table, x)) {
    fprintf(stderr, "condyle plot: out of memory\n");
    status = STATUS_FAILED;
  } else if (!choice.count) {
    status = options->columns
                 ? usage_error("plot", "no column matches '%s'", options->columns)
                 : usage_error("plot", "there is nothing but the column '%s'", table->name[x]);
  }
  if (status == STATUS_OK) {
    status = write_chart(options, table, x, &choice);
  }
  free(choice.column);
  free(choice.panels);
  return status;
}

int command_plot(int argc, char** argv) {
  Options options;
  int status = read_options(&options, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  if (options.out && strcmp(options.out, "-") != 0 && !ends_with(options.out, ".svg")) {
    return usage_error("plot", "-o must end in .svg or be -, not '%s'", options.out);
  }
  if (options.out && is_same_file(options.file, options.out)) {
    return usage_error("plot", "%s is read and would be overwritten", options.out);
  }
  Table table;
  status = table_read(&table, options.file);
  if (status == STATUS_OK) {
    status = plot(&options, &table);
  }
  table_free(&table);
  return status;
}
