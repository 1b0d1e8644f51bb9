// point.c: appends points and elements of a <flexcomp>.

#include <string.h>

#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/vector.h"

void flexcomp_addpoint(Flexcomp* comp, double x, double y, double z) {
  double* point = doubles_push(&comp->point, 3);
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

void flexcomp_addelement(Flexcomp* comp, const int* vertex, int n) {
  memcpy(ints_push(&comp->element, (size_t)n), vertex, (size_t)n * sizeof(int));
}
