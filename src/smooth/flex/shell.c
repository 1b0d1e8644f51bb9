// Membranes and hinges of shells, the outer faces of cages.
//                                                            theory/smooth/deformables.md, Shells

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/cage.h"
#include "smooth/flex/flex.h"

enum {
  FACE_SIZE = 3 * FLEX_FACE_NODES
};

// The shell of a cage, its nodes and the forces on them.
typedef struct Shell_ {
  int order;
  const int* count;
  mjtNum rest[4];  // axes of the cage at rest
  const mjtNum* rest_node;
  mjtNum side[3];  // of a cell
  const mjtNum *x, *v;
  mjtNum *pull, *drag;
  mjtNum damping;
} Shell;

// Shape functions of order 1 or 2 at t in [0, 1], and their slopes.
static void shape(mjtNum N[3], mjtNum dN[3], int order, mjtNum t) {
  if (order == 1) {
    v3_set(N, 1 - t, t, 0);
    v3_set(dN, -1, 1, 0);
  } else {
    v3_set(N, (1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1));
    v3_set(dN, 4 * t - 3, 4 - 8 * t, 4 * t - 1);
  }
}

// Weights of the nodes in dx/du and dx/dv of a face at (u, v).
typedef struct Slopes_ {
  mjtNum u[FLEX_FACE_NODES], v[FLEX_FACE_NODES];
} Slopes;

static void slopes_at(Slopes* out, int order, mjtNum u, mjtNum v) {
  mjtNum N[2][3], dN[2][3];
  shape(N[0], dN[0], order, u);
  shape(N[1], dN[1], order, v);
  for (int i = 0; i < (order + 1) * (order + 1); i++) {
    int a = i / (order + 1), b = i % (order + 1);
    out->u[i] = dN[0][a] * N[1][b];
    out->v[i] = N[0][a] * dN[1][b];
  }
}

static void sum_nodes(mjtNum out[3], const FlexFace* face, const mjtNum* w, const mjtNum* x) {
  v3_zero(out);
  for (int i = 0; i < face->n; i++) {
    v3_addtoscl(out, x + 3 * (size_t)face->node[i], w[i]);
  }
}

// The normal of a face, n = c / |c| with c = x_u x x_v, and the gradient of n . g at constant g:
//
//   h = (g - n (n . g)) / |c|,   d(n . g) = dx_u . (x_v x h) + dx_v . (h x x_u)
typedef struct Normal_ {
  Slopes slopes;
  mjtNum xu[3], xv[3], n[3], size;
} Normal;

static void normal_at(Normal* out, const Shell* s, const FlexFace* face, mjtNum u, mjtNum v) {
  slopes_at(&out->slopes, s->order, u, v);
  sum_nodes(out->xu, face, out->slopes.u, s->x);
  sum_nodes(out->xv, face, out->slopes.v, s->x);
  v3_cross(out->n, out->xu, out->xv);
  out->size = num_max(mjMINVAL, v3_normalize(out->n));
}

static void push_normal(mjtNum* force, const Normal* at, const FlexFace* face, const mjtNum g[3],
                        mjtNum scale) {
  mjtNum h[3], by_u[3], by_v[3];
  v3_addscl(h, g, at->n, -v3_dot(at->n, g));
  v3_scl(h, h, scale / at->size);
  v3_cross(by_u, at->xv, h);
  v3_cross(by_v, h, at->xu);
  for (int i = 0; i < face->n; i++) {
    mjtNum* f = force + 3 * (size_t)face->node[i];
    v3_addtoscl(f, by_u, at->slopes.u[i]);
    v3_addtoscl(f, by_v, at->slopes.v[i]);
  }
}

// The rotation of a face from the axes of the cage at rest: nearest to F, which takes the axes of
// the face to x_u and x_v by the lengths at rest and the axis across it to the product of these.
// How long the latter is decides only where the search for the rotation ends.
static void turn_face(mjtNum quat[4], const Shell* s, const FlexFace* face) {
  Normal at;
  mjtNum F[9], across;
  int u = (face->axis + 1) % 3, v = (face->axis + 2) % 3;
  normal_at(&at, s, face, (mjtNum)0.5, (mjtNum)0.5);
  across = at.size / (s->side[u] * s->side[v]);
  for (int r = 0; r < 3; r++) {
    F[3 * r + u] = at.xu[r] / s->side[u];
    F[3 * r + v] = at.xv[r] / s->side[v];
    F[3 * r + face->axis] = at.n[r] * across;
  }
  q_copy(quat, s->rest);
  mju_mat2Rot(quat, F);
}

// f = R K (R' x - R0' X), damper: R (damping K) R' v
static void stretch_face(Shell* s, const FlexFace* face, const mjtNum quat[4], const mjtNum* K) {
  mjtNum away[FACE_SIZE], rate[FACE_SIZE], back[4];
  int size = 3 * face->n;
  q_conj(back, quat);
  for (int i = 0; i < face->n; i++) {
    mjtNum y[3], start[3];
    v3_sub(y, s->x + 3 * (size_t)face->node[i], s->x + 3 * (size_t)face->node[0]);
    q_rotate(away + 3 * i, y, back);
    v3_sub(y, s->rest_node + 3 * (size_t)face->node[i], s->rest_node + 3 * (size_t)face->node[0]);
    q_unrotate(start, y, s->rest);
    v3_subfrom(away + 3 * i, start);
    q_rotate(rate + 3 * i, s->v + 3 * (size_t)face->node[i], back);
  }
  for (int i = 0; i < face->n; i++) {
    mjtNum f[3] = {0}, b[3] = {0};
    for (int k = 0; k < 3; k++) {
      const mjtNum* row = K + size * (3 * i + k);
      for (int j = 0; j < size; j++) {
        f[k] += row[j] * away[j];
        b[k] += row[j] * rate[j];
      }
    }
    q_rotate(f, f, quat);
    q_rotate(b, b, quat);
    v3_addto(s->pull + 3 * (size_t)face->node[i], f);
    v3_addtoscl(s->drag + 3 * (size_t)face->node[i], b, s->damping);
  }
}

// Two faces with normals n_a, n_b at the middle of their edge, R the mean of their rotations, r the
// difference of the normals at rest, in the axes of the cage:
//
//   f = - k grad(n_a - n_b)' (n_a - n_b - R r), without a damper
static void bend_hinge(Shell* s, const mjtNum* hinge, const mjtNum* quat) {
  FlexFace face[2];
  Normal at[2];
  mjtNum mean[4], target[3], bent[3];
  const mjtNum *qa = quat + 4 * (int)hinge[0], *qb = quat + 4 * (int)hinge[1];
  mjtNum sign = mju_dot(qa, qb, 4) < 0 ? -1 : 1, k = hinge[6];
  for (int i = 0; i < 2; i++) {
    flex_face(face + i, s->order, s->count, (int)hinge[i]);
    normal_at(at + i, s, face + i, hinge[2 + 2 * i], hinge[3 + 2 * i]);
  }
  for (int i = 0; i < 4; i++) {
    mean[i] = qa[i] + sign * qb[i];
  }
  mju_normalize4(mean);
  q_rotate(target, hinge + 7, mean);
  v3_sub(bent, at[0].n, at[1].n);
  v3_subfrom(bent, target);
  for (int i = 0; i < 2; i++) {
    push_normal(s->pull, at + i, face + i, bent, i ? k : -k);
  }
}

static void sum_shell(Shell* s, const mjtNum* numbers, mjtNum* quat) {
  int faces = flex_face_count(s->count);
  for (int i = 0; i < faces; i++) {
    FlexFace face;
    flex_face(&face, s->order, s->count, i);
    turn_face(quat + 4 * i, s, &face);
    stretch_face(s, &face, quat + 4 * i, numbers);
    numbers += 9 * face.n * face.n;
  }
  for (int i = 0; i < (int)numbers[0]; i++) {
    bend_hinge(s, numbers + 1 + FLEX_HINGE * i, quat);
  }
}

void flex_shell_forces(const mjModel* m, mjData* d, int flex, int spring, int damper) {
  size_t n = 3 * (size_t)m->flex_nodenum[flex];
  const int *body = m->flex_nodebodyid + m->flex_nodeadr[flex], *count = m->flex_cellnum + 3 * flex;
  mjtNum corner[3 * FLEX_NODES];
  mj_markStack(d);
  mjtNum *x = mj_stackAllocNum(d, 4 * n), *v = x + n;
  mjtNum* quat = mj_stackAllocNum(d, 4 * (size_t)flex_face_count(count));
  Shell s = {.order = m->flex_interp[flex],
             .count = count,
             .rest_node = m->flex_node0 + 3 * (size_t)m->flex_nodeadr[flex],
             .x = x,
             .v = v,
             .pull = v + n,
             .drag = v + 2 * n,
             .damping = m->flex_damping[flex]};
  memset(s.pull, 0, 2 * n * sizeof(mjtNum));
  flex_node_states(x, v, m, d, flex);
  flex_cage_corners(corner, m, flex);
  flex_box_axes(s.rest, corner);
  for (int k = 0; k < 3; k++) {
    mjtNum edge[3];
    v3_sub(edge, corner + 3 * (4 >> k), corner);
    s.side[k] = num_max(mjMINVAL, v3_norm(edge) / count[k]);
  }
  sum_shell(&s, m->cnd_flex_cell + m->cnd_flex_celladr[flex], quat);
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    size_t at = 3 * (size_t)i;
    if (spring) {
      flex_push(d->qfrc_spring, m, d, s.pull + at, x + at, body[i]);
    }
    if (damper) {
      flex_push(d->qfrc_damper, m, d, s.drag + at, x + at, body[i]);
    }
  }
  mj_freeStack(d);
}
