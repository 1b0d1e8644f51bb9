// structure.c: panels of the inertia matrix, and the slots of everything that may happen.

#include "lanes/setup/structure.h"

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/memory/memory.h"
#include "collision/broad/few_geoms.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "lanes/setup/levers.h"
#include "lanes/setup/stamp.h"
#include "model/derived/path.h"
#include "model/meeting.h"

enum {
  MOST_PAIRS = 20000,  // each is tested whenever a block begins
  MOST_CONTACTS = 16   // of a pair
};

int structure_is_stale(const LaneStructure* s) {
  return s->stamp != structure_stamp(s->m);
}

static int lane_take_arrays(LaneStructure* s, int npair) {
  const mjModel* m = s->m;
  int fits = 1;
#define TAKE(kind, name, most)                                       \
  s->name = memory_take_zero((size_t)(most) * sizeof(*s->name) + 1); \
  fits &= s->name != NULL;
  STRUCTURE(TAKE)
#undef TAKE
  return fits;
}

void structure_free(LaneStructure* s) {
  if (s) {
#define FREE(kind, name, most) mju_free(s->name);
    STRUCTURE(FREE)
#undef FREE
    hulls_free(s->hulls, s->m->nmesh);
    mju_free(s);
  }
}

// panels

// Cuts dofs into panels, each run from its end.
static int cut_panels(LanePanel* panel, const mjModel* m) {
  LanePanel *end = panel + m->nv, *at = end;
  for (int last = m->nv - 1; last >= 0;) {
    int first = last;
    while (last - first + 1 < PANEL_MOST && first && m->dof_parentid[first] == first - 1) {
      first--;
    }
    *--at = (LanePanel){.first = first, .count = last - first + 1};
    last = first - 1;
  }
  memmove(panel, at, (size_t)(end - at) * sizeof(LanePanel));
  return (int)(end - at);
}

// The pattern of M: the columns of a panel are the ancestors of its first dof.
static void make_tree(LaneStructure* s) {
  const mjModel* m = s->m;
  int ncolumn = 0, npanel = cut_panels(s->panel, m);
  s->M = (LanePattern){.n = m->nv, .npanel = npanel, .panel = s->panel, .column = s->column};
  for (int i = 0; i < m->nv; i++) {
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
      set_add(s->ancestors + i, j);
    }
  }
  for (int k = 0; k < npanel; k++) {
    LanePanel* panel = s->panel + k;
    panel->column = ncolumn;
    for (int j = 0; j < panel->first; j++) {
      if (set_has(s->ancestors + panel->first, j)) {
        s->column[ncolumn++] = j;
      }
    }
    panel->n = ncolumn - panel->column;
  }
}

// Friction loss and limits of single dofs.
static void make_rows(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_frictionloss[i] > 0) {
      s->row[s->nrow++] = (LaneDofRow){LANE_FRICTION_LOSS, 0, i, m->dof_jntid[i]};
    }
  }
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_limited[j] && !joint_has_quat(m->jnt_type[j])) {
      LaneDofRow row = {LANE_ONE_SIDED, 0, m->jnt_dofadr[j], j};
      s->row[s->nrow++] = row;
      row.is_upper = 1;
      s->row[s->nrow++] = row;
    }
  }
}

// contacts

static int lane_is_excluded(const mjModel* m, int g1, int g2) {
  if (bodies_excluded(m, m->geom_bodyid[g1], m->geom_bodyid[g2])) {
    return 1;
  }
  for (int k = 0; k < m->npair; k++) {
    if ((m->pair_geom1[k] == g1 && m->pair_geom2[k] == g2) ||
        (m->pair_geom1[k] == g2 && m->pair_geom2[k] == g1)) {
      return 1;
    }
  }
  return 0;
}

// The most contacts of two geoms that have slots; a world with more is left to the scalar engine.
// Also most_contacts in collision/query/max_contact.c.
static int lane_most_contacts(const mjModel* m, int type1, int type2) {
  if (type1 == mjGEOM_HFIELD) {
    return MOST_CONTACTS;
  }
  if (type1 == mjGEOM_SPHERE || type2 == mjGEOM_SPHERE) {
    return 1;
  }
  return type1 == mjGEOM_CAPSULE && type2 == mjGEOM_CAPSULE ? 2
         : type1 == mjGEOM_BOX && type2 == mjGEOM_BOX       ? 8
         : several_asked(m)                                 ? 5
                                                            : 4;
}

// The coupling of two bodies, made if it is new; that of a coupled row has their common dofs as
// well.
static int coupling_of(LaneStructure* s, int body1, int body2) {
  for (int k = 0; k < s->ncoupling; k++) {
    const LaneCoupling* c = s->coupling + k;
    if (c->coupled_row < 0 && c->body[0] == body1 && c->body[1] == body2) {
      return k;
    }
  }
  s->coupling[s->ncoupling] = (LaneCoupling){.body = {body1, body2}, .coupled_row = -1};
  return s->ncoupling++;
}

// Also param_of_surfaces in collision/contact_param.c.
static int lane_contact_dim(const mjModel* m, int g1, int g2, int pair) {
  if (pair >= 0) {
    return m->pair_dim[pair];
  }
  int first = m->geom_priority[g1] - m->geom_priority[g2];
  return first ? m->geom_condim[first > 0 ? g1 : g2]
               : int_max(m->geom_condim[g1], m->geom_condim[g2]);
}

// Whether a body stays where it is: it is fixed to the world, but not to a mocap body.
static int lane_is_still(const mjModel* m, int body) {
  int still = m->body_weldid[body] == 0;
  for (; body && still; body = m->body_parentid[body]) {
    still = m->body_mocapid[body] < 0;
  }
  return still;
}

// Colliders of this engine are known: the program may have set others.
static LanePairKind pair_kind(mjfCollision collider) {
  static const struct {
    mjfCollision collider;
    LanePairKind kind;
  } known[] = {
      {collide_sphere_sphere, PAIR_ROUND},   {collide_sphere_capsule, PAIR_ROUND},
      {collide_capsule_capsule, PAIR_ROUND}, {collide_plane_box, PAIR_PLANE},
      {collide_plane_cylinder, PAIR_PLANE},  {collide_plane_ellipsoid, PAIR_PLANE},
      {collide_plane_mesh, PAIR_PLANE},      {collide_convex, PAIR_BOUNDED},
      {collide_box_box, PAIR_BOUNDED},       {collide_capsule_box, PAIR_BOUNDED},
      {collide_sphere_box, PAIR_BOUNDED},    {collide_sphere_cylinder, PAIR_BOUNDED},
  };
  for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
    if (known[k].collider == collider) {
      return known[k].kind;
    }
  }
  return PAIR_OTHER;
}

int structure_hulls(LaneStructure* s) {
  const mjModel* m = s->m;
  if (s->hulls || s->why[0]) {
    return 1;
  }
  mjtByte* used = memory_take_zero((size_t)m->nmesh + 1);
  for (int k = 0; used && k < s->npair; k++) {
    const int geom[2] = {s->pair[k].geom1, s->pair[k].geom2};
    for (int i = 0; i < 2; i++) {
      int type = m->geom_type[geom[i]];
      if (type == mjGEOM_MESH && m->geom_dataid[geom[i]] >= 0) {
        used[m->geom_dataid[geom[i]]] = 1;
      }
    }
  }
  s->hulls = used && m->nmesh ? hulls_make(m, used) : NULL;
  mju_free(used);
  return used && (s->hulls || !m->nmesh);
}

// Adds the slots of two geoms, if they are a plane and a round shape or, without `planes`, if they
// are not; pair: their explicit pair, or -1.
static void lane_add_pair(LaneStructure* s, int g1, int g2, int pair, int planes) {
  const mjModel* m = s->m;
  if (m->geom_type[g1] > m->geom_type[g2]) {
    int swap = g1;
    g1 = g2;
    g2 = swap;
  }
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  int moves1 = m->body_weldid[m->geom_bodyid[g1]], moves2 = m->body_weldid[m->geom_bodyid[g2]];
  if (!mjCOLLISIONFUNC[type1][type2]) {
    return;
  }
  LaneContact contact = {.shape = SHAPE_FOUND, .geom1 = g1, .geom2 = g2, .explicit_pair = pair};
  contact.body[0] = moves1 ? m->geom_bodyid[g1] : 0;
  contact.body[1] = moves2 ? m->geom_bodyid[g2] : 0;
  contact.dim = lane_contact_dim(m, g1, g2, pair);
  contact.coupling = coupling_of(s, contact.body[0], contact.body[1]);
  int on_plane = type1 == mjGEOM_PLANE && lane_is_still(m, m->geom_bodyid[g1]) &&
                 type2 <= mjGEOM_CAPSULE && type2 != mjGEOM_HFIELD;
  if (on_plane != planes) {
    return;
  }
  if (on_plane) {
    int is_long = type2 == mjGEOM_CAPSULE;
    contact.shape = is_long ? SHAPE_UPPER : SHAPE_SPHERE;
    s->contact[s->ncontact++] = contact;
    if (is_long) {
      contact.shape = SHAPE_LOWER;
      s->contact[s->ncontact++] = contact;
    }
    s->nplane = s->ncontact;
  } else {
    int n = lane_most_contacts(m, type1, type2);
    LanePairKind kind = pair_kind(mjCOLLISIONFUNC[type1][type2]);
    int way = kind == PAIR_BOUNDED ? s->nway : -1;
    s->nway += kind == PAIR_BOUNDED ? WAY_SIZE : 0;
    s->ntouch += kind == PAIR_BOUNDED && pair_keeps_touch(type1, type2) && s->ntouch < MOST_TOUCHES;
    s->pair[s->npair++] = (LanePair){g1, g2, pair, s->ncontact, n, kind, way};
    for (int k = 0; k < n; k++) {
      s->contact[s->ncontact++] = contact;
    }
  }
}

// Calls add_pair for all pairs of geoms that may touch, by the filters of mj_collision; only counts
// them if planes is -1.                                        theory/contact/collision.md, Filters
static int visit_pairs(LaneStructure* s, int planes) {
  const mjModel* m = s->m;
  int n = m->npair;
  for (int k = 0; planes >= 0 && k < m->npair; k++) {
    lane_add_pair(s, m->pair_geom1[k], m->pair_geom2[k], k, planes);
  }
  for (int i = 0; i < m->ngeom; i++) {
    for (int j = i + 1; j < m->ngeom; j++) {
      if (geoms_may_meet(m, i, j, s->filters) && !lane_is_excluded(m, i, j)) {
        n++;
        if (planes >= 0) {
          lane_add_pair(s, i, j, -1, planes);
        }
      }
    }
  }
  return n;
}

// coupled rows

// Appends a constraint on several dofs (equality, tendon, limit of a ball joint) with its own entry
// in the list of couplings, the sets of dofs that rows couple.
static void add_coupled_row(LaneStructure* s, LaneCoupledRow coupled_row) {
  coupled_row.coupling = s->ncoupling;
  s->coupling[s->ncoupling++] = (LaneCoupling){.body = {coupled_row.body[0], coupled_row.body[1]},
                                               .coupled_row = s->ncoupled_row};
  s->coupled_row[s->ncoupled_row++] = coupled_row;
}

static void lane_add_equality(LaneStructure* s, int id) {
  const mjModel* m = s->m;
  int type = m->eq_type[id], object = m->eq_objtype[id] == mjOBJ_SITE ? mjOBJ_SITE : mjOBJ_XBODY;
  LaneCoupledRow coupled_row = {.kind = COUPLED_POLYNOMIAL, .id = id, .nrow = 1};
  if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
    coupled_row.kind = type == mjEQ_WELD ? COUPLED_FRAME : COUPLED_POINT;
    coupled_row.nrow = type == mjEQ_WELD ? 6 : 3;
    coupled_row.body[0] = lane_frame(m, object, m->eq_obj1id[id]).body;
    coupled_row.body[1] = lane_frame(m, object, m->eq_obj2id[id]).body;
  }
  add_coupled_row(s, coupled_row);
}

static void make_coupled_rows(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->neq; i++) {
    lane_add_equality(s, i);
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_frictionloss[t] > 0) {
      add_coupled_row(s,
                      (LaneCoupledRow){
                          .kind = COUPLED_FRICTION, .law = LANE_FRICTION_LOSS, .id = t, .nrow = 1});
    }
    if (m->tendon_limited[t]) {
      add_coupled_row(
          s, (LaneCoupledRow){.kind = COUPLED_LOWER, .law = LANE_ONE_SIDED, .id = t, .nrow = 1});
      add_coupled_row(
          s, (LaneCoupledRow){.kind = COUPLED_UPPER, .law = LANE_ONE_SIDED, .id = t, .nrow = 1});
    }
  }
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_limited[j] && m->jnt_type[j] == mjJNT_BALL) {
      add_coupled_row(
          s, (LaneCoupledRow){.kind = COUPLED_BALL, .law = LANE_ONE_SIDED, .id = j, .nrow = 1});
    }
  }
}

// couplings

// Dofs that move one of two bodies, ascending; with `common` those that move both as well.
static int body_dofs(LaneCoupledDof* out, const mjModel* m, const LaneCoupling* c, int common) {
  LaneCoupledDof *end = out + m->nv, *at = end;
  int dof[2] = {last_dof(m, c->body[0]), last_dof(m, c->body[1])};
  while (dof[0] != dof[1]) {
    int side = dof[1] > dof[0];
    *--at = (LaneCoupledDof){dof[side], side};
    dof[side] = m->dof_parentid[dof[side]];
  }
  for (int i = dof[0]; common && i >= 0; i = m->dof_parentid[i]) {
    *--at = (LaneCoupledDof){i, SIDE_BOTH};
  }
  memmove(out, at, (size_t)(end - at) * sizeof(LaneCoupledDof));
  return (int)(end - at);
}

// Adds a dof to an ascending list, unless it is in it.
static int merge_dof(LaneCoupledDof* out, int n, int dof) {
  int at = 0;
  while (at < n && out[at].dof < dof) {
    at++;
  }
  if (at < n && out[at].dof == dof) {
    return n;
  }
  memmove(out + at + 1, out + at, (size_t)(n - at) * sizeof(*out));
  out[at] = (LaneCoupledDof){dof, 0};
  return n + 1;
}

static int merge_tendon(LaneCoupledDof* out, int n, const LaneStructure* s, int tendon) {
  const mjModel* m = s->m;
  if (s->path[tendon].lever >= 0) {
    const LaneLever* lever = s->lever + s->path[tendon].lever;
    for (int k = lever->dof; k < lever->dof + lever->ndof; k++) {
      n = merge_dof(out, n, s->lever_dof[k].dof);
    }
    return n;
  }
  for (int k = m->tendon_adr[tendon]; k < m->tendon_adr[tendon] + m->tendon_num[tendon]; k++) {
    n = merge_dof(out, n, m->jnt_dofadr[m->wrap_objid[k]]);
  }
  return n;
}

// The dofs of a coupling, ascending; out has room for nv.
static int coupled_dofs(LaneCoupledDof* out, const LaneStructure* s, const LaneCoupling* c) {
  const mjModel* m = s->m;
  const LaneCoupledRow* coupled_row = s->coupled_row + c->coupled_row;
  if (c->coupled_row < 0 || coupled_row->kind == COUPLED_POINT ||
      coupled_row->kind == COUPLED_FRAME) {
    return body_dofs(out, m, c, c->coupled_row >= 0);
  }
  int n = 0;
  if (coupled_row->kind == COUPLED_BALL) {
    while (n < 3) {
      out[n] = (LaneCoupledDof){m->jnt_dofadr[coupled_row->id] + n, 0};
      n++;
    }
    return n;
  }
  if (coupled_row->kind != COUPLED_POLYNOMIAL) {
    return merge_tendon(out, 0, s, coupled_row->id);
  }
  for (int side = 0; side < 2; side++) {
    int object = side ? m->eq_obj2id[coupled_row->id] : m->eq_obj1id[coupled_row->id];
    if (object >= 0) {
      n = m->eq_type[coupled_row->id] == mjEQ_TENDON ? merge_tendon(out, n, s, object)
                                                     : merge_dof(out, n, m->jnt_dofadr[object]);
    }
  }
  return n;
}

static int is_path(const LaneStructure* s, const LaneCoupledDof* dof, int n) {
  for (int a = 1; a < n; a++) {
    if (!set_has(s->ancestors + dof[a].dof, dof[a - 1].dof)) {
      return 0;
    }
  }
  return 1;
}

// Whether contacts with the fixed world cost less without Jacobians, if most of them are met:
// rough numbers of products in an iteration.
static int grounded_pays(const LaneStructure* s) {
  const mjModel* m = s->m;
  double with = 0, without = 40.0 * m->nbody + 50.0 * m->nv + 6.0 * (double)m->nM;
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact* contact = s->contact + k;
    double n = s->coupling[contact->coupling].ndof;
    if (!contact->body[0] || !contact->body[1]) {
      with += (1.5 * n * n + 22 * n - 210) * 0.6;
    }
  }
  return with > without;
}

static void make_couplings(LaneStructure* s) {
  for (int k = 0; k < s->ncoupling; k++) {
    LaneCoupling* c = s->coupling + k;
    c->dof = s->ncoupled;
    c->ndof = coupled_dofs(s->coupled + c->dof, s, c);
    c->inner = is_path(s, s->coupled + c->dof, c->ndof);
    s->ncoupled += c->ndof;
    if (c->coupled_row >= 0) {
      LaneCoupledRow* coupled_row = s->coupled_row + c->coupled_row;
      coupled_row->dof = c->dof;
      coupled_row->ndof = c->ndof;
      coupled_row->J = s->ncoupled_row_J;
      s->ncoupled_row_J += c->ndof * coupled_row->nrow;
    }
  }
  int grounds = grounded_pays(s);
  for (int k = 0; k < s->ncontact; k++) {
    LaneContact* contact = s->contact + k;
    if (grounds && !(contact->body[0] && contact->body[1])) {
      contact->coupling = -1;
      continue;
    }
    contact->J = s->ncontactJ;
    s->ncontactJ += s->coupling[contact->coupling].ndof * contact->dim;
  }
}

// the order of rows in the scalar engine

typedef struct Order {
  uint64_t first, second;
  int index;
} Order;

static int compare_order(const void* one, const void* two) {
  const Order *a = one, *b = two;
  return a->first != b->first     ? (a->first > b->first) - (a->first < b->first)
         : a->second != b->second ? (a->second > b->second) - (a->second < b->second)
                                  : a->index - b->index;
}

// By the bodies' signature, explicit pairs first, then by the geoms, then by the slot.
//                                                        theory/contact/collision.md, Contact order
static void rank_contacts(LaneStructure* s, Order* order) {
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact* c = s->contact + k;
    uint64_t key = few_key(s->m, c->geom1, c->geom2), pair = (uint64_t)c->explicit_pair;
    unsigned signature = ((unsigned)few_body(key, 0) << 16) + (unsigned)few_body(key, 1);
    int is_explicit = c->explicit_pair >= 0;
    uint64_t first = (uint64_t)signature << 32 | (is_explicit ? pair : UINT32_MAX);
    order[k] = (Order){first, is_explicit ? 0 : key, k};
  }
  qsort(order, (size_t)s->ncontact, sizeof(Order), compare_order);
  for (int k = 0; k < s->ncontact; k++) {
    s->contact[order[k].index].rank = k;
  }
}

// Equalities, friction of dofs and of tendons, limits of joints and of tendons.
static void order_scalars(LaneStructure* s, Order* order) {
  int n = 0;
  for (int k = 0; k < s->nrow; k++) {
    const LaneDofRow* row = s->row + k;
    int slips = row->law == LANE_FRICTION_LOSS;
    order[n++] = (Order){slips ? 1 : 3, (uint64_t)(slips ? row->dof : row->joint), k};
  }
  for (int k = 0; k < s->ncoupled_row; k++) {
    static const unsigned GROUP[] = {
        [COUPLED_POLYNOMIAL] = 0, [COUPLED_POINT] = 0, [COUPLED_FRAME] = 0, [COUPLED_FRICTION] = 2,
        [COUPLED_BALL] = 3,       [COUPLED_LOWER] = 4, [COUPLED_UPPER] = 4};
    order[n++] =
        (Order){GROUP[s->coupled_row[k].kind], (uint64_t)s->coupled_row[k].id, s->nrow + k};
  }
  qsort(order, (size_t)n, sizeof(Order), compare_order);
  for (int k = 0; k < n; k++) {
    int index = order[k].index, is_coupled_row = index >= s->nrow;
    s->scalar[k] = (LaneScalar){is_coupled_row, is_coupled_row ? index - s->nrow : index};
  }
}

static int order_rows(LaneStructure* s) {
  size_t most = (size_t)s->ncontact + (size_t)s->nrow + (size_t)s->ncoupled_row;
  Order* order = memory_take((most + 1) * sizeof(Order));
  if (order) {
    rank_contacts(s, order);
    order_scalars(s, order);
  }
  mju_free(order);
  return order != NULL;
}

// The numbers that PGS keeps of a row are those of its dofs and, with those between the rows of a
// contact, no more than 20 others.
static void count_dual(LaneStructure* s) {
  int64_t rows = s->nrow, each = s->m->nv + 20;
  for (int k = 0; k < s->ncoupled_row; k++) {
    rows += s->coupled_row[k].nrow;
  }
  s->fits_dual = rows * each <= MOST_DUAL / 2;
  s->nscalar_dual = s->fits_dual ? (int)(rows * each) : 0;
  for (int k = 0; k < s->ncontact; k++) {
    rows += s->contact[k].dim;
  }
  s->ndual = !s->fits_dual ? 0 : rows * each < MOST_DUAL ? (int)(rows * each) : MOST_DUAL;
}

// Pieces of bodies that move. One whose mass is zero is left out by its constants.
// Also fluid_visit in smooth/fluid.c.
static void make_fluids(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int b = 1; b < m->nbody; b++) {
    int first = s->nfluid, end = m->body_geomadr[b] + m->body_geomnum[b];
    for (int g = m->body_geomadr[b]; body_moves(m, b) && g < end; g++) {
      if (m->geom_fluid[mjNFLUID * g] > 0) {
        s->fluid[s->nfluid++] = (LaneFluid){b, g};
      }
    }
    if (body_moves(m, b) && s->nfluid == first) {
      s->fluid[s->nfluid++] = (LaneFluid){b, -1};
    }
  }
}

// sensors

LaneFrame lane_frame(const mjModel* m, int type, int id) {
  static const mjtNum ORIGIN[3] = {0, 0, 0}, UNTURNED[4] = {1, 0, 0, 0};
  switch (type) {
    case mjOBJ_BODY:
      return (LaneFrame){id, mjSAMEFRAME_INERTIA, ORIGIN, m->body_iquat + 4 * id};
    case mjOBJ_GEOM:
      return (LaneFrame){m->geom_bodyid[id], m->geom_sameframe[id], m->geom_pos + 3 * id,
                         m->geom_quat + 4 * id};
    case mjOBJ_SITE:
      return (LaneFrame){m->site_bodyid[id], m->site_sameframe[id], m->site_pos + 3 * id,
                         m->site_quat + 4 * id};
    case mjOBJ_CAMERA:
      return (LaneFrame){m->cam_bodyid[id], mjSAMEFRAME_NONE, m->cam_pos + 3 * id,
                         m->cam_quat + 4 * id};
    default:
      return (LaneFrame){type == mjOBJ_XBODY ? id : 0, mjSAMEFRAME_NONE, ORIGIN, UNTURNED};
  }
}

LaneFrame lane_sensor_frame(const mjModel* m, int sensor, int is_reference) {
  int type = is_reference ? m->sensor_reftype[sensor] : m->sensor_objtype[sensor];
  int id = is_reference ? m->sensor_refid[sensor] : m->sensor_objid[sensor];
  return lane_frame(m, id < 0 ? mjOBJ_UNKNOWN : type, id);
}

static void make_sensors(LaneStructure* s) {
  for (int i = 0; i < s->m->nsensor; i++) {
    LaneNeed need = sensor_need(s->m, i);
    s->sensor[i].body[0] = lane_sensor_frame(s->m, i, 0).body;
    s->sensor[i].body[1] = lane_sensor_frame(s->m, i, 1).body;
    if (need != NEEDS_LANES) {
      s->senses[need] = 1;
    }
  }
}

// Geoms that may move, and the room for a list of near pairs: a flag, a bit for each pair, and
// where these geoms were. A model of few pairs has no list.
static void make_list(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int g = 0; g < m->ngeom; g++) {
    int body = m->geom_bodyid[g], root = m->body_rootid[body];
    s->moves[g] = m->body_weldid[body] != 0 || m->body_mocapid[root] >= 0;
    if (s->moves[g]) {
      s->mover[s->nmover++] = g;
    }
  }
  if (s->npair > LIST_LEAST * m->ngeom) {
    s->list_words = 1 + set_words(s->npair) + 6 * s->nmover;
  }
}

// the whole structure

static int make_parts(LaneStructure* s) {
  const mjModel* m = s->m;
  int npair = visit_pairs(s, -1);
  if (npair > MOST_PAIRS) {
    snprintf(s->why, sizeof(s->why), "%d pairs of geoms may touch, more than %d", npair,
             MOST_PAIRS);
    return 1;
  }
  if (!lane_take_arrays(s, npair)) {
    return 0;
  }
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_HINGE) {
      s->hinge[s->nhinge++] = j;
    }
  }
  make_tree(s);
  make_rows(s);
  make_coupled_rows(s);
  visit_pairs(s, 1);
  visit_pairs(s, 0);
  make_list(s);
  levers_make(s);
  make_couplings(s);
  make_fluids(s);
  make_sensors(s);
  count_dual(s);
  return order_rows(s);
}

LaneStructure* structure_make(const mjModel* m) {
  LaneStructure* s = memory_take_zero(sizeof(LaneStructure));
  if (!s) {
    return NULL;
  }
  s->m = m;
  s->stamp = structure_stamp(m);
  why_sensors(s->why_sensors, sizeof(s->why_sensors), m);
  s->filters = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  if (!why_model(s->why, sizeof(s->why), m) && !make_parts(s)) {
    structure_free(s);
    return NULL;
  }
  return s;
}
