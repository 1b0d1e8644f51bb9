// structure.c: panels of the inertia matrix, and the slots of everything that may happen.

#include "lanes/structure.h"

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory.h"
#include "base/vec.h"
#include "collision/broad/few_geoms.h"
#include "collision/collide.h"

enum {
  MOST_PAIRS = 2000,   // each is tested in every step
  MOST_DUAL = 1 << 17  // numbers of all rows in PGS
};

// memory: a structure owns the arrays that hang on it

static void* take(int* fits, size_t n, size_t size) {
  void* block = memory_take_zero(n * size + 1);
  *fits &= block != NULL;
  return block;
}

void structure_free(LaneStructure* s) {
  if (s) {
    mju_free(s->M.panel);
    mju_free(s->M.column);
    mju_free(s->ancestors);
    mju_free(s->hinge);
    mju_free(s->row);
    mju_free(s->drive);
    mju_free(s->term);
    mju_free(s->spring);
    mju_free(s->tie);
    mju_free(s->contact);
    mju_free(s->pair);
    mju_free(s->coupling);
    mju_free(s->coupled);
    mju_free(s->scalar);
    mju_free(s);
  }
}

// panels

// Cuts dofs into panels, each run from its end.
static int cut_panels(LanePanel* panel, const mjModel* m) {
  int count = 0;
  for (int i = m->nv - 1; i >= 0;) {
    int first = i;
    while (i - first + 1 < PANEL_MOST && first && m->dof_parentid[first] == first - 1) {
      first--;
    }
    panel[count++] = (LanePanel){.first = first, .count = i - first + 1};
    i = first - 1;
  }
  for (int a = 0, b = count - 1; a < b; a++, b--) {
    LanePanel swap = panel[a];
    panel[a] = panel[b];
    panel[b] = swap;
  }
  return count;
}

// The pattern of M: the columns of a panel are the ancestors of its first dof.
static int make_tree(LaneStructure* s) {
  const mjModel* m = s->m;
  LanePattern* p = &s->M;
  int fits = 1, ncolumn = 0;
  p->n = m->nv;
  p->panel = take(&fits, (size_t)m->nv, sizeof(LanePanel));
  p->column = take(&fits, (size_t)row_at(m->nv), sizeof(int));
  s->ancestors = take(&fits, (size_t)m->nv, sizeof(LaneSet));
  if (!fits) {
    return 0;
  }
  p->npanel = cut_panels(p->panel, m);
  for (int i = 0; i < m->nv; i++) {
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
      set_add(s->ancestors + i, j);
    }
  }
  for (int k = 0; k < p->npanel; k++) {
    LanePanel* panel = p->panel + k;
    panel->column = ncolumn;
    for (int j = 0; j < panel->first; j++) {
      if (set_has(s->ancestors + panel->first, j)) {
        p->column[ncolumn++] = j;
      }
    }
    panel->n = ncolumn - panel->column;
  }
  return 1;
}

// rows of single dofs

// Friction loss and limits: with rows == NULL they are counted.
static int dof_rows(LaneDofRow* rows, const mjModel* m) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_frictionloss[i] > 0) {
      if (rows) {
        rows[n] = (LaneDofRow){ROW_FRICTION, i, m->dof_jntid[i], -1};
      }
      n++;
    }
  }
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_limited[j] && !joint_has_quat(m->jnt_type[j])) {
      for (int side = 0; side < 2; side++, n++) {
        if (rows) {
          rows[n] =
              (LaneDofRow){side ? ROW_UPPER : ROW_LOWER, m->jnt_dofadr[j], j, m->jnt_qposadr[j]};
        }
      }
    }
  }
  return n;
}

// actuators

static int tendon_terms(LaneTerm* terms, const mjModel* m, int tendon) {
  int n = 0;
  for (int k = m->tendon_adr[tendon]; k < m->tendon_adr[tendon] + m->tendon_num[tendon]; k++) {
    int joint = m->wrap_objid[k];
    terms[n++] = (LaneTerm){m->jnt_dofadr[joint], m->jnt_qposadr[joint], k};
  }
  return n;
}

static int drive_terms(LaneTerm* terms, const mjModel* m, int actuator) {
  int id = m->actuator_trnid[2 * actuator];
  if (m->actuator_trntype[actuator] == mjTRN_TENDON) {
    return tendon_terms(terms, m, id);
  }
  terms[0] = (LaneTerm){m->jnt_dofadr[id], m->jnt_qposadr[id], -1};
  return 1;
}

static int has_sensor(const mjModel* m, mjtSensor type, int object) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == (int)type && (object < 0 || m->sensor_objid[i] == object)) {
      return 1;
    }
  }
  return 0;
}

// Whether anybody asks for the length of a tendon.
static int has_spring(const mjModel* m, int tendon) {
  return m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0 ||
         has_sensor(m, mjSENS_TENDONPOS, tendon) || has_sensor(m, mjSENS_TENDONVEL, tendon);
}

static int make_drives(LaneStructure* s) {
  const mjModel* m = s->m;
  int fits = 1, most = 0;
  for (int i = 0; i < m->nu; i++) {
    int n = m->actuator_trntype[i] == mjTRN_TENDON ? m->tendon_num[m->actuator_trnid[2 * i]] : 1;
    most += n;
  }
  for (int t = 0; t < m->ntendon; t++) {
    most += m->tendon_num[t];
  }
  s->spring = take(&fits, (size_t)m->ntendon, sizeof(LaneDrive));
  s->drive = take(&fits, (size_t)m->nu, sizeof(LaneDrive));
  s->term = take(&fits, (size_t)most, sizeof(LaneTerm));
  for (int i = 0; fits && i < m->nu; i++) {
    int n = drive_terms(s->term + s->nterm, m, i);
    s->drive[s->ndrive] = (LaneDrive){.actuator = i, .term = s->nterm, .nterm = n};
    s->nterm += n;
    s->ndrive++;
  }
  for (int t = 0; fits && t < m->ntendon; t++) {
    if (has_spring(m, t)) {
      int n = tendon_terms(s->term + s->nterm, m, t);
      s->spring[s->nspring] = (LaneDrive){.actuator = t, .term = s->nterm, .nterm = n};
      s->nterm += n;
      s->nspring++;
    }
  }
  return fits;
}

// contacts

static int bits_meet(const mjModel* m, int g1, int g2) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  return ((m->geom_contype[g1] & m->geom_conaffinity[g2]) ||
          (m->geom_contype[g2] & m->geom_conaffinity[g1])) &&
         ((m->body_contype[b1] & m->body_conaffinity[b2]) ||
          (m->body_contype[b2] & m->body_conaffinity[b1]));
}

static int are_tied(const mjModel* m, int b1, int b2) {
  int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  int parent1 = m->body_weldid[m->body_parentid[w1]];
  int parent2 = m->body_weldid[m->body_parentid[w2]];
  int filter = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  return w1 == w2 || (filter && w1 && w2 && (w1 == parent2 || w2 == parent1));
}

static int is_excluded(const mjModel* m, int g1, int g2) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  unsigned low = (unsigned)int_min(b1, b2), high = (unsigned)int_max(b1, b2);
  for (int k = 0; k < m->nexclude; k++) {
    if ((unsigned)m->exclude_signature[k] == (low << 16) + high) {
      return 1;
    }
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
static int most_contacts(int type1, int type2) {
  if (type1 == mjGEOM_HFIELD) {
    return 16;
  }
  if (type1 == mjGEOM_SPHERE || type2 == mjGEOM_SPHERE) {
    return 1;
  }
  return type1 == mjGEOM_CAPSULE && type2 == mjGEOM_CAPSULE ? 2
         : type1 == mjGEOM_BOX && type2 == mjGEOM_BOX       ? 8
                                                            : 4;
}

// The coupling of two bodies, made if it is new.
static int coupling_of(LaneStructure* s, int body1, int body2) {
  for (int k = 0; k < s->ncoupling; k++) {
    if (s->coupling[k].body[0] == body1 && s->coupling[k].body[1] == body2) {
      return k;
    }
  }
  s->coupling[s->ncoupling] = (LaneCoupling){.body = {body1, body2}, .tie = -1};
  return s->ncoupling++;
}

static int contact_dim(const mjModel* m, int g1, int g2, int pair) {
  if (pair >= 0) {
    return m->pair_dim[pair];
  }
  int first = m->geom_priority[g1] - m->geom_priority[g2];
  return first ? m->geom_condim[first > 0 ? g1 : g2]
               : int_max(m->geom_condim[g1], m->geom_condim[g2]);
}

// Whether a body stays where it is: it is fixed to the world, but not to a mocap body.
static int is_still(const mjModel* m, int body) {
  int still = m->body_weldid[body] == 0;
  for (; body && still; body = m->body_parentid[body]) {
    still = m->body_mocapid[body] < 0;
  }
  return still;
}

// Adds the slots of two geoms, if they are a plane and a round shape or, without `planes`, if they
// are not; pair: their explicit pair, or -1.
static void add_pair(LaneStructure* s, int g1, int g2, int pair, int planes) {
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
  contact.dim = contact_dim(m, g1, g2, pair);
  contact.coupling = coupling_of(s, contact.body[0], contact.body[1]);
  int on_plane = type1 == mjGEOM_PLANE && is_still(m, m->geom_bodyid[g1]) &&
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
    int n = most_contacts(type1, type2);
    mjfCollision collider = mjCOLLISIONFUNC[type1][type2];
    int is_round = collider == collide_sphere_sphere || collider == collide_sphere_capsule ||
                   collider == collide_capsule_capsule;
    s->pair[s->npair++] = (LanePair){g1, g2, pair, s->ncontact, n, is_round};
    for (int k = 0; k < n; k++) {
      s->contact[s->ncontact++] = contact;
    }
  }
}

// Calls add_pair for all pairs of geoms that may touch, by the filters of mj_collision; only counts
// them if planes is -1.                                               theory/collision.md, Filters
static int visit_pairs(LaneStructure* s, int planes) {
  const mjModel* m = s->m;
  int n = m->npair;
  for (int k = 0; planes >= 0 && k < m->npair; k++) {
    add_pair(s, m->pair_geom1[k], m->pair_geom2[k], k, planes);
  }
  for (int i = 0; i < m->ngeom; i++) {
    for (int j = i + 1; j < m->ngeom; j++) {
      if (bits_meet(m, i, j) && !are_tied(m, m->geom_bodyid[i], m->geom_bodyid[j]) &&
          !is_excluded(m, i, j)) {
        n++;
        if (planes >= 0) {
          add_pair(s, i, j, -1, planes);
        }
      }
    }
  }
  return n;
}

// Where a contact stands among all: by the bodies' signature, explicit pairs first, then by the
// geoms, then by its slot.                              theory/collision.md, Contact order
typedef struct ContactOrder {
  uint64_t bodies, geoms;
  int slot;
} ContactOrder;

static int compare_contacts(const void* one, const void* two) {
  const ContactOrder *a = one, *b = two;
  return a->bodies != b->bodies ? (a->bodies > b->bodies) - (a->bodies < b->bodies)
         : a->geoms != b->geoms ? (a->geoms > b->geoms) - (a->geoms < b->geoms)
                                : a->slot - b->slot;
}

static int rank_contacts(LaneStructure* s) {
  const mjModel* m = s->m;
  int fits = 1;
  ContactOrder* order = take(&fits, (size_t)s->ncontact, sizeof(ContactOrder));
  for (int k = 0; fits && k < s->ncontact; k++) {
    const LaneContact* c = s->contact + k;
    uint64_t key = few_key(m, c->geom1, c->geom2), pair = (uint64_t)c->explicit_pair;
    unsigned signature = ((unsigned)few_body(key, 0) << 16) + (unsigned)few_body(key, 1);
    int is_explicit = c->explicit_pair >= 0;
    order[k].bodies = (uint64_t)signature << 32 | (is_explicit ? pair : UINT32_MAX);
    order[k].geoms = is_explicit ? 0 : key;
    order[k].slot = k;
  }
  if (fits) {
    qsort(order, (size_t)s->ncontact, sizeof(ContactOrder), compare_contacts);
  }
  for (int k = 0; fits && k < s->ncontact; k++) {
    s->contact[order[k].slot].rank = k;
  }
  mju_free(order);
  return fits;
}

static int make_contacts(LaneStructure* s) {
  int fits = 1, most = visit_pairs(s, -1);
  if (most > MOST_PAIRS) {
    snprintf(s->why, sizeof(s->why), "%d pairs of geoms may touch, more than %d", most, MOST_PAIRS);
    return 1;
  }
  s->contact = take(&fits, 8 * (size_t)most, sizeof(LaneContact));
  s->pair = take(&fits, (size_t)most, sizeof(LanePair));
  if (fits) {
    visit_pairs(s, 1);
    visit_pairs(s, 0);
  }
  return fits && rank_contacts(s);
}

// ties

static int is_fixed(const mjModel* m, int body) {
  return m->body_weldid[body] == 0;
}

static void add_tie(LaneStructure* s, LaneTie tie) {
  tie.coupling = s->ncoupling;
  s->coupling[s->ncoupling++] = (LaneCoupling){.body = {tie.body[0], tie.body[1]}, .tie = s->ntie};
  s->tie[s->ntie++] = tie;
}

static void add_equality(LaneStructure* s, int id) {
  const mjModel* m = s->m;
  int type = m->eq_type[id], on_sites = m->eq_objtype[id] == mjOBJ_SITE;
  LaneTie tie = {.kind = TIE_POLYNOMIAL, .id = id, .nrow = 1};
  if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
    int one = m->eq_obj1id[id], two = m->eq_obj2id[id];
    int body1 = on_sites ? m->site_bodyid[one] : one, body2 = on_sites ? m->site_bodyid[two] : two;
    tie.kind = type == mjEQ_WELD ? TIE_FRAME : TIE_POINT;
    tie.nrow = type == mjEQ_WELD ? 6 : 3;
    tie.body[0] = is_fixed(m, body1) ? 0 : body1;
    tie.body[1] = is_fixed(m, body2) ? 0 : body2;
  }
  add_tie(s, tie);
}

static int make_ties(LaneStructure* s) {
  const mjModel* m = s->m;
  int fits = 1, most = m->neq + 3 * m->ntendon + m->njnt;
  s->tie = take(&fits, (size_t)most, sizeof(LaneTie));
  s->coupling = take(&fits, (size_t)most + (size_t)visit_pairs(s, -1), sizeof(LaneCoupling));
  for (int i = 0; fits && i < m->neq; i++) {
    add_equality(s, i);
  }
  for (int t = 0; fits && t < m->ntendon; t++) {
    if (m->tendon_frictionloss[t] > 0) {
      add_tie(s, (LaneTie){.kind = TIE_FRICTION, .id = t, .nrow = 1});
    }
    if (m->tendon_limited[t]) {
      add_tie(s, (LaneTie){.kind = TIE_LOWER, .id = t, .nrow = 1});
      add_tie(s, (LaneTie){.kind = TIE_UPPER, .id = t, .nrow = 1});
    }
  }
  for (int j = 0; fits && j < m->njnt; j++) {
    if (m->jnt_limited[j] && m->jnt_type[j] == mjJNT_BALL) {
      add_tie(s, (LaneTie){.kind = TIE_BALL, .id = j, .nrow = 1});
    }
  }
  return fits;
}

// couplings

static int last_dof(const mjModel* m, int body) {
  while (body && !m->body_dofnum[body]) {
    body = m->body_parentid[body];
  }
  return body ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

// Dofs that move one of two bodies, ascending; with `common` those that move both as well.
static int body_dofs(LaneCoupledDof* out, const mjModel* m, const LaneCoupling* c, int common) {
  int n = 0, dof[2] = {last_dof(m, c->body[0]), last_dof(m, c->body[1])};
  while (dof[0] != dof[1]) {
    int side = dof[1] > dof[0];
    out[n++] = (LaneCoupledDof){dof[side], side};
    dof[side] = m->dof_parentid[dof[side]];
  }
  for (int i = dof[0]; common && i >= 0; i = m->dof_parentid[i]) {
    out[n++] = (LaneCoupledDof){i, SIDE_BOTH};
  }
  for (int a = 0, b = n - 1; a < b; a++, b--) {
    LaneCoupledDof swap = out[a];
    out[a] = out[b];
    out[b] = swap;
  }
  return n;
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

static int merge_tendon(LaneCoupledDof* out, int n, const mjModel* m, int tendon) {
  for (int k = m->tendon_adr[tendon]; k < m->tendon_adr[tendon] + m->tendon_num[tendon]; k++) {
    n = merge_dof(out, n, m->jnt_dofadr[m->wrap_objid[k]]);
  }
  return n;
}

// The dofs of a coupling, ascending; out has room for nv.
static int coupled_dofs(LaneCoupledDof* out, const LaneStructure* s, const LaneCoupling* c) {
  const mjModel* m = s->m;
  const LaneTie* tie = s->tie + c->tie;
  if (c->tie < 0 || tie->kind == TIE_POINT || tie->kind == TIE_FRAME) {
    return body_dofs(out, m, c, c->tie >= 0);
  }
  int n = 0;
  if (tie->kind == TIE_BALL) {
    while (n < 3) {
      out[n] = (LaneCoupledDof){m->jnt_dofadr[tie->id] + n, 0};
      n++;
    }
    return n;
  }
  if (tie->kind != TIE_POLYNOMIAL) {
    return merge_tendon(out, 0, m, tie->id);
  }
  for (int side = 0; side < 2; side++) {
    int object = side ? m->eq_obj2id[tie->id] : m->eq_obj1id[tie->id];
    if (object >= 0) {
      n = m->eq_type[tie->id] == mjEQ_TENDON ? merge_tendon(out, n, m, object)
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
  double with = 0, without = 40.0 * m->nbody + 50.0 * m->nv;
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact* contact = s->contact + k;
    double n = s->coupling[contact->coupling].ndof;
    if (!contact->body[0] || !contact->body[1]) {
      with += (1.5 * n * n + 22 * n - 210) * 0.6;
    }
  }
  for (int i = 0; i < m->nv; i++) {
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      without += 6;
    }
  }
  return with > without;
}

static int make_couplings(LaneStructure* s) {
  int fits = 1;
  s->coupled = take(&fits, (size_t)s->ncoupling * (size_t)s->m->nv, sizeof(LaneCoupledDof));
  for (int k = 0; fits && k < s->ncoupling; k++) {
    LaneCoupling* c = s->coupling + k;
    c->dof = s->ncoupled;
    c->ndof = coupled_dofs(s->coupled + c->dof, s, c);
    c->inner = is_path(s, s->coupled + c->dof, c->ndof);
    s->ncoupled += c->ndof;
    if (c->tie >= 0) {
      s->tie[c->tie].J = s->ntieJ;
      s->ntieJ += c->ndof * s->tie[c->tie].nrow;
    }
  }
  int grounds = fits && grounded_pays(s);
  for (int k = 0; fits && k < s->ncontact; k++) {
    LaneContact* contact = s->contact + k;
    if (grounds && !(contact->body[0] && contact->body[1])) {
      contact->coupling = -1;
      continue;
    }
    contact->J = s->ncontactJ;
    s->ncontactJ += s->coupling[contact->coupling].ndof * contact->dim;
  }
  return fits;
}

// the order of rows

static void add_scalar(LaneStructure* s, int is_tie, int index) {
  s->scalar[s->nscalar++] = (LaneScalar){is_tie, index};
}

static void add_ties(LaneStructure* s, int first_kind, int last_kind) {
  for (int k = 0; k < s->ntie; k++) {
    if ((int)s->tie[k].kind >= first_kind && (int)s->tie[k].kind <= last_kind) {
      add_scalar(s, 1, k);
    }
  }
}

static void add_joint_limits(LaneStructure* s, int joint) {
  for (int k = 0; k < s->nrow; k++) {
    if (s->row[k].kind != ROW_FRICTION && s->row[k].joint == joint) {
      add_scalar(s, 0, k);
    }
  }
  for (int k = 0; k < s->ntie; k++) {
    if (s->tie[k].kind == TIE_BALL && s->tie[k].id == joint) {
      add_scalar(s, 1, k);
    }
  }
}

// Equalities, friction of dofs and of tendons, limits of joints and of tendons.
static int order_scalars(LaneStructure* s) {
  int fits = 1;
  s->scalar = take(&fits, (size_t)(s->nrow + s->ntie), sizeof(LaneScalar));
  if (!fits) {
    return 0;
  }
  add_ties(s, TIE_POLYNOMIAL, TIE_FRAME);
  for (int k = 0; k < s->nrow && s->row[k].kind == ROW_FRICTION; k++) {
    add_scalar(s, 0, k);
  }
  add_ties(s, TIE_FRICTION, TIE_FRICTION);
  for (int j = 0; j < s->m->njnt; j++) {
    add_joint_limits(s, j);
  }
  add_ties(s, TIE_LOWER, TIE_UPPER);
  return 1;
}

// The numbers that PGS keeps of a row are those of its dofs and, with those between the rows of a
// contact, no more than 20 others.
static void count_dual(LaneStructure* s) {
  int64_t rows = s->nrow;
  for (int k = 0; k < s->ntie; k++) {
    rows += s->tie[k].nrow;
  }
  for (int k = 0; k < s->ncontact; k++) {
    rows += s->contact[k].dim;
  }
  rows *= s->m->nv + 20;
  s->fits_dual = rows <= MOST_DUAL;
  s->ndual = s->fits_dual ? (int)rows : 0;
}

static int make_parts(LaneStructure* s) {
  const mjModel* m = s->m;
  int fits = make_tree(s);
  s->hinge = take(&fits, (size_t)m->njnt, sizeof(int));
  for (int j = 0; fits && j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_HINGE) {
      s->hinge[s->nhinge++] = j;
    }
  }
  s->nrow = dof_rows(NULL, m);
  s->row = take(&fits, (size_t)s->nrow, sizeof(LaneDofRow));
  if (fits) {
    dof_rows(s->row, m);
  }
  s->senses_forces = has_sensor(m, mjSENS_ACCELEROMETER, -1) || has_sensor(m, mjSENS_FORCE, -1) ||
                     has_sensor(m, mjSENS_TORQUE, -1) || has_sensor(m, mjSENS_FRAMELINACC, -1) ||
                     has_sensor(m, mjSENS_FRAMEANGACC, -1);
  s->senses_subtrees = has_sensor(m, mjSENS_SUBTREECOM, -1) ||
                       has_sensor(m, mjSENS_SUBTREELINVEL, -1) ||
                       has_sensor(m, mjSENS_SUBTREEANGMOM, -1);
  fits = fits && make_drives(s) && make_ties(s) && make_contacts(s) && make_couplings(s) &&
         order_scalars(s);
  count_dual(s);
  return fits;
}

LaneStructure* structure_make(const mjModel* m) {
  LaneStructure* s = memory_take_zero(sizeof(LaneStructure));
  if (!s) {
    return NULL;
  }
  s->m = m;
  why_sensors(s->why_sensors, sizeof(s->why_sensors), m);
  s->filters = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  if (!why_model(s->why, sizeof(s->why), m) && !make_parts(s)) {
    structure_free(s);
    return NULL;
  }
  return s;
}
