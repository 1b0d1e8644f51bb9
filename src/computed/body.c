// body.c: sizes of bodies, and lists of the bodies and dofs that are awake: all of them.

#include "base/algebra/vec.h"
#include "computed/fill.h"
#include "model/derived/pose0.h"

// The largest distance from the center of mass of a body to the vertices of flexes next to its own
// and, if they follow nodes, to the other nodes.
static mjtNum size_in_flex(const mjModel* m, int flex, int body) {
  mjtNum size = 0;
  int vert = m->flex_vertadr[flex], edge = m->flex_edgeadr[flex], node = m->flex_nodeadr[flex];
  for (int e = edge; !m->flex_interp[flex] && e < edge + m->flex_edgenum[flex]; e++) {
    const int* end = m->flex_edge + 2 * e;
    if (m->flex_vertbodyid[vert + end[0]] == body || m->flex_vertbodyid[vert + end[1]] == body) {
      size = num_max(size, m->flexedge_length0[e]);
    }
  }
  for (int i = node; m->flex_interp[flex] && i < node + m->flex_nodenum[flex]; i++) {
    if (m->flex_nodebodyid[i] != body) {
      continue;
    }
    for (int k = node; k < node + m->flex_nodenum[flex]; k++) {
      static const mjtNum origin[3] = {0, 0, 0};
      mjtNum own[3], other[3];
      point_at_rest(own, m, body, origin);
      point_at_rest(other, m, m->flex_nodebodyid[k], origin);
      size = num_max(size, v3_dist(own, other));
    }
  }
  return size;
}

// The size of a body is the largest distance from its center of mass to its joints, its children's
// joints and the bounds of its geoms.
static mjtNum body_size(const mjModel* m, int body) {
  const mjtNum* com = m->body_ipos + 3 * body;
  mjtNum size = (mjtNum)1e-5;
  int joint = m->body_jntadr[body], geom = m->body_geomadr[body];
  for (int j = joint; j < joint + m->body_jntnum[body]; j++) {
    size = num_max(size, v3_dist(com, m->jnt_pos + 3 * j));
  }
  for (int g = geom; g < geom + m->body_geomnum[body]; g++) {
    if (m->geom_rbound[g] > 0) {
      size = num_max(size, m->geom_rbound[g] + v3_dist(com, m->geom_pos + 3 * g));
    }
  }
  // the subtree of a body follows it
  for (int b = body + 1; b < m->nbody && m->body_parentid[b] >= body; b++) {
    int first = m->body_jntadr[b];
    for (int j = first; m->body_parentid[b] == body && j < first + m->body_jntnum[b]; j++) {
      mjtNum anchor[3];
      q_rotate(anchor, m->jnt_pos + 3 * j, m->body_quat + 4 * b);
      v3_addto(anchor, m->body_pos + 3 * b);
      size = num_max(size, v3_dist(com, anchor));
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    size = num_max(size, size_in_flex(m, f, body));
  }
  return size;
}

void fill_dof_length(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  mjtNum* length = out;
  for (int i = 0; i < m->nv; i++) {
    int joint = m->dof_jntid[i], type = m->jnt_type[joint], body = m->dof_bodyid[i];
    int moves = type == mjJNT_SLIDE || (type == mjJNT_FREE && i < m->jnt_dofadr[joint] + 3);
    int is_first = !i || m->dof_bodyid[i - 1] != body || length[i - 1] == 1;
    length[i] = moves ? 1 : is_first ? body_size(m, body) : length[i - 1];
  }
}

// awake

void fill_body_awake(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int b = 0; b < m->nbody; b++) {
    int moves = m->body_treeid[b] >= 0 || m->body_mocapid[m->body_rootid[b]] >= 0;
    ((int*)out)[b] = moves ? 1 : -1;
  }
}

static void count_up(int* out, int first, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = first + i;
  }
}

void fill_body_ind(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  count_up(out, 0, m->nbody);
}

// All but the world have a parent; the last place is not used.
void fill_parent_ind(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  count_up(out, 1, m->nbody - 1);
  ((int*)out)[m->nbody - 1] = 0;
}

void fill_dof_ind(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  count_up(out, 0, m->nv);
}

mjtSize count_awake_parents(const mjModel* m) {
  return (mjtSize)m->nbody - 1;
}
