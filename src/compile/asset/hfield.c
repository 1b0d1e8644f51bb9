// hfield.c: makes height fields from numbers, pictures and binary files.

#include "compile/asset/hfield.h"

#include <float.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/texture/image.h"

static const uint64_t max_bytes = (uint64_t)1 << 30;
static const double least_range = 1e-14;  // a smaller range counts as flat

static void take_data(HField* field, int nrow, int ncol) {
  uint64_t count = (uint64_t)nrow * (uint64_t)ncol;
  if (count * sizeof(float) > max_bytes) {
    mju_error("height field of %d x %d samples is too large", nrow, ncol);
  }
  field->nrow = nrow;
  field->ncol = ncol;
  field->data = heap_take((size_t)count * sizeof(float));
}

static void read_inline(HField* field, const HFieldRequest* r) {
  const mjsHField* s = r->spec;
  if (s->nrow < 1 || s->ncol < 1 || s->userdata->num == 0) {
    mju_error("hfield not specified");
  }
  take_data(field, s->nrow, s->ncol);
  memcpy(field->data, s->userdata->ptr, s->userdata->num * sizeof(float));
}

static void read_png(HField* field, const HFieldRequest* r) {
  ImageRequest request = {IMAGE_PNG, r->file, 1, 0, 1};
  Image* image = image_make(&request);
  take_data(field, image->height, image->width);
  for (size_t i = 0; i < (size_t)field->nrow * (size_t)field->ncol; i++) {
    field->data[i] = image->pixel[i];
  }
  asset_release(image);
}

static void read_custom(HField* field, const HFieldRequest* r) {
  int32_t side[2];
  if (r->file->size == 0) {
    mju_error("could not read hfield file '%s'", r->file->shown);
  }
  if (r->file->size < sizeof(side)) {
    mju_error("hfield missing header '%s'", r->file->shown);
  }
  memcpy(side, r->file->bytes, sizeof(side));
  if (side[0] < 1 || side[1] < 1) {
    mju_error("non-positive hfield dimensions in file '%s'", r->file->shown);
  }
  uint64_t count = (uint64_t)side[0] * (uint64_t)side[1];
  if (count > max_bytes || r->file->size != sizeof(side) + count * sizeof(float)) {
    mju_error("unexpected file size in file '%s'", r->file->shown);
  }
  take_data(field, side[0], side[1]);
  memcpy(field->data, r->file->bytes + sizeof(side), (size_t)count * sizeof(float));
}

// Refuses infinite heights, which would make all others 0 or NaN.
static void check_finite(const HField* field, const char* name) {
  for (int r = 0; r < field->nrow; r++) {
    for (int c = 0; c < field->ncol; c++) {
      double h = (double)field->data[(size_t)r * (size_t)field->ncol + (size_t)c];
      if (isinf(h)) {
        mju_error("height in row %d, column %d of hfield '%s' is %g, must be finite", r, c, name,
                  h);
      }
    }
  }
}

// h <- (h - min) / (max - min), where min and max ignore NaN
static void normalize(HField* field, const char* name) {
  size_t n = (size_t)field->nrow * (size_t)field->ncol;
  float least = FLT_MAX, most = -FLT_MAX;
  for (size_t i = 0; i < n; i++) {
    float h = field->data[i];
    least = h < least ? h : least;
    most = h > most ? h : most;
  }
  if (least > most) {
    mju_error("invalid data range in hfield '%s'", name);
  }
  float range = most - least;
  if (isinf(range)) {
    mju_error("heights of hfield '%s' are from %g to %g, must differ by at most %g", name,
              (double)least, (double)most, (double)FLT_MAX);
  }
  for (size_t i = 0; i < n; i++) {
    field->data[i] -= least;
    if (range > least_range) {
      field->data[i] /= range;
    }
  }
}

static void free_hfield(void* item) {
  HField* field = item;
  heap_free(field->data);
  heap_free(field);
}

HField* hfield_make(const HFieldRequest* r) {
  HField* field = heap_zero(1, sizeof(HField));
  const mjsHField* s = r->spec;
  if (s->userdata->num && r->format != HFIELD_INLINE) {
    mju_error("elevation data length must match nrow*ncol: both a file and data are given");
  }
  if (r->format == HFIELD_INLINE && s->nrow > 0 && s->ncol > 0 && s->userdata->num &&
      s->userdata->num != (uint64_t)s->nrow * (uint64_t)s->ncol) {
    mju_error("elevation data length must match nrow*ncol: %zu numbers are given for %d x %d",
              (size_t)s->userdata->num, s->nrow, s->ncol);
  }
  for (int k = 0; k < 4; k++) {
    if (!(s->size[k] > 0)) {
      mju_error("size parameter is not positive in hfield: size[%d] is %g", k, s->size[k]);
    }
  }
  if (r->format == HFIELD_INLINE) {
    read_inline(field, r);
  } else if (r->format == HFIELD_PNG) {
    read_png(field, r);
  } else {
    read_custom(field, r);
  }
  check_finite(field, r->name);
  normalize(field, r->name);
  size_t bytes = (size_t)field->nrow * (size_t)field->ncol * sizeof(float);
  asset_share(&field->shared, sizeof(HField) + bytes, free_hfield);
  return field;
}

Digest hfield_key(const HFieldRequest* r) {
  Digest key = asset_key("hfield");
  int numbers[] = {(int)r->format, r->spec->nrow, r->spec->ncol};
  digest_add(&key, numbers, sizeof(numbers));
  digest_add(&key, r->spec->size, sizeof(r->spec->size));
  digest_add(&key, r->spec->userdata->ptr, r->spec->userdata->num * sizeof(float));
  if (r->format != HFIELD_INLINE) {
    digest_add(&key, r->file->digest.half, sizeof(r->file->digest.half));
  }
  return key;
}
