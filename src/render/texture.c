// texture.c: images of a model on the graphics device: flat ones, which repeat, and cubes.

#include "render/texture.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "render/device.h"

static void upload_flat(const GL* gl, const mjModel* m, int id, GLenum stored, GLenum given) {
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl->TexImage2D(GL_TEXTURE_2D, 0, (GLint)stored, m->tex_width[id], m->tex_height[id], 0, given,
                 GL_UNSIGNED_BYTE, m->tex_data + m->tex_adr[id]);
  gl->GenerateMipmap(GL_TEXTURE_2D);
}

// Six images below each other, or one for all sides.
static void upload_cube(const GL* gl, const mjModel* m, int id, GLenum stored, GLenum given) {
  int width = m->tex_width[id];
  size_t side = (size_t)width * (size_t)width * (size_t)m->tex_nchannel[id];
  int is_one = m->tex_height[id] == width;
  for (GLenum i = 0; i < 6; i++) {
    const mjtByte* data = m->tex_data + m->tex_adr[id] + (is_one ? 0 : i * side);
    gl->TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, (GLint)stored, width, width, 0, given,
                   GL_UNSIGNED_BYTE, data);
  }
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl->GenerateMipmap(GL_TEXTURE_CUBE_MAP);
}

void texture_upload(RenderDevice* device, const mjrContext* con, const mjModel* m, int id) {
  const GL* gl = &device->gl;
  int channels = m->tex_nchannel[id];
  if (channels != 1 && channels != 3 && channels != 4) {
    mju_error("mjr_uploadTexture: texture %d has %d channels: 3 and 4 are known, and 1", id,
              channels);
  }
  int is_srgb = m->tex_colorspace[id] == mjCOLORSPACE_SRGB;
  const GLenum given[] = {GL_RED, GL_RED, GL_RGB, GL_RGB, GL_RGBA};
  const GLenum plain[] = {GL_R8, GL_R8, GL_RGB8, GL_RGB8, GL_RGBA8};
  const GLenum srgb[] = {GL_R8, GL_R8, GL_SRGB8, GL_SRGB8, GL_SRGB8_ALPHA8};
  int is_flat = m->tex_type[id] == mjTEXTURE_2D;
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(is_flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP, con->texture[id]);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  (is_flat ? upload_flat : upload_cube)(gl, m, id, is_srgb ? srgb[channels] : plain[channels],
                                        given[channels]);
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
