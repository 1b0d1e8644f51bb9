// Time of a step of a cloth, and its energy; compiled once against Condyle and once against the
// reference.
//
//   cloth MODEL STEPS
//
// Prints one line of JSON: vertices, nanoseconds per step (the fastest tenth of all steps), energy
// at the start, the most and the least there was afterwards:
//
//   E = 1/2 v' M v - sum m g.x + 1/4 sum over elements D' K D,   D = l^2 - L^2 of their edges
//
// which has no part for bending, for self-contact or for contacts that give way.

#include "common.h"

enum {
  PARTS = 10
};

static double stretch_energy(const mjModel* m, const mjData* d) {
  double energy = 0;
  for (int e = 0; e < m->nflexelem; e++) {
    const mjtNum* K = m->flex_stiffness + 21 * (size_t)e;
    double D[3];
    for (int a = 0; a < 3; a++) {
      int edge = m->flex_elemedge[3 * e + a];
      double length = d->flexedge_length[edge], rest = m->flexedge_length0[edge];
      D[a] = length * length - rest * rest;
    }
    for (int a = 0; a < 3; a++) {
      for (int b = a; b < 3; b++) {
        energy += (a == b ? 0.25 : 0.5) * *K++ * D[a] * D[b];
      }
    }
  }
  return energy;
}

static double total_energy(const mjModel* m, mjData* d) {
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return d->energy[0] + d->energy[1] + stretch_energy(m, d);
}

int main(int argc, char** argv) {
  int steps = argc == 3 ? atoi(argv[2]) : 0;
  if (steps < PARTS) {
    fprintf(stderr, "usage: cloth MODEL STEPS, at least %d\n", PARTS);
    return 2;
  }
  mjData* d;
  mjModel* m = load(&d, argv[1]);

  mj_forward(m, d);
  double start = total_energy(m, d), most = -1e30, least = 1e30, best = 1e30;
  int block = steps / PARTS;
  for (int i = 0; i < PARTS; i++) {
    double begin = now();
    for (int k = 0; k < block; k++) {
      mj_step(m, d);
    }
    double each = (now() - begin) / block;
    best = each < best ? each : best;
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    double energy = total_energy(m, d);
    most = energy > most ? energy : most;
    least = energy < least ? energy : least;
  }
  printf("{\"vertices\": %d, \"ns\": %.1f, \"energy\": [%.9g, %.9g, %.9g], \"warnings\": %d}\n",
         (int)m->nflexvert, best * 1e9, start, most, least, d->warning[mjWARN_BADQACC].number);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
