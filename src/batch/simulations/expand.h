// expand.h: fields of mjModel with a row for each simulation.

#pragma once

#include "batch/simulations/context.h"

// The model of a simulation, in a slot.
const mjModel* expand_enter(mjBatch* b, SimSlot* slot, int sim);

// Keeps the expanded rows of a simulation, and tells whether they are still the same.
void expand_note(mjBatch* b, int sim);
int expand_is_same(const mjBatch* b, int sim);

// Finds what is expanded at a place of mjModel; NULL if nothing is.
Expanded* expand_at(const mjBatch* b, size_t offset);

// Describes the place of an array or option; NULL for the statistic. Nothing is allocated.
Expanded expand_describe(const mjBatch* b, const cndField* field, int is_option);

// Adds a field with the model's values in every row. Ends in mju_error if memory is out.
Expanded* expand_add(const char* function, mjBatch* b, const Expanded* description);

// The numbers of a described field in a model.
char* expand_place(const Expanded* e, const mjModel* m);
