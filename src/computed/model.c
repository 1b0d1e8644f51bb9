// model.c: values of the model to which later releases give another name.

#include "computed/fill.h"

void fill_cam_projection(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->ncam; i++) {
    ((int*)out)[i] = m->cam_orthographic[i];
  }
}
