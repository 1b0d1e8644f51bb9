// flex_energy.h: energy and momentum of moving deformables, and whether they are conserved.

#pragma once

#include <mujoco/mujoco.h>

// Elastic energy of triangles or tetrahedra, bending apart: U = 1/4 sum D' K D over elements,
// D = l^2 - L^2. Needs positions.
static inline double stretch_energy(const mjModel* m, const mjData* d) {
  double energy = 0;
  for (int f = 0; f < m->nflex; f++) {
    int n = m->flex_dim[f] == 2 ? 3 : 6;
    for (int e = 0; e < m->flex_elemnum[f]; e++) {
      const mjtNum* K = m->flex_stiffness + 21 * (m->flex_elemadr[f] + e);
      const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f] + n * e;
      double D[6];
      for (int a = 0; a < n; a++) {
        int i = m->flex_edgeadr[f] + edge[a];
        double length = d->flexedge_length[i], rest = m->flexedge_length0[i];
        D[a] = length * length - rest * rest;
      }
      for (int a = 0; a < n; a++) {
        for (int b = a; b < n; b++) {
          energy += (a == b ? 0.25 : 0.5) * *K++ * D[a] * D[b];
        }
      }
    }
  }
  return energy;
}

// With kinetic and gravitational energy. Needs velocities.
static inline double flex_total_energy(const mjModel* m, mjData* d) {
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return d->energy[0] + d->energy[1] + stretch_energy(m, d);
}

// Linear momentum, then angular momentum about the origin, of bodies that are points on three
// sliders each.
static inline void flex_momentum(double out[6], const mjModel* m, const mjData* d) {
  for (int k = 0; k < 6; k++) {
    out[k] = 0;
  }
  for (int i = 0; i < m->nv; i += 3) {
    int body = m->dof_bodyid[i];
    const mjtNum *x = d->xpos + 3 * body, *v = d->qvel + i;
    for (int k = 0; k < 3; k++) {
      int p = (k + 1) % 3, q = (k + 2) % 3;
      out[k] += m->body_mass[body] * v[k];
      out[3 + k] += m->body_mass[body] * (x[p] * v[q] - x[q] * v[p]);
    }
  }
}
