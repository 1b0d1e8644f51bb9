// texture.c: images of a model on the graphics device: flat ones, which repeat, and cubes.

#include "render/texture.h"

#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <string.h>

#include "render/device.h"

// An image as it is given, and how it is stored.
typedef struct Image_ {
  const mjtByte* data;
  int width, height, channels;
  GLint stored;
  GLenum given;
  int is_srgb;
} Image;

// The pixels of a texture, in the model or read from its file.
typedef struct Pixels_ {
  const mjtByte* data;
  int width, height, colorspace;
} Pixels;

// Halves an image for the next mipmap level: each pixel is the mean of those that it covers.
static void halve(mjtByte* out, const mjtByte* in, int width, int height, int channels) {
  size_t row = (size_t)width * (size_t)channels;
  int w = width > 1 ? width / 2 : 1, h = height > 1 ? height / 2 : 1;
  for (int y = 0; y < h; y++) {
    float v = ((float)y + 0.5f) * (float)height / (float)h - 0.5f;
    int below = (int)v;
    float up = v - (float)below;
    const mjtByte* low = in + (size_t)below * row;
    const mjtByte* high = below + 1 < height ? low + row : low;
    for (int x = 0; x < w; x++) {
      float u = ((float)x + 0.5f) * (float)width / (float)w - 0.5f;
      int left = (int)u;
      float right = u - (float)left;
      size_t a = (size_t)left * (size_t)channels;
      size_t b = left + 1 < width ? a + (size_t)channels : a;
      for (int c = 0; c < channels; c++, a++, b++) {
        float bottom = (1 - right) * low[a] + right * low[b];
        float top = (1 - right) * high[a] + right * high[b];
        *out++ = (mjtByte)((1 - up) * bottom + up * top + 0.5f);
      }
    }
  }
}

// Uploads an image and all mipmap levels. glGenerateMipmap would draw them, for which Mesa's
// software renderer compiles programs, and that would take most of the time of making a context. It
// is used only for sRGB colors, which can't be averaged linearly.
static void upload_sizes(const GL* gl, GLenum target, const Image* image) {
  int width = image->width, height = image->height, level = 0;
  gl->TexImage2D(target, level, image->stored, width, height, 0, image->given, GL_UNSIGNED_BYTE,
                 image->data);
  size_t room = (size_t)image->channels * ((size_t)width * (size_t)height / 2 + 1);
  mjtByte* smaller = image->is_srgb ? NULL : mju_malloc(2 * room);
  const mjtByte* from = image->data;
  while (smaller && (width > 1 || height > 1)) {
    mjtByte* to = from == smaller ? smaller + room : smaller;
    halve(to, from, width, height, image->channels);
    from = to;
    width = width > 1 ? width / 2 : 1;
    height = height > 1 ? height / 2 : 1;
    gl->TexImage2D(target, ++level, image->stored, width, height, 0, image->given, GL_UNSIGNED_BYTE,
                   from);
  }
  mju_free(smaller);
}

// Halves an image until the device accepts its size. Returns the memory that then holds the image,
// to be freed by the caller, or NULL.
static mjtByte* fit(Image* image, int most) {
  mjtByte* held = NULL;
  while (image->width > most || image->height > most) {
    int width = image->width > 1 ? image->width / 2 : 1;
    int height = image->height > 1 ? image->height / 2 : 1;
    mjtByte* smaller = mju_malloc((size_t)width * (size_t)height * (size_t)image->channels);
    halve(smaller, image->data, image->width, image->height, image->channels);
    mju_free(held);
    image->data = held = smaller;
    image->width = width;
    image->height = height;
  }
  return held;
}

static void upload_flat(const GL* gl, const Image* image) {
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  GLint most = 1;
  gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  Image fitting = *image;
  mjtByte* held = fit(&fitting, most);
  upload_sizes(gl, GL_TEXTURE_2D, &fitting);
  mju_free(held);
  if (image->is_srgb) {
    gl->GenerateMipmap(GL_TEXTURE_2D);
  }
}

// Six images below each other, or one for all sides.
static void upload_cube(const GL* gl, const Image* image) {
  GLint most = 1;
  gl->GetIntegerv(GL_MAX_CUBE_MAP_TEXTURE_SIZE, &most);
  size_t size = (size_t)image->width * (size_t)image->width * (size_t)image->channels;
  for (GLenum i = 0; i < 6; i++) {
    Image part = *image;
    part.height = image->width;
    part.data = image->data + (image->height == image->width ? 0 : i * size);
    mjtByte* held = fit(&part, most);
    upload_sizes(gl, GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, &part);
    mju_free(held);
  }
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  if (image->is_srgb) {
    gl->GenerateMipmap(GL_TEXTURE_CUBE_MAP);
  }
}

// Uploads pixels of a texture.
static void upload(RenderDevice* device, const mjrContext* con, const mjModel* m, int id,
                   const Pixels* pixels) {
  const GL* gl = &device->gl;
  int channels = m->tex_nchannel[id];
  if (channels != 1 && channels != 3 && channels != 4) {
    mju_error("mjr_uploadTexture: texture %d has %d channels: 3 and 4 are known, and 1", id,
              channels);
  }
  int width = pixels->width, height = pixels->height;
  int is_flat = m->tex_type[id] == mjTEXTURE_2D;
  if (width < 1 || height < 1 || (!is_flat && height != width && height != 6 * width)) {
    mju_error("mjr_uploadTexture: texture %d has %d x %d pixels: %s", id, width, height,
              is_flat ? "there must be some" : "a cube has one square or six below each other");
  }
  int is_srgb = pixels->colorspace == mjCOLORSPACE_SRGB;
  const GLenum given[] = {GL_RED, GL_RED, GL_RGB, GL_RGB, GL_RGBA};
  const GLenum plain[] = {GL_R8, GL_R8, GL_RGB8, GL_RGB8, GL_RGBA8};
  const GLenum srgb[] = {GL_R8, GL_R8, GL_SRGB8, GL_SRGB8, GL_SRGB8_ALPHA8};
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(is_flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP, con->texture[id]);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  const Image image = {.data = pixels->data,
                       .width = width,
                       .height = height,
                       .channels = channels,
                       .stored = (GLint)(is_srgb ? srgb[channels] : plain[channels]),
                       .given = given[channels],
                       .is_srgb = is_srgb && channels >= 3};
  (is_flat ? upload_flat : upload_cube)(gl, &image);
}

// A texture whose file alone the model names is read now.
void texture_upload(RenderDevice* device, const mjrContext* con, const mjModel* m, int id) {
  if (m->tex_adr[id] >= 0) {
    const Pixels stored = {m->tex_data + m->tex_adr[id], m->tex_width[id], m->tex_height[id],
                           m->tex_colorspace[id]};
    upload(device, con, m, id, &stored);
    return;
  }
  Pixels read = {0};
  mjtByte* data;
  char error[300] = "";
  if (mj_loadTexture(m, id, &data, &read.width, &read.height, &read.colorspace, error,
                     sizeof(error))) {
    mju_error("mjr_uploadTexture: texture %d: %s", id, error);
  }
  read.data = data;
  upload(device, con, m, id, &read);
  mju_free(data);
}

void texture_upload_all(RenderDevice* device, mjrContext* con, const mjModel* m) {
  device->skybox = -1;
  for (int i = m->ntex - 1; i >= 0; i--) {
    device->skybox = m->tex_type[i] == mjTEXTURE_SKYBOX ? i : device->skybox;
  }
  int most = mjMAXMATERIAL - 2 - (device->skybox >= 0);
  if (m->nmat > most) {
    mju_error("mjr_makeContext: the model has %d materials: at most %d can be drawn", (int)m->nmat,
              most);
  }
  if (m->ntex > mjMAXTEXTURE) {
    mju_error("mjr_makeContext: the model has %d textures: at most %d can be drawn", (int)m->ntex,
              mjMAXTEXTURE);
  }
  for (int i = 0; i < m->nmat; i++) {
    if (m->mat_texid[mjNTEXROLE * i + mjTEXROLE_RGB] >= 0) {
      memcpy(con->mat_texid + mjNTEXROLE * i, m->mat_texid + mjNTEXROLE * i,
             mjNTEXROLE * sizeof(int));
      con->mat_texuniform[i] = m->mat_texuniform[i];
      con->mat_texrepeat[2 * i] = m->mat_texrepeat[2 * i];
      con->mat_texrepeat[2 * i + 1] = m->mat_texrepeat[2 * i + 1];
    }
  }
  if (device->skybox >= 0) {
    con->mat_texid[mjNTEXROLE * (mjMAXMATERIAL - 1) + mjTEXROLE_RGB] = device->skybox;
  }
  con->ntexture = (int)m->ntex;
  device->gl.GenTextures(con->ntexture, con->texture);
  for (int i = 0; i < m->ntex; i++) {
    con->textureType[i] = m->tex_type[i];
    texture_upload(device, con, m, i);
  }
}

void texture_free_all(RenderDevice* device, mjrContext* con) {
  device->gl.DeleteTextures(con->ntexture, con->texture);
  con->ntexture = 0;
}
