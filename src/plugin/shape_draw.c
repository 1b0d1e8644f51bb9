// shape_draw.c: the searches by which contacts with a shape were found (mjVIS_SDFITER).
//
//    blue o----.                    P_0 ... P_n: points of the search
//               \  .----.           lines from P_j on 95% of the way to P_j+1
//                `'      `--o red
//
//                                                               theory/plugins/plugins.md, Drawings

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "collision/sdf/trace.h"
#include "plugin/shape.h"
#include "scene/shape.h"

typedef struct Sketch_ {
  const mjModel* m;
  mjData* d;
  mjvScene* scn;
  int geom;  // in whose frame points are
} Sketch;

// The next shape; a full scene is a warning.
static mjvGeom* next_shape(Sketch* sketch, int search, mjtNum share) {
  mjvGeom* geom = scene_next(sketch->scn, mjOBJ_UNKNOWN, search, mjCAT_DECOR);
  if (!geom) {
    mj_warning(sketch->d, mjWARN_VGEOMFULL, sketch->scn->maxgeom);
    return NULL;
  }
  sketch->scn->ngeom++;
  geom->rgba[0] = (float)share;
  geom->rgba[1] = 0;
  geom->rgba[2] = 1 - (float)share;
  return geom;
}

static int draw_end(Sketch* sketch, int search, const mjtNum pos[3], mjtNum share) {
  mjvGeom* geom = next_shape(sketch, search, share);
  if (!geom) {
    return 0;
  }
  geom->type = mjGEOM_SPHERE;
  geom->size[0] = geom->size[1] = geom->size[2] = (float)(sketch->m->stat.meansize / 5);
  scene_pose(geom, pos, sketch->d->geom_xmat + 9 * sketch->geom);
  return 1;
}

static void to_world(mjtNum out[3], const Sketch* sketch, const mjtNum point[3]) {
  v3_toworld(out, point, sketch->d->geom_xpos + 3 * sketch->geom,
             sketch->d->geom_xmat + 9 * sketch->geom);
}

static int draw_search(void* context, const mjtNum (*point)[3], int n, int search) {
  Sketch* sketch = context;
  mjtNum from[3], to[3], step[3];
  if (!n) {
    return 1;
  }
  to_world(from, sketch, point[0]);
  to_world(to, sketch, point[n - 1]);
  if (!draw_end(sketch, search, from, 0) || !draw_end(sketch, search, to, 1)) {
    return 0;
  }
  for (int j = 0; j + 1 < n; j++) {
    mjvGeom* geom = next_shape(sketch, search, (mjtNum)(j + 1) / (mjtNum)(n - 1));
    if (!geom) {
      return 0;
    }
    to_world(from, sketch, point[j]);
    to_world(to, sketch, point[j + 1]);
    v3_sub(step, to, from);
    v3_addscl(to, from, step, (mjtNum)0.95);
    scene_connect(geom, mjGEOM_LINE, 2, from, to);
  }
  return 1;
}

void shape_visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn,
                     int instance) {
  const int* geom = ((const ShapeMemory*)d->plugin_data[instance])->geom;
  if (opt->flags[mjVIS_SDFITER] && geom[0] >= 0 && geom[1] >= 0) {
    Sketch sketch = {m, d, scn, geom[1]};
    sdf_trace(m, d, geom[0], geom[1], draw_search, &sketch);
  }
}
