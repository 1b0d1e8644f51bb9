// flex_rows.c: sizes of flexes, where their elasticity begins, and the dofs that change the lengths
// of their edges.

#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "model/derived/parts.h"
#include "model/derived/path.h"
#include "model/tree/pose0.h"

enum {
  NSTIFFNESS = 21,  // numbers of an element in flex_stiffness
  NBENDING = 17     // numbers of an edge in flex_bending
};

// A vertex at qpos0; one of an interpolated flex in the axes of its cage.
static void vertex_at_rest(mjtNum out[3], const mjModel* m, int flex, int vert) {
  if (m->flex_interp[flex]) {
    v3_copy(out, m->flex_vert + 3 * vert);
  } else {
    point_at_rest(out, m, m->flex_vertbodyid[vert], m->flex_vert + 3 * vert);
  }
}

// Half the sides of the box around the vertices of a flex at qpos0 or, where a cage keeps its nodes
// in its own axes, around these.
static void measure_size(mjtNum half[3], const mjModel* m, int f) {
  mjtNum low[3] = {mjMAXVAL, mjMAXVAL, mjMAXVAL}, high[3] = {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  int nodes = m->flex_interp[f] && behaves(m, cndBEHAVIOUR_flex);
  int adr = nodes ? m->flex_nodeadr[f] : m->flex_vertadr[f];
  int num = nodes ? m->flex_nodenum[f] : m->flex_vertnum[f];
  for (int i = adr; i < adr + num; i++) {
    mjtNum x[3];
    if (nodes) {
      v3_copy(x, m->flex_node0 + 3 * (size_t)i);
    } else {
      vertex_at_rest(x, m, f, i);
    }
    for (int k = 0; k < 3; k++) {
      low[k] = num_min(low[k], x[k]);
      high[k] = num_max(high[k], x[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    half[k] = (high[k] - low[k]) / 2;
  }
}

static void write_size(mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    measure_size(m->flex_size + 3 * (size_t)f, m, f);
  }
}

// The number of the cell of each vertex, with z fastest.
static int cell_of(const mjModel* m, int flex, int vert) {
  const int* count = m->flex_cellnum + 3 * (size_t)flex;
  int cell = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum x = m->flex_vert0[3 * (size_t)vert + (size_t)k] * count[k];
    cell = cell * count[k] + (x >= count[k] ? count[k] - 1 : x > 0 ? (int)x : 0);
  }
  return cell;
}

static void write_cells(mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    int adr = m->flex_vertadr[f];
    for (int i = adr; i < adr + m->flex_vertnum[f]; i++) {
      m->flex_vertcell[i] = m->flex_interp[f] ? cell_of(m, f, i) : -1;
    }
  }
}

// elasticity

// The numbers of one flex in an array of the model.
typedef struct Share_ {
  const mjtNum* value;
  int first, count;
} Share;

static Share stiffness_of(const mjModel* m, int f) {
  int first = NSTIFFNESS * m->flex_elemadr[f];
  return (Share){m->flex_stiffness + first, first, NSTIFFNESS * m->flex_elemnum[f]};
}

static Share bending_of(const mjModel* m, int f) {
  int first = NBENDING * m->flex_edgeadr[f];
  return (Share){m->flex_bending + first, first, NBENDING * m->flex_edgenum[f]};
}

static int has_any(const Share* share) {
  for (int i = 0; i < share->count; i++) {
    if (share->value[i] != 0) {
      return 1;
    }
  }
  return 0;
}

void write_flexes(mjModel* m) {
  write_size(m);
  write_cells(m);
  for (int f = 0; f < m->nflex; f++) {
    Share stiffness = stiffness_of(m, f), bending = bending_of(m, f);
    m->flex_stiffnessadr[f] = has_any(&stiffness) ? stiffness.first : m->cnd_flex_celladr[f];
    m->flex_bendingadr[f] = has_any(&bending) ? bending.first : -1;
  }
}

mjtSize flex_stiffness_count(const mjModel* m) {
  return NSTIFFNESS * (mjtSize)m->nflexelem;
}

mjtSize flex_bending_count(const mjModel* m) {
  return NBENDING * (mjtSize)m->nflexedge;
}

// edges

// Whether anything acts along the edges of a flex.
static int has_rows(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] || m->flex_edgestiffness[flex] != 0 ||
         m->flex_edgedamping[flex] != 0 || m->flex_damping[flex] != 0;
}

static void put(int* place, int value) {
  if (*place != value) {
    *place = value;
  }
}

int edge_rows(int* rownnz, int* rowadr, int* colind, const mjModel* m) {
  int used = 0, room = 0;
  for (int f = 0; f < m->nflex; f++) {
    int adr = m->flex_edgeadr[f], vert = m->flex_vertadr[f];
    int moves = !m->flex_interp[f] && !m->flex_rigid[f], any = moves && has_rows(m, f);
    for (int e = adr; e < adr + m->flex_edgenum[f]; e++) {
      int body[2] = {m->flex_vertbodyid[vert + m->flex_edge[2 * e]],
                     m->flex_vertbodyid[vert + m->flex_edge[2 * e + 1]]};
      int at[2], num = moves ? path_dofs(any && colind ? colind + used : NULL, m, body, 2, at) : 0;
      if (rownnz) {
        put(rownnz + e, any ? num : 0);
      }
      if (rowadr) {
        put(rowadr + e, used);
      }
      used += any ? num : 0;
      room += num;
    }
  }
  for (int i = used; colind && i < room; i++) {
    put(colind + i, 0);
  }
  return room;
}
