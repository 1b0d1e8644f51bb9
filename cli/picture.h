// picture.h: pictures of a model, without a screen.

#pragma once

#include <mujoco/mujoco.h>

typedef enum PictureKind_ {
  PICTURE_COLOR,
  PICTURE_DEPTH,    // in millimetres
  PICTURE_SEGMENT,  // a color for each shape
} PictureKind;

typedef struct PictureOptions_ {
  int width, height;   // pixels; 0: 1280 x 720
  const char* camera;  // name or number of a camera of the model, NULL for the free one
  int depth, segment;  // 1: this kind of picture
  int is_cut;          // 1: shapes alone, on white, with sharp edges
} PictureOptions;

typedef struct Picture_ Picture;

// Readers for tables of options: WIDTHxHEIGHT. The target is PictureOptions.
int take_size(void* target, const char* option, const char* value);

// Prepares pictures of a model, whose offscreen buffer grows to their size. NULL after a message
// with the reason if nothing can be drawn; *status is the exit status then.
Picture* picture_open(int* status, const char* command, const PictureOptions* options, mjModel* m);

// The same, with the reason in a text instead of a message. The camera must not be named.
Picture* picture_make(char* reason, size_t size, const PictureOptions* options, mjModel* m);

// What is shown, and from where; may be changed before each picture.
mjvOption* picture_option(Picture* picture);
mjvCamera* picture_camera(Picture* picture);

// Makes the next pictures smaller than those that were prepared.
void picture_resize(Picture* picture, int width, int height);

// Draws a state, whose results must be known (mj_forward). Returns the pixels, top row first: 3
// bytes each; of depths 2, most significant first, 65535 for what is further away than 65 m. The
// buffer has room for 3 bytes a pixel in either case.
unsigned char* picture_draw(Picture* picture, mjData* d);

// The size of the picture in pixels.
int picture_width(const Picture* picture);
int picture_height(const Picture* picture);

void picture_close(Picture* picture);
