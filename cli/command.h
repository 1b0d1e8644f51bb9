// command.h: the subcommands of the condyle program and what they share.
//
// A subcommand gets the words after its name and returns the program's exit status. A message about
// bad input is one line on the standard error stream. Results go to the standard output.

#pragma once

#include <condyle/diagnostic.h>
#include <mujoco/mujoco.h>
#include <stddef.h>

// Exit statuses, the same for every subcommand.
enum {
  STATUS_OK = 0,
  STATUS_FAILED = 1,     // the system failed: no memory, a file that can't be written
  STATUS_FINDINGS = 1,   // lint: the model loads, but something is probably wrong
  STATUS_INPUT = 2,      // bad arguments, a missing file, a broken model
  STATUS_DIVERGED = 3,   // the state of the simulation is not finite any more
  STATUS_STOPPED = 128,  // plus the number of the signal that asked to stop; view just ends
};

int command_simulate(int argc, char** argv);
int command_replay(int argc, char** argv);
int command_compile(int argc, char** argv);
int command_derive(int argc, char** argv);
int command_lint(int argc, char** argv);
int command_render(int argc, char** argv);
int command_record(int argc, char** argv);
int command_plot(int argc, char** argv);
int command_view(int argc, char** argv);
int command_fields(int argc, char** argv);

// Prints one line "condyle COMMAND: message (see condyle --help)". Returns STATUS_INPUT.
int usage_error(const char* command, const char* message, ...) mjPRINTFLIKE(2, 3);

// Tells why a file can't be written, by its errno; "-" is the standard output. Returns
// STATUS_FAILED.
int tell_unwritten(const char* path, int reason);

// Does a file name end with `ending`, after at least one other character?
int ends_with(const char* name, const char* ending);

// Prints how many problems were found but not kept, if any.
void tell_hidden(int count);

// Reads the options of robots (--package, --xacro-arg, --actuators, --floating, --fixed), which
// every subcommand takes that loads a model. Returns 1 if the option is one of them; then *status
// is that of reading it, and *words the number of words it took.
int take_robot_option(int* status, int* words, int argc, char** argv);

// Reads a robot (.urdf, .xacro) by the options of the command line, on a floor and with a light,
// unless robots are plain.
mjSpec* parse_robot(const char* path, cndDiagnostics* problems);
void make_robots_plain(void);

// A model with what was said while it was made.
typedef struct LoadedModel_ {
  mjModel* m;
  mjSpec* spec;             // NULL for a binary model
  cndDiagnostics* reading;  // the problems of compiling are those of the spec
} LoadedModel;

// Loads a model and keeps its warnings instead of printing them. Returns a status, after one line
// for each problem if there is no model.
int load_told(LoadedModel* loaded, const char* path);
void free_told(LoadedModel* loaded);

// A robot as MJCF with its meshes in a folder of its own, for the page, which reads MJCF.
typedef struct Stage_ {
  char folder[4096], model[4112];
  mjStringVec files;
  LoadedModel robot;  // with what was changed on the way
} Stage;

// Writes it. Returns a status, after a message if it failed; unstage_robot removes it in any case.
int stage_robot(Stage* stage, const char* path);
void unstage_robot(Stage* stage);

// Prints one line for each problem, until max_errors errors are printed.
void show_problems(const cndDiagnostics* problems, int max_errors);

// Loads MJCF, a robot or (by the ending of its name) a binary model. Prints its problems in one
// line each, until max_errors errors are printed. NULL on error.
mjModel* load_model(const char* path, int max_errors);

// Contact options that replace those of the model; -1 for the model's own.
typedef struct ContactChoice_ {
  int mode;            // cndtContact
  double restitution;  // 0 .. 1
} ContactChoice;

// The names of the contact modes.
extern const char* const contact_modes[cndNCONTACT];

// Reads soft, hard or stick, for tables of options. The target is a ContactChoice.
int take_contact(void* target, const char* option, const char* value);

// Like load_model, with other contact options.
mjModel* load_model_with(const char* path, int max_errors, const ContactChoice* contact);

// What work_on_model needs to know of a subcommand that acts on a model and its data.
typedef struct Work_ {
  const char *command, *model;
  const ContactChoice* contact;  // NULL: the model's own
  const char *out, *save;        // files that are written, NULL for none
  const char* key;               // the keyframe to start from, NULL for the reference configuration
  const char* timeless;          // what to tell beside that no time is reached, if the model has no
                                 // timestep; NULL if none is needed
} Work;

// Loads the model, makes its data, calls `act` with the options, and frees both. Returns the status
// of `act`, or another one after a message.
int work_on_model(const Work* work, int (*act)(const void* options, mjModel* m, mjData* d),
                  const void* options);

// Loads a binary model. Prints one line with the reason and returns NULL if it can't.
mjModel* load_binary(const char* path);

// Do two paths name the same regular file?
int is_same_file(const char* a, const char* b);

// Would writing `out` overwrite the loaded model, or one of the files it includes? Prints a message
// if so.
int overwrites_model(const char* model, const char* out);

// The name of an element of qvel, or of qpos: its joint, and the component if the joint has
// several. Cut to size.
void dof_name(char* text, size_t size, const mjModel* m, int dof);
void position_name(char* text, size_t size, const mjModel* m, int position);

// Reads a dialect, a release such as "4.0", for an option; the target is its number, an int.
int take_dialect(void* target, const char* option, const char* value);

// Prints the behaviours that m would change in a dialect, one line each, and which of the numbers
// of its arrays differ in the model compiled for it.
void print_behaviours(const mjModel* m, int dialect);
void print_compiled(const mjModel* now, const mjModel* then);

// Finds a keyframe or a camera (mjOBJ_KEY, mjOBJ_CAMERA) by name or number. Returns a status, after
// a message if there is none.
int find_element(int* id, const char* command, const mjModel* m, mjtObj type, const char* wanted);

// Resets the data to the keyframe of this name or number. Returns a status, after a message if it
// failed.
int reset_to_key(const char* command, const mjModel* m, mjData* d, const char* key);
