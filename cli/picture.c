// picture.c: draws a model without a screen.

#include "picture.h"

#include <condyle/render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

struct Picture_ {
  PictureKind kind;
  int is_cut;
  mjModel* m;
  mjrRect rect;
  cndGL* gl;
  mjrContext context;
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  unsigned char* pixels;
  unsigned char* row;
  float* depth;
};

enum {
  MOST_SHAPES = 20000
};

static Picture* fail(Picture* picture, char* reason, size_t size, const char* message) {
  snprintf(reason, size, "%s", message);
  picture_close(picture);
  return NULL;
}

// Returns a status, after a message if there is no such camera.
static int find_camera(mjvCamera* camera, const char* command, const mjModel* m,
                       const char* wanted) {
  int status = find_element(&camera->fixedcamid, command, m, mjOBJ_CAMERA, wanted);
  camera->type = mjCAMERA_FIXED;
  return status;
}

static int allocate(Picture* p) {
  size_t count = (size_t)p->rect.width * (size_t)p->rect.height;
  p->pixels = malloc(3 * count);
  p->row = malloc(3 * (size_t)p->rect.width);
  int has_depth = p->kind == PICTURE_DEPTH || p->is_cut;
  p->depth = has_depth ? malloc(count * sizeof(float)) : NULL;
  return p->pixels && p->row && (p->depth || !has_depth);
}

Picture* picture_make(char* reason, size_t size, const PictureOptions* options, mjModel* m) {
  Picture* p = calloc(1, sizeof(Picture));
  if (!p) {
    return fail(p, reason, size, "out of memory");
  }
  p->is_cut = options->is_cut;
  p->kind = options->depth ? PICTURE_DEPTH : options->segment ? PICTURE_SEGMENT : PICTURE_COLOR;
  p->m = m;
  p->rect = (mjrRect){0, 0, options->width ? options->width : 1280,
                      options->height ? options->height : 720};
  mjv_defaultOption(&p->option);
  mjv_defaultScene(&p->scene);
  mjr_defaultContext(&p->context);
  mjv_defaultFreeCamera(m, &p->camera);
  m->vis.global.offwidth = p->rect.width;
  m->vis.global.offheight = p->rect.height;
  // with several samples per pixel, depths at edges would be means that belong to neither shape
  m->vis.quality.offsamples =
      p->kind == PICTURE_COLOR && !p->is_cut ? m->vis.quality.offsamples : 0;
  char error[500];
  if (!allocate(p)) {
    return fail(p, reason, size, "out of memory");
  }
  p->gl = cnd_makeGL(NULL, 0, 0, error, sizeof error);
  if (!p->gl || cnd_currentGL(p->gl, error, sizeof error)) {
    return fail(p, reason, size, error);
  }
  mjv_makeScene(m, &p->scene, MOST_SHAPES);
  mjr_makeContext(m, &p->context, mjFONTSCALE_150);
  mjr_setBuffer(mjFB_OFFSCREEN, &p->context);
  p->context.readDepthMap = mjDEPTH_ZEROFAR;
  p->scene.flags[mjRND_SEGMENT] = p->kind == PICTURE_SEGMENT;
  if (p->is_cut) {
    static const int around[] = {mjRND_SHADOW, mjRND_REFLECTION, mjRND_SKYBOX, mjRND_HAZE};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
      p->scene.flags[around[i]] = 0;
    }
  }
  return p;
}

Picture* picture_open(int* status, const char* command, const PictureOptions* options, mjModel* m) {
  mjvCamera camera;
  mjv_defaultFreeCamera(m, &camera);
  *status = options->camera ? find_camera(&camera, command, m, options->camera) : STATUS_OK;
  if (*status != STATUS_OK) {
    return NULL;
  }
  char reason[600];
  Picture* p = picture_make(reason, sizeof reason, options, m);
  if (!p) {
    fprintf(stderr, "condyle: %s\n", reason);
    *status = STATUS_FAILED;
    return NULL;
  }
  p->camera = camera;
  return p;
}

mjvOption* picture_option(Picture* p) {
  return &p->option;
}

mjvCamera* picture_camera(Picture* p) {
  return &p->camera;
}

void picture_resize(Picture* p, int width, int height) {
  p->rect.width = width;
  p->rect.height = height;
}

// Turns depths of the picture, 1 at the near plane and 0 at the far one, into millimetres:
// near far / (near + z (far - near)), linear in z if rays are parallel. Rows are turned over.
static void write_depths(Picture* p) {
  double near = (double)p->m->vis.map.znear * (double)p->m->stat.extent;
  double far = (double)p->m->vis.map.zfar * (double)p->m->stat.extent;
  unsigned char* to = p->pixels;
  for (int y = p->rect.height - 1; y >= 0; y--) {
    for (int x = 0; x < p->rect.width; x++, to += 2) {
      double z = (double)p->depth[y * p->rect.width + x];
      double distance = p->scene.camera[0].orthographic ? far - z * (far - near)
                                                        : near * far / (near + z * (far - near));
      double mm = 1000 * distance + 0.5;
      unsigned int number = mm < 65535 ? (unsigned int)mm : 65535u;
      to[0] = (unsigned char)(number >> 8);
      to[1] = (unsigned char)(number & 255);
    }
  }
}

// Flips a picture upside down.
static void flip(Picture* p) {
  size_t row = 3 * (size_t)p->rect.width;
  for (int low = 0, high = p->rect.height - 1; low < high; low++, high--) {
    unsigned char *a = p->pixels + row * (size_t)low, *b = p->pixels + row * (size_t)high;
    memcpy(p->row, a, row);
    memcpy(a, b, row);
    memcpy(b, p->row, row);
  }
}

// Makes white what is as far as the far plane.
static void cut(Picture* p) {
  size_t count = (size_t)p->rect.width * (size_t)p->rect.height;
  for (size_t i = 0; i < count; i++) {
    if (p->depth[i] <= 0) {
      memset(p->pixels + 3 * i, 255, 3);
    }
  }
}

unsigned char* picture_draw(Picture* p, mjData* d) {
  mjv_updateScene(p->m, d, &p->option, NULL, &p->camera, mjCAT_ALL, &p->scene);
  mjr_render(p->rect, &p->scene, &p->context);
  mjr_readPixels(p->kind == PICTURE_DEPTH ? NULL : p->pixels, p->depth, p->rect, &p->context);
  if (p->kind == PICTURE_DEPTH) {
    write_depths(p);
  } else {
    if (p->is_cut) {
      cut(p);
    }
    flip(p);
  }
  return p->pixels;
}

int picture_width(const Picture* p) {
  return p->rect.width;
}

int picture_height(const Picture* p) {
  return p->rect.height;
}

void picture_close(Picture* p) {
  if (p) {
    if (p->gl) {
      mjr_freeContext(&p->context);
      mjv_freeScene(&p->scene);
    }
    cnd_freeGL(p->gl);
    free(p->pixels);
    free(p->row);
    free(p->depth);
    free(p);
  }
}

int take_size(void* target, const char* option, const char* value) {
  enum {
    MOST = 16384
  };
  PictureOptions* options = target;
  char* end;
  long width = strtol(value, &end, 10), height = 0;
  if (end != value && *end == 'x') {
    const char* rest = end + 1;
    height = strtol(rest, &end, 10);
    height = end == rest ? 0 : height;
  }
  if (*end || width < 1 || height < 1 || width > MOST || height > MOST) {
    return usage_error(NULL, "%s must be WIDTHxHEIGHT, each from 1 to %d, not '%s'", option, MOST,
                       value);
  }
  options->width = (int)width;
  options->height = (int)height;
  return STATUS_OK;
}
