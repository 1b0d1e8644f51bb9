// command.h: the subcommands of the condyle program and what they share.
//
// A subcommand gets the words after its name and returns the program's exit status. Everything it
// says about bad input is one line on the standard error stream; results go to the standard output.

#ifndef CONDYLE_CLI_COMMAND_H_
#define CONDYLE_CLI_COMMAND_H_

#include <mujoco/mujoco.h>
#include <stddef.h>

// Exit statuses, the same for every subcommand.
enum {
  STATUS_OK = 0,
  STATUS_FAILED = 1,     // the system failed us: no memory, a file that can't be written
  STATUS_FINDINGS = 1,   // lint: the model loads, but something is probably wrong
  STATUS_INPUT = 2,      // bad arguments, a missing file, a broken model
  STATUS_DIVERGED = 3,   // the simulation left the finite numbers
  STATUS_STOPPED = 128,  // plus the number of the signal that asked to stop
};

int command_simulate(int argc, char** argv);
int command_compile(int argc, char** argv);
int command_derive(int argc, char** argv);
int command_lint(int argc, char** argv);
int command_fields(int argc, char** argv);

// One line "condyle COMMAND: message (see condyle --help)"; returns STATUS_INPUT.
int usage_error(const char* command, const char* message, ...) mjPRINTFLIKE(2, 3);

// Does a file name end so, after something else?
int ends_with(const char* name, const char* ending);

// Says on the standard error stream how many problems were found and not kept, if any.
void tell_hidden(int count);

// Loads MJCF, URDF or, by the ending of its name, a binary model, and shows its problems in one
// line each, up to and with so many errors; NULL on error.
mjModel* load_model(const char* path, int max_errors);

// How contacts shall be, instead of what the model says; -1: as it says.
typedef struct ContactChoice_ {
  int mode;            // cndtContact
  double restitution;  // 0 .. 1
} ContactChoice;

// The names of modes.
extern const char* const contact_modes[cndNCONTACT];

// The same with contacts of one's choice.
mjModel* load_model_with(const char* path, int max_errors, const ContactChoice* contact);

// Loads a binary model and tells in one line why it can't; NULL then.
mjModel* load_binary(const char* path);

// Would writing this file destroy the model, or a file that it is made of? Told if so. The model
// has been loaded.
int overwrites_model(const char* model, const char* out);

// What an element of qvel, or of qpos, is called: its joint, and the component if the joint has
// several. Cut to size.
void dof_name(char* text, size_t size, const mjModel* m, int dof);
void position_name(char* text, size_t size, const mjModel* m, int position);

// Puts the data into the keyframe of that name or number; returns a status, with the reason told.
int reset_to_key(const char* command, const mjModel* m, mjData* d, const char* key);

#endif  // CONDYLE_CLI_COMMAND_H_
