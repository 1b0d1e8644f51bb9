// defaults.c: settings to start from.

#include <mujoco/api/base.h>
#include <mujoco/api/scene.h>
#include <mujoco/api/view.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"

void mjv_defaultCamera(mjvCamera* cam) {
  check_given(cam);
  memset(cam, 0, sizeof(*cam));
  cam->type = mjCAMERA_FREE;
  cam->fixedcamid = cam->trackbodyid = -1;
  cam->distance = 2;
  cam->azimuth = 90;
  cam->elevation = -45;
}

void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam) {
  check_given(m, cam);
  mjv_defaultCamera(cam);
  v3_copy(cam->lookat, m->stat.center);
  cam->distance = (mjtNum)1.5 * m->stat.extent;
  cam->azimuth = (mjtNum)m->vis.global.azimuth;
  cam->elevation = (mjtNum)m->vis.global.elevation;
  cam->orthographic = m->vis.global.orthographic;
}

void mjv_defaultPerturb(mjvPerturb* pert) {
  check_given(pert);
  memset(pert, 0, sizeof(*pert));
  pert->flexselect = pert->skinselect = -1;
  q_identity(pert->refquat);
  pert->scale = 1;
}

void mjv_defaultOption(mjvOption* opt) {
  check_given(opt);
  memset(opt, 0, sizeof(*opt));
  opt->label = mjLABEL_NONE;
  opt->frame = mjFRAME_NONE;
  mjtByte* groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                       opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
    for (int k = 0; k < mjNGROUP; k++) {
      groups[i][k] = k < 3;
    }
  }
  for (int i = 0; i < mjNVISFLAG; i++) {
    opt->flags[i] = mjVISSTRING[i][1][0] == '1';
  }
  opt->bvh_depth = 1;
}

static void set_all(float* out, int n, float value) {
  for (int i = 0; i < n; i++) {
    out[i] = value;
  }
}

// Colors of lines: eight that were chosen, then a sequence that spreads over all.
static void line_colors(float rgb[mjMAXLINE][3]) {
  static const float chosen[8][3] = {
      {1, .3f, .3f}, {.1f, 1, .1f}, {.3f, .3f, 1}, {.1f, 1, 1},
      {1, .2f, 1},   {1, 1, .1f},   {1, .6f, .2f}, {.6f, .7f, .4f},
  };
  static const int base[3] = {2, 3, 5};
  for (int i = 0; i < mjMAXLINE; i++) {
    for (int k = 0; k < 3; k++) {
      mjtNum share = mju_Halton(i, base[k]);
      rgb[i][k] = i < 8 ? chosen[i][k] : (float)((mjtNum).1f + (mjtNum).8f * share);
    }
  }
}

void mjv_defaultFigure(mjvFigure* fig) {
  check_given(fig);
  memset(fig, 0, sizeof(*fig));
  fig->flg_legend = fig->flg_extend = 1;
  fig->flg_ticklabel[0] = fig->flg_ticklabel[1] = 1;
  fig->highlightid = -1;
  fig->linewidth = 3;
  fig->gridwidth = 1;
  fig->gridsize[0] = fig->gridsize[1] = 2;
  set_all(fig->gridrgb, 3, .4f);
  fig->figurergba[3] = fig->panergba[3] = 1;
  fig->legendrgba[3] = .3f;
  set_all(fig->textrgb, 3, 1);
  line_colors(fig->linergb);
  fig->range[0][1] = fig->range[1][1] = 1;
  snprintf(fig->xformat, sizeof(fig->xformat), "%s", "%.0f");
  snprintf(fig->yformat, sizeof(fig->yformat), "%s", "%.2g");
  snprintf(fig->minwidth, sizeof(fig->minwidth), "%s", "XXX");
}
