// mechanism.h: compiling elements outside the body tree, each kind in its own file.

#pragma once

#include "compile/context.h"

void compile_contacts(Compile* c);
void compile_equalities(Compile* c);
void compile_tendons(Compile* c);
void compile_actuators(Compile* c);
void compile_custom(Compile* c);
void compile_contactoptions(Compile* c);  // custom.c; after compile_names
void compile_keyframes(Compile* c);

// Decides which trees may sleep. Needs the final model, with its trees.
void compile_sleep(Compile* c);

// Checks the parameters of an actuator with a law of its own, and the label of inputs of others.
void compile_law(Compile* c, const SpecObject* object, const int trnid[2]);

// Checks the past samples that an actuator or sensor keeps.
void compile_history(Compile* c, const SpecObject* object, int nsample, double delay);

// Places the buffers of past samples. Needs actuators and sensors.
void compile_histories(Compile* c);

// Length of mjData.plastic, from the spec alone; places of the rests there. Needs joints and
// tendons.
int plastic_count(const Compile* c);
void compile_plastics(Compile* c);
