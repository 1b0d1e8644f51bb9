#include "base/joint.h"
#include "base/vec.h"
#include "compile/derive.h"

// Addresses of positions and dofs, and which joint and body a dof belongs to.
static void derive_addresses(mjModel* m) {
  int qpos = 0, dof = 0, jnt = 0;
  for (int b = 0; b < m->nbody; b++) {
    int first = dof;
    for (int end = jnt + m->body_jntnum[b]; jnt < end; jnt++) {
      int ndof = joint_nv(m->jnt_type[jnt]);
      m->jnt_qposadr[jnt] = qpos;
      m->jnt_dofadr[jnt] = dof;
      for (int k = 0; k < ndof; k++, dof++) {
        m->dof_bodyid[dof] = b;
        m->dof_jntid[dof] = jnt;
      }
      qpos += joint_nq(m->jnt_type[jnt]);
    }
    m->body_dofnum[b] = dof - first;
    m->body_dofadr[b] = dof > first ? first : -1;
  }
}

// A body's root is its ancestor below the world; it is welded to the nearest body, itself
// included, that has joints.
static void derive_welds(mjModel* m) {
  m->body_rootid[0] = 0;
  m->body_weldid[0] = 0;
  for (int b = 1; b < m->nbody; b++) {
    int parent = m->body_parentid[b];
    m->body_rootid[b] = parent ? m->body_rootid[parent] : b;
    m->body_weldid[b] = m->body_jntnum[b] ? b : m->body_weldid[parent];
  }
}

// A dof's parent is the dof before it in its body, or the last one of the nearest ancestor that has
// any. A dof without parent starts a tree.
static void derive_dofs(mjModel* m) {
  m->ntree = 0;
  int ntree = 0, Madr = 0;
  for (int i = 0; i < m->nv; i++) {
    int b = m->dof_bodyid[i];
    int parent = i - 1;
    if (i == m->body_dofadr[b]) {
      int above = m->body_weldid[m->body_parentid[b]];
      parent = m->body_dofnum[above] ? m->body_dofadr[above] + m->body_dofnum[above] - 1 : -1;
    }
    m->dof_parentid[i] = parent;
    m->dof_treeid[i] = parent < 0 ? ntree++ : m->dof_treeid[parent];

    m->dof_Madr[i] = Madr;
    for (int a = i; a >= 0; a = m->dof_parentid[a]) {
      Madr++;
    }
  }
  m->ntree = ntree;

  for (int b = 0; b < m->nbody; b++) {
    int weld = m->body_weldid[b];
    m->body_treeid[b] = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
  }
}

static void derive_frames(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_sameframe[b] = (mjtByte)derive_bodyframe(m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    m->geom_sameframe[g] = (mjtByte)derive_sameframe(m->geom_pos + 3 * g, m->geom_quat + 4 * g,
                                                     m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
  for (int s = 0; s < m->nsite; s++) {
    int b = m->site_bodyid[s];
    m->site_sameframe[s] = (mjtByte)derive_sameframe(m->site_pos + 3 * s, m->site_quat + 4 * s,
                                                     m->body_ipos + 3 * b, m->body_iquat + 4 * b);
  }
}

// simplenum counts the simple dofs that follow in a row, so that loops can take them together.
static void derive_simple_dofs(mjModel* m) {
  DeriveView view = derive_view(m);
  derive_simple(m->body_simple, &view);
  int run = 0;
  for (int i = m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }
}

// What any geom of a body collides with; how far the widest of their margins reaches.
static void derive_masks(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_contype[b] = m->body_conaffinity[b] = 0;
    m->body_margin[b] = 0;
  }
  for (int g = 0; g < m->ngeom; g++) {
    int b = m->geom_bodyid[g];
    m->body_contype[b] |= m->geom_contype[g];
    m->body_conaffinity[b] |= m->geom_conaffinity[g];
    m->body_margin[b] = num_max(m->body_margin[b], m->geom_margin[g]);
  }
}

void derive_subtreemass(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    m->body_subtreemass[b] = m->body_mass[b];
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
  }
}

void derive_tree(mjModel* m) {
  derive_addresses(m);
  derive_welds(m);
  derive_dofs(m);
  derive_frames(m);
  derive_simple_dofs(m);
  derive_masks(m);
  derive_subtreemass(m);

  m->ngravcomp = 0;
  for (int b = 0; b < m->nbody; b++) {
    m->ngravcomp += m->body_gravcomp[b] > 0;
  }
}
