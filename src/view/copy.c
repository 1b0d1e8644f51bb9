// copy.c: copies for a thread that draws while another one computes.

#include "model/copy.h"

#include <mujoco/api/view.h>

#include "model/checks/pair.h"

void mjv_copyModel(mjModel* dest, const mjModel* src) {
  check_given(dest, src);
  model_copy(__func__, dest, src, COPY_DRAWN);
}

mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  check_pair(m, src);
  if (dest) {
    check_pair(m, dest);
  }
  return data_copy(__func__, dest, m, src, COPY_DRAWN);
}
