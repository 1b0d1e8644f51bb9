// same_program_log.h: what the scenarios of same_program.h share.

#pragma once

#include <mujoco/mujoco.h>

#include "spec/same_program.h"

#define SCENARIO(name) \
  { #name, name }

// Families of scenarios, each ending with one without a name.
extern const Scenario structure_scenarios[];
extern const Scenario use_scenarios[];
extern const Scenario edit_scenarios[];

// MJCF: an arm with a bit of everything, and a free body with a frame and a site to attach to.
extern const char arm_model[];
extern const char base_model[];

// Adds a line.
void say(Log* log, const char* format, ...) mjPRINTFLIKE(2, 3);

// Adds the message of an engine as one line, without its prefix.
void say_message(Log* log, const char* text);

// Adds the last error of a spec, and whether it is a warning.
void say_error(Log* log, mjSpec* s);

// Adds n numbers as one line; those that are zero but for rounding as 0.
void say_reals(Log* log, const char* label, const mjtNum* x, int n);

// Adds names, links between elements and the numbers that move with them.
void say_model(Log* log, const mjModel* m);

// The name of an element, "(none)" for NULL.
const char* name_of(mjsElement* element);

// Parses MJCF; NULL, and a line that says why, if that fails.
mjSpec* parse(Log* log, const char* xml);

// Compiles a spec and adds its model, or the error.
mjModel* compile(Log* log, mjSpec* s);
void compile_only(Log* log, mjSpec* s);
