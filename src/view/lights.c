// lights.c: the lights of a scene: that of the viewer's head, then those of the model.

#include <mujoco/api/base.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "model/pair.h"
#include "scene/shape.h"

static mjvLight headlight(const mjModel* m, const mjvScene* scn) {
  mjvLight light = {.id = -1,
                    .type = mjLIGHT_DIRECTIONAL,
                    .texid = -1,
                    .headlight = 1,
                    .bulbradius = .02f,
                    .range = 10};
  mjtNum head[3] = {0}, forward[3] = {0};
  mjv_cameraInModel(head, forward, NULL, scn);
  scene_round3(light.pos, head);
  scene_round3(light.dir, forward);
  memcpy(light.ambient, m->vis.headlight.ambient, sizeof(light.ambient));
  memcpy(light.diffuse, m->vis.headlight.diffuse, sizeof(light.diffuse));
  memcpy(light.specular, m->vis.headlight.specular, sizeof(light.specular));
  return light;
}

// Only spots have a cone and fade with the distance.
static mjvLight model_light(const mjModel* m, const mjData* d, int i) {
  mjvLight light = {.id = i,
                    .type = m->light_type[i],
                    .texid = m->light_texid[i],
                    .castshadow = m->light_castshadow[i],
                    .bulbradius = m->light_bulbradius[i],
                    .intensity = m->light_intensity[i],
                    .range = m->light_range[i]};
  if (light.type == mjLIGHT_SPOT) {
    memcpy(light.attenuation, m->light_attenuation + 3 * i, sizeof(light.attenuation));
    light.exponent = m->light_exponent[i];
    light.cutoff = m->light_cutoff[i];
  }
  memcpy(light.ambient, m->light_ambient + 3 * i, sizeof(light.ambient));
  memcpy(light.diffuse, m->light_diffuse + 3 * i, sizeof(light.diffuse));
  memcpy(light.specular, m->light_specular + 3 * i, sizeof(light.specular));
  scene_round3(light.pos, d->light_xpos + 3 * i);
  scene_round3(light.dir, d->light_xdir + 3 * i);
  return light;
}

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn) {
  check_pair(m, d);
  check_given(scn);
  scn->nlight = 0;
  if (m->vis.headlight.active) {
    scn->lights[scn->nlight++] = headlight(m, scn);
  }
  for (int i = 0; i < m->nlight && scn->nlight < mjMAXLIGHT; i++) {
    if (m->light_active[i]) {
      scn->lights[scn->nlight++] = model_light(m, d, i);
    }
  }
}
