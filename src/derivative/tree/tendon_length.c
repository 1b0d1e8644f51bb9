// Lengths of tendons piece by piece: straight from site to site, or wrapped around a sphere or a
// cylinder. Each piece gives the gradient and the Hessian of its length by the places of its two
// ends; the dofs that move the ends and the geom turn both into terms of nv x nv.

#include "derivative/tree/tendon_length.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "smooth/jacobian.h"
#include "smooth/tendon.h"
#include "smooth/wrap.h"

// pieces

enum {
  DIRECTIONS = 6
};

// A piece of string between two points: x are its ends, which belong to bodies 0 and 1; body 2
// carries the frame that the ends are seen from (0: the world).
typedef struct {
  int body[3];
  mjtNum x[2][3];
  mjtNum gradient[6];  // of the length L by the ends, in the world
  mjtNum direction[DIRECTIONS][6], weight[DIRECTIONS];
  int n;     // directions
  int kink;  // whether the length has no second derivative here
} Piece;

// Adds weight h h' to the Hessian, h = (sa a, sb b) with a part for each end.
static void add_direction(Piece* p, const mjtNum a[3], mjtNum sa, const mjtNum b[3], mjtNum sb,
                          mjtNum weight) {
  v3_scl(p->direction[p->n], a, sa);
  v3_scl(p->direction[p->n] + 3, b, sb);
  p->weight[p->n++] = weight;
}

// Two unit vectors normal to e and to each other.
static void two_normals(mjtNum a[3], mjtNum b[3], const mjtNum e[3]) {
  mjtNum seed[3] = {0, 0, 0};
  seed[mju_abs(e[0]) < (mjtNum)0.7 ? 0 : 1] = 1;
  v3_cross(a, e, seed);
  v3_normalize(a);
  v3_cross(b, e, a);
}

// L = |x1 - x0|, gradient (-e, e), Hessian (E - e e') / L of the difference
static void straight(Piece* p) {
  mjtNum e[3], a[3], b[3];
  p->body[2] = 0;
  v3_sub(e, p->x[1], p->x[0]);
  mjtNum length = v3_normalize(e);
  v3_scl(p->gradient, e, -1);
  v3_copy(p->gradient + 3, e);
  if (length < mjMINVAL) {
    p->kink = 1;
    return;
  }
  two_normals(a, b, e);
  add_direction(p, a, -1, a, 1, 1 / length);
  add_direction(p, b, -1, b, 1, 1 / length);
}

// A string in the plane with normal N, from x0 to the tangent point t0 of the circle, and from t1
// to x1; all relative to the center. The gradient by end i is the unit vector e_i from t_i to x_i.
//
// An end that moves along n_i = N x e_i turns its straight part, of length l_i, about the tangent
// point: the Hessian has n_i n_i' / l_i. A string inside the circle touches it at one point t = r
// (cos phi, sin phi) only, where the length L(x0, x1, phi) is stationary in phi. With the unit
// tangent s = dt/dphi / r,
//
//   H = H_xx - H_x,phi H_x,phi' / H_phi,phi         H_x_i,phi = - r n_i (n_i . s) / l_i
//   H_phi,phi = sum of r^2 (n_i . s)^2 / l_i  +  r (e0 + e1) . t / r
static void planar(Piece* p, const mjtNum x[2][3], const mjtNum t[2][3], const mjtNum N[3],
                   int inside, mjtNum scale) {
  mjtNum n[2][3], l[2], s[3], along[2];
  for (int i = 0; i < 2; i++) {
    mjtNum* e = p->gradient + 3 * i;
    v3_sub(e, x[i], t[i]);
    l[i] = v3_normalize(e);
    v3_cross(n[i], N, e);
    if (l[i] < mjMINVAL) {
      p->kink = 1;
      return;
    }
  }
  add_direction(p, n[0], 1, n[1], 0, scale / l[0]);
  add_direction(p, n[0], 0, n[1], 1, scale / l[1]);
  if (inside) {
    mjtNum sum[3];
    v3_cross(s, N, t[0]);
    mjtNum curvature = 0, r = v3_normalize(s);
    for (int i = 0; i < 2; i++) {
      along[i] = -r * v3_dot(n[i], s) / l[i];
      curvature += r * r * num_square(v3_dot(n[i], s)) / l[i];
    }
    v3_add(sum, p->gradient, p->gradient + 3);
    curvature += v3_dot(sum, t[0]);
    // without a stationary point the string touches the middle of the arc, which has no gradient
    mjtNum derivative = v3_dot(sum, s);
    if (mju_abs(curvature) < mjMINVAL || mju_abs(derivative) > (mjtNum)1e-4) {
      p->kink = 1;
      return;
    }
    add_direction(p, n[0], along[0], n[1], along[1], -scale / curvature);
  }
}

// A string about a sphere lies in the plane of the center and both ends, which are at distances r_i
// from the center and an angle theta apart: its length is L(r0, r1, theta). Ends that leave the
// plane by z_i change these by
//
//   dr_i = z_i^2 / (2 r_i)
//   dtheta = (z0^2 / r0^2 + z1^2 / r1^2) / (2 tan theta) - z0 z1 / (r0 r1 sin theta)
// Also wrap_geom in smooth/wrap.c.
static void about_sphere(Piece* p, const mjtNum x[2][3], const mjtNum t[2][3], int inside) {
  mjtNum N[3], r[2], away[3], h[2];
  v3_cross(N, x[0], x[1]);
  for (int i = 0; i < 2; i++) {
    r[i] = v3_norm(x[i]);
  }
  mjtNum product = r[0] * r[1], sine = v3_normalize(N) / product;
  mjtNum cosine = v3_dot(x[0], x[1]) / product;
  if (sine < (mjtNum)1e-10) {
    p->kink = 1;
    N[0] = N[1] = N[2] = 0;
  }
  planar(p, x, t, N, inside, 1);
  if (p->kink) {
    return;
  }
  v3_cross(away, x[0], N);
  mjtNum by_angle = v3_dot(p->gradient, away);  // theta grows as x0 turns away from x1
  mjtNum both = -by_angle / (product * sine);
  for (int i = 0; i < 2; i++) {
    h[i] = (v3_dot(p->gradient + 3 * i, x[i]) + by_angle * cosine / sine) / (r[i] * r[i]);
  }
  add_direction(p, N, 1, N, 0, h[0] - both);
  add_direction(p, N, 0, N, 1, h[1] - both);
  add_direction(p, N, 1, N, 1, both);
}

// Length of the arc from a to b on a circle about the axis N. The arc is the shorter or the longer
// one, whichever is closer to the length `near`.
static mjtNum arc_length(const mjtNum a[3], const mjtNum b[3], const mjtNum N[3], mjtNum near) {
  mjtNum c[3], radius = v3_norm(a);
  v3_cross(c, a, b);
  mjtNum angle = num_atan2(mju_abs(v3_dot(c, N)), v3_dot(a, b));
  mjtNum other = (mjtNum)(2 * mjPI) - angle;
  return radius *
         (mju_abs(radius * angle - near) <= mju_abs(radius * other - near) ? angle : other);
}

// A string about a cylinder has the length l in the plane across the axis, and climbs z along the
// axis evenly:
//
//   L = sqrt(l^2 + z^2)     gradient (l grad l + z grad z) / L
//   Hessian (l / L) H_l + q q' / L^3,   q = z grad l - l grad z
static void about_cylinder(Piece* p, mjtNum x[2][3], mjtNum t[2][3], const mjtNum N[3], mjtNum arc,
                           int inside) {
  mjtNum z[2], height, length, q[6];
  mjtNum rise = v3_dot(t[1], N) - v3_dot(t[0], N);
  for (int i = 0; i < 2; i++) {
    z[i] = v3_dot(x[i], N);
    v3_addtoscl(x[i], N, -z[i]);
    v3_addtoscl(t[i], N, -v3_dot(t[i], N));
  }
  height = z[1] - z[0];
  length = v3_dist(x[0], t[0]) + v3_dist(x[1], t[1]);
  if (!inside) {
    length += arc_length(t[0], t[1], N, mju_sqrt(num_max(0, arc * arc - rise * rise)));
  }
  mjtNum total = mju_sqrt(length * length + height * height);
  planar(p, (const mjtNum(*)[3])x, (const mjtNum(*)[3])t, N, inside, length / total);
  if (p->kink) {
    return;
  }
  mju_scl(q, p->gradient, height, 6);
  v3_addtoscl(q, N, length);
  v3_addtoscl(q + 3, N, -length);
  add_direction(p, q, 1, q + 3, 1, 1 / (total * total * total));
  mju_scl(p->gradient, p->gradient, length / total, 6);
  v3_addtoscl(p->gradient, N, -height / total);
  v3_addtoscl(p->gradient + 3, N, height / total);
}

// The piece between two sites around the geom between them, straight if the geom is not in the way.
static void wrapped(Piece* p, const mjModel* m, const mjData* d, int wrap) {
  int geom = m->wrap_objid[wrap + 1], side = (int)mju_round(m->wrap_prm[wrap + 1]);
  const mjtNum *center = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  const mjtNum* by = side < 0 ? NULL : d->site_xpos + 3 * side;
  mjtNum radius = m->geom_size[3 * geom], tangent[6], x[2][3], t[2][3];
  mjtNum arc = wrap_geom(tangent, p->x[0], p->x[1], center, mat, radius,
                         (mjtWrap)m->wrap_type[wrap + 1], by, behaves(m, cndBEHAVIOUR_sidesite));
  if (arc < 0) {
    straight(p);
    return;
  }
  p->body[2] = m->geom_bodyid[geom];
  for (int i = 0; i < 2; i++) {
    v3_sub(x[i], p->x[i], center);
    v3_sub(t[i], tangent + 3 * i, center);
  }
  int inside = by && v3_dist(by, center) < radius;
  if (m->wrap_type[wrap + 1] == mjWRAP_CYLINDER) {
    mjtNum N[3];
    m3_column(N, mat, 2);
    about_cylinder(p, x, t, N, arc, inside);
  } else {
    about_sphere(p, (const mjtNum(*)[3])x, (const mjtNum(*)[3])t, inside);
  }
}

// paths

// Iterator over the pieces of a tendon.
typedef struct {
  int wrap, end;
  mjtNum scale;
} Walk;

static void set_end(Piece* p, int i, const mjModel* m, const mjData* d, int wrap) {
  int site = m->wrap_objid[wrap];
  p->body[i] = m->site_bodyid[site];
  v3_copy(p->x[i], d->site_xpos + 3 * site);
}

// Takes the next piece whose length can change; returns 0 at the end. The path is valid: mj_tendon
// has checked it.
static int next_piece(Piece* p, Walk* walk, const mjModel* m, const mjData* d) {
  while (walk->wrap + 1 < walk->end) {
    int wrap = walk->wrap++, type = m->wrap_type[wrap], next = m->wrap_type[wrap + 1];
    if (type == mjWRAP_PULLEY) {
      walk->scale = 1 / m->wrap_prm[wrap];
      continue;
    }
    if (type != mjWRAP_SITE || next == mjWRAP_PULLEY) {
      continue;
    }
    int around = next != mjWRAP_SITE;
    p->n = p->kink = 0;
    set_end(p, 0, m, d, wrap);
    set_end(p, 1, m, d, wrap + 1 + around);
    if (around) {
      walk->wrap++;
      wrapped(p, m, d, wrap);
      return 1;
    }
    if (p->body[0] != p->body[1]) {
      straight(p);
      return 1;
    }
  }
  return 0;
}

static Walk walk_begin(const mjModel* m, int tendon) {
  int adr = m->tendon_adr[tendon], is_fixed = m->wrap_type[adr] == mjWRAP_JOINT;
  return (Walk){adr, is_fixed ? adr : adr + m->tendon_num[tendon], 1};
}

// rows

// Dofs that move a piece. Per dof, at unit velocity: u, the velocities of both ends relative to the
// body of the wrapping geom (body[2]; or the world), and frame, that body's angular velocity.
typedef struct {
  int n;
  int* dof;
  mjtNum *u, *frame;  // 6 and 3 for each
} Moves;

static Moves moves_of(const Piece* p, const mjModel* m, mjData* d) {
  BodyChain chain[3];
  ChainRun run[5];
  int nrun = jac_runs(run, chain, m, p->body, 3), n = 0;
  for (int k = 0; k < nrun; k++) {
    n += run[k].ndof;
  }
  Moves moves = {0, mj_stackAllocInt(d, n), mj_stackAllocNum(d, 6 * (size_t)n),
                 mj_stackAllocNum(d, 3 * (size_t)n)};
  mju_zero(moves.u, 6 * n);
  mju_zero(moves.frame, 3 * n);
  for (int k = 0; k < nrun; k++) {
    int moved[3] = {0, 0, 0};
    for (int i = run[k].first; i < run[k].end; i++) {
      moved[chain[i].place] = 1;
    }
    for (int i = 0; i < run[k].ndof; i++, moves.n++) {
      int dof = moves.dof[moves.n] = run[k].dof[i];
      mjtNum *u = moves.u + 6 * moves.n, v[3];
      for (int e = 0; e < 2; e++) {
        if (moved[e] != moved[2]) {
          velocity_at(v, m, d, p->body[moved[e] ? e : 2], d->cdof + 6 * dof, p->x[e]);
          v3_addtoscl(u + 3 * e, v, moved[e] ? 1 : -1);
        }
      }
      if (moved[2]) {
        v3_copy(moves.frame + 3 * moves.n, d->cdof + 6 * dof);
      }
    }
  }
  return moves;
}

// out_k = a . u_k
static void project(mjtNum* out, const mjtNum a[6], const Moves* moves) {
  for (int k = 0; k < moves->n; k++) {
    out[k] = sp_dot(a, moves->u + 6 * k);
  }
}

// G += scale (a b' + b a') on the dofs of moves
static void add_symmetric(mjtNum* G, int nv, const mjtNum* a, const mjtNum* b, const Moves* moves,
                          mjtNum scale) {
  add_product(G, nv, a, moves->dof, moves->n, b, moves->dof, moves->n, scale);
  add_product(G, nv, b, moves->dof, moves->n, a, moves->dof, moves->n, scale);
}

// Two terms of a frame that moves. The gradient G_i turns with the frame: u_k . (s_j x G_i). The
// force -G_i on the frame acts at the end of the piece, which moves by u_j relative to the frame:
// s_k . (u_j x -G_i). The second is the first with j and k exchanged. By components of u, (s_j x
// G)_a = s_j . (G x e_a).
static void add_frame_terms(mjtNum* G, const mjModel* m, mjData* d, const Piece* p,
                            const Moves* moves, mjtNum force) {
  int n = moves->n;
  mjtNum* turn = mj_stackAllocNum(d, n);
  mjtNum* column = mj_stackAllocNum(d, n);
  for (int a = 0; a < 6; a++) {
    mjtNum axis[3] = {0, 0, 0}, across[3];
    axis[a % 3] = 1;
    v3_cross(across, p->gradient + a / 3 * 3, axis);
    for (int k = 0; k < n; k++) {
      turn[k] = v3_dot(moves->frame + 3 * k, across);
      column[k] = moves->u[6 * k + a];
    }
    add_symmetric(G, m->nv, turn, column, moves, force);
  }
}

static void add_loads_of(Load* loads, const mjModel* m, const mjData* d, const Piece* p,
                         mjtNum force) {
  for (int i = 0; i < 2; i++) {
    mjtNum F[3];
    v3_scl(F, p->gradient + 3 * i, force);
    load_add_force(loads, m, d, p->body[i], p->x[i], F);
    if (p->body[2]) {
      v3_scl(F, F, -1);
      load_add_force(loads, m, d, p->body[2], p->x[i], F);
    }
  }
}

// Also mj_tendon in smooth/tendon.c.
int tendon_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, int tendon,
                      mjtNum force) {
  Walk walk = walk_begin(m, tendon);
  Piece p;
  int kinks = 0;
  while (next_piece(&p, &walk, m, d)) {
    mj_markStack(d);
    Moves moves = moves_of(&p, m, d);
    mjtNum* row = mj_stackAllocNum(d, moves.n);
    mjtNum f = walk.scale * force;
    for (int i = 0; i < p.n; i++) {
      project(row, p.direction[i], &moves);
      add_product(G, m->nv, row, moves.dof, moves.n, row, moves.dof, moves.n, f * p.weight[i]);
    }
    if (p.body[2]) {
      add_frame_terms(G, m, d, &p, &moves, f);
    }
    add_loads_of(loads, m, d, &p, f);
    kinks |= p.kink;
    mj_freeStack(d);
  }
  return kinks;
}

void tendon_length_derivative(mjtNum* out, const mjModel* m, const mjData* d, int tendon,
                              mjtNum scale) {
  int adr = m->tendon_adr[tendon], end = adr + m->tendon_num[tendon];
  if (m->wrap_type[adr] != mjWRAP_JOINT) {
    TendonRow row = tendon_view(m, d, tendon);
    tendon_add_to(out, &row, scale);
    return;
  }
  for (int k = adr; k < end; k++) {
    out[m->jnt_dofadr[m->wrap_objid[k]]] += scale * m->wrap_prm[k];
  }
}

// derivatives of tendon velocities by position

// out += scale D_j (g . v_b(p)) for the dofs of b
static void add_point_rate(mjtNum* out, const mjModel* m, const mjData* d, const Twists* W, int b,
                           const mjtNum p[3], const mjtNum g[3], mjtNum scale) {
  int n;
  const int* chain = jac_body_chain(&n, m, b);
  for (int k = 0; k < n; k++) {
    mjtNum change[3];
    twists_point_derivative(change, m, d, W, b, p, chain[k]);
    out[chain[k]] += scale * v3_dot(g, change);
  }
}

void tendon_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int tendon, const Twists* W,
                            mjtNum scale) {
  Walk walk = walk_begin(m, tendon);
  Piece p;
  while (next_piece(&p, &walk, m, d)) {
    mj_markStack(d);
    Moves moves = moves_of(&p, m, d);
    mjtNum velocity[6], f = walk.scale * scale;
    const mjtNum* frame = W->body + 6 * p.body[2];
    for (int e = 0; e < 2; e++) {
      mjtNum own[3], carried[3];
      velocity_at(own, m, d, p.body[e], W->body + 6 * p.body[e], p.x[e]);
      velocity_at(carried, m, d, p.body[2], frame, p.x[e]);
      v3_sub(velocity + 3 * e, own, carried);
    }

    // Hessian of the piece's length, sum of weight h h', times the ends' velocity, mapped to dofs
    for (int i = 0; i < p.n; i++) {
      mjtNum along = f * p.weight[i] * sp_dot(p.direction[i], velocity);
      for (int k = 0; k < moves.n; k++) {
        out[moves.dof[k]] += along * sp_dot(p.direction[i], moves.u + 6 * k);
      }
    }

    // rates of the velocities of the ends and of the frame there; the gradient turns with the frame
    for (int e = 0; e < 2; e++) {
      const mjtNum* g = p.gradient + 3 * e;
      add_point_rate(out, m, d, W, p.body[e], p.x[e], g, f);
      if (!p.body[2]) {
        continue;
      }
      add_point_rate(out, m, d, W, p.body[2], p.x[e], g, -f);
      for (int k = 0; k < moves.n; k++) {
        mjtNum t[3];
        v3_cross(t, moves.frame + 3 * k, g);
        mjtNum change = v3_dot(t, velocity + 3 * e);
        v3_cross(t, frame, moves.u + 6 * k + 3 * e);
        out[moves.dof[k]] += f * (change - v3_dot(t, g));
      }
    }
    mj_freeStack(d);
  }
}
