// value.c: the program's variables behind items.

#include "render/ui/value.h"

#include <math.h>
#include <mujoco/mjtnum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int value_int(const mjuiItem* item) {
  return item->type == mjITEM_CHECKBYTE ? *(const mjtByte*)item->pdata : *(const int*)item->pdata;
}

void value_toggle(const mjuiItem* item) {
  if (item->type == mjITEM_CHECKBYTE) {
    *(mjtByte*)item->pdata = !*(mjtByte*)item->pdata;
  } else {
    *(int*)item->pdata = !*(int*)item->pdata;
  }
}

// Element i of a value of numbers.
static double get(const mjuiItem* item, int i) {
  switch (item->type) {
    case mjITEM_SLIDERINT:
    case mjITEM_EDITINT:
      return ((const int*)item->pdata)[i];
    case mjITEM_EDITFLOAT:
      return (double)((const float*)item->pdata)[i];
    default:
      return (double)((const mjtNum*)item->pdata)[i];
  }
}

static void set(const mjuiItem* item, int i, double value) {
  switch (item->type) {
    case mjITEM_SLIDERINT:
    case mjITEM_EDITINT:
      ((int*)item->pdata)[i] = (int)fmax(-2147483648.0, fmin(2147483647.0, round(value)));
      break;
    case mjITEM_EDITFLOAT:
      ((float*)item->pdata)[i] = (float)value;
      break;
    default:
      ((mjtNum*)item->pdata)[i] = (mjtNum)value;
  }
}

static int is_slider(const mjuiItem* item) {
  return item->type == mjITEM_SLIDERINT || item->type == mjITEM_SLIDERNUM;
}

void value_print(char out[mjMAXUITEXT], const mjuiItem* item) {
  if (item->type == mjITEM_EDITTXT) {
    snprintf(out, mjMAXUITEXT, "%s", (const char*)item->pdata);
    return;
  }
  int count = is_slider(item) ? 1 : item->edit.nelem;
  size_t n = 0;
  out[0] = 0;
  for (int i = 0; i < count && n < mjMAXUITEXT; i++) {
    n += (size_t)snprintf(out + n, mjMAXUITEXT - n, i ? " %.6g" : "%.6g", get(item, i));
  }
}

int value_read(const mjuiItem* item, const char* text) {
  if (item->type == mjITEM_EDITTXT) {
    snprintf(item->pdata, mjMAXUITEXT, "%s", text);
    return 1;
  }
  double value[mjMAXUIEDIT];
  for (int i = 0; i < item->edit.nelem; i++) {
    char* end;
    value[i] = strtod(text, &end);
    if (end == text || isnan(value[i])) {
      return 0;
    }
    text = end;
  }
  if (text[strspn(text, " \t")]) {
    return 0;
  }
  for (int i = 0; i < item->edit.nelem; i++) {
    const double* range = item->edit.range[i];
    set(item, i, range[0] < range[1] ? fmax(range[0], fmin(range[1], value[i])) : value[i]);
  }
  return 1;
}

double value_share(const mjuiItem* item) {
  const double* range = item->slider.range;
  double share = (get(item, 0) - range[0]) / (range[1] - range[0]);
  return share > 0 ? fmin(share, 1) : 0;
}

int value_move(const mjuiItem* item, double share) {
  const double* range = item->slider.range;
  double before = get(item, 0), steps = item->slider.divisions;
  share = share > 0 ? fmin(share, 1) : 0;
  share = steps >= 1 ? round(share * steps) / steps : share;
  set(item, 0, range[0] + share * (range[1] - range[0]));
  return get(item, 0) != before;
}
