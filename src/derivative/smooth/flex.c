// Derivatives of the elastic and damping forces of smooth/flex/passive.c, as 3 x 3 blocks: bending
// of shells, stretch of membranes and solids by the Saint-Venant-Kirchhoff law (StVK), springs
// along edges.                                        theory/time/exact-derivatives.md, Deformables

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "derivative/smooth/flex.h"
#include "derivative/smooth/flex_box.h"
#include "derivative/smooth/flex_points.h"

// Outputs that the forces of flexes are added to, and what is enabled.
typedef struct {
  ForceJacobian* F;
  Load* loads;
  const mjModel* m;
  mjData* d;
  const Twists* W;
  int spring, damper;
} Sums;

// blocks

// K += scale E
static void add_identity(mjtNum K[9], mjtNum scale) {
  K[0] += scale;
  K[4] += scale;
  K[8] += scale;
}

// K += scale u v'
static void add_outer(mjtNum K[9], const mjtNum u[3], const mjtNum v[3], mjtNum scale) {
  for (int i = 0; i < 3; i++) {
    v3_addtoscl(K + 3 * i, v, scale * u[i]);
  }
}

// K += scale [a], [a] x = a x x
static void add_cross(mjtNum K[9], const mjtNum a[3], mjtNum scale) {
  K[1] -= scale * a[2];
  K[2] += scale * a[1];
  K[3] += scale * a[2];
  K[5] -= scale * a[0];
  K[6] -= scale * a[1];
  K[7] += scale * a[0];
}

// Sets point k to a vertex or node.
static void take_point(FlexPoints* p, int k, const Sums* s, const mjtNum x[3], int body) {
  p->body[k] = body;
  v3_copy(p->x[k], x);
  velocity_at(p->v[k], s->m, s->d, body, s->W->body + 6 * body, x);
}

static void add_points(const Sums* s, const FlexPoints* p) {
  flex_points_add(s->F, s->loads, s->m, s->d, p, s->W);
}

// bending

// Bending of two triangles (4 vertices) with a common edge:
//
//   f_a = - sum_b B_ab x_b - beta g_a - damping sum_b B_ab v_b
//   g_1 = e_1 x e_2, ...,  e_k = x_k+1 - x_0
// Also bend in smooth/flex/passive.c.
static void add_bend(const Sums* s, int f, int edge) {
  const mjModel* m = s->m;
  const mjtNum* B = m->flex_bending + 17 * (size_t)edge;
  int vert = m->flex_vertadr[f];
  mjtNum e[3][3], damping = s->damper ? m->flex_damping[f] : 0;
  FlexPoints p = {.n = 4};
  for (int a = 0; a < 4; a++) {
    int at = vert + (a < 2 ? m->flex_edge[2 * edge + a] : m->flex_edgeflap[2 * edge + a - 2]);
    take_point(&p, a, s, s->d->flexvert_xpos + 3 * at, m->flex_vertbodyid[at]);
  }
  for (int k = 0; k < 3; k++) {
    v3_sub(e[k], p.x[k + 1], p.x[0]);
  }
  for (int k = 0; s->spring && k < 3; k++) {
    // g_k+1 = e_i x e_j changes by de_i x e_j + e_i x de_j
    int i = (k + 1) % 3, j = (k + 2) % 3;
    mjtNum g[3];
    v3_cross(g, e[i], e[j]);
    v3_addtoscl(p.force[k + 1], g, -B[16]);
    v3_addtoscl(p.force[0], g, B[16]);
    for (int side = 0; side < 2; side++) {
      int row = side ? 0 : k + 1;
      mjtNum beta = side ? B[16] : -B[16];
      add_cross(p.by_x[row][i + 1], e[j], -beta);
      add_cross(p.by_x[row][j + 1], e[i], beta);
      add_cross(p.by_x[row][0], e[j], beta);
      add_cross(p.by_x[row][0], e[i], -beta);
    }
  }
  for (int a = 0; a < 4; a++) {
    for (int b = 0; b < 4; b++) {
      mjtNum K = B[4 * a + b];
      if (s->spring) {
        v3_addtoscl(p.force[a], p.x[b], -K);
        add_identity(p.by_x[a][b], -K);
      }
      v3_addtoscl(p.force[a], p.v[b], -damping * K);
      add_identity(p.by_v[a][b], -damping * K);
    }
  }
  add_points(s, &p);
}

// membranes and solids

// Squared elongation D of an edge of length l and rest length L along n, with its damping term, and
// its derivatives by
// the position x and velocity w of the second end relative to the first. r = flex_damping / h.
//
//   D = l^2 - L^2 + r (l^2 - (l - h l')^2)     dD = (2 l + 2 r h l') dl + 2 r h (l - h l') dl'
//   dl = n . dx,   dl' = n . dw + (w - n l') . dx / l
typedef struct {
  mjtNum D, by_x[3], by_v[3];
} Elongation;

static Elongation elongation(const Sums* s, int f, int edge, const mjtNum x[3], const mjtNum w[3]) {
  const mjModel* m = s->m;
  mjtNum h = m->opt.timestep, r = h > 0 ? m->flex_damping[f] / h : 0, n[3];
  mjtNum rest = m->flexedge_length0[edge];
  v3_copy(n, x);
  mjtNum l = v3_normalize(n), rate = v3_dot(n, w), before = l - h * rate;
  Elongation out = {.D = l * l - rest * rest + r * (l * l - before * before)};
  v3_scl(out.by_v, n, 2 * r * h * before);
  v3_scl(out.by_x, n, 2 * l + 2 * r * h * rate);
  if (l > mjMINVAL) {
    v3_addtoscl(out.by_x, w, 2 * r * h * before / l);
    v3_addtoscl(out.by_x, n, -2 * r * h * before * rate / l);
  }
  return out;
}

// Forces of a triangle or tetrahedron by the Saint-Venant-Kirchhoff law (StVK) and their
// derivatives. Each edge e = (a, b), with the squared elongation D_e, has
//
//   f_a = -f_b = -t_e (x_a - x_b)      t_e = sum_e' K_ee' D_e'
//   df_a = -t_e d(x_a - x_b) - (x_a - x_b) sum_e' K_ee' dD_e'
//                                                    theory/time/exact-derivatives.md, Deformables
// Also stretch in smooth/flex/passive.c.
static void add_stretch(const Sums* s, int f, int element) {
  const mjModel* m = s->m;
  int dim = m->flex_dim[f], vert = m->flex_vertadr[f], edges = flex_element_edges(dim);
  const int* vertex = m->flex_elem + m->flex_elemdataadr[f] + (dim + 1) * element;
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f] + edges * element;
  const int(*end)[2] = flex_edge_ends(dim);
  const mjtNum* packed = m->flex_stiffness + 21 * (size_t)(m->flex_elemadr[f] + element);
  mjtNum K[6][6];
  Elongation D[6];
  FlexPoints p = {.n = dim + 1};
  for (int a = 0; a <= dim; a++) {
    int at = vert + vertex[a];
    take_point(&p, a, s, s->d->flexvert_xpos + 3 * at, m->flex_vertbodyid[at]);
  }
  for (int a = 0; a < edges; a++) {
    mjtNum x[3], w[3];
    v3_sub(x, p.x[end[a][1]], p.x[end[a][0]]);
    v3_sub(w, p.v[end[a][1]], p.v[end[a][0]]);
    D[a] = elongation(s, f, m->flex_edgeadr[f] + edge[a], x, w);
    for (int b = a; b < edges; b++) {
      K[a][b] = K[b][a] = *packed++;
    }
  }
  for (int a = 0; a < edges; a++) {
    mjtNum tension = 0, along[3];
    int v0 = end[a][0], v1 = end[a][1];
    v3_sub(along, p.x[v0], p.x[v1]);
    for (int b = 0; b < edges; b++) {
      tension += K[a][b] * D[b].D;
      for (int k = 0; k < 4; k++) {
        // row v0 or v1, column the first or the second end of b
        int row = k & 1 ? v1 : v0, column = end[b][k >> 1];
        mjtNum scale = ((k & 1) == k >> 1 ? 1 : -1) * K[a][b];
        add_outer(p.by_x[row][column], along, D[b].by_x, scale);
        add_outer(p.by_v[row][column], along, D[b].by_v, scale);
      }
    }
    v3_addtoscl(p.force[v0], along, -tension);
    v3_addtoscl(p.force[v1], along, tension);
    add_identity(p.by_x[v0][v0], -tension);
    add_identity(p.by_x[v0][v1], tension);
    add_identity(p.by_x[v1][v0], tension);
    add_identity(p.by_x[v1][v1], -tension);
  }
  add_points(s, &p);
}

// edges

// Spring and damper along an edge: f = T n on the second end, T = stiffness (L - l) - damping l'
// Also edge_forces in smooth/flex/passive.c.
static void add_edges(const Sums* s, int f) {
  const mjModel* m = s->m;
  mjtNum stiffness = s->spring ? m->flex_edgestiffness[f] : 0;
  mjtNum damping = s->damper ? m->flex_edgedamping[f] : 0;
  int first = m->flex_edgeadr[f];
  if ((stiffness == 0 && damping == 0) || m->flex_interp[f]) {
    return;
  }
  for (int e = first; e < first + m->flex_edgenum[f]; e++) {
    if (m->flexedge_rigid[e]) {
      continue;
    }
    FlexEdge edge = flex_edge(m, s->d, f, e);
    FlexPoints p = {.n = 2};
    mjtNum w[3], by_x[3];
    for (int k = 0; k < 2; k++) {
      take_point(&p, k, s, edge.x[k], edge.body[k]);
    }
    v3_sub(w, p.v[1], p.v[0]);
    mjtNum rate = v3_dot(edge.n, w), inverse = edge.length > mjMINVAL ? 1 / edge.length : 0;
    mjtNum force = stiffness * (m->flexedge_length0[e] - edge.length) - damping * rate;
    v3_scl(by_x, edge.n, -stiffness + damping * rate * inverse);
    v3_addtoscl(by_x, w, -damping * inverse);
    for (int a = 0; a < 2; a++) {
      v3_scl(p.force[a], edge.n, a ? force : -force);
      for (int b = 0; b < 2; b++) {
        mjtNum sign = a == b ? 1 : -1;
        add_outer(p.by_x[a][b], edge.n, by_x, sign);
        add_identity(p.by_x[a][b], sign * force * inverse);
        add_outer(p.by_x[a][b], edge.n, edge.n, -sign * force * inverse);
        add_outer(p.by_v[a][b], edge.n, edge.n, -sign * damping);
      }
    }
    add_points(s, &p);
  }
}

// all

void flex_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W, int spring,
                     int damper) {
  mj_markStack(d);
  Sums s = {F, loads_make(m, d), m, d, W, spring, damper};
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f]) {
      continue;
    }
    int first = m->flex_edgeadr[f], dim = m->flex_dim[f];
    for (int e = first; dim == 2 && e < first + m->flex_edgenum[f]; e++) {
      if (m->flex_edgeflap[2 * e + 1] >= 0) {
        add_bend(&s, f, e);
      }
    }
    if (dim > 1 && m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] != 0) {
      if (m->flex_interp[f]) {
        flex_add_box(F, s.loads, m, d, f, W, spring, damper);
      } else {
        for (int e = 0; e < m->flex_elemnum[f]; e++) {
          add_stretch(&s, f, e);
        }
      }
    }
    add_edges(&s, f);
  }
  loads_derivative(F->q, m, d, s.loads, 1);
  mj_freeStack(d);
}
