// portrait.h: pictures of one body, or of all: what is seen of it, and what collides.

#pragma once

#include "report/report.h"

enum {
  PORTRAIT_WIDTH = 240,
  PORTRAIT_HEIGHT = 180,
};

typedef struct Portraits_ Portraits;

// NULL, with the reason, if nothing can be drawn. The report must stay; how its model is drawn is
// changed.
Portraits* portraits_open(char* reason, size_t size, const Report* report);

// A picture as PNG, which the caller frees: of a body, or of all for -1; of what collides, as the
// hulls that do, or of what is seen. `scale`, 1 or 2, multiplies its size. NULL without shapes, or
// memory.
void* portraits_draw(size_t* length, Portraits* portraits, int body, int collides, int scale);

void portraits_close(Portraits* portraits);
