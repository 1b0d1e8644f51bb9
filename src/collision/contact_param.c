// Mixing of two geoms' contact parameters by priority and solmix, the options' override, and the
// contact frame.

#pragma STDC FP_CONTRACT OFF  // the frame follows from a normal, bit by bit

#include "collision/contact_param.h"

#include <assert.h>
#include <mujoco/api/base.h>
#include <stddef.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/reach.h"

#ifdef mjUSESINGLE
typedef uint32_t NumberBits __attribute__((may_alias));
#else
typedef uint64_t NumberBits __attribute__((may_alias));
#endif

typedef struct Param {
  int dim;
  mjtNum margin, gap, adhesion;
  mjtNum friction[5];
  mjtNum solref[mjNREF];
  mjtNum solreffriction[mjNREF];
  mjtNum solimp[mjNIMP];
} Param;

// The margin of two geoms or flexes, without their gap.
static mjtNum margin_of(const mjModel* m, int ipair, mjtNum margin1, mjtNum margin2) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) {
    return m->opt.o_margin;
  }
  return ipair >= 0 ? m->pair_margin[ipair] : margins_together(m, margin1, margin2);
}

// Margins are cut at mjMAXVAL, the largest coordinate: their squares must not overflow.
mjtNum contact_margin(const mjModel* m, int g1, int g2, int ipair) {
  mjtNum margin = margin_of(m, ipair, m->geom_margin[g1], m->geom_margin[g2]);
  if (behaves(m, cndBEHAVIOUR_marginband)) {
    margin +=
        ipair >= 0 ? m->pair_gap[ipair] : margins_together(m, m->geom_gap[g1], m->geom_gap[g2]);
  }
  return num_min(margin, mjMAXVAL);
}

mjtNum contact_acting_margin(const mjModel* m, int g1, int g2, int ipair) {
  mjtNum margin = margin_of(m, ipair, m->geom_margin[g1], m->geom_margin[g2]);
  if (!behaves(m, cndBEHAVIOUR_marginband)) {
    margin -=
        ipair >= 0 ? m->pair_gap[ipair] : margins_together(m, m->geom_gap[g1], m->geom_gap[g2]);
  }
  return num_min(margin, mjMAXVAL);
}

// Weight of geom 1 in a mean of both geoms, from their solmix.
static mjtNum mix_weight(mjtNum mix1, mjtNum mix2) {
  if (mix1 >= mjMINVAL && mix2 >= mjMINVAL) {
    return mix1 / (mix1 + mix2);
  }
  if (mix1 < mjMINVAL && mix2 < mjMINVAL) {
    return (mjtNum)0.5;
  }
  return mix1 < mjMINVAL ? 0 : (mjtNum)1;
}

// (sliding, torsion, rolling) -> (tangent 1, tangent 2, spin, roll 1, roll 2)
static void friction_expand(mjtNum out[5], const mjtNum f[3]) {
  out[0] = out[1] = f[0];
  out[2] = f[1];
  out[3] = out[4] = f[2];
}

// The contact parameters of a geom or a flex.
typedef struct Surface {
  int priority, condim;
  mjtNum margin, gap, solmix;
  const mjtNum *solref, *solimp, *friction;
} Surface;

static Surface surface_of(const mjModel* m, const ContactSide* side) {
  int g = side->geom, f = side->flex;
  if (g >= 0) {
    return (Surface){m->geom_priority[g],         m->geom_condim[g],
                     m->geom_margin[g],           m->geom_gap[g],
                     m->geom_solmix[g],           m->geom_solref + mjNREF * g,
                     m->geom_solimp + mjNIMP * g, m->geom_friction + 3 * g};
  }
  return (Surface){m->flex_priority[f],         m->flex_condim[f],
                   m->flex_margin[f],           m->flex_gap[f],
                   m->flex_solmix[f],           m->flex_solref + mjNREF * f,
                   m->flex_solimp + mjNIMP * f, m->flex_friction + 3 * f};
}

// The higher priority decides alone. At equal priority solref and solimp are weighted means, and
// friction and dimension the larger ones. A solref in the direct form (stiffness, damping: not
// positive) can't be averaged: the smaller one is taken.
// Also in lanes/setup/structure.c and derivative/constraint/constraint_gradient.c.
static void param_of_surfaces(Param* out, const mjModel* m, const Surface* a, const Surface* b) {
  out->margin = margin_of(m, -1, a->margin, b->margin);
  out->gap = margins_together(m, a->gap, b->gap);
  memset(out->solreffriction, 0, sizeof(out->solreffriction));

  if (a->priority != b->priority) {
    const Surface* first = a->priority > b->priority ? a : b;
    out->dim = first->condim;
    memcpy(out->solref, first->solref, sizeof(out->solref));
    memcpy(out->solimp, first->solimp, sizeof(out->solimp));
    friction_expand(out->friction, first->friction);
    return;
  }

  out->dim = int_max(a->condim, b->condim);
  mjtNum mix = mix_weight(a->solmix, b->solmix);
  int mean = a->solref[0] > 0 && b->solref[0] > 0;
  for (int i = 0; i < mjNREF; i++) {
    out->solref[i] =
        mean ? mix * a->solref[i] + (1 - mix) * b->solref[i] : num_min(a->solref[i], b->solref[i]);
  }
  for (int i = 0; i < mjNIMP; i++) {
    out->solimp[i] = mix * a->solimp[i] + (1 - mix) * b->solimp[i];
  }
  mjtNum friction[3];
  for (int i = 0; i < 3; i++) {
    friction[i] = num_max(a->friction[i], b->friction[i]);
  }
  friction_expand(out->friction, friction);
}

static void param_of_pair(Param* out, const mjModel* m, int ipair) {
  out->dim = m->pair_dim[ipair];
  out->margin = margin_of(m, ipair, 0, 0);
  out->gap = m->pair_gap[ipair];
  memcpy(out->solref, m->pair_solref + mjNREF * ipair, sizeof(out->solref));
  memcpy(out->solreffriction, m->pair_solreffriction + mjNREF * ipair, sizeof(out->solreffriction));
  memcpy(out->solimp, m->pair_solimp + mjNIMP * ipair, sizeof(out->solimp));
  memcpy(out->friction, m->pair_friction + 5 * ipair, sizeof(out->friction));
}

// Also normal_frame in lanes/shapes/round.h, found_frame in lanes/rows/pairs.h and contact_spin in
// derivative/constraint/contact_work.c.
void contact_frame(mjtNum frame[9]) {
  mjtNum *x = frame, *y = frame + 3, *z = frame + 6;
  if (v3_normalize(x) < (mjtNum)0.5) {
    mju_error("contact_frame: a contact has no normal (are the positions of its geoms computed?)");
  }
  if (v3_dot(y, y) < (mjtNum)0.25) {
    int level = x[1] < (mjtNum)0.5 && x[1] > (mjtNum)-0.5;
    v3_set(y, 0, level ? 1 : 0, level ? 0 : 1);
  }
  v3_addtoscl(y, x, -v3_dot(x, y));
  v3_normalize(y);
  v3_cross(z, x, y);
}

// The force by which two surfaces attract each other: that of their explicit pair, of the geom with
// the higher priority, or the sum of both. Flexes have none.
static mjtNum adhesion_of(const mjModel* m, const ContactSide side[2], int ipair) {
  if (ipair >= 0) {
    return m->pair_adhesion[ipair];
  }
  mjtNum own[2];
  int priority[2];
  for (int k = 0; k < 2; k++) {
    int g = side[k].geom;
    own[k] = g >= 0 ? m->geom_adhesion[g] : 0;
    priority[k] = g >= 0 ? m->geom_priority[g] : m->flex_priority[side[k].flex];
  }
  return priority[0] == priority[1] ? own[0] + own[1] : own[priority[1] > priority[0]];
}

// What all contacts of two sides share.
static void param_of(Param* param, const mjModel* m, const ContactSide side[2], int ipair) {
  if (ipair >= 0) {
    param_of_pair(param, m, ipair);
  } else {
    Surface a = surface_of(m, side), b = surface_of(m, side + 1);
    param_of_surfaces(param, m, &a, &b);
  }
  param->adhesion = m->flg_adhesion ? adhesion_of(m, side, ipair) : 0;
  if (side[0].geom < 0 && side[0].flex == side[1].flex) {
    param->margin = param->gap = 0;
  }
  if (param->dim < 1 || param->dim > 6) {
    mju_error("mj_collision: condim of the contact between %s %d and %s %d is %d, not 1, 3, 4 or 6",
              side[0].geom >= 0 ? "geom" : "flex", int_max(side[0].geom, side[0].flex),
              side[1].geom >= 0 ? "geom" : "flex", int_max(side[1].geom, side[1].flex), param->dim);
  }
  if (m->opt.enableflags & mjENBL_OVERRIDE) {
    memcpy(param->solref, m->opt.o_solref, sizeof(param->solref));
    memcpy(param->solreffriction, m->opt.o_solref, sizeof(param->solreffriction));
    memcpy(param->solimp, m->opt.o_solimp, sizeof(param->solimp));
    memcpy(param->friction, m->opt.o_friction, sizeof(param->friction));
  }
}

// Numbers from includemargin to mu in whole vectors, put together from single numbers: vectors
// loaded from arrays that were just written number by number would wait for these stores.
enum {
  NUMBERS = (offsetof(mjContact, H) - offsetof(mjContact, includemargin)) / sizeof(mjtNum),
  CONE = sizeof(((mjContact*)0)->H) / sizeof(mjtNum),
  ADHESION = (offsetof(mjContact, adhesion) - offsetof(mjContact, includemargin)) / sizeof(mjtNum)
};
static_assert((int)NUMBERS == (int)CONTACT_NUMBERS && CONE % 4 == 0,
              "includemargin, Param, surfacevel and mu");
static_assert(offsetof(mjContact, solimp) ==
                      offsetof(mjContact, includemargin) + 10 * sizeof(mjtNum) &&
                  offsetof(mjContact, adhesion) ==
                      offsetof(mjContact, solimp) + 5 * sizeof(mjtNum) &&
                  offsetof(mjContact, mu) == offsetof(mjContact, adhesion) + 4 * sizeof(mjtNum),
              "the order of pack_numbers");

INLINE void pack_numbers(ContactMemo* memo, const Param* p, mjtNum includemargin) {
  const mjtNum *ref = p->solref, *sliding = p->solreffriction, *imp = p->solimp;
  const mjtNum *f = p->friction, least = (mjtNum)mjMINMU;
  const Simd4 numbers[] = {
      {includemargin, num_max(least, f[0]), num_max(least, f[1]), num_max(least, f[2])},
      {num_max(least, f[3]), num_max(least, f[4]), ref[0], ref[1]},
      {sliding[0], sliding[1], imp[0], imp[1]},
      {imp[2], imp[3], imp[4], p->adhesion},
      {0}};
  for (int k = 0; k < NUMBERS / 4; k++) {
    SIMD_AT(Simd4, memo->number + 4 * k) = numbers[k];
  }
}

// The integers of a contact from dim to exclude in whole vectors, as they lie in it.
enum {
  INTEGERS = 12
};
static_assert(offsetof(mjContact, geom2) == offsetof(mjContact, dim) + 2 * sizeof(int) &&
                  offsetof(mjContact, geom[1]) == offsetof(mjContact, dim) + 4 * sizeof(int) &&
                  offsetof(mjContact, vert) == offsetof(mjContact, dim) + 9 * sizeof(int) &&
                  offsetof(mjContact, exclude) == offsetof(mjContact, dim) + 11 * sizeof(int),
              "the order of pack_sides");

INLINE void pack_sides(Int4 out[INTEGERS / 4], const ContactSide side[2]) {
  const ContactSide *a = side, *b = side + 1;
  out[0] = (Int4){0, a->geom, b->geom, a->geom};
  out[1] = (Int4){b->geom, a->flex, b->flex, a->elem};
  out[2] = (Int4){b->elem, a->vert, b->vert, 0};
}

// All but the geometry of num contacts, without friction where one adheres through its gap.
static KERNEL void put_parameters(mjContact* con, int num, const ContactSide side[2],
                                  const ContactMemo* memo) {
  Simd4 numbers[NUMBERS / 4];
  for (int k = 0; k < NUMBERS / 4; k++) {
    numbers[k] = SIMD_READ(Simd4, memo->number + 4 * k);
  }
  Int4 integers[INTEGERS / 4];
  pack_sides(integers, side);
  mjtNum includemargin = memo->number[0];
  int attracts = memo->number[ADHESION] != 0;
  for (int i = 0; i < num; i++, con++) {
    for (int k = 0; k < NUMBERS / 4; k++) {
      SIMD_AT(Simd4, &con->includemargin + 4 * k) = numbers[k];
    }
    for (int k = 0; k < CONE; k += 4) {
      SIMD_AT(Simd4, con->H + k) = (Simd4){0};
    }
    int apart = con->dist >= includemargin, adheres = apart && attracts;
    integers[0][0] = adheres ? 1 : memo->dim;
    integers[2][3] = apart && !adheres;
    for (int k = 0; k < INTEGERS / 4; k++) {
      SIMD_AT(Int4, &con->dim + 4 * k) = integers[k];
    }
    con->efc_address = -1;
  }
}

// The bits in which n numbers differ. Number by number, as they were written. n is a constant.
INLINE NumberBits differing(const mjtNum* a, const mjtNum* b, int n) {
  NumberBits bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    bits |= *(const NumberBits*)(a + i) ^ *(const NumberBits*)(b + i);
  }
  return bits;
}

// Contacts often share normal and tangent hint (the first six numbers of the frame), so the frame
// is computed once for all that follow with the same six numbers.
static KERNEL void complete_frames(ContactMemo* memo, mjContact* con, int num) {
  for (int i = 0; i < num; i++, con++) {
    if (!memo->is_framed || differing(memo->given, con->frame, 6)) {
      memcpy(memo->given, con->frame, sizeof(memo->given));
      contact_frame(con->frame);
      m3_copy(memo->frame, con->frame);
      memo->is_framed = 1;
      continue;
    }
    SIMD_AT(Simd4, con->frame) = SIMD_READ(Simd4, memo->frame);
    SIMD_AT(Simd4, con->frame + 4) = SIMD_READ(Simd4, memo->frame + 4);
    con->frame[8] = memo->frame[8];
  }
}

static void memo_sides(ContactMemo* memo, const mjModel* m, const ContactSide side[2], int ipair,
                       mjtNum margin) {
  Param param;
  param_of(&param, m, side, ipair);
  memo->dim = param.dim;
  pack_numbers(memo, &param,
               behaves(m, cndBEHAVIOUR_marginband) ? param.margin : margin - param.gap);
}

void contact_fill_sides(const mjModel* m, mjContact* con, int num, const ContactSide side[2],
                        int ipair, mjtNum margin) {
  ContactMemo memo;  // too large to be cleared each time
  memo.is_framed = 0;
  memo_sides(&memo, m, side, ipair, margin);
  complete_frames(&memo, con, num);
  put_parameters(con, num, side, &memo);
}

// Whether two geoms give the same to contacts, bit by bit.
static int same_surface(const mjModel* m, int a, int b) {
  if (a == b) {
    return 1;
  }
  NumberBits bits = differing(m->geom_solimp + mjNIMP * a, m->geom_solimp + mjNIMP * b, mjNIMP) |
                    differing(m->geom_friction + 3 * a, m->geom_friction + 3 * b, 3) |
                    differing(m->geom_solref + mjNREF * a, m->geom_solref + mjNREF * b, mjNREF) |
                    differing(m->geom_solmix + a, m->geom_solmix + b, 1) |
                    differing(m->geom_margin + a, m->geom_margin + b, 1) |
                    differing(m->geom_gap + a, m->geom_gap + b, 1) |
                    differing(m->geom_adhesion + a, m->geom_adhesion + b, 1);
  return !bits && m->geom_priority[a] == m->geom_priority[b] &&
         m->geom_condim[a] == m->geom_condim[b];
}

static int memo_holds(const ContactMemo* memo, const mjModel* m, int g1, int g2, int ipair,
                      mjtNum margin) {
  return memo->is_set && ipair < 0 && margin == memo->margin &&
         same_surface(m, g1, memo->geom[0]) && same_surface(m, g2, memo->geom[1]);
}

void contact_fill_next(ContactMemo* memo, const mjModel* m, mjContact* con, int num, int g1, int g2,
                       int ipair, mjtNum margin) {
  const ContactSide side[2] = {{g1, -1, -1, -1}, {g2, -1, -1, -1}};
  if (!memo_holds(memo, m, g1, g2, ipair, margin)) {
    memo_sides(memo, m, side, ipair, margin);
    memo->margin = margin;
    memo->is_set = ipair < 0;
  }
  memo->geom[0] = g1;
  memo->geom[1] = g2;
  complete_frames(memo, con, num);
  put_parameters(con, num, side, memo);
}

// Velocity v and spin w of the surface of a geom at a point.
static void surface_motion(mjtNum v[3], mjtNum w[3], const mjModel* m, const mjData* d, int geom,
                           const mjtNum point[3]) {
  const mjtNum *local = m->geom_surfacevel + 6 * geom, *R = d->geom_xmat + 9 * geom;
  mjtNum arm[3], turned[3];
  m3_mulv(v, R, local);
  m3_mulv(w, R, local + 3);
  v3_sub(arm, point, d->geom_xpos + 3 * geom);
  v3_cross(turned, w, arm);
  v3_addto(v, turned);
}

// surfacevel = (t1 . v, t2 . v, n . w) of the second surface against the first. Flexes stand still.
void contact_surfaces(const mjModel* m, mjData* d) {
  for (mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    mjtNum v[3] = {0}, w[3] = {0};
    for (int side = 0; side < 2; side++) {
      int geom = con->geom[side];
      if (geom >= 0) {
        mjtNum linear[3], angular[3];
        surface_motion(linear, angular, m, d, geom, con->pos);
        v3_addtoscl(v, linear, side ? 1 : -1);
        v3_addtoscl(w, angular, side ? 1 : -1);
      }
    }
    con->surfacevel[0] = v3_dot(con->frame + 3, v);
    con->surfacevel[1] = v3_dot(con->frame + 6, v);
    con->surfacevel[2] = v3_dot(con->frame, w);
  }
}

void contact_fill(const mjModel* m, mjContact* con, int num, int g1, int g2, int ipair,
                  mjtNum margin) {
  const ContactSide side[2] = {{g1, -1, -1, -1}, {g2, -1, -1, -1}};
  contact_fill_sides(m, con, num, side, ipair, margin);
}
