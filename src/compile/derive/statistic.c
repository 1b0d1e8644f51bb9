// statistic.c: mjStatistic: the center, extent, mean size, mass and inertia of the model at qpos0.
#include <math.h>
#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "compile/derive/derive.h"
#include "model/behaviour.h"

// half side of the box that stands for an infinite plane in the extent, and by the later rule
static const mjtNum plane_pad = 1;
static const mjtNum plane_pad_later = (mjtNum)0.01;

// fraction of a finite plane's larger half size that counts
static const mjtNum plane_share = (mjtNum)0.1;

// lower bound of sizes
static const mjtNum size_min = (mjtNum)1e-5;

typedef struct Box_ {
  mjtNum lower[3];
  mjtNum upper[3];
} Box;

static void box_add(Box* box, const mjtNum pos[3], mjtNum pad) {
  for (int k = 0; k < 3; k++) {
    box->lower[k] = num_min(box->lower[k], pos[k] - pad);
    box->upper[k] = num_max(box->upper[k], pos[k] + pad);
  }
}

static mjtNum geom_pad(const mjModel* m, int g) {
  if (m->geom_rbound[g] > 0) {
    return m->geom_rbound[g];
  }
  if (m->geom_type[g] != mjGEOM_PLANE) {
    return 0;
  }
  mjtNum size = num_max(m->geom_size[3 * g], m->geom_size[3 * g + 1]);
  if (size != 0) {
    return plane_share * size;
  }
  return behaves(m, cndBEHAVIOUR_compile) ? plane_pad_later : plane_pad;
}

// Computes the center and largest side of the box around everything. A model without extent along x
// keeps its present values.
static void measure_extent(mjModel* m, const mjData* d) {
  Box box = {{mjMAXVAL, mjMAXVAL, mjMAXVAL}, {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL}};
  for (int b = 1; b < m->nbody; b++) {
    box_add(&box, d->xpos + 3 * b, 0);
    box_add(&box, d->xipos + 3 * b, 0);
  }
  for (int j = 0; j < m->njnt; j++) {
    box_add(&box, d->xanchor + 3 * j, 0);
  }
  for (int s = 0; s < m->nsite; s++) {
    box_add(&box, d->site_xpos + 3 * s, 0);
  }
  for (int g = 0; g < m->ngeom; g++) {
    box_add(&box, d->geom_xpos + 3 * g, geom_pad(m, g));
  }

  v3_add(m->stat.center, box.lower, box.upper);
  v3_scl(m->stat.center, m->stat.center, (mjtNum)0.5);
  if (box.upper[0] > box.lower[0]) {
    mjtNum side[3];
    v3_sub(side, box.upper, box.lower);
    m->stat.extent = num_max(size_min, num_max(side[0], num_max(side[1], side[2])));
  }
}

// The size of a body in a flex: the length of its edges or, if vertices follow nodes, the distance
// to the other nodes.
static void measure_flex(mjtNum* size, const mjModel* m, const mjData* d, int f) {
  int vert = m->flex_vertadr[f], first = m->flex_edgeadr[f], node = m->flex_nodeadr[f];
  for (int e = first; !m->flex_interp[f] && e < first + m->flex_edgenum[f]; e++) {
    for (int side = 0; side < 2; side++) {
      int b = m->flex_vertbodyid[vert + m->flex_edge[2 * e + side]];
      size[b] = num_max(size[b], m->flexedge_length0[e]);
    }
  }
  for (int i = 0; m->flex_interp[f] && i < m->flex_nodenum[f]; i++) {
    for (int k = 0; k < m->flex_nodenum[f]; k++) {
      int b = m->flex_nodebodyid[node + i], other = m->flex_nodebodyid[node + k];
      size[b] = num_max(size[b], v3_dist(d->xpos + 3 * b, d->xpos + 3 * other));
    }
  }
}

// The size of a body is the largest distance from its center of mass to its joints, its children's
// joints and the bounds of its geoms. Without bodies the mean is unchanged, as are the means below.
static void measure_size(mjModel* m, const mjData* d) {
  if (m->nbody == 1) {
    return;
  }
  mjtNum* size = heap_take((size_t)m->nbody * sizeof(mjtNum));
  for (int b = 0; b < m->nbody; b++) {
    size[b] = size_min;
  }
  for (int j = 0; j < m->njnt; j++) {
    int b = m->jnt_bodyid[j];
    int parent = m->body_parentid[b];
    const mjtNum* anchor = d->xanchor + 3 * j;
    size[b] = num_max(size[b], v3_dist(d->xipos + 3 * b, anchor));
    size[parent] = num_max(size[parent], v3_dist(d->xipos + 3 * parent, anchor));
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    mjtNum rbound = m->geom_rbound[g];
    if (rbound > 0) {
      size[b] = num_max(size[b], rbound + v3_dist(d->xipos + 3 * b, d->geom_xpos + 3 * g));
    }
  }

  for (int f = 0; f < m->nflex; f++) {
    measure_flex(size, m, d, f);
  }

  mjtNum sum = 0;
  for (int b = 1; b < m->nbody; b++) {
    sum += size[b];
  }
  m->stat.meansize = sum / (mjtNum)(m->nbody - 1);
  heap_free(size);
}

void derive_measure(mjModel* m, const mjData* d) {
  measure_extent(m, d);
  measure_size(m, d);
  m->stat.extent = num_max(m->stat.extent, 2 * m->stat.meansize);

  if (m->nbody > 1) {
    mjtNum mass = 0;
    for (int b = 1; b < m->nbody; b++) {
      mass += m->body_mass[b];
    }
    m->stat.meanmass = mass / (mjtNum)(m->nbody - 1);
  }
  if (m->nv) {
    mjtNum inertia = 0;
    for (int i = 0; i < m->nv; i++) {
      inertia += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
    }
    m->stat.meaninertia = inertia / (mjtNum)m->nv;
  }
}

static void override(mjtNum* value, mjtNum author) {
  *value = isnan(author) ? *value : author;
}

void derive_statistic(mjModel* m, const mjStatistic* author) {
  override(&m->stat.meaninertia, author->meaninertia);
  override(&m->stat.meanmass, author->meanmass);
  override(&m->stat.meansize, author->meansize);
  override(&m->stat.extent, author->extent);
  if (!isnan(author->center[0])) {
    v3_copy(m->stat.center, author->center);
  }
}
