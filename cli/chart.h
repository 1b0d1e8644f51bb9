// chart.h: line charts as SVG.

#pragma once

#include <stdio.h>

#include "table.h"

// Lines that share an axis.
typedef struct Panel_ {
  const char* title;
  size_t title_length;
  const size_t* column;  // of the table, count
  size_t count;
} Panel;

// Writes panels below each other that share the horizontal axis, whose values are a column of the
// table. Colors follow the reader's choice of a light or dark screen. Where a value isn't finite a
// line has a gap. Long runs are thinned: of the rows that fall on one pixel the lowest and highest
// value of each line remain.
void chart_write(FILE* file, const Table* table, size_t x, const Panel* panels, size_t count,
                 const char* title);
