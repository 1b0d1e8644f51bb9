// options.h: the words after a subcommand: one file, usually a model, and options, in any order.
//
// A subcommand lists its options in a table on its stack. A row has the function that reads the
// value and the variable that receives it:
//
//   const Option known[] = {{"--out", take_text, &out}, {"--list", NULL, &list}};

#pragma once

typedef struct Option_ {
  const char* name;
  // Reads the word after the option. Returns a status, after a message if it failed. NULL for an
  // option without a value, which sets an int to 1.
  int (*take)(void* target, const char* option, const char* value);
  void* target;
} Option;

// Reads the words in order and stops at the first wrong one. Returns a status, after a message if
// it failed. *model must be NULL on entry. After success it is NULL only if *instead became 1.
// instead (may be NULL) is the target of an option that replaces MODEL.
int parse_options(const char** model, const int* instead, const char* command, const Option* known,
                  int count, int argc, char** argv);

// Stores the value as text; the target is a const char*.
int take_text(void* target, const char* option, const char* value);

// Like take_text, for an option whose value may be left out: a word after it is its value if it
// ends with .html. Without one the target becomes "".
int take_html(void* target, const char* option, const char* value);

// Parses all of `value` as a number in [low, high]. On failure prints a message and returns a
// nonzero exit status.
int parse_real(double* number, const char* command, const char* option, const char* value,
               double low, double high);

// Like parse_real, for an integer from 0 to high <= 2^53 - 1, the range in which a double is exact.
int parse_whole(double* number, const char* command, const char* option, const char* value,
                double high);
