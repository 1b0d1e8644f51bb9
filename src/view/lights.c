// lights.c: the lights of a scene: the headlight first, then those of the model.

#include <mujoco/api/base.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "model/checks/pair.h"
#include "scene/shape.h"

// Sets the defaults of a light. Members are written one by one, because compilers copy a struct of
// this size by an instruction that takes longer than everything else here.
static void clear_light(mjvLight* light) {
  light->id = light->texid = -1;
  light->type = mjLIGHT_DIRECTIONAL;
  light->headlight = 1;
  light->castshadow = 0;
  light->bulbradius = .02f;
  light->intensity = 0;
  light->range = 10;
  light->softness = 0;
  light->cutoff = light->exponent = 0;
  light->attenuation[0] = light->attenuation[1] = light->attenuation[2] = 0;
}

static void set_headlight(mjvLight* light, const mjModel* m, const mjvScene* scn) {
  mjtNum head[3] = {0}, forward[3] = {0};
  // without a transform both spaces are the same, and mjv_cameraInRoom is faster
  (scn->enabletransform ? mjv_cameraInModel : mjv_cameraInRoom)(head, forward, NULL, scn);
  clear_light(light);
  scene_round3(light->pos, head);
  scene_round3(light->dir, forward);
  memcpy(light->ambient, m->vis.headlight.ambient, sizeof(light->ambient));
  memcpy(light->diffuse, m->vis.headlight.diffuse, sizeof(light->diffuse));
  memcpy(light->specular, m->vis.headlight.specular, sizeof(light->specular));
}

// Only spots have a cone and fade with the distance.
static void set_light(mjvLight* light, const mjModel* m, const mjData* d, int i) {
  clear_light(light);
  light->id = i;
  light->type = m->light_type[i];
  light->texid = m->light_texid[i];
  light->headlight = 0;
  light->castshadow = m->light_castshadow[i];
  light->bulbradius = m->light_bulbradius[i];
  light->intensity = m->light_intensity[i];
  light->range = m->light_range[i];
  if (light->type == mjLIGHT_SPOT) {
    memcpy(light->attenuation, m->light_attenuation + 3 * i, sizeof(light->attenuation));
    light->exponent = m->light_exponent[i];
    light->cutoff = m->light_cutoff[i];
    light->softness = m->light_softness[i];
  }
  memcpy(light->ambient, m->light_ambient + 3 * i, sizeof(light->ambient));
  memcpy(light->diffuse, m->light_diffuse + 3 * i, sizeof(light->diffuse));
  memcpy(light->specular, m->light_specular + 3 * i, sizeof(light->specular));
  scene_round3(light->pos, d->light_xpos + 3 * i);
  scene_round3(light->dir, d->light_xdir + 3 * i);
}

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn) {
  check_pair(m, d);
  check_given(scn);
  scn->nlight = 0;
  if (m->vis.headlight.active) {
    set_headlight(scn->lights + scn->nlight++, m, scn);
  }
  for (int i = 0; i < m->nlight && scn->nlight < mjMAXLIGHT; i++) {
    if (m->light_active[i]) {
      set_light(scn->lights + scn->nlight++, m, d, i);
    }
  }
}
