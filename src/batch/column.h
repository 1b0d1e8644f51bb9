// column.h: fields of mjData for all worlds: those of the state, and results that a program
// exposes.

#pragma once

#include "batch/context.h"

// Allocates zeros for all worlds; array has the shape of one world. Returns 0 if memory is out.
int column_make(Column* column, int n, const cndArray* array);

// Makes the columns of the state, with the state of the data of slot 0 in every row. Returns 0 if
// memory is out.
int column_state(cndBatch* batch);

// Copies the rows of a world to the data of a slot.
void column_load(cndBatch* batch, Slot* slot, int world);

// Copies the data of a slot back to the rows of a world; keep says which.
void column_store(cndBatch* batch, Slot* slot, int world, BatchKeep keep);

// Sets the controls (n x nu) of the worlds of a mask.
void column_control(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl);
