// portrait.c: draws single bodies, by hiding the shapes of all others.
//
// Pictures are drawn in twice their size and then made smaller, which smooths their edges.

#include "report/portrait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "picture.h"

enum {
  SHOWN = 0,   // groups of geoms
  HIDDEN = 5,  // not drawn by default
  MOST_SCALE = 2,
  SMOOTHING = 2,
};

struct Portraits_ {
  const Report* report;
  mjData* d;
  Picture* picture;
  float* rgba;  // of all geoms, as they were
  int* material;
};

// Colours of what collides, so that touching shapes can be told apart (Okabe and Ito).
static const float colors[][3] = {{0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f},
                                  {0.00f, 0.62f, 0.45f}, {0.94f, 0.89f, 0.26f},
                                  {0.80f, 0.47f, 0.65f}, {0.00f, 0.45f, 0.70f}};

static Portraits* fail(Portraits* p, char* reason, size_t size, const char* message) {
  if (message) {
    snprintf(reason, size, "%s", message);
  }
  portraits_close(p);
  return NULL;
}

// Shapes alone, in the light of the eye.
static void light(mjModel* m) {
  mjVisual* visual = &m->vis;
  for (int i = 0; i < m->nlight; i++) {
    m->light_active[i] = 0;
  }
  visual->headlight.active = 1;
  for (int k = 0; k < 3; k++) {
    visual->headlight.ambient[k] = 0.35f;
    visual->headlight.diffuse[k] = 0.6f;
    visual->headlight.specular[k] = 0.2f;
  }
  visual->global.orthographic = 0;
  visual->global.fovy = 30;
  visual->map.znear = 0.01f;
  visual->map.zfar = 50;
}

Portraits* portraits_open(char* reason, size_t size, const Report* report) {
  mjModel* m = report->m;
  size_t ngeom = (size_t)m->ngeom + 1;
  Portraits* p = calloc(1, sizeof(Portraits));
  if (!p) {
    return fail(p, reason, size, "out of memory");
  }
  p->report = report;
  p->d = mj_makeData(m);
  p->rgba = malloc(4 * ngeom * sizeof(float));
  p->material = malloc(ngeom * sizeof(int));
  if (!p->d || !p->rgba || !p->material) {
    return fail(p, reason, size, "out of memory");
  }
  memcpy(p->rgba, m->geom_rgba, 4 * (size_t)m->ngeom * sizeof(float));
  memcpy(p->material, m->geom_matid, (size_t)m->ngeom * sizeof(int));
  mj_forward(m, p->d);
  light(m);
  const PictureOptions options = {.width = MOST_SCALE * SMOOTHING * PORTRAIT_WIDTH,
                                  .height = MOST_SCALE * SMOOTHING * PORTRAIT_HEIGHT,
                                  .is_cut = 1};
  p->picture = picture_make(reason, size, &options, m);
  if (!p->picture) {
    return fail(p, reason, size, NULL);
  }
  picture_option(p->picture)->sitegroup[0] = 0;
  return p;
}

void portraits_close(Portraits* p) {
  if (p) {
    picture_close(p->picture);
    mj_deleteData(p->d);
    free(p->rgba);
    free(p->material);
    free(p);
  }
}

// The box around all shapes that are shown: centre and half of its diagonal. Returns 0
// if there are none.
static int frame(double center[3], double* radius, const mjModel* m, const mjData* d) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  int count = 0;
  for (int g = 0; g < m->ngeom; g++) {
    if (m->geom_group[g] != SHOWN) {
      continue;
    }
    const mjtNum *box = m->geom_aabb + 6 * g, *R = d->geom_xmat + 9 * g;
    for (int i = 0; i < 3; i++) {
      double middle = (double)d->geom_xpos[3 * g + i], half = 0;
      for (int k = 0; k < 3; k++) {
        middle += (double)(R[3 * i + k] * box[k]);
        half += fabs((double)(R[3 * i + k] * box[3 + k]));
      }
      low[i] = fmin(low[i], middle - half);
      high[i] = fmax(high[i], middle + half);
    }
    count++;
  }
  *radius = 0;
  for (int i = 0; i < 3 && count; i++) {
    center[i] = (low[i] + high[i]) / 2;
    *radius += (high[i] - low[i]) * (high[i] - low[i]) / 4;
  }
  *radius = sqrt(*radius);
  return count > 0 && *radius > 0;
}

// Shows the geoms of a body that are seen, or those that collide, or both. Planes, which have no
// end, would cover everything.
static void choose(const Portraits* p, int body, int collides, int both) {
  mjModel* m = p->report->m;
  for (int g = 0, k = 0; g < m->ngeom; g++) {
    int wanted = collides ? p->report->collides[g] : p->report->seen[g];
    wanted |= both && (p->report->seen[g] || p->report->collides[g]);
    wanted = wanted && (body < 0 || m->geom_bodyid[g] == body) && m->geom_type[g] != mjGEOM_PLANE;
    m->geom_group[g] = wanted ? SHOWN : HIDDEN;
    memcpy(m->geom_rgba + 4 * g, p->rgba + 4 * g, 4 * sizeof(float));
    m->geom_matid[g] = p->material[g];
    if (wanted && collides) {
      size_t count = sizeof colors / sizeof *colors;
      memcpy(m->geom_rgba + 4 * g, colors[(size_t)k++ % count], 3 * sizeof(float));
      m->geom_rgba[4 * g + 3] = 1;
      m->geom_matid[g] = -1;
    }
  }
}

// Makes a picture smaller, in place: each pixel is the mean of SMOOTHING x SMOOTHING ones.
static void shrink(unsigned char* pixels, int width, int height) {
  const size_t s = SMOOTHING, w = (size_t)width, h = (size_t)height;
  for (size_t y = 0; y < h; y++) {
    for (size_t x = 0; x < w; x++) {
      for (size_t c = 0; c < 3; c++) {
        size_t sum = 0;
        for (size_t i = 0; i < s * s; i++) {
          size_t row = s * y + i / s, column = s * x + i % s;
          sum += pixels[3 * (row * s * w + column) + c];
        }
        pixels[3 * (y * w + x) + c] = (unsigned char)(sum / (s * s));
      }
    }
  }
}

void* portraits_draw(size_t* length, Portraits* p, int body, int collides, int scale) {
  mjModel* m = p->report->m;
  Picture* picture = p->picture;
  double center[3], radius, own_center[3], own;
  choose(p, body, collides, 1);
  int is_framed = frame(center, &radius, m, p->d);
  choose(p, body, collides, 0);
  if (!is_framed || !frame(own_center, &own, m, p->d)) {
    return NULL;
  }
  mjvCamera* camera = picture_camera(picture);
  for (int i = 0; i < 3; i++) {
    camera->lookat[i] = (mjtNum)center[i];
  }
  // the ball around the box fills the height of the picture
  m->stat.extent = (mjtNum)radius;  // near and far planes are parts of it
  double half_angle = (double)m->vis.global.fovy * mjPI / 360;
  camera->distance = (mjtNum)(radius / sin(half_angle));
  camera->azimuth = 130;
  camera->elevation = -20;
  picture_option(picture)->flags[mjVIS_CONVEXHULL] = (mjtByte)collides;
  int width = scale * PORTRAIT_WIDTH, height = scale * PORTRAIT_HEIGHT;
  picture_resize(picture, SMOOTHING * width, SMOOTHING * height);
  unsigned char* pixels = picture_draw(picture, p->d);
  shrink(pixels, width, height);
  return image_encode(length, pixels, width, height, 0);
}
