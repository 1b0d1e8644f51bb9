// First the walk goes to the highest neighbour as long as that is higher. Then the summit is filled
// from its highest vertex; if a higher one turns up, the walk goes on from there.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/shape/summit.h"

#include <math.h>

#include "base/algebra/simd.h"

enum {
  MOST_SUMMIT = 16,
  MOST_NEAR = 8  // of the highest vertex's neighbours; with more the summit is large
};

// Vertices that are lower by this share of the size are no ends of climbs: POINT_BAND, with room.
static const mjtNum CLIMB_BAND = (mjtNum)2e-4;

// The same for the highest vertex, see BOUND_ROUNDING: twice the rounding of vertices.
static const mjtNum HIGHEST_BAND = (mjtNum)4e-6;

typedef struct Walk {
  const float* vert;
  const int *id, *first, *lists;  // parts of the hull's graph
  int num;
  mjtNum l[3], band;
} Walk;

typedef struct Summit {
  int at[MOST_SUMMIT];
  mjtNum height[MOST_SUMMIT];
  int num, peaks;  // peaks: how many have no higher neighbour
} Summit;

INLINE mjtNum height_at(const Walk* w, int at) {
  const float* v = w->vert + 3 * (size_t)w->id[at];
  return v[0] * w->l[0] + v[1] * w->l[1] + v[2] * w->l[2];
}

// Returns 0 if the direction is not finite.
INLINE int walk_begin(Walk* w, const ConvexShape* mesh, const mjtNum l[3], mjtNum band) {
  const int num = mesh->graph[0];
  w->vert = mesh->vert;
  v3_copy(w->l, l);
  w->num = num;
  w->first = mesh->graph + 2;
  w->id = w->first + num;
  w->lists = w->id + num;
  w->band = band * num_max(num_max(mesh->size[0], mesh->size[1]), mesh->size[2]);
  return mju_abs(l[0]) + mju_abs(l[1]) + mju_abs(l[2]) < 2;
}

// The last vertex of the walk from `at`. near: how many neighbours are within the band.
INLINE int walk_up(mjtNum* top, int* near, const Walk* w, int at) {
  mjtNum highest = height_at(w, at);
  for (;;) {
    const mjtNum level = highest - w->band;
    mjtNum best = -INFINITY;
    int next = at, close = 0;
    for (const int* k = w->lists + w->first[at]; *k >= 0; k++) {
      const mjtNum h = height_at(w, *k);
      // no branches: they would be mispredicted
      close += h >= level;
      next = h > best ? *k : next;
      best = h > best ? h : best;
    }
    if (!(best > highest)) {
      *near = close;
      *top = highest;
      return at;
    }
    at = next;
    highest = best;
  }
}

INLINE int is_in(const Summit* s, int at) {
  for (int i = 0; i < s->num; i++) {
    if (s->at[i] == at) {
      return 1;
    }
  }
  return 0;
}

// Fills the summit around its first vertex. Returns the vertex, or a higher one; -1 if there are
// too many.
INLINE int fill(Summit* s, const Walk* w) {
  const mjtNum top = s->height[0], level = top - w->band;
  s->peaks = 0;
  for (int i = 0; i < s->num; i++) {
    const mjtNum here = s->height[i];
    int is_peak = 1;
    for (const int* k = w->lists + w->first[s->at[i]]; *k >= 0; k++) {
      const mjtNum h = height_at(w, *k);
      if (!(h >= level)) {
        continue;
      }
      if (h > top) {
        return *k;
      }
      is_peak = is_peak && !(h > here);
      if (!is_in(s, *k)) {
        if (s->num == MOST_SUMMIT) {
          return -1;
        }
        s->at[s->num] = *k;
        s->height[s->num++] = h;
      }
    }
    s->peaks += is_peak;
  }
  return s->at[0];
}

// Walks from `at` to the summit. Returns 0 if that has too many vertices.
INLINE int find(Summit* s, const Walk* w, int at) {
  for (;;) {
    int near;
    s->at[0] = at = walk_up(s->height, &near, w, at);
    s->num = s->peaks = 1;
    if (near > MOST_NEAR) {
      return 0;
    }
    int top = near ? fill(s, w) : at;
    if (top == at || top < 0) {
      return top == at;
    }
    at = top;
  }
}

INLINE int start_of(const Walk* w, int start) {
  return start >= 0 && start < w->num ? start : 0;
}

KERNEL int summit_support(const ConvexShape* mesh, const mjtNum l[3], int start) {
  Walk w;
  Summit s;
  if (!walk_begin(&w, mesh, l, CLIMB_BAND) || !find(&s, &w, start_of(&w, start))) {
    return SUMMIT_WIDE;
  }
  return s.peaks == 1 ? s.at[0] : SUMMIT_TIED;
}

KERNEL int summit_highest(const ConvexShape* mesh, const mjtNum l[3], int start) {
  Walk w;
  Summit s;
  int best = 0;
  if (walk_begin(&w, mesh, l, HIGHEST_BAND) && find(&s, &w, start_of(&w, start))) {
    best = s.at[0];
    for (int i = 1; i < s.num; i++) {
      best = s.height[i] == s.height[0] && s.at[i] < best ? s.at[i] : best;
    }
    return best;
  }
  mjtNum top = -INFINITY;
  for (int i = 0; i < w.num; i++) {
    const mjtNum h = height_at(&w, i);
    best = h > top ? i : best;
    top = h > top ? h : top;
  }
  return best;
}

// Puts a number into an ascending list.
static void insert(int* list, int num, int x) {
  for (; num > 0 && list[num - 1] > x; num--) {
    list[num] = list[num - 1];
  }
  list[num] = x;
}

KERNEL int summit_level(int* level, int most, const ConvexShape* mesh, const mjtNum l[3], int id,
                        mjtNum tie) {
  Walk w;
  Summit s;
  const mjtNum wrong = LEVEL_WRONG * tie;
  const int is_finite = walk_begin(&w, mesh, l, HIGHEST_BAND);
  const mjtNum top = height_at(&w, id);
  int num = 0;
  if (is_finite && wrong < w.band / 4 && find(&s, &w, id)) {
    if (s.height[0] - top > wrong) {
      return 0;
    }
    for (int i = 0; i < s.num; i++) {
      if (s.height[i] - top >= -tie) {
        if (num == most) {
          return 0;
        }
        insert(level, num++, s.at[i]);
      }
    }
    return num;
  }
  for (int i = 0; i < w.num; i++) {
    const mjtNum above = height_at(&w, i) - top;
    if (above > wrong || (above >= -tie && num == most)) {
      return 0;
    }
    if (above >= -tie) {
      level[num++] = i;
    }
  }
  return num;
}
