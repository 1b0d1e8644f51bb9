// Reads the numbers of a rod in flex_bending.            theory/smooth/deformables.md, Rods

#include "model/flex/rod.h"

#include <mujoco/api/base.h>

static const mjtNum* numbers_of(const mjModel* m, int flex) {
  return m->flex_bending + ROD_EDGE * (size_t)m->flex_edgeadr[flex];
}

void rod_edge(int vert[2], const Rod* rod, int edge) {
  const mjtNum* record = rod->record + ROD_RECORD * (edge ? edge - 1 : 0);
  vert[0] = (int)record[edge ? 1 : 0];
  vert[1] = (int)record[edge ? 2 : 1];
}

int rod_joint(const Rod* rod, int edge) {
  if (!edge) {
    return rod->held_first >= 0 ? -1 : (int)rod->record[7] - 1;
  }
  return (int)rod->record[ROD_RECORD * (edge - 1) + 7];
}

// The body that both vertices of an edge belong to, -1 if they have two.
static int holder(const mjModel* m, int flex, const Rod* rod, int edge) {
  int vert[2];
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  rod_edge(vert, rod, edge);
  return body[vert[0]] == body[vert[1]] ? body[vert[0]] : -1;
}

int rod_of(Rod* rod, const mjModel* m, int flex) {
  const mjtNum* at = numbers_of(m, flex);
  if (m->flex_dim[flex] != 1 || !m->flex_edgenum[flex] || at[0] == 0) {
    return 0;
  }
  rod->n = (int)at[0];
  rod->nedge = m->flex_edgenum[flex];
  rod->record = at + 1;
  rod->twists = rod_twists(m, flex);
  rod->held_first = rod->held_last = -1;
  if (rod->twists) {
    rod->rest = rod->record + ROD_RECORD * rod->n;
    rod->first = rod->rest + ROD_REST * rod->n;
    rod->last = rod->first + ROD_FIRST;
    rod->place = rod->last + ROD_LAST;
    rod->held_first = holder(m, flex, rod, 0);
    rod->held_last = rod_joint(rod, rod->n) < 0 ? holder(m, flex, rod, rod->n) : -1;
  }
  return 1;
}

int rod_section(mjtNum half[2], const mjModel* m, int flex) {
  if (!rod_twists(m, flex)) {
    return 0;
  }
  const mjtNum* record = numbers_of(m, flex) + 1;
  mjtNum weak = record[4], minor = mju_abs(record[9]);
  if (!(minor > 0) || !(weak > 0)) {
    return 0;
  }
  half[0] = minor * mju_sqrt(1 + record[5] / weak);
  half[1] = minor;
  return 1;
}

mjtNum flex_girth(const mjModel* m, int flex) {
  mjtNum half[2];
  return rod_section(half, m, flex) ? mju_sqrt(half[0] * half[0] + half[1] * half[1])
                                    : m->flex_radius[flex];
}

int rod_element(const mjModel* m, const Rod* rod, int flex, int elem) {
  return (int)rod->place[m->flex_elemedge[m->flex_elemedgeadr[flex] + elem]];
}

int rod_vertex(const Rod* rod, int vert) {
  // mostly vertices are in the order of the chain
  for (int i = 0; i < rod->nedge; i++) {
    int e = (vert + i) % rod->nedge, end[2];
    rod_edge(end, rod, e);
    if (end[0] == vert) {
      return e;
    }
  }
  return rod->nedge - 1;
}

// checks

// Is x a whole number from low to high - 1?
static int whole(mjtNum x, int low, int high) {
  return x >= low && x < high && x == (mjtNum)(int)x;
}

static int is_hinge(const mjModel* m, int joint) {
  return joint >= 0 && joint < m->njnt && m->jnt_type[joint] == mjJNT_HINGE;
}

// A chain goes on from record to record, and every edge that no body holds has a hinge.
static int chain_valid(const mjModel* m, int flex, const Rod* rod) {
  if (rod->n != rod->nedge - 1 || m->flex_plasticmode[flex] || m->flex_interp[flex]) {
    return 0;
  }
  for (int i = 0; i < rod->n; i++) {
    const mjtNum *record = rod->record + ROD_RECORD * i, *next = record + ROD_RECORD;
    int joint = whole(record[7], -1, m->njnt) ? (int)record[7] : -2;
    int held = joint == -1 && i == rod->n - 1 && holder(m, flex, rod, rod->nedge - 1) >= 0;
    int follows = i == rod->n - 1 || (record[1] == next[0] && record[2] == next[1]);
    if (record[3] >= 0 || !follows || !(held || is_hinge(m, joint))) {
      return 0;
    }
  }
  for (int e = 0; e < rod->nedge; e++) {
    if (!whole(rod->place[e], 0, rod->nedge)) {
      return 0;
    }
  }
  return rod->held_first >= 0 || is_hinge(m, (int)rod->record[7] - 1);
}

int rod_valid(const mjModel* m, int flex) {
  if (m->flex_dim[flex] != 1) {
    return 1;
  }
  const mjtNum* at = numbers_of(m, flex);
  if (!m->flex_edgenum[flex] || at[0] == 0) {
    return m->flex_plasticadr[flex] < 0;
  }
  if (!whole(at[0], 1, m->flex_edgenum[flex] + 1) || m->flex_interp[flex]) {
    return 0;
  }
  for (int i = 0; i < (int)at[0]; i++) {
    const mjtNum* record = at + 1 + ROD_RECORD * (size_t)i;
    for (int k = 0; k < 4; k++) {
      if (!whole(record[k], k == 3 ? -1 : 0, m->flex_vertnum[flex])) {
        return 0;
      }
    }
  }
  Rod rod;
  return !rod_twists(m, flex) || ((int)at[0] == m->flex_edgenum[flex] - 1 &&
                                  rod_of(&rod, m, flex) && chain_valid(m, flex, &rod));
}
