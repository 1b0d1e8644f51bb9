// command.h: the subcommands of the condyle program and what they share.
//
// A subcommand gets the words after its name and returns the program's exit status. Everything it
// says about bad input is one line on the standard error stream; results go to the standard output.

#ifndef CONDYLE_CLI_COMMAND_H_
#define CONDYLE_CLI_COMMAND_H_

#include <mujoco/mujoco.h>

// Exit statuses, the same for every subcommand.
enum {
  STATUS_OK = 0,
  STATUS_FAILED = 1,    // the system failed us: no memory, a file that can't be written
  STATUS_FINDINGS = 1,  // lint: the model loads, but something is probably wrong
  STATUS_INPUT = 2,     // bad arguments, a missing file, a broken model
  STATUS_DIVERGED = 3,  // the simulation left the finite numbers
};

int command_simulate(int argc, char** argv);
int command_compile(int argc, char** argv);
int command_lint(int argc, char** argv);
int command_fields(int argc, char** argv);

// One line "condyle COMMAND: message (see condyle --help)"; returns STATUS_INPUT.
int usage_error(const char* command, const char* message, ...) mjPRINTFLIKE(2, 3);

// Does a file name end so, after something else?
int ends_with(const char* name, const char* ending);

// The next argument as the value of the option argv[*i], advancing *i; NULL after a
// message if there is none.
const char* option_value(const char* command, int argc, char** argv, int* i);

// Reads a whole argument as a number within [low, high]; returns 0 after a message if it isn't one.
int parse_real(double* value, const char* command, const char* option, const char* text, double low,
               double high);

// Loads a model and shows its first error (and every warning) in one line each; NULL on error.
mjModel* load_model(const char* path);

// Where a name of a dof comes from: the joint, and the component if the joint
// has several. Cut to size.
void dof_name(char* text, int size, const mjModel* m, int dof);

#endif  // CONDYLE_CLI_COMMAND_H_
