// members.c: a program for MuJoCo 4.0.0 (mjVERSION_API 400) that reads the members that it has
// added to mjModel, mjData, mjvGeom and mjvLight (compare.h). It is compiled as C and as C++.

#ifndef mjVERSION_API
#define mjVERSION_API 400
#endif
#include <mujoco/mjxmacro.h>

#include "compare.h"

static void ints(const char* label, const int* x, int n) {
  mjtNum wide[2000];
  for (int i = 0; i < n && i < 2000; i++) {
    wide[i] = x[i];
  }
  result(label, wide, n < 2000 ? n : 2000);
}

#define INTS(owner, name, n) ints(#name, (owner)->name, (int)(n))
#define NUMBERS(owner, name, n) result(#name, (owner)->name, (int)(n))
#define NUMBER(owner, name) number(#name, (double)(owner)->name)

// tendons, islands and the dual solver, with dense and sparse Jacobians

static const char chain[] =
    "<mujoco><option solver='PGS' jacobian='%s'><flag energy='%s'/></option>"
    "<asset><mesh name='tetra' vertex='0 0 0 .1 0 0 0 .2 0 0 0 .3'/></asset>"
    "<worldbody><geom name='floor' type='plane' size='2 2 .1'/><site name='w' pos='0 .4 2'/>"
    "<body name='a' pos='0 0 1' gravcomp='.5'><joint name='a' axis='0 1 0' range='-1 .1' "
    "limited='true'/>"
    "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.05'/><site name='sa' pos='.2 .1 .1' "
    "euler='10 20 30'/>"
    "<body name='b' pos='.4 0 0'><joint name='b' axis='0 1 0' frictionloss='.2'/>"
    "<geom type='box' size='.1 .05 .04' pos='.1 0 0' euler='0 30 0'/><site name='sb' pos='.2 0 "
    ".1'/>"
    "</body></body>"
    "<body pos='2 0 .09'><freejoint/><geom size='.1'/></body>"
    "<body pos='2 0 .28'><freejoint/><geom type='mesh' mesh='tetra'/><site name='sc'/></body>"
    "<body pos='-2 0 3'><freejoint/><geom size='.1'/></body>"
    "</worldbody><tendon>"
    "<spatial name='t0' stiffness='10'><site site='w'/><site site='sa'/><site site='sb'/></spatial>"
    "<fixed name='t1'><joint joint='b' coef='2'/><joint joint='a' coef='-1'/></fixed>"
    "<spatial name='t2' limited='true' range='0 1'><site site='sb'/><site site='sc'/></spatial>"
    "</tendon><sensor><subtreelinvel body='a'/></sensor></mujoco>";

static void patterns(const mjModel* m) {
  NUMBER(m, nJten);
  NUMBER(m, npolygonmax);
  NUMBER(m, nmeshdegmax);
  NUMBER(m, flg_gravcomp);
  INTS(m, tendon_type, m->ntendon);
  INTS(m, ten_J_rownnz, m->ntendon);
  INTS(m, ten_J_rowadr, m->ntendon);
  INTS(m, ten_J_colind, m->nJten);
  // the smallest hull vertex of each direction: its place, because their order may differ
  mjtNum place[27 * 3];
  for (int k = 0; k < 27; k++) {
    const int* graph = m->mesh_graph + m->mesh_graphadr[0];
    int vertex = graph[2 + graph[0] + m->mesh_extrema[k]];
    const float axis[3] = {(float)(k / 9 - 1), (float)(k / 3 % 3 - 1), (float)(k % 3 - 1)};
    place[k] = 0;
    for (int i = 0; k != 13 && i < 3; i++) {
      place[k] += round(1e4 * axis[i] * m->mesh_vert[3 * vertex + i]) / 1e4;
    }
  }
  result("mesh_extrema", place, 27);
}

static void poses(const mjModel* m, const mjData* d) {
  NUMBERS(d, ten_J, m->nJten);
  NUMBERS(d, geom_xquat, 4 * 3);
  NUMBERS(d, site_xquat, 4 * m->nsite);
  NUMBERS(d, xiquat, 4 * 3);
}

static void whitened(const mjModel* m, const mjData* d) {
  NUMBER(d, nefc);
  NUMBER(d, nY);
  // J M^-1 J' of the first rows; signs and order of entries cancel
  int sparse = mj_isSparse(m), nv = (int)m->nv;
  for (int i = 0; i < d->nefc && i < 4; i++) {
    mjtNum row[2][64] = {{0}};
    for (int side = 0; side < 2; side++) {
      int r = side ? 0 : i;
      if (!sparse) {
        mju_copy(row[side], d->efc_Y + r * nv, nv);
        continue;
      }
      for (int k = d->efc_Y_rowadr[r]; k < d->efc_Y_rowadr[r] + d->efc_Y_rownnz[r]; k++) {
        row[side][d->efc_Y_colind[k]] = d->efc_Y[k];
      }
    }
    number("efc_Y", mju_dot(row[0], row[1], nv));
    number("efc_Y_rownnz", sparse ? d->efc_Y_rownnz[i] : 0);
    number("efc_diagA", d->efc_diagA[i] > 0);
  }
}

static void islands(const mjModel* m, const mjData* d) {
  NUMBER(d, nisland);
  INTS(d, tree_island, m->ntree);
  INTS(d, island_ntree, d->nisland);
  INTS(d, island_itreeadr, d->nisland);
  INTS(d, map_itree2tree, m->ntree);
  INTS(d, dof_island, m->nv);
}

static void flags(const char* label, const mjData* d) {
  const mjtNum flag[4] = {(mjtNum)d->flg_energypos, (mjtNum)d->flg_energyvel,
                          (mjtNum)d->flg_subtreevel, (mjtNum)d->flg_rnepost};
  result(label, flag, 4);
}

static void lazy(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  flags("mj_forward", d);
  mj_rnePostConstraint(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  flags("mj_rnePostConstraint", d);
  mj_fwdPosition(m, d);
  flags("mj_fwdPosition", d);
  mj_fwdVelocity(m, d);
  flags("mj_fwdVelocity", d);
  mj_inverse(m, d);
  flags("mj_inverse", d);
  mj_resetData(m, d);
  flags("mj_resetData", d);
}

// the arrays of a solver that is not there
static void unused(const mjModel* m, const mjData* d) {
  const int counts[] = {d->efm_active, d->nefmK,   d->nefmcon, d->nefmT,
                        d->nefmA,      d->nefmdof, d->nefmL};
  ints("efm", counts, 7);
  number("efm_L", d->efm_L == NULL && d->efm_c == NULL && d->efm_K_val == NULL);
  const int sizes[] = {(int)m->nefm0dof, (int)m->nefm0L, (int)m->nefmCvert};
  ints("efm0", sizes, 3);
}

static void chains(const char* jacobian, const char* energy) {
  char xml[4000];
  snprintf(xml, sizeof(xml), chain, jacobian, energy);
  mjModel* m = load(xml);
  mjData* d = mj_makeData(m);
  number("tree_island", d->tree_island == NULL);
  for (int i = 0; i < 2; i++) {
    d->qpos[i] = .3 + .2 * i;
    d->qvel[i] = 1 + i;
  }
  mj_forward(m, d);
  patterns(m);
  poses(m, d);
  whitened(m, d);
  islands(m, d);
  m->opt.solver = mjSOL_NEWTON;
  mj_forward(m, d);
  NUMBER(d, nY);
  number("efc_Y", d->efc_Y == NULL);
  lazy(m, d);
  unused(m, d);
  m->body_gravcomp[1] = 0;
  mj_setConst(m, d);
  NUMBER(m, flg_gravcomp);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// flexes: edges on which an equality acts, edges on which nothing does

static const char cloth[] =
    "<mujoco><option jacobian='%s'/><worldbody>"
    "<flexcomp name='f' type='grid' count='3 2 1' spacing='.1 .2 .1' radius='.01' dim='2' mass='1' "
    "pos='0 0 1'><edge equality='true'/></flexcomp>"
    "<flexcomp name='g' type='grid' count='2 2 2' spacing='.1 .2 .3' radius='.01' dim='3' mass='1' "
    "pos='1 0 1'><elasticity young='1e3'/></flexcomp>"
    "<flexcomp name='h' type='grid' count='2 2 2' spacing='.1 .2 .3' radius='.01' dim='3' mass='1' "
    "dof='trilinear' pos='2 0 1'><contact selfcollide='none'/></flexcomp>"
    "</worldbody></mujoco>";

static void flexes(const char* jacobian) {
  char xml[4000];
  snprintf(xml, sizeof(xml), cloth, jacobian);
  mjModel* m = load(xml);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = .003 * (i % 5) - .004 * (i % 3);
  }
  mj_forward(m, d);
  NUMBER(m, nJfe);
  INTS(m, flexedge_J_rownnz, m->nflexedge);
  INTS(m, flexedge_J_rowadr, m->nflexedge);
  INTS(m, flexedge_J_colind, m->flexedge_J_rowadr[8] + 6);
  NUMBERS(d, flexedge_J, m->flexedge_J_rowadr[8] + 6);
  NUMBERS(m, flex_size, 3 * m->nflex);
  INTS(m, flex_cellnum, 3 * m->nflex);
  INTS(m, flex_vertcell, m->nflexvert);
  number("flex_stiffnessadr", m->flex_stiffnessadr[0]);
  number("flex_stiffnessadr", m->flex_stiffnessadr[1] >= 0);
  number("flex_bendingadr", m->flex_bendingadr[1]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// scenes

static const char room[] =
    "<mujoco><asset><texture name='p' type='2d' builtin='checker' width='4' height='4'/>"
    "<texture name='t' type='cube' builtin='flat' width='4' height='4'/>"
    "<material name='a' texture='t' texuniform='true' texrepeat='2 3'/>"
    "<material name='b' texture='p' texrepeat='5 6'/><material name='c'/></asset><worldbody>"
    "<light pos='0 0 3' type='spot' softness='.35'/><light pos='0 0 3' type='directional'/>"
    "<geom type='plane' size='2 2 .1' material='b'/><geom size='.1' material='a'/>"
    "<geom size='.1' material='c' castshadow='false'/><geom size='.1'/><site material='a'/>"
    "</worldbody></mujoco>";

static void scenes(void) {
  mjModel* m = load(room);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 100);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  for (int textured = 0; textured < 2; textured++) {
    option.flags[mjVIS_TEXTURE] = (mjtByte)textured;
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
    for (int i = 0; i < scene.ngeom; i++) {
      const mjvGeom* geom = scene.geoms + i;
      const mjtNum cover[5] = {(mjtNum)geom->texid, (mjtNum)geom->texuniform, geom->texrepeat[0],
                               geom->texrepeat[1], (mjtNum)geom->castshadow};
      result("mjvGeom", cover, 5);
    }
  }
  for (int i = 0; i < scene.nlight; i++) {
    number("softness", scene.lights[i].softness);
  }
  number("mjRND_DEPTH", scene.flags[mjRND_DEPTH]);
  number("mjRND_POST_PROCESSING", scene.flags[mjRND_POST_PROCESSING]);
  text("mjRNDSTRING", mjRNDSTRING[mjRND_DEPTH][0]);
  mjvGeom geom;
  memset(&geom, 0, sizeof(geom));
  mjv_initGeom(&geom, mjGEOM_SPHERE, NULL, NULL, NULL, NULL);
  number("mjv_initGeom", geom.texid);
  number("mjv_initGeom", geom.castshadow);
  mjv_freeScene(&scene);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// lists

static void lists(const mjModel* m, const mjData* d) {
  int known = 0;
#define X(name, fixed, kin0, inert0, spring) known += ((fixed) | (kin0) | (inert0) | (spring)) != 0;
  MJSETCONST_ARRAYS
#undef X
  number("MJSETCONST_ARRAYS", known);
  known = 0;
#define X(name) known += sizeof(m->name) > 0;
  MJSETCONST_SCALARS
#undef X
  number("MJSETCONST_SCALARS", known);
  known = 0;
#define X(type, name, rows, columns)                                                              \
  known += !strcmp(#name, "ten_J") || !strcmp(#name, "geom_xquat") || !strcmp(#name, "xiquat") || \
           !strcmp(#name, "flexelem_krot");
  MJDATA_POINTERS
#undef X
  number("MJDATA_POINTERS", known);
  known = 0;
#define X(type, name, rows, columns) known += d->name == NULL;
  MJDATA_ARENA_POINTERS_EFM
#undef X
  number("MJDATA_ARENA_POINTERS_EFM", known);
}

int main(int argc, char** argv) {
  if (!results_open(argc, argv)) {
    return 1;
  }
  chains("dense", "disable");
  chains("sparse", "enable");
  flexes("dense");
  flexes("sparse");
  scenes();
  mjModel* m = load("<mujoco/>");
  mjData* d = mj_makeData(m);
  lists(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return results_close();
}
