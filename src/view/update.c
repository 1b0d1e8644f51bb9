// update.c: a whole scene from the state of a simulation.

#include <mujoco/api/model.h>
#include <mujoco/api/view.h>

#include "collision/marks.h"
#include "model/checks/pair.h"
#include "scene/shape.h"
#include "view/draw/geoms.h"
#include "view/surface.h"

static void draw_plugins(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin && plugin->visualize) {
      plugin->visualize(m, d, opt, scn, i);
    }
  }
}

// Marks visited boxes of bodies and flexes, which are drawn in another color; boxes of meshes are
// never marked.
static void mark_boxes(const mjModel* m, mjData* d, const mjvOption* opt, int catmask) {
  if (m->vis.global.bvactive && (catmask & mjCAT_DECOR) &&
      (opt->flags[mjVIS_BODYBVH] || (opt->flags[mjVIS_MESHBVH] && m->nflex))) {
    collision_mark(m, d);
  }
}

// Shapes are made before the camera, so an infinite plane follows the camera of the last picture.
void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                     mjvCamera* cam, int catmask, mjvScene* scn) {
  check_pair(m, d);
  check_given(opt, scn);
  int before = scn->ngeom;
  scn->ngeom = scn->status = 0;
  draw_plugins(m, d, opt, scn);
  mark_boxes(m, d, opt, catmask);
  draw_model(m, d, opt, pert, catmask, scn);
  scene_forget(scn, scn->ngeom, before < scn->maxgeom ? before : scn->maxgeom);
  mjv_updateCamera(m, d, cam, scn);
  mjv_makeLights(m, d, scn);
  int flexes = opt->flags[mjVIS_FLEXVERT] || opt->flags[mjVIS_FLEXEDGE] ||
               opt->flags[mjVIS_FLEXFACE] || opt->flags[mjVIS_FLEXSKIN];
  int skins = opt->flags[mjVIS_SKIN];
  if ((flexes || skins) && !check_surfaces(__func__, m, scn)) {
    return;
  }
  if (flexes) {
    update_flexes(m, d, opt, scn);
  }
  if (skins) {
    update_skins(m, d, opt, scn);
  }
  if (scn->status) {
    mj_warning(d, mjWARN_VGEOMFULL, scn->maxgeom);
  }
}
