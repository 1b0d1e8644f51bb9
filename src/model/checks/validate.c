// validate.c: checks that all ids and addresses of a model are within their arrays.
//
// A model from the compiler is valid; one from a file or a program may be invalid. After this check
// no stage reads outside an array because of an id or an address.
//                                                           theory/model/model.md, Model validation

#include <mujoco/mjmodel.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/joint.h"
#include "base/transmission.h"
#include "model/cage.h"
#include "model/checks/validate.h"
#include "model/flex/rod.h"
#include "model/history_size.h"
#include "model/input.h"
#include "model/model.h"
#include "model/names.h"
#include "model/plastic.h"
#include "model/terms.h"

// Formats a message that explains an invalid model; it begins with "Invalid model: ".
static const char* model_wrong(const char* format, ...) mjPRINTFLIKE(1, 2);

static const char* model_wrong(const char* format, ...) {
  static _Thread_local char text[200];
  int start = snprintf(text, sizeof(text), "Invalid model: ");
  va_list values;
  va_start(values, format);
  vsnprintf(text + start, sizeof(text) - (size_t)start, format, values);
  va_end(values);
  return text;
}

const char* model_invalid(const char* field) {
  return model_wrong("%s out of bounds.", field);
}

static int id_valid(int id, int lowest, int target) {
  return id >= lowest && id < target;
}

int model_ids_valid(const int* ids, int64_t n, int lowest, int target) {
  for (int64_t i = 0; i < n; i++) {
    if (!id_valid(ids[i], lowest, target)) {
      return 0;
    }
  }
  return 1;
}

static int range_valid(long long adr, long long num, long long target) {
  return num >= 0 && adr >= (num ? 0 : -1) && adr + num <= target;
}

// Are all n blocks [adr, adr + num) within [0, target)? The address of an empty block may be -1.
static int ranges_valid(const int* adr, const int* num, int n, int target) {
  for (int i = 0; i < n; i++) {
    if (!range_valid(adr[i], num[i], target)) {
      return 0;
    }
  }
  return 1;
}

// Requires the condition for every i < n.
#define EACH(field, n, condition)       \
  for (int i = 0; i < (int)m->n; i++) { \
    REQUIRE(condition, field)           \
  }

// ID may be -1 for none, OWNER may not. IDS has several columns of ids per element.
#define ID(field, n, target) REQUIRE(model_ids_valid(m->field, (int64_t)m->n, -1, m->target), field)
#define OWNER(field, n, target) REQUIRE(model_ids_valid(m->field, m->n, 0, m->target), field)
#define IDS(field, n, columns, target) \
  REQUIRE(model_ids_valid(m->field, (int64_t)(columns)*m->n, -1, m->target), field)
#define RANGE(adr, num, n, target) REQUIRE(ranges_valid(m->adr, m->num, (int)m->n, m->target), adr)

// Options that a step uses in a switch.
static const char* validate_options(const mjModel* m) {
  const struct {
    const char* name;
    int value, most;
    const char* last;
  } options[] = {
      {"integrator", m->opt.integrator, mjINT_DISCRETE, "discrete"},
      {"cone", m->opt.cone, mjCONE_ELLIPTIC, "elliptic"},
      {"jacobian", m->opt.jacobian, mjJAC_AUTO, "auto"},
      {"solver", m->opt.solver, mjSOL_NEWTON, "Newton"},
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    if (!id_valid(options[i].value, 0, options[i].most + 1)) {
      return model_wrong("option %s is %d, must be from 0 to %d (%s).", options[i].name,
                         options[i].value, options[i].most, options[i].last);
    }
  }
  return NULL;
}

static const char* validate_tree(const mjModel* m) {
  OWNER(body_parentid, nbody, nbody)
  OWNER(body_rootid, nbody, nbody)
  OWNER(body_weldid, nbody, nbody)
  // parents come before their children; the world is its own parent
  EACH(body_parentid, nbody, m->body_parentid[i] < i || i == 0)
  EACH(body_rootid, nbody, m->body_rootid[i] <= i)
  EACH(body_weldid, nbody, m->body_weldid[i] <= i)
  ID(body_mocapid, nbody, nmocap)
  ID(body_treeid, nbody, ntree)
  ID(body_plugin, nbody, nplugin)
  RANGE(body_jntadr, body_jntnum, nbody, njnt)
  RANGE(body_dofadr, body_dofnum, nbody, nv)
  RANGE(body_geomadr, body_geomnum, nbody, ngeom)
  RANGE(body_bvhadr, body_bvhnum, nbody, nbvh)
  IDS(bvh_child, nbvh, 2, nbvh)
  IDS(oct_child, noct, 8, noct)

  OWNER(jnt_bodyid, njnt, nbody)
  EACH(jnt_type, njnt, id_valid(m->jnt_type[i], 0, mjJNT_HINGE + 1))
  EACH(jnt_qposadr, njnt, range_valid(m->jnt_qposadr[i], joint_nq(m->jnt_type[i]), m->nq))
  EACH(jnt_dofadr, njnt, range_valid(m->jnt_dofadr[i], joint_nv(m->jnt_type[i]), m->nv))

  OWNER(dof_bodyid, nv, nbody)
  OWNER(dof_jntid, nv, njnt)
  ID(dof_parentid, nv, nv)
  ID(dof_treeid, nv, ntree)
  OWNER(dof_Madr, nv, nM)
  EACH(dof_parentid, nv, m->dof_parentid[i] < i)
  EACH(tree_sleep_policy, ntree, id_valid(m->tree_sleep_policy[i], 0, mjSLEEP_INIT + 1))
  EACH(dof_simplenum, nv, range_valid(i, m->dof_simplenum[i], m->nv))
  return NULL;
}

static const char* validate_shapes(const mjModel* m) {
  OWNER(geom_bodyid, ngeom, nbody)
  ID(geom_matid, ngeom, nmat)
  ID(geom_plugin, ngeom, nplugin)
  EACH(geom_type, ngeom, id_valid(m->geom_type[i], 0, mjNGEOMTYPES))
  EACH(geom_condim, ngeom, id_valid(m->geom_condim[i], 0, 7))
  EACH(geom_dataid, ngeom,
       id_valid(m->geom_dataid[i], -1, m->geom_type[i] == mjGEOM_HFIELD ? m->nhfield : m->nmesh))
  OWNER(site_bodyid, nsite, nbody)
  ID(site_matid, nsite, nmat)
  ID(site_dataid, nsite, nmesh)
  OWNER(cam_bodyid, ncam, nbody)
  ID(cam_targetbodyid, ncam, nbody)
  OWNER(light_bodyid, nlight, nbody)
  ID(light_targetbodyid, nlight, nbody)
  ID(light_texid, nlight, ntex)
  return NULL;
}

const char* model_validate_meshranges(const mjModel* m) {
  RANGE(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert)
  RANGE(mesh_faceadr, mesh_facenum, nmesh, nmeshface)
  RANGE(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal)
  RANGE(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord)
  RANGE(mesh_bvhadr, mesh_bvhnum, nmesh, nbvh)
  RANGE(mesh_octadr, mesh_octnum, nmesh, noct)
  RANGE(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly)
  RANGE(mesh_polyvertadr, mesh_polyvertnum, nmeshpoly, nmeshpolyvert)
  RANGE(mesh_polymapadr, mesh_polymapnum, nmeshvert, nmeshpolymap)
  ID(mesh_graphadr, nmesh, nmeshgraph)
  ID(mesh_pathadr, nmesh, npaths)
  return NULL;
}

static const char* validate_assets(const mjModel* m) {
  RANGE(skin_vertadr, skin_vertnum, nskin, nskinvert)
  RANGE(skin_faceadr, skin_facenum, nskin, nskinface)
  RANGE(skin_boneadr, skin_bonenum, nskin, nskinbone)
  RANGE(skin_bonevertadr, skin_bonevertnum, nskinbone, nskinbonevert)
  OWNER(skin_bonebodyid, nskinbone, nbody)
  OWNER(skin_bonevertid, nskinbonevert, nskinvert)
  ID(skin_texcoordadr, nskin, nskintexvert)
  ID(skin_matid, nskin, nmat)
  ID(skin_pathadr, nskin, npaths)

  for (int i = 0; i < m->nhfield; i++) {
    long long rows = m->hfield_nrow[i], columns = m->hfield_ncol[i];
    REQUIRE(rows >= 0 && columns >= 0, hfield_adr)
    REQUIRE(range_valid(m->hfield_adr[i], rows * columns, m->nhfielddata), hfield_adr)
  }
  ID(hfield_pathadr, nhfield, npaths)

  for (int i = 0; i < m->ntex; i++) {
    long long rows = m->tex_height[i], columns = m->tex_width[i], bytes = m->tex_nchannel[i];
    REQUIRE(rows >= 0 && columns >= 0 && bytes >= 0 && bytes <= 4, tex_adr)
    REQUIRE(bytes == 0 || rows * columns <= m->ntexdata, tex_adr)
    int away = m->tex_adr[i] == -1 && rows == 0 && columns == 0;  // in its file
    REQUIRE(away || range_valid(m->tex_adr[i], rows * columns * bytes, m->ntexdata), tex_adr)
  }
  ID(tex_pathadr, ntex, npaths)
  ID(tex_contenttypeadr, ntex, npaths)
  IDS(mat_texid, nmat, mjNTEXROLE, ntex)
  return NULL;
}

// Hinges of a shell are between its faces.
static int shell_valid(const mjModel* m, int i) {
  const int* count = m->flex_cellnum + 3 * (size_t)i;
  int faces = flex_face_count(count), order = m->flex_interp[i];
  size_t size = 3 * (size_t)(order + 1) * (size_t)(order + 1);
  const mjtNum* at = m->cnd_flex_cell + m->cnd_flex_celladr[i] + (size_t)faces * size * size;
  int good = at[0] >= 0 && at[0] <= 2 * (mjtNum)faces;
  for (int h = 0; good && h < (int)at[0]; h++) {
    const mjtNum* hinge = at + 1 + FLEX_HINGE * (size_t)h;
    good = hinge[0] >= 0 && hinge[0] < faces && hinge[1] >= 0 && hinge[1] < faces;
  }
  return good;
}

// A cage has a node for each place, and cells that are elastic a matrix each.
static int cage_valid(const mjModel* m, int i) {
  const int* count = m->flex_cellnum + 3 * (size_t)i;
  long long order = m->flex_interp[i], nodes = 1, cells = 1, size = 3;
  for (int k = 0; k < 3 && order; k++) {
    if (count[k] < 1 || nodes > 1 << 30) {
      return 0;
    }
    nodes *= order * count[k] + 1;
    cells *= count[k];
    size *= order + 1;
  }
  if (order < 0 || order > 2 || (order && nodes != m->flex_nodenum[i])) {
    return 0;
  }
  int elastic = m->cnd_flex_celladr[i] >= 0;
  long long numbers =
      m->cnd_flex_shell[i] && order ? flex_shell_numbers((int)order, count) : cells * size * size;
  return (order != 2 || elastic || m->cnd_flex_celladr[i] == -1) && (!elastic || order) &&
         (!elastic || range_valid(m->cnd_flex_celladr[i], numbers, m->cnd_nflexcell)) &&
         (!m->cnd_flex_shell[i] || !elastic || shell_valid(m, i));
}

static int yield_valid(const mjModel* m, int i) {
  int mode = m->flex_plasticmode[i];
  if (m->flex_dim[i] == 1) {
    return !mode && m->flex_plasticadr[i] >= -1;
  }
  if (m->flex_plasticadr[i] < 0 || !mode) {
    return m->flex_plasticadr[i] < 0;
  }
  return mode <= (PLASTIC_BEND | PLASTIC_STRETCH) && mode > 0 && m->flex_dim[i] > 1 &&
         (!(mode & PLASTIC_BEND) || (m->flex_dim[i] == 2 && !m->flex_interp[i])) &&
         (!m->flex_interp[i] || m->cnd_flex_celladr[i] >= 0);
}

static const char* validate_flexes(const mjModel* m) {
  RANGE(flex_nodeadr, flex_nodenum, nflex, nflexnode)
  RANGE(flex_vertadr, flex_vertnum, nflex, nflexvert)
  RANGE(flex_edgeadr, flex_edgenum, nflex, nflexedge)
  RANGE(flex_elemadr, flex_elemnum, nflex, nflexelem)
  RANGE(flex_evpairadr, flex_evpairnum, nflex, nflexevpair)
  RANGE(flex_bvhadr, flex_bvhnum, nflex, nbvh)
  ID(flex_texcoordadr, nflex, nflextexcoord)
  ID(flex_matid, nflex, nmat)
  ID(cnd_flex_elemmatid, nflexelem, nmat)
  ID(flex_nodebodyid, nflexnode, nbody)
  ID(flex_vertbodyid, nflexvert, nbody)
  for (int i = 0; i < m->nflex; i++) {
    long long dim = m->flex_dim[i];
    long long elements = (dim + 1) * m->flex_elemnum[i], shells = dim * m->flex_shellnum[i];
    REQUIRE(dim >= 1 && dim <= 3, flex_dim)
    REQUIRE(cage_valid(m, i), flex_cellnum)
    REQUIRE(yield_valid(m, i), flex_plasticmode)
    REQUIRE(rod_valid(m, i), flex_bending)
    REQUIRE(range_valid(m->flex_elemdataadr[i], elements, m->nflexelemdata), flex_elemdataadr)
    REQUIRE(range_valid(m->flex_shelldataadr[i], shells, m->nflexshelldata), flex_shelldataadr)
  }
  return NULL;
}

// Are both bodies of a pair, packed into one number, valid?
static int signature_valid(const mjModel* m, int signature) {
  return signature >= 0 && (signature & 0xFFFF) < m->nbody && (signature >> 16) < m->nbody;
}

static int equality_valid(const mjModel* m, int i) {
  int id1 = m->eq_obj1id[i], id2 = m->eq_obj2id[i];
  switch (m->eq_type[i]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD: {
      int target = m->eq_objtype[i] == mjOBJ_SITE ? m->nsite : m->nbody;
      return id_valid(id1, 0, target) && id_valid(id2, 0, target);
    }
    case mjEQ_JOINT:
      return id_valid(id1, 0, m->njnt) && id_valid(id2, -1, m->njnt);
    case mjEQ_TENDON:
      return id_valid(id1, 0, m->ntendon) && id_valid(id2, -1, m->ntendon);
    case mjEQ_FLEX:
      return id_valid(id1, 0, m->nflex) && id2 == -1;
    case mjEQ_FLEXSTRAIN:
      return id_valid(id1, 0, m->nflex) && id2 == -1 && m->flex_interp[id1];
    default:
      return 0;
  }
}

static int wrap_valid(const mjModel* m, int i) {
  int id = m->wrap_objid[i];
  switch (m->wrap_type[i]) {
    case mjWRAP_JOINT:
      return id_valid(id, 0, m->njnt);
    case mjWRAP_SITE:
      return id_valid(id, 0, m->nsite);
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return id_valid(id, 0, m->ngeom) && m->wrap_prm[i] >= -1 && m->wrap_prm[i] < m->nsite;
    case mjWRAP_PULLEY:
      return 1;
    default:
      return 0;
  }
}

// A tendon's path has joints only, or sites with pulleys and with geoms between two sites. A path
// with armature must be straight.
static const char* validate_path(const mjModel* m, int i) {
  const int *type = m->wrap_type + m->tendon_adr[i], num = m->tendon_num[i];
  if (num == 0) {
    return model_wrong("tendon %d has no path.", i);
  }
  for (int k = 0; k < num; k++) {
    int is_geom = type[k] == mjWRAP_SPHERE || type[k] == mjWRAP_CYLINDER;
    if ((type[k] == mjWRAP_JOINT) != (type[0] == mjWRAP_JOINT)) {
      return model_wrong("the path of tendon %d has joints as well as sites.", i);
    }
    if (is_geom &&
        (k == 0 || k + 1 == num || type[k - 1] != mjWRAP_SITE || type[k + 1] != mjWRAP_SITE)) {
      return model_wrong("the path of tendon %d has a geom that is not between sites.", i);
    }
    if (is_geom && terms_tendon_armature(m, i) != 0) {
      return model_wrong("tendon %d has armature and wraps a geom.", i);
    }
  }
  return NULL;
}

// Is id valid for an object type? Types that the model does not have pass.
static int object_valid(const mjModel* m, int type, int id, int lowest) {
  NamedKind kind = {.count = m->nv};
  return (type != mjOBJ_DOF && !names_find(&kind, m, type)) || id_valid(id, lowest, kind.count);
}

static int transmission_valid(const mjModel* m, int i) {
  const int* target = m->actuator_trnid + 2 * i;
  if (m->actuator_trntype[i] == mjTRN_SO3) {
    return target[1] >= 0 ? id_valid(target[0], 0, m->nsite) && id_valid(target[1], 0, m->nsite)
                          : id_valid(target[0], 0, m->njnt) && m->jnt_type[target[0]] == mjJNT_BALL;
  }
  Transmission kind = transmission_of(m->actuator_trntype[i]);
  if (kind.target == mjOBJ_UNKNOWN || !object_valid(m, kind.target, target[0], 0)) {
    return 0;
  }
  return kind.second == SECOND_NONE ||
         id_valid(target[1], kind.second == SECOND_REQUIRED ? 0 : -1, m->nsite);
}

// A buffer of past samples must lie in mjData.history; without samples there is none.
static int history_valid(const mjModel* m, int adr, const int history[2], int dim) {
  mjtSize size = history_size(history[0], dim);
  int lies_inside = adr >= 0 && size <= m->nhistory && (mjtSize)adr <= m->nhistory - size;
  return size ? lies_inside && id_valid(history[1], 0, 3) : adr == -1;
}

// The rest of a spring that yields must lie in mjData.plastic; others have none.
static int plastic_valid(const mjModel* m, int adr, mjtSize size) {
  return adr == -1 ||
         (size && adr >= 0 && size <= m->nplastic && (mjtSize)adr <= m->nplastic - size);
}

static const char* validate_mechanisms(const mjModel* m) {
  OWNER(pair_geom1, npair, ngeom)
  OWNER(pair_geom2, npair, ngeom)
  EACH(pair_signature, npair, signature_valid(m, m->pair_signature[i]))
  EACH(exclude_signature, nexclude, signature_valid(m, m->exclude_signature[i]))
  EACH(eq_obj1id, neq, equality_valid(m, i))
  RANGE(tendon_adr, tendon_num, ntendon, nwrap)
  ID(tendon_matid, ntendon, nmat)
  EACH(wrap_objid, nwrap, wrap_valid(m, i))
  EACH(jnt_actuatorid, njnt, id_valid(m->jnt_actuatorid[i], -2, (int)m->nactuator))
  EACH(jnt_plasticadr, njnt,
       plastic_valid(m, m->jnt_plasticadr[i], (mjtSize)plastic_numbers(m->jnt_type[i])))
  EACH(tendon_plasticadr, ntendon, plastic_valid(m, m->tendon_plasticadr[i], PLASTIC_LENGTHS))
  EACH(flex_plasticadr, nflex, plastic_valid(m, m->flex_plasticadr[i], plastic_flex_numbers(m, i)))
  EACH(tendon_actuatorid, ntendon, id_valid(m->tendon_actuatorid[i], -2, (int)m->nactuator))
  for (int i = 0; i < m->ntendon; i++) {
    const char* problem = validate_path(m, i);
    if (problem) {
      return problem;
    }
  }
  RANGE(actuator_actadr, actuator_actnum, nactuator, na)
  ID(actuator_plugin, nactuator, nplugin)
  EACH(actuator_trnid, nactuator, transmission_valid(m, i))
  RANGE(sensor_adr, sensor_dim, nsensor, nsensordata)
  int actuator = inputs_invalid(m);
  if (actuator >= 0) {
    return model_wrong("actuator %d has numbers of controls, forces or activations that don't fit.",
                       actuator);
  }
  EACH(actuator_historyadr, nactuator,
       history_valid(m, m->actuator_historyadr[i], m->actuator_history + 2 * i,
                     m->actuator_ctrlnum[i]))
  EACH(sensor_historyadr, nsensor,
       history_valid(m, m->sensor_historyadr[i], m->sensor_history + 2 * i, m->sensor_dim[i]))
  ID(sensor_plugin, nsensor, nplugin)
  EACH(sensor_type, nsensor, id_valid(m->sensor_type[i], mjSENS_TOUCH, mjSENS_USER + 1))
  EACH(sensor_objid, nsensor, object_valid(m, m->sensor_objtype[i], m->sensor_objid[i], 0))
  EACH(sensor_refid, nsensor, object_valid(m, m->sensor_reftype[i], m->sensor_refid[i], -1))
  return NULL;
}

static const char* validate_rest(const mjModel* m) {
  RANGE(plugin_stateadr, plugin_statenum, nplugin, npluginstate)
  ID(plugin_attradr, nplugin, npluginattr)
  REQUIRE(!m->npluginattr || !m->plugin_attr[m->npluginattr - 1], plugin_attr)
  RANGE(numeric_adr, numeric_size, nnumeric, nnumericdata)
  RANGE(text_adr, text_size, ntext, ntextdata)
  RANGE(tuple_adr, tuple_size, ntuple, ntupledata)
  EACH(tuple_objid, ntupledata, object_valid(m, m->tuple_objtype[i], m->tuple_objid[i], 0))

  // The names buffer must end with a terminator, so that every name in it has one.
  REQUIRE(m->nnames >= 1 && !m->names[m->nnames - 1], names)
  int slots = 0;
  for (int i = 0; i < NAMES_KIND_COUNT; i++) {
    NamedKind kind = names_kind(m, i);
    slots += 2 * kind.count;
    REQUIRE(model_ids_valid(kind.name_adr, kind.count, 0, m->nnames), name_adr)
    REQUIRE(slots <= m->nnames_map, names_map)
    REQUIRE(model_ids_valid(kind.map, 2 * kind.count, -1, kind.count), names_map)
  }

  RANGE(B_rowadr, B_rownnz, nbody, nB)
  RANGE(M_rowadr, M_rownnz, nv, nC)
  RANGE(D_rowadr, D_rownnz, nv, nD)
  OWNER(B_colind, nB, nv)
  OWNER(M_colind, nC, nv)
  OWNER(D_colind, nD, nv)
  OWNER(mapM2M, nC, nM)
  ID(mapM2D, nD, nC)
  OWNER(mapD2M, nC, nD)
  return NULL;
}

#undef EACH
#undef ID
#undef OWNER
#undef IDS
#undef RANGE

const char* model_validate(const mjModel* m) {
  const char* (*const parts[])(const mjModel*) = {
      validate_options, validate_tree,   validate_shapes,     model_validate_meshranges,
      validate_assets,  validate_flexes, validate_mechanisms, validate_rest,
  };
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    const char* problem = parts[i](m);
    if (problem) {
      return problem;
    }
  }
  return NULL;
}
