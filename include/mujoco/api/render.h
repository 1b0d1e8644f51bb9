// render.h: the functions of the interface that draw, into the OpenGL context that is current in
// the calling thread; those that src/render defines, in the library condyle_render. Programs
// include mujoco.h; its conventions hold here. Contexts without a screen: condyle/render.h.
//
// A viewport is a rectangle in pixels from the lower left corner of the buffer that is drawn into:
// the window, or the offscreen buffer (mjr_setBuffer). Rows of pixels go up. Colors are 0 to 1.
// Every function needs the OpenGL context in which its mjrContext was made. It is an error if no
// context is current, or one older than OpenGL 3.3.

#ifndef MUJOCO_API_RENDER_H_
#define MUJOCO_API_RENDER_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// contexts

// Makes a context empty. To be called once, before mjr_makeContext.
MJAPI void mjr_defaultContext(mjrContext* con);

// Puts a model's meshes, height fields, planes, skins and textures on the graphics device, with the
// fonts and an offscreen buffer of the size that its visual options ask for. Frees what con had.
// The scale of fonts is rounded to the nearest mjtFontScale from 100 up. m may be NULL: fonts and
// an offscreen buffer of 800x600 alone. Pictures go to the window if the OpenGL context has one.
MJAPI void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale);

// Replaces the fonts by those of another size (mjtFontScale).
MJAPI void mjr_changeFont(int fontscale, mjrContext* con);

// Makes an auxiliary buffer (0 to mjNAUX - 1) in place of the one before; width or height below 1:
// none. The number of samples per pixel is cut to what the device has.
MJAPI void mjr_addAux(int index, int width, int height, int samples, mjrContext* con);

// Frees everything on the graphics device.
MJAPI void mjr_freeContext(mjrContext* con);

// Changes the size of the offscreen buffer.
MJAPI void mjr_resizeOffscreen(int width, int height, mjrContext* con);

// Puts one texture, mesh or height field of the model on the device again, after it was changed.
MJAPI void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid);
MJAPI void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid);
MJAPI void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid);

// What draws, since 4.0: before anything is drawn, and for the OpenGL context that is current.
MJAPI void mjr_defaultRendererInfo(mjrRendererInfo* info);
MJAPI void mjr_getRendererInfo(mjrRendererInfo* info);

// buffers

// Draws into con->currentBuffer again, after own OpenGL calls or mjr_setAux.
MJAPI void mjr_restoreBuffer(const mjrContext* con);

// Chooses the buffer that is drawn into (mjtFramebuffer). If only one exists it is that one.
MJAPI void mjr_setBuffer(int framebuffer, mjrContext* con);

// Reads colors (3 bytes per pixel, con->readPixelFormat in the offscreen buffer) and depths (0 to
// 1, con->readDepthMap) of a viewport, row by row. Either may be NULL.
MJAPI void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport,
                          const mjrContext* con);

// Writes colors and depths into a viewport; depths are stored as they are. Either may be NULL.
MJAPI void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport,
                          const mjrContext* con);

// Copies from the current buffer to the other one, colors and depths as wanted. Colors alone are
// interpolated if the sizes differ. Nothing happens if a buffer is missing.
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth,
                          const mjrContext* con);

// Draws into an auxiliary buffer, until mjr_restoreBuffer.
MJAPI void mjr_setAux(int index, const mjrContext* con);

// Copies a part of an auxiliary buffer to a place in con->currentBuffer. Nothing happens if there
// is no such auxiliary buffer.
MJAPI void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con);

// text and rectangles

// Text at (x, y), fractions of OpenGL's viewport, in a font (mjtFont). Characters from 32 to 126.
MJAPI void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r,
                    float g, float b);

// Lines of text on a dark ground in a corner or at a side of the viewport (mjtGridPos), in one
// column or in two, names and values; overlay2 may be NULL.
MJAPI void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay,
                       const char* overlay2, const mjrContext* con);

// The largest viewport of the current buffer.
MJAPI mjrRect mjr_maxViewport(const mjrContext* con);

// A filled rectangle; a is its opacity.
MJAPI void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a);

// A filled rectangle with text of color (rt, gt, bt) in its middle.
MJAPI void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b,
                     float a, float rt, float gt, float bt, const mjrContext* con);

// A plot of lines. Writes where it is (xaxispixel, yaxispixel) and the ranges of its axes
// (xaxisdata, yaxisdata) into fig.
MJAPI void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con);

// scenes

// Draws a scene. Writes into the scene the distances of shapes, which of them are transparent,
// their order, and 0 as the reflectance of all mirrors but the first.
MJAPI void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con);

// Waits until everything is drawn.
MJAPI void mjr_finish(void);

// OpenGL's next error, 0 if there is none.
MJAPI int mjr_getError(void);

// The first of nrect rectangles that holds the point (x, y), -1 if none does.
MJAPI int mjr_findRect(int x, int y, int nrect, const mjrRect* rect);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_RENDER_H_
