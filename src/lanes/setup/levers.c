// levers.c: terms of actuators on scalar joints, pieces of the paths of tendons, and the dofs that
// change a length. A dof that moves both ends of a piece turns it without lengthening it, so a
// lever has those alone that move one end of some piece and not the other.

#include "lanes/setup/levers.h"

#include "base/joint.h"
#include "base/transmission.h"
#include "lanes/setup/paths.h"
#include "model/derived/path.h"

// levers

// Marks the dofs that move one of two bodies, but not the other.
static void mark_between(LaneStructure* s, int body1, int body2) {
  int dof[2] = {last_dof(s->m, body1), last_dof(s->m, body2)};
  while (dof[0] != dof[1]) {
    int side = dof[1] > dof[0];
    s->mark[dof[side]] = 1;
    dof[side] = s->m->dof_parentid[dof[side]];
  }
}

// A lever on the marked dofs; their marks are taken back.
static int add_lever(LaneStructure* s) {
  LaneLever* lever = s->lever + s->nlever;
  *lever = (LaneLever){.dof = s->nlever_dof};
  for (int i = 0; i < s->m->nv; i++) {
    if (s->mark[i]) {
      int parent = lever_entry(s, lever, s->m->dof_parentid[i]);
      LaneLeverDof* dof = s->lever_dof + lever->dof;
      dof[lever->ndof] = (LaneLeverDof){i, parent, 0};
      if (parent >= 0 && parent != lever->ndof - 1) {
        dof[parent].holds = 1;
      }
      lever->ndof++;
      s->mark[i] = 0;
    }
  }
  s->nlever_dof += lever->ndof;
  return s->nlever++;
}

// Where forces on a body begin in a lever.
static int body_entry(const LaneStructure* s, int lever, int body) {
  int entry = lever_entry(s, s->lever + lever, last_dof(s->m, body));
  if (entry >= 0) {
    s->lever_dof[s->lever[lever].dof + entry].holds = 1;
  }
  return entry;
}

// paths

// The point of a site, made if it is new.
static int point_of(LaneStructure* s, int site) {
  for (int k = 0; k < s->npoint; k++) {
    if (s->point[k].site == site) {
      return k;
    }
  }
  s->point[s->npoint] = (LanePoint){site, s->m->site_bodyid[site]};
  return s->npoint++;
}

static int wrapped_of(LaneStructure* s, int wrap) {
  int geom = s->m->wrap_objid[wrap], is_sphere = s->m->wrap_type[wrap] == mjWRAP_SPHERE;
  for (int k = 0; k < s->nwrapped; k++) {
    if (s->wrapped[k].geom == geom && s->wrapped[k].is_sphere == is_sphere) {
      return k;
    }
  }
  s->wrapped[s->nwrapped] = (LaneWrapped){geom, s->m->geom_bodyid[geom], is_sphere};
  return s->nwrapped++;
}

// The piece from the site at `wrap` to the next one of the path.
static void add_path_piece(LaneStructure* s, int wrap, int pulley) {
  const mjModel* m = s->m;
  int around = path_is_geom(m->wrap_type[wrap + 1]), next = wrap + 1 + around;
  int side = around ? path_side(m, wrap + 1) : -1;
  LanePiece piece = {.wrapped = -1, .side = -1, .pulley = pulley};
  piece.point[0] = point_of(s, m->wrap_objid[wrap]);
  piece.point[1] = point_of(s, m->wrap_objid[next]);
  int first = s->point[piece.point[0]].body, last = s->point[piece.point[1]].body;
  if (around) {
    piece.wrapped = wrapped_of(s, wrap + 1);
    piece.side = side < 0 ? -1 : point_of(s, side);
    int body = s->wrapped[piece.wrapped].body;
    mark_between(s, first, body);
    mark_between(s, body, last);
  }
  mark_between(s, first, last);
  s->piece[s->npiece++] = piece;
}

static void make_path(LaneStructure* s, int tendon) {
  const mjModel* m = s->m;
  LanePath* path = s->path + tendon;
  int wrap = m->tendon_adr[tendon], end = wrap + m->tendon_num[tendon], pulley = -1;
  *path = (LanePath){.lever = -1, .piece = s->npiece};
  if (m->wrap_type[wrap] == mjWRAP_JOINT) {
    return;
  }
  while (wrap < end) {
    if (m->wrap_type[wrap] == mjWRAP_PULLEY) {
      pulley = wrap;
    } else if (wrap + 1 < end && m->wrap_type[wrap + 1] != mjWRAP_PULLEY) {
      add_path_piece(s, wrap, pulley);
      wrap += path_is_geom(m->wrap_type[wrap + 1]);
    }
    wrap++;
  }
  path->lever = add_lever(s);
  path->npiece = s->npiece - path->piece;
  for (int k = path->piece; k < s->npiece; k++) {
    LanePiece* piece = s->piece + k;
    for (int i = 0; i < 2; i++) {
      piece->entry[i] = body_entry(s, path->lever, s->point[piece->point[i]].body);
    }
    piece->entry[2] =
        piece->wrapped < 0 ? -1 : body_entry(s, path->lever, s->wrapped[piece->wrapped].body);
  }
}

// actuators

// The length of a joint or, with tendon >= 0, of a fixed tendon as a sum over joints; its terms are
// appended to s->term. Of a tendon in space it is that of its path.
static LaneActuator make_actuator(LaneStructure* s, int id, int joint, int tendon) {
  const mjModel* m = s->m;
  LaneActuator actuator = {.id = id, .term = s->nterm, .lever = -1, .act = -1, .muscle = -1};
  if (tendon >= 0 && s->path[tendon].lever >= 0) {
    actuator.lever = s->path[tendon].lever;
    return actuator;
  }
  actuator.nterm = tendon < 0 ? 1 : m->tendon_num[tendon];
  for (int k = 0; k < actuator.nterm; k++) {
    int wrap = tendon < 0 ? -1 : m->tendon_adr[tendon] + k;
    int driven = tendon < 0 ? joint : m->wrap_objid[wrap];
    s->term[s->nterm++] = (LaneTerm){m->jnt_dofadr[driven], m->jnt_qposadr[driven], wrap};
  }
  return actuator;
}

// Marks the dofs that move a contact's bodies against each other, of all contacts of a body.
static void mark_contacts(LaneStructure* s, int body) {
  for (int k = 0; k < s->ncontact; k++) {
    const LaneContact* c = s->contact + k;
    if (s->m->geom_bodyid[c->geom1] == body || s->m->geom_bodyid[c->geom2] == body) {
      mark_between(s, c->body[0], c->body[1]);
    }
  }
}

// An actuator with a lever of its own.
static LaneActuator make_transmission(LaneStructure* s, int id) {
  const mjModel* m = s->m;
  LaneTransmission* own = s->transmission + s->ntransmission++;
  const int* at = m->actuator_trnid + 2 * id;
  int joint = actuator_joint(m, id);
  *own = (LaneTransmission){.actuator = id, .entry = {-1, -1}};
  if (joint >= 0) {
    for (int k = 0; k < joint_nv(m->jnt_type[joint]); k++) {
      s->mark[m->jnt_dofadr[joint] + k] = 1;
    }
  } else if (m->actuator_trntype[id] == mjTRN_BODY) {
    s->adheres = 1;
    mark_contacts(s, at[0]);
  } else {
    own->body[0] = m->site_bodyid[at[0]];
    own->body[1] = at[1] < 0 ? 0 : m->site_bodyid[at[1]];
    mark_between(s, own->body[0], own->body[1]);
  }
  own->lever = add_lever(s);
  // contacts begin where they are found
  const LaneLever* lever = s->lever + own->lever;
  for (int k = lever->dof; k < lever->dof + lever->ndof; k++) {
    s->lever_dof[k].holds |= m->actuator_trntype[id] == mjTRN_BODY;
  }
  if (joint < 0 && m->actuator_trntype[id] != mjTRN_BODY) {
    own->entry[0] = body_entry(s, own->lever, own->body[0]);
    own->entry[1] = body_entry(s, own->lever, own->body[1]);
  }
  return (LaneActuator){.id = id, .lever = own->lever, .act = -1, .muscle = -1};
}

static int is_muscle(const mjModel* m, int i) {
  return m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE ||
         m->actuator_dyntype[i] == mjDYN_MUSCLE;
}

static void make_actuators(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nu; i++) {
    int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
    int on_scalars = (joint >= 0 && !joint_has_quat(m->jnt_type[joint])) || tendon >= 0;
    LaneActuator* actuator = s->actuator + s->nactuator++;
    *actuator = on_scalars ? make_actuator(s, i, joint, tendon) : make_transmission(s, i);
    if (m->actuator_actadr[i] >= 0) {
      actuator->act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    }
    if (is_muscle(m, i)) {
      actuator->muscle = s->nmuscle++;
    }
  }
}

// springs

static int is_sensed(const mjModel* m, int tendon) {
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_type[i];
    if ((type == mjSENS_TENDONPOS || type == mjSENS_TENDONVEL) && m->sensor_objid[i] == tendon) {
      return 1;
    }
  }
  return 0;
}

static void make_springs(LaneStructure* s) {
  const mjModel* m = s->m;
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0 || m->tendon_armature[t] != 0 ||
        is_sensed(m, t)) {
      s->spring_of[t] = s->nspring;
      s->spring[s->nspring++] = make_actuator(s, t, -1, t);
    }
    if (m->tendon_actfrclimited[t]) {
      s->pulled[s->npulled++] = t;
    }
  }
}

void levers_make(LaneStructure* s) {
  for (int t = 0; t < s->m->ntendon; t++) {
    make_path(s, t);
  }
  make_actuators(s);
  make_springs(s);
}
