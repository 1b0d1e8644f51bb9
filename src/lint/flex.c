// flex.c: checks of flexes whose elements are badly shaped, too stiff for the timestep, or touch
// from the start.
//                                                              theory/lint.md, Deformables

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "lint/checks.h"
#include "lint/stiffness.h"
#include "model/tree/trees.h"
#include "smooth/flex/flex.h"

static const mjtNum SLIVER = (mjtNum)0.05;  // quality below which an element is reported

enum {
  ITERATIONS = 60,  // iterations of the power method
};

static const int* element_of(const mjModel* m, int f, int e) {
  return m->flex_elem + m->flex_elemdataadr[f] + e * (m->flex_dim[f] + 1);
}

static const mjtNum* vertices_of(const Lint* l, int f) {
  return l->d->flexvert_xpos + 3 * l->m->flex_vertadr[f];
}

// shape of elements

// Area of a triangle, signed volume of a tetrahedron.
static mjtNum element_size(const mjtNum* const x[4], int dim) {
  mjtNum e1[3], e2[3], e3[3], normal[3];
  v3_sub(e1, x[1], x[0]);
  v3_sub(e2, x[2], x[0]);
  v3_cross(normal, e1, e2);
  if (dim == 2) {
    return v3_norm(normal) / 2;
  }
  v3_sub(e3, x[3], x[0]);
  return v3_dot(normal, e3) / 6;
}

// Quality of an element, from 1 (regular) to 0 (flat), with area A, volume V and edge lengths l:
//
//   triangle 4 sqrt(3) A / sum l^2      tetrahedron 12 (3 |V|)^(2/3) / sum l^2
static mjtNum element_quality(const mjtNum* const x[4], int dim) {
  mjtNum size = mju_abs(element_size(x, dim)), squares = 0;
  for (int i = 0; i <= dim; i++) {
    for (int k = 0; k < i; k++) {
      squares += num_square(v3_dist(x[i], x[k]));
    }
  }
  mjtNum ideal = dim == 2 ? 4 * mju_sqrt(3) * size : 12 * mju_pow(3 * size, (mjtNum)2 / 3);
  return ideal / num_max(squares, mjMINVAL * mjMINVAL);
}

static void corners(const mjtNum* x[4], const Lint* l, int f, int e) {
  const int* v = element_of(l->m, f, e);
  for (int i = 0; i <= l->m->flex_dim[f]; i++) {
    x[i] = vertices_of(l, f) + 3 * v[i];
  }
}

static mjtNum solid_size(const Lint* l, int f, int e) {
  const mjtNum* x[4];
  corners(x, l, f, e);
  return element_size(x, 3);
}

// Reports the inverted tetrahedra of a flex: those whose signed volume in the pose of l->d differs
// in sign from the one at qpos0. sign[e] is 1 if the volume of element e at qpos0 is positive.
static void report_inverted(Lint* l, int f, int key, const mjtByte* sign) {
  int inverted = 0, first = -1;
  for (int e = 0; e < l->m->flex_elemnum[f]; e++) {
    mjtNum size = solid_size(l, f, e);
    if (sign[e] ? size < 0 : size > 0) {
      first = inverted++ ? first : e;
    }
  }
  if (inverted) {
    lint_warn(l, lint_id(l, mjOBJ_KEY, key),
              "keep each vertex on its side of the face opposite, or let the model settle and save "
              "the key then",
              "%d of the %d tetrahedra of %s are inside out, first element %d: their elastic "
              "forces hold them there, and inner contacts throw them back",
              inverted, l->m->flex_elemnum[f], lint_name(l, mjOBJ_FLEX, f).text, first);
  }
}

// The compiler gives all tetrahedra the same orientation, so only a keyframe can invert one.
void check_inverted_element(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_dim[f] != 3 || m->flex_rigid[f]) {
      continue;
    }
    mjtByte* sign = heap_take((size_t)m->flex_elemnum[f]);
    for (int e = 0; e < m->flex_elemnum[f]; e++) {
      sign[e] = solid_size(l, f, e) > 0;
    }
    for (int key = 0; key < m->nkey; key++) {
      lint_pose(l, key);
      report_inverted(l, f, key, sign);
    }
    lint_pose(l, -1);
    heap_free(sign);
  }
}

void check_sliver_element(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    int slivers = 0, worst = -1;
    mjtNum least = SLIVER;
    for (int e = 0; m->flex_dim[f] > 1 && e < m->flex_elemnum[f]; e++) {
      const mjtNum* x[4];
      corners(x, l, f, e);
      mjtNum quality = element_quality(x, m->flex_dim[f]);
      slivers += quality < SLIVER;
      if (quality < least) {
        least = quality;
        worst = e;
      }
    }
    if (worst >= 0) {
      lint_warn(l, lint_id(l, mjOBJ_FLEX, f),
                "make the mesh anew with elements of about equal edges, or spacing alike in all "
                "directions",
                "%d of its %d elements are slivers, the worst is element %d with a quality of "
                "%.2g (1 is regular): they are much stiffer than the material",
                slivers, m->flex_elemnum[f], worst, least);
    }
  }
}

void check_loose_vertex(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    int n = m->flex_vertnum[f], loose = 0, first = -1;
    char* used = heap_zero((size_t)n, 1);
    for (int i = 0; i < m->flex_elemnum[f] * (m->flex_dim[f] + 1); i++) {
      used[element_of(m, f, 0)[i]] = 1;
    }
    for (int v = 0; v < n; v++) {
      if (!used[v]) {
        first = loose++ ? first : v;
      }
    }
    heap_free(used);
    if (loose) {
      lint_warn(l, lint_id(l, mjOBJ_FLEX, f), "leave them out, or name them in an element",
                "%d of its %d vertices are in no element, first vertex %d: nothing holds them to "
                "the rest",
                loose, n, first);
    }
  }
}

static int has_equality(const mjModel* m, int flex) {
  for (int i = 0; i < m->neq; i++) {
    int type = m->eq_type[i];
    if ((type == mjEQ_FLEX || type == mjEQ_FLEXSTRAIN) && m->eq_obj1id[i] == flex) {
      return 1;
    }
  }
  return 0;
}

void check_loose_flex(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    int is_held = m->flex_rigid[f] || m->flex_edgestiffness[f] != 0 ||
                  m->flex_edgedamping[f] != 0 || m->flex_damping[f] != 0 || has_equality(m, f);
    if (!is_held && !flex_is_elastic(m, f)) {
      lint_warn(l, lint_id(l, mjOBJ_FLEX, f), "elasticity with young, or edge equality=\"true\"",
                "it has neither elasticity nor stiff edges nor an equality: nothing holds its "
                "vertices together");
    }
  }
}

// stiffness

// The mass points of a flex (its vertices, or the nodes of its cage) at qpos0. The elastic forces
// are linearized there: f = -K v for small displacements v.
typedef struct Elastic_ {
  const mjModel* m;
  const mjtNum* x;
  int flex, npoint;
  const int* body;
} Elastic;

static void add_pull(mjtNum* out, int a, int b, const mjtNum u[3], mjtNum pull) {
  v3_addtoscl(out + 3 * a, u, pull);
  v3_addtoscl(out + 3 * b, u, -pull);
}

// Returns the rate of the length of the edge from b to a for velocities v of the points, and writes
// the edge's direction u.
static mjtNum edge_rate(mjtNum u[3], const Elastic* s, const mjtNum* v, int a, int b) {
  mjtNum along[3];
  v3_sub(u, s->x + 3 * a, s->x + 3 * b);
  v3_normalize(u);
  v3_sub(along, v + 3 * a, v + 3 * b);
  return v3_dot(u, along);
}

// out += K v of triangles and tetrahedra, for displacements v of the vertices. With edges e = (a,
// b) of length l_e and direction u_e, the force on a is
//
//   l_e u_e sum_e' K_ee' 2 l_e' u_e'.(v_a' - v_b')
// Also stretch in smooth/flex/passive.c.
static void stretch(mjtNum* out, const Elastic* s, const mjtNum* v) {
  const mjModel* m = s->m;
  int dim = m->flex_dim[s->flex], n = flex_element_edges(dim);
  const int(*end)[2] = flex_edge_ends(dim);
  for (int e = 0; dim > 1 && e < m->flex_elemnum[s->flex]; e++) {
    const int* vertex = element_of(m, s->flex, e);
    const mjtNum* K = m->flex_stiffness + 21 * (size_t)(m->flex_elemadr[s->flex] + e);
    mjtNum u[6][3], length[6], grow[6], tension[6] = {0};
    for (int a = 0; a < n; a++) {
      int v0 = vertex[end[a][0]], v1 = vertex[end[a][1]];
      length[a] = v3_dist(s->x + 3 * v0, s->x + 3 * v1);
      grow[a] = 2 * length[a] * edge_rate(u[a], s, v, v0, v1);
    }
    for (int a = 0; a < n; a++) {
      tension[a] += *K++ * grow[a];
      for (int b = a + 1; b < n; b++, K++) {
        tension[a] += *K * grow[b];
        tension[b] += *K * grow[a];
      }
    }
    for (int a = 0; a < n; a++) {
      add_pull(out, vertex[end[a][0]], vertex[end[a][1]], u[a], tension[a] * length[a]);
    }
  }
}

// out += K v of bending edges and of edges with springs
// Also bend in smooth/flex/passive.c.
static void bend_and_pull(mjtNum* out, const Elastic* s, const mjtNum* v) {
  const mjModel* m = s->m;
  int first = m->flex_edgeadr[s->flex];
  for (int e = first; e < first + m->flex_edgenum[s->flex]; e++) {
    const int *ends = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    mjtNum u[3], rate = edge_rate(u, s, v, ends[0], ends[1]);
    add_pull(out, ends[0], ends[1], u, m->flex_edgestiffness[s->flex] * rate);
    const int vertex[4] = {ends[0], ends[1], flap[0], flap[1]};
    for (int i = 0; i < 16 && m->flex_dim[s->flex] == 2 && flap[1] >= 0; i++) {
      v3_addtoscl(out + 3 * vertex[i / 4], v + 3 * vertex[i % 4],
                  m->flex_bending[17 * (size_t)e + i]);
    }
  }
}

// out -= K v of a box of nodes, since its K is stored with negative sign
// Also deform_box in smooth/flex/passive.c.
static void deform(mjtNum* out, const Elastic* s, const mjtNum* v) {
  const mjModel* m = s->m;
  const int size = 3 * FLEX_NODES;
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[s->flex];
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < size; k++) {
      out[i] -= K[size * i + k] * v[k];
    }
  }
}

// out = M^-1 K v. A point is free if its body has three slide joints and nothing else; all other
// points count as fixed.
static void accelerations(mjtNum* out, const Elastic* s, const mjtNum* v) {
  const mjModel* m = s->m;
  memset(out, 0, 3 * (size_t)s->npoint * sizeof(mjtNum));
  if (m->flex_interp[s->flex]) {
    deform(out, s, v);
  } else {
    stretch(out, s, v);
    bend_and_pull(out, s, v);
  }
  for (int i = 0; i < s->npoint; i++) {
    int body = s->body[i], is_free = m->body_simple[body] == 2 && m->body_dofnum[body] == 3;
    v3_scl(out + 3 * i, out + 3 * i, is_free ? 1 / m->body_mass[body] : 0);
  }
}

// The largest eigenvalue of M^-1 K, (rad/s)^2, by the power method. With equal masses it approaches
// the eigenvalue from below.
static mjtNum largest_eigenvalue(const Elastic* s) {
  size_t n = 3 * (size_t)s->npoint;
  mjtNum *v = heap_take(n * sizeof(mjtNum)), *out = heap_take(n * sizeof(mjtNum)), rate = 0;
  for (size_t i = 0; i < n; i++) {
    v[i] = mju_Halton((int)i + 1, 2) - (mjtNum)0.5;
  }
  for (int i = 0; i < ITERATIONS; i++) {
    accelerations(out, s, v);
    mjtNum norm = mju_norm(out, (int)n);
    rate = i ? norm : 0;
    mju_scl(v, out, norm > 0 ? 1 / norm : 0, (int)n);
  }
  heap_free(v);
  heap_free(out);
  return rate;
}

void check_stiff_flex(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    int cage = m->flex_interp[f];
    // the matrix of a box of nodes stands in the place of its elements; cells have one each
    int is_loose = cage && m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] == 0;
    if (m->flex_rigid[f] || is_loose || (m->opt.disableflags & mjDSBL_SPRING)) {
      continue;
    }
    Elastic s = {.m = m,
                 .x = vertices_of(l, f),
                 .flex = f,
                 .npoint = cage ? FLEX_NODES : m->flex_vertnum[f],
                 .body = cage ? m->flex_nodebodyid + m->flex_nodeadr[f]
                              : m->flex_vertbodyid + m->flex_vertadr[f]};
    mjtNum square = largest_eigenvalue(&s), limit, h = m->opt.timestep;
    mjtNum damping = m->opt.disableflags & mjDSBL_DAMPER ? 0 : m->flex_damping[f];
    mjtNum stable = lint_stability(&limit, h, square, damping * square);
    if (stable > LINT_FOLLOWED) {
      double omega = sqrt((double)square);
      lint_warn(l, lint_id(l, mjOBJ_FLEX, f),
                lint_hint(l, "timestep=\"%.2g\", or young or stiffness %.2g times as large", limit,
                          LINT_FOLLOWED / stable),
                "its fastest motion has %.3g rad/s, %.2g rad in each timestep of %.3g s%s: %s",
                omega, h * omega, h, damping > 0 ? ", and its damping is explicit" : "",
                stable >= 1 ? "the simulation will blow up" : "its motion can't be trusted");
    }
  }
}

// contact

void check_flex_self_contact(Lint* l) {
  const mjModel* m = l->m;
  for (int f = 0; f < m->nflex; f++) {
    int count = 0;
    mjtNum deepest = 0;
    for (int i = 0; i < l->d->ncon; i++) {
      const mjContact* con = l->d->contact + i;
      if (con->flex[0] == f && con->flex[1] == f && con->dist < 0) {
        deepest = num_max(deepest, -con->dist);
        count++;
      }
    }
    if (count) {
      lint_warn(l, lint_id(l, mjOBJ_FLEX, f),
                "a smaller radius, internal=\"false\", or selfcollide=\"none\"",
                "it touches itself at the start in %d places, up to %.3g m deep with a radius of "
                "%.3g m: it will spread",
                count, deepest, m->flex_radius[f]);
    }
  }
}
