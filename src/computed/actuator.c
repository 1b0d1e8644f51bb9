// actuator.c: every actuator has one control and one force.

#include "computed/fill.h"
#include "model/data/input.h"

void fill_actuator_index(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->nu; i++) {
    ((int*)out)[i] = i;
  }
}

void fill_actuator_input(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->nu; i++) {
    ((int*)out)[i] = actuator_input(m, i);
  }
}
