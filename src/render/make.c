// make.c: making and freeing what a renderer keeps on the graphics device.

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <string.h>

#include "render/buffer.h"
#include "render/device.h"
#include "render/program.h"
#include "render/shape.h"
#include "render/text.h"
#include "render/texture.h"

void mjr_defaultContext(mjrContext* con) {
  memset(con, 0, sizeof(*con));
}

static void free_device(RenderDevice* device, mjrContext* con) {
  // if its OpenGL context is not current, the objects on the graphics device are gone or will go
  // with it
  if (device->native == gl_current()) {
    for (int i = 0; i < device->nshape; i++) {
      shape_free(device, i);
    }
    const GL* gl = &device->gl;
    gl->DeleteBuffers(1, &device->instances);
    gl->DeleteBuffers(1, &device->lights);
    gl->DeleteVertexArrays(1, &device->empty_array);
    gl->DeleteFramebuffers(1, &device->shadow_frame);
    gl->DeleteTextures(RENDER_MAX_SHADOWS, device->shadow);
    program_free_all(device);
    text_free(device);
    texture_free_all(device, con);
    buffer_free_all(device, con);
  }
  render_device_leave(device);
  mju_free(device->shape);
  RenderArray* const lists[] = {&device->list,     &device->drawn,         &device->order,
                                &device->vertices, &device->flat_vertices, &device->skin_coords};
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    render_release(lists[i]);
  }
  mju_free(device);
}

void mjr_freeContext(mjrContext* con) {
  RenderDevice* device = render_device_handle(con);
  if (device) {
    free_device(device, con);
  }
  mjrContext empty = {0};
  empty.glInitialized = con->glInitialized;
  empty.windowAvailable = con->windowAvailable;
  empty.windowSamples = con->windowSamples;
  empty.windowStereo = con->windowStereo;
  empty.windowDoublebuffer = con->windowDoublebuffer;
  *con = empty;
}

// The handles of skins are one list, to which all four pointers of mjrContext lead.
static RenderDevice* make_device(mjrContext* con, int nskin) {
  size_t size = sizeof(RenderDevice) + (size_t)(nskin + 1) * sizeof(unsigned int);
  RenderDevice* device = mju_malloc(size);
  memset(device, 0, size);
  const char* wrong = gl_load(&device->gl);
  if (wrong) {
    mju_free(device);
    mju_error("mjr_makeContext: %s", wrong);
  }
  device->native = gl_current();
  device->skybox = -1;
  con->nskin = nskin;
  con->skinvertVBO = con->skinnormalVBO = con->skintexcoordVBO = con->skinfaceVBO =
      device->skin_buffers;
  render_device_enter(device);
  return device;
}

static void take_shapes(RenderDevice* device, const mjModel* m) {
  if (m) {
    device->nmesh = (int)m->nmesh;
    device->nhfield = (int)m->nhfield;
    device->nskin = (int)m->nskin;
    device->nflex = (int)m->nflex;
    for (int i = 0; i < m->ngeom; i++) {
      device->nplane += m->geom_type[i] == mjGEOM_PLANE;
    }
  }
  int n = SOLID_COUNT + device->nplane + 2 * device->nmesh + device->nhfield + device->nskin +
          device->nflex;
  device->shape = mju_malloc((size_t)n * sizeof(*device->shape));
  memset(device->shape, 0, (size_t)n * sizeof(*device->shape));
  device->nshape = n;
  device->gl.GenBuffers(1, &device->instances);
  device->gl.GenBuffers(1, &device->lights);
  device->gl.GenVertexArrays(1, &device->empty_array);
}

static void upload_model(RenderDevice* device, mjrContext* con, const mjModel* m) {
  int plane = 0;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] == mjGEOM_PLANE) {
      surface_plane(device, m, plane++, i);
    }
  }
  for (int i = 0; i < m->nmesh; i++) {
    surface_mesh(device, m, i);
  }
  for (int i = 0; i < m->nhfield; i++) {
    surface_hfield(device, m, i);
  }
  for (int i = 0; i < m->nskin; i++) {
    surface_skin(device, m, i);
    con->skinvertVBO[i] = device->shape[shape_of_skin(device, i)].vertices;
  }
  texture_upload_all(device, con, m);
}

// Fields of mjrContext that follow from the model's visual options.
static void copy_visual(RenderDevice* device, mjrContext* con, const mjModel* m) {
  const mjVisual* vis = &m->vis;
  mjtNum extent = m->stat.extent;
  con->lineWidth = vis->global.linewidth;
  con->shadowClip = (float)(extent * vis->map.shadowclip);
  con->shadowScale = vis->map.shadowscale;
  con->fogStart = (float)(extent * vis->map.fogstart);
  con->fogEnd = (float)(extent * vis->map.fogend);
  memcpy(con->fogRGBA, vis->rgba.fog, sizeof(con->fogRGBA));
  con->shadowSize = vis->quality.shadowsize;
  con->offWidth = vis->global.offwidth;
  con->offHeight = vis->global.offheight;
  con->offSamples = vis->quality.offsamples;
  con->readPixelFormat = GL_RGB;
  con->readDepthMap = mjDEPTH_ZERONEAR;
  memcpy(device->haze_rgb, vis->rgba.haze, sizeof(device->haze_rgb));
  device->haze_fade = vis->map.haze;
}

void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale) {
  mjr_freeContext(con);
  for (int i = 0; i < mjMAXMATERIAL * mjNTEXROLE; i++) {
    con->mat_texid[i] = -1;
  }
  RenderDevice* device = make_device(con, m ? (int)m->nskin : 0);
  take_shapes(device, m);
  con->glInitialized = 1;
  con->offWidth = 800;
  con->offHeight = 600;
  con->lineWidth = 1;
  con->rangeBuiltin = 8;
  con->rangeFont = 128;
  if (m) {
    copy_visual(device, con, m);
    solid_upload(device, shape_pieces(m->vis.quality.numslices, 3),
                 shape_pieces(m->vis.quality.numstacks, 2),
                 shape_pieces(m->vis.quality.numquads, 1));
    upload_model(device, con, m);
    con->rangePlane = device->nplane + 1;
    con->rangeMesh = 2 * device->nmesh;
    con->rangeHField = device->nhfield;
  } else {
    solid_upload(device, 28, 16, 4);
  }
  int scale = fontscale < 100 ? 100 : fontscale > 300 ? 300 : 50 * ((fontscale + 25) / 50);
  mjr_changeFont(scale, con);
  buffer_find_window(device, con);
  buffer_make_offscreen(device, con);
  con->currentBuffer = con->windowAvailable ? mjFB_WINDOW : mjFB_OFFSCREEN;
  mjr_restoreBuffer(con);
}

void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid) {
  RenderDevice* device = render_device(con);
  if (texid < 0 || texid >= con->ntexture || texid >= m->ntex) {
    mju_error("mjr_uploadTexture: texture %d does not exist: there are %d", texid, con->ntexture);
  }
  texture_upload(device, con, m, texid);
}

void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid) {
  RenderDevice* device = render_device(con);
  if (meshid < 0 || meshid >= device->nmesh || meshid >= m->nmesh) {
    mju_error("mjr_uploadMesh: mesh %d does not exist: there are %d", meshid, device->nmesh);
  }
  surface_mesh(device, m, meshid);
}

void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid) {
  RenderDevice* device = render_device(con);
  if (hfieldid < 0 || hfieldid >= device->nhfield || hfieldid >= m->nhfield) {
    mju_error("mjr_uploadHField: height field %d does not exist: there are %d", hfieldid,
              device->nhfield);
  }
  surface_hfield(device, m, hfieldid);
}
