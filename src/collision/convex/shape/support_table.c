// support_table.c: cells are refined from coarse ones, whose vertices hold those of their parts.
//
// A cell is the cone of its four corners c_i. If u is higher than v by more than b |c_i| along all
// of them, it is so along every direction l = sum a_i c_i of the cone, for |l| <= sum a_i |c_i|.
// Such a v is dropped.

#include "collision/convex/shape/support_table.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"

enum {
  CORNERS = 4,
  COARSE = 4,      // cells along an edge at first
  FINEST = 32,     // and at most
  ENOUGH = 6,      // mean number of vertices below which cells aren't refined
  MOST_PAIRS = 96  // vertices that are compared with each other
};

// Vertices of the cells of one fineness.
typedef struct Cells {
  int side, *first, *vertex, room, fits;
} Cells;

typedef struct Search {
  const float* point;  // four numbers each
  int n;
  mjtNum band;
  mjtNum (*height)[CORNERS];  // of those looked at
  int* kept;
} Search;

static void cells_free(Cells* c) {
  mju_free(c->first);
  mju_free(c->vertex);
}

// The corners of a cell, of unit length.
static void cell_corners(mjtNum corner[CORNERS][3], int side, int face, int i, int j) {
  int k = face / 2, ku = k == 2 ? 0 : k + 1, kv = k == 0 ? 2 : k - 1;
  for (int c = 0; c < CORNERS; c++) {
    corner[c][k] = face & 1 ? -1 : 1;
    corner[c][ku] = (mjtNum)(2 * (i + (c & 1)) - side) / (mjtNum)side;
    corner[c][kv] = (mjtNum)(2 * (j + (c >> 1)) - side) / (mjtNum)side;
    v3_normalize(corner[c]);
  }
}

static int is_below(const mjtNum* v, const mjtNum* u, mjtNum band) {
  return u[0] - v[0] > band && u[1] - v[1] > band && u[2] - v[2] > band && u[3] - v[3] > band;
}

// The vertices among `from` that no other one is above. Returns how many are kept.
static int cell_vertices(Search* s, const mjtNum corner[CORNERS][3], const int* from, int n) {
  int strong[CORNERS + 1] = {0};
  mjtNum best[CORNERS + 1];
  for (int c = 0; c <= CORNERS; c++) {
    best[c] = -INFINITY;
  }
  for (int a = 0; a < n; a++) {
    const float* v = s->point + 4 * (size_t)(from ? from[a] : a);
    mjtNum sum = 0;
    for (int c = 0; c < CORNERS; c++) {
      mjtNum h = corner[c][0] * v[0] + corner[c][1] * v[1] + corner[c][2] * v[2];
      s->height[a][c] = h;
      sum += h;
      strong[c] = h > best[c] ? a : strong[c];
      best[c] = num_max(best[c], h);
    }
    strong[CORNERS] = sum > best[CORNERS] ? a : strong[CORNERS];
    best[CORNERS] = num_max(best[CORNERS], sum);
  }
  int num = 0;
  for (int a = 0; a < n; a++) {
    int below = 0;
    for (int c = 0; c <= CORNERS && !below; c++) {
      below = is_below(s->height[a], s->height[strong[c]], s->band);
    }
    if (!below) {
      s->kept[num++] = a;
    }
  }
  int few = 0;
  for (int a = 0; a < num; a++) {
    int below = 0;
    for (int b = 0; b < num && num <= MOST_PAIRS && !below; b++) {
      below = s->kept[b] >= 0 && is_below(s->height[s->kept[a]], s->height[s->kept[b]], s->band);
    }
    few += !below;
    s->kept[a] = below ? -1 - s->kept[a] : s->kept[a];
  }
  int at = 0;
  for (int a = 0; a < num; a++) {
    if (s->kept[a] >= 0) {
      s->kept[at++] = from ? from[s->kept[a]] : s->kept[a];
    }
  }
  return few;
}

static void cells_add(Cells* c, const int* vertex, int n, int at) {
  if (at + n > c->room) {
    int room = 2 * (at + n);
    int* more = memory_take((size_t)room * sizeof(int));
    c->fits = more != NULL;
    if (!more) {
      return;
    }
    memcpy(more, c->vertex, (size_t)at * sizeof(int));
    mju_free(c->vertex);
    c->vertex = more;
    c->room = room;
  }
  memcpy(c->vertex + at, vertex, (size_t)n * sizeof(int));
}

// Cells of half the size of those before, or the first ones.
static Cells cells_make(Search* s, int side, const Cells* before) {
  Cells c = {.side = side, .room = 16 * side * side};
  c.first = memory_take((size_t)(6 * side * side + 1) * sizeof(int));
  c.vertex = memory_take((size_t)c.room * sizeof(int));
  c.fits = c.first && c.vertex;
  int at = 0, cell = 0;
  for (int face = 0; face < 6; face++) {
    for (int i = 0; i < side; i++) {
      for (int j = 0; j < side && c.fits; j++, cell++) {
        mjtNum corner[CORNERS][3];
        cell_corners(corner, side, face, i, j);
        int half = side / 2, wide = (face * half + i / 2) * half + j / 2;
        const int* from = before ? before->vertex + before->first[wide] : NULL;
        int n = before ? before->first[wide + 1] - before->first[wide] : s->n;
        int num = cell_vertices(s, (const mjtNum(*)[3])corner, from, n);
        c.first[cell] = at;
        cells_add(&c, s->kept, num, at);
        at += num;
      }
    }
  }
  if (c.fits) {
    c.first[cell] = at;
  }
  return c;
}

static int cells_count(const Cells* c) {
  return c->first[6 * c->side * c->side];
}

// One block: the table, its points, the cells, their marks.
static SupportTable* join(const Search* s, const Cells* c) {
  size_t side = (size_t)c->side, ncell = 6 * side * side, num = (size_t)cells_count(c);
  size_t points = 4 * (size_t)s->n * sizeof(float), cells = (ncell + 1) * sizeof(int);
  char* block = memory_take(sizeof(SupportTable) + points + cells + num * sizeof(int) + ncell);
  if (block) {
    char *point = block + sizeof(SupportTable), *first = point + points, *vertex = first + cells;
    char* dented = vertex + num * sizeof(int);
    memcpy(point, s->point, points);
    memcpy(first, c->first, cells);
    memcpy(vertex, c->vertex, num * sizeof(int));
    memset(dented, 0, ncell);
    *(SupportTable*)(void*)block = (SupportTable){
        .side = c->side,
        .first = (const int*)(const void*)first,
        .vertex = (const int*)(const void*)vertex,
        .point = (const float*)(const void*)point,
        .dented = (unsigned char*)dented,
    };
  }
  return (SupportTable*)(void*)block;
}

SupportTable* support_table_make(const float* point, const int* id, int n, mjtNum band) {
  float* row = memory_take(4 * (size_t)n * sizeof(float));
  Search s = {.point = row,
              .n = n,
              .height = memory_take((size_t)n * sizeof(*s.height)),
              .kept = memory_take((size_t)n * sizeof(int))};
  SupportTable* table = NULL;
  if (row && s.height && s.kept) {
    mjtNum size = 0;
    for (int i = 0; i < n; i++) {
      const float* v = point + 3 * (size_t)(id ? id[i] : i);
      for (int k = 0; k < 3; k++) {
        row[4 * i + k] = v[k];
        size = num_max(size, mju_abs((mjtNum)v[k]));
      }
      row[4 * i + 3] = 0;
    }
    s.band = band * size;
    Cells c = cells_make(&s, COARSE, NULL);
    while (c.fits && c.side < FINEST && cells_count(&c) > ENOUGH * 6 * c.side * c.side) {
      Cells finer = cells_make(&s, 2 * c.side, &c);
      cells_free(&c);
      c = finer;
    }
    table = c.fits ? join(&s, &c) : NULL;
    cells_free(&c);
  }
  mju_free(row);
  mju_free(s.height);
  mju_free(s.kept);
  return table;
}

// The first and last cell of a row between two coordinates on the cube; none if the last is less.
static void cell_range(int range[2], int side, mjtNum low, mjtNum high) {
  mjtNum half = (mjtNum)0.5 * (mjtNum)side;
  range[0] = low > -1 ? (int)(half + half * num_min(low, 2)) : 0;
  range[1] = high < -1 ? -1 : int_min((int)(half + half * num_min(high, 1)), side - 1);
}

// On the cube a direction (u, v) moves by no more than (1 + u^2 + v^2) angle, that is by four times
// the angle near a face, if this is small.
void support_table_dent(SupportTable* t, const mjtNum normal[3], mjtNum angle) {
  const mjtNum small = (mjtNum)0.1, reach = 4 * angle;
  const int side = t->side;
  if (angle > small) {
    memset(t->dented, 1, (size_t)t->side * 6 * (size_t)t->side);
    return;
  }
  for (int face = 0; face < 6; face++) {
    int k = face / 2, ku = k == 2 ? 0 : k + 1, kv = k == 0 ? 2 : k - 1, i[2], j[2];
    mjtNum up = face & 1 ? -normal[k] : normal[k];
    if (up < (mjtNum)0.3) {
      continue;
    }
    cell_range(i, side, normal[ku] / up - reach, normal[ku] / up + reach);
    cell_range(j, side, normal[kv] / up - reach, normal[kv] / up + reach);
    for (int a = i[0]; a <= i[1]; a++) {
      for (int b = j[0]; b <= j[1]; b++) {
        t->dented[(face * side + a) * side + b] = 1;
      }
    }
  }
}
