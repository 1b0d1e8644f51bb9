// Rows that keep the strain of a cell of a flex: one for each way in which it can deform.
//                                            theory/smooth/deformables.md, Strain constraints

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/strain.h"
#include "smooth/flex/flex.h"

enum {
  CHUNK = 8  // rows that are made at once
};

int strain_cell(const mjModel* m, int equality) {
  const mjtNum* data = m->eq_data + mjNEQDATA * (size_t)equality;
  const int* count = m->flex_cellnum + 3 * (size_t)m->eq_obj1id[equality];
  for (int k = 0; k < 3; k++) {
    if (!(data[k] >= 0 && data[k] < count[k])) {
      return -1;
    }
  }
  return ((int)data[0] * count[1] + (int)data[1]) * count[2] + (int)data[2];
}

mjtNum strain_weight(const mjModel* m, int equality) {
  int flex = m->eq_obj1id[equality], node[FLEX_CELL_NODES];
  int n = flex_cell_nodes(node, m, flex, strain_cell(m, equality));
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += m->body_invweight0[2 * m->flex_nodebodyid[m->flex_nodeadr[flex] + node[i]]];
  }
  return sum / n;
}

// The bodies of a cell, each once.
static void cell_bodies(RowBodies* of, int* place, const mjModel* m, int flex,
                        const FlexCell* cell) {
  of->n = 0;
  for (int i = 0; i < cell->n; i++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[flex] + cell->node[i]], at = 0;
    while (at < of->n && of->body[at] != body) {
      at++;
    }
    if (at == of->n) {
      of->body[of->n] = body;
      of->weight[of->n++] = 1;
    }
    place[i] = at;
  }
}

// Wrenches of n modes on the bodies of the nodes: the force R v_i at node i.
static void put_wrenches(BodyJacobian* bodies, const RowSink* sink, const int* place,
                         const FlexCell* cell, const mjtNum* mode, int n) {
  for (int b = 0; b < bodies->of.n; b++) {
    memset(bodies->wrench[b], 0, sizeof(BodyWrench));
  }
  for (int i = 0; i < cell->n; i++) {
    mjtNum arm[3];
    if (!bodies_arm(arm, bodies, sink, place[i], cell->x[i])) {
      continue;
    }
    for (int r = 0; r < n; r++) {
      mjtNum force[3], torque[3];
      q_rotate(force, mode + 3 * (size_t)(cell->n * r + i), cell->quat);
      v3_cross(torque, arm, force);
      for (int k = 0; k < 3; k++) {
        bodies->wrench[place[i]][k][r] += torque[k];
        bodies->wrench[place[i]][3 + k][r] += force[k];
      }
    }
  }
}

// pos_r = v_r . (R' x - R0' X), J_r = v_r . R' dx/dq, for each mode v_r of the cell
void rows_strain(RowSink* sink, BodyJacobian* bodies, int equality) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  int flex = m->eq_obj1id[equality], index = strain_cell(m, equality);
  if (index < 0 || !flex_has_cells(m, flex)) {
    return;
  }
  FlexCell cell;
  RowBodies of;
  int place[FLEX_CELL_NODES];
  cell.n = flex_cell_nodes(cell.node, m, flex, index);
  int size = 3 * cell.n;
  const mjtNum* block =
      m->cnd_flex_cell + m->cnd_flex_celladr[flex] + (size_t)size * (size_t)size * (size_t)index;
  int nmode = block[0] > 0 ? int_min((int)block[0], size - 6) : 0;
  cell_bodies(&of, place, m, flex, &cell);
  int ncolumn = bodies_select(bodies, sink, &of);
  if (!sink->measuring) {
    flex_cell_state(&cell, m, d, flex, index);
  }
  for (int r = 0; r < nmode; r += CHUNK) {
    int n = int_min(CHUNK, nmode - r);
    const mjtNum* mode = block + 1 + (size_t)size * (size_t)r;
    mjtNum pos[CHUNK] = {0};
    if (!sink_wants(sink, n, ncolumn)) {
      continue;
    }
    for (int k = 0; k < n * size; k++) {
      pos[k / size] += mode[k] * cell.away[k % size];
    }
    put_wrenches(bodies, sink, place, &cell, mode, n);
    RowJacobian jacobian = bodies_jacobian(bodies, d, n);
    sink_put(sink, mjCNSTR_EQUALITY, equality, n, &jacobian, pos, NULL, 0);
  }
}
