// jpeg.c: reads JPEG by libjpeg, whose errors become ours.

#include <mujoco/api/base.h>
#include <stdio.h>

#include "imagefile/formats.h"

#ifdef CONDYLE_JPEG

#include <setjmp.h>
#include <string.h>
// libjpeg needs the first two
#include <jerror.h>
#include <jpeglib.h>

#include "base/memory/memory.h"

enum {
  MOST_PASSES = 100,          // over the picture: each of a progressive file takes time
  MOST_PIXELS_A_BYTE = 1024,  // of grey in grey, a block of 64 takes 2 bits at least
  MOST_MEMORY = 1 << 29,      // of libjpeg: all coefficients of a progressive file
};

typedef struct Reading_ {
  struct jpeg_error_mgr errors;  // first member: libjpeg gives it back
  struct jpeg_progress_mgr progress;
  struct jpeg_decompress_struct jpeg;
  jmp_buf end;
  ImageBuild* build;
  unsigned char* row;  // of four channels
  char problem[JMSG_LENGTH_MAX];
} Reading;

static _Noreturn void end_reading(j_common_ptr jpeg) {
  Reading* reading = (Reading*)(void*)jpeg->err;
  longjmp(reading->end, 1);
}

static void keep_error(j_common_ptr jpeg) {
  Reading* reading = (Reading*)(void*)jpeg->err;
  if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY) {
    snprintf(reading->problem, sizeof(reading->problem), "%s", MEMORY_OUT);
  } else {
    jpeg->err->format_message(jpeg, reading->problem);
  }
  end_reading(jpeg);
}

static void be_silent(j_common_ptr jpeg) {
  (void)jpeg;
}

static void limit_passes(j_common_ptr jpeg) {
  Reading* reading = (Reading*)(void*)jpeg->err;
  if (reading->jpeg.input_scan_number > MOST_PASSES) {
    snprintf(reading->problem, sizeof(reading->problem), "a JPEG of more than %d passes",
             MOST_PASSES);
    end_reading(jpeg);
  }
}

// Programs of Adobe write the four inks inverted.
static void put_inks(const Reading* reading, int row) {
  for (int i = 0; i < reading->build->file->width; i++) {
    const unsigned char* ink = reading->row + 4 * (size_t)i;
    unsigned char channel[3];
    for (int k = 0; k < 3; k++) {
      unsigned light = reading->jpeg.saw_Adobe_marker ? ink[k] : 255u - ink[k];
      unsigned black = reading->jpeg.saw_Adobe_marker ? ink[3] : 255u - ink[3];
      channel[k] = (unsigned char)((light * black + 127) / 255);
    }
    image_put(reading->build, row, i, channel[0], channel[1], channel[2]);
  }
}

static void read_rows(Reading* reading) {
  struct jpeg_decompress_struct* jpeg = &reading->jpeg;
  const ImageFile* file = reading->build->file;
  while (jpeg->output_scanline < jpeg->output_height) {
    int row = (int)jpeg->output_scanline;
    JSAMPROW to = reading->row ? reading->row : file->pixel + 3 * (size_t)row * (size_t)file->width;
    jpeg_read_scanlines(jpeg, &to, 1);
    if (reading->row) {
      put_inks(reading, row);
    }
  }
}

// Memory of ours is taken before libjpeg begins to decode, and outside of its reach: an error of
// ours would pass by what it holds.
static void read_header(Reading* reading) {
  struct jpeg_decompress_struct* jpeg = &reading->jpeg;
  jpeg_create_decompress(jpeg);
  jpeg->progress = &reading->progress;
  reading->progress.progress_monitor = limit_passes;
  jpeg->mem->max_memory_to_use = MOST_MEMORY;
  jpeg_mem_src(jpeg, reading->build->bytes, (unsigned long)reading->build->size);
  jpeg_read_header(jpeg, TRUE);
  jpeg->out_color_space = jpeg->num_components == 4 ? JCS_CMYK : JCS_RGB;
}

// Runs a part under libjpeg's errors, which end in one of ours.
static void run_caught(Reading* reading, void (*part)(Reading* reading)) {
  if (setjmp(reading->end)) {
    jpeg_destroy_decompress(&reading->jpeg);
    mju_error("%s", reading->problem);
  }
  part(reading);
}

static void decode(Reading* reading) {
  jpeg_start_decompress(&reading->jpeg);
  read_rows(reading);
}

typedef struct Sizes_ {
  long long width, height;
  int channels;
} Sizes;

// The size of the picture, by a reading of its own.
static Sizes read_sizes(Reading* reading) {
  run_caught(reading, read_header);
  Sizes sizes = {reading->jpeg.image_width, reading->jpeg.image_height,
                 reading->jpeg.num_components};
  jpeg_destroy_decompress(&reading->jpeg);
  return sizes;
}

void jpeg_read(ImageBuild* build) {
  Reading* reading = heap_zero(1, sizeof(Reading));
  reading->build = build;
  reading->jpeg.err = jpeg_std_error(&reading->errors);
  reading->errors.error_exit = keep_error;
  reading->errors.output_message = be_silent;
  Sizes sizes = read_sizes(reading);
  image_size(build, sizes.width, sizes.height,
             (unsigned long long)MOST_PIXELS_A_BYTE * build->size);
  reading->row = sizes.channels == 4 ? heap_take(4 * (size_t)sizes.width) : NULL;
  run_caught(reading, read_header);
  run_caught(reading, decode);
  jpeg_destroy_decompress(&reading->jpeg);
  heap_free(reading->row);
  heap_free(reading);
}

#else

void jpeg_read(ImageBuild* build) {
  (void)build;
  mju_error(
      "JPEG was not found when the engine was built (on Debian: apt-get install libjpeg-dev)");
}

#endif
