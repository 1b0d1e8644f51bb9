// moment_rows.c: how many dofs can change the length of an actuator.
//
//   joint       its dofs
//   tendon      the dofs of its row
//   site        the dofs that move it; with a reference, those that move only one of the two
//   crank       the dofs that move one of its sites
//   body        any: those that contacts have
//   so3         three rows: one dof of the joint each; any dofs for a site

#include "model/derived/moment_rows.h"

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "base/transmission.h"
#include "model/derived/path.h"

static int64_t site_row(const mjModel* m, int site, int other) {
  int at[2], body[2] = {m->site_bodyid[site], other < 0 ? 0 : m->site_bodyid[other]};
  int both = path_dofs(NULL, m, body, 2, at);
  return 2 * both - path_dofs(NULL, m, body, 1, at) - path_dofs(NULL, m, body + 1, 1, at);
}

static int64_t crank_row(const mjModel* m, const int site[2]) {
  int at[2], body[2] = {m->site_bodyid[site[0]], m->site_bodyid[site[1]]};
  return path_dofs(NULL, m, body, 2, at);
}

int64_t moment_rows(const mjModel* m) {
  int64_t sum = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i), type = m->actuator_trntype[i];
    const int* id = m->actuator_trnid + 2 * i;
    if (joint >= 0) {
      sum += joint_nv(m->jnt_type[joint]);
    } else if (tendon >= 0) {
      sum += int_min(m->ten_J_rownnz[tendon], m->nv);
    } else if (type == mjTRN_SITE) {
      sum += site_row(m, id[0], id[1]);
    } else if (type == mjTRN_SLIDERCRANK) {
      sum += crank_row(m, id);
    } else if (type == mjTRN_SO3 && id[1] < 0) {
      sum += m->actuator_outnum[i];
    } else {
      sum += (int64_t)m->actuator_outnum[i] * m->nv;
    }
  }
  return sum;
}
