// options.c: parsing the words after a subcommand by a table of options.

#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static const Option* find(const Option* known, int count, const char* name) {
  for (int i = 0; i < count; i++) {
    if (!strcmp(known[i].name, name)) {
      return known + i;
    }
  }
  return NULL;
}

int parse_options(const char** model, const int* instead, const char* command, const Option* known,
                  int count, int argc, char** argv) {
  for (int i = 0; i < argc; i++) {
    const char* word = argv[i];
    if (word[0] != '-' || !word[1]) {
      if (*model) {
        return usage_error(command, "exactly one file is needed, not also '%s'", word);
      }
      *model = word;
      continue;
    }
    const Option* option = find(known, count, word);
    int words = 0, taken = STATUS_OK;
    if (!option && take_robot_option(&taken, &words, argc - i, argv + i)) {
      if (taken != STATUS_OK) {
        return taken;
      }
      i += words - 1;
      continue;
    }
    if (!option) {
      return usage_error(command, "unknown option '%s'", word);
    }
    if (option->take == take_html && !(i + 1 < argc && ends_with(argv[i + 1], ".html"))) {
      take_html(option->target, word, "");
      continue;
    }
    if (!option->take) {
      *(int*)option->target = 1;
      continue;
    }
    if (++i == argc) {
      return usage_error(command, "%s needs a value", word);
    }
    int status = option->take(option->target, word, argv[i]);
    if (status != STATUS_OK) {
      return status;
    }
  }
  if (!*model && !(instead && *instead)) {
    return usage_error(command, "exactly one file is needed");
  }
  return STATUS_OK;
}

int take_text(void* target, const char* option, const char* value) {
  (void)option;
  *(const char**)target = value;
  return STATUS_OK;
}

int take_html(void* target, const char* option, const char* value) {
  return take_text(target, option, value);
}

// Is the whole text a number within [low, high]?
static int is_number(double* number, const char* text, double low, double high) {
  char* end;
  *number = strtod(text, &end);
  return end != text && !*end && *number >= low && *number <= high;
}

int parse_real(double* number, const char* command, const char* option, const char* value,
               double low, double high) {
  if (!is_number(number, value, low, high)) {
    return usage_error(command, "%s must be a number from %g to %g, not '%s'", option, low, high,
                       value);
  }
  return STATUS_OK;
}

int parse_whole(double* number, const char* command, const char* option, const char* value,
                double high) {
  if (!is_number(number, value, 0, high) || *number != floor(*number)) {
    return usage_error(command, "%s must be a whole number from 0 to %.17g, not '%s'", option, high,
                       value);
  }
  return STATUS_OK;
}
