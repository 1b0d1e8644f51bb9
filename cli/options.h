// options.h: the words after a subcommand: one MODEL and options, in any order.
//
// A subcommand lists its options in a table on its stack, each with the function that takes its
// value and the place where that goes:
//
//   const Option known[] = {{"--out", take_text, &out}, {"--list", NULL, &list}};

#ifndef CONDYLE_CLI_OPTIONS_H_
#define CONDYLE_CLI_OPTIONS_H_

typedef struct Option_ {
  const char* name;
  // Takes the word after the option; returns a status, with the reason told. NULL for an option
  // without a value: it sets an int to 1.
  int (*take)(void* target, const char* option, const char* value);
  void* target;
} Option;

// Reads all words from the first to the last and stops at the first that is wrong; returns a
// status, with the reason told. *model must be NULL before; it is NULL after success only if
// *instead, the target of an option that stands in its place (NULL: there is none), became 1.
int parse_options(const char** model, const int* instead, const char* command, const Option* known,
                  int count, int argc, char** argv);

// Takes a value as it is; the target is a const char*.
int take_text(void* target, const char* option, const char* value);

// Reads a whole value as a number within [low, high]; returns a status, with the reason told.
int parse_real(double* number, const char* command, const char* option, const char* value,
               double low, double high);

// The same for a whole number from 0 up, up to 2^53 - 1: what a double can tell from its
// neighbours.
int parse_whole(double* number, const char* command, const char* option, const char* value,
                double high);

#endif  // CONDYLE_CLI_OPTIONS_H_
