// state.h: the parts of a state vector, in its order.

#pragma once

#include <condyle/state.h>

enum {
  STATE_NPART = 15
};

// The bit of mjtState of the i-th part.
unsigned int state_part(int i);

// The parts of a signature that lie before a part in the vector.
unsigned int state_before(unsigned int sig, unsigned int part);
