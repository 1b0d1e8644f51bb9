// history.c: past controls and sensor values: how they are kept, and read between two samples.
//                                                              theory/time/history.md, Buffers

#include "model/data/history.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "model/history_size.h"
#include "model/input.h"

// Times closer than this are the same.
#define SAME_TIME ((mjtNum)1e-15)

enum {
  HELD,
  LINEAR,
  CUBIC
};  // interpolations

static History buffer_at(const mjData* d, int adr, const int history[2], int dim) {
  int is_there = adr >= 0 && history[0] > 0;
  return (History){is_there ? d->history + adr : NULL, history[0], dim, history[1]};
}

History history_of_actuator(const mjModel* m, const mjData* d, int id) {
  return buffer_at(d, m->actuator_historyadr[id], m->actuator_history + 2 * id,
                   m->actuator_ctrlnum[id]);
}

History history_of_sensor(const mjModel* m, const mjData* d, int id) {
  return buffer_at(d, m->sensor_historyadr[id], m->sensor_history + 2 * id, m->sensor_dim[id]);
}

// samples in order of age: k = 0 is the oldest

// The slot of the newest sample. The program may have written anything there.
static int cursor_of(const History* h) {
  mjtNum cursor = h->number[1];
  return cursor >= 0 && cursor < h->n ? (int)cursor : h->n - 1;
}

static int slot_of(const History* h, int k) {
  return (cursor_of(h) + 1 + k) % h->n;
}

static mjtNum* time_of(const History* h, int k) {
  return h->number + 2 + slot_of(h, k);
}

static mjtNum* value_of(const History* h, int k) {
  return h->number + 2 + h->n + (size_t)slot_of(h, k) * h->dim;
}

// The oldest sample that is not older than the time; n if there is none.
static int find(const History* h, mjtNum time) {
  int lo = 0, hi = h->n;
  while (lo < hi) {
    int middle = lo + (hi - lo) / 2;
    if (*time_of(h, middle) >= time) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return lo;
}

// Cubic Hermite between samples lo and lo + 1, with D the time between them and the slopes of the
// neighbours' difference, 0 at the ends of the buffer:
//
//   (2a^3 - 3a^2 + 1) x_lo + (a^3 - 2a^2 + a) D m_lo + (3a^2 - 2a^3) x_hi + (a^3 - a^2) D m_hi
static void interpolate_cubic(mjtNum* out, const History* h, int lo, mjtNum a) {
  int hi = lo + 1, has_before = lo > 0, has_after = hi < h->n - 1;
  mjtNum t_lo = *time_of(h, lo), t_hi = *time_of(h, hi), D = t_hi - t_lo;
  mjtNum square = a * a, cube = square * a;
  mjtNum before = has_before ? D / (t_hi - *time_of(h, lo - 1)) : 0;
  mjtNum after = has_after ? D / (*time_of(h, hi + 1) - t_lo) : 0;
  const mjtNum *x_lo = value_of(h, lo), *x_hi = value_of(h, hi);
  const mjtNum* x_before = has_before ? value_of(h, lo - 1) : x_hi;
  const mjtNum* x_after = has_after ? value_of(h, hi + 1) : x_lo;
  for (int k = 0; k < h->dim; k++) {
    out[k] = (2 * cube - 3 * square + 1) * x_lo[k] +
             (cube - 2 * square + a) * before * (x_hi[k] - x_before[k]) +
             (3 * square - 2 * cube) * x_hi[k] + (cube - square) * after * (x_after[k] - x_lo[k]);
  }
}

// Before the oldest and after the newest sample their values hold.
const mjtNum* history_read(mjtNum* result, const History* h, mjtNum time, int interp) {
  int newest = h->n - 1, i = find(h, time);
  if (time <= *time_of(h, 0) + SAME_TIME) {
    return value_of(h, 0);
  }
  if (time >= *time_of(h, newest) - SAME_TIME || i > newest) {
    return value_of(h, newest);
  }
  if (mju_abs(time - *time_of(h, i)) < SAME_TIME) {
    return value_of(h, i);
  }
  int lo = i > 0 ? i - 1 : 0;
  if (interp == HELD || i == 0) {
    return value_of(h, lo);
  }
  mjtNum a = (time - *time_of(h, lo)) / (*time_of(h, i) - *time_of(h, lo));
  if (interp == LINEAR) {
    const mjtNum *x = value_of(h, lo), *y = value_of(h, i);
    for (int k = 0; k < h->dim; k++) {
      result[k] = x[k] + a * (y[k] - x[k]);
    }
  } else {
    interpolate_cubic(result, h, lo, a);
  }
  return result;
}

// A sample of that time is overwritten. A time after all others takes the slot of the oldest
// sample; one before all others replaces the oldest; one in between drops it, too, and samples that
// are older than the new one move down.
mjtNum* history_insert(const History* h, mjtNum time) {
  int i = find(h, time), n = h->n;
  if (i < n && mju_abs(*time_of(h, i) - time) < SAME_TIME) {
    return value_of(h, i);
  }
  int k = i > 0 ? i - 1 : 0;
  if (i == n) {
    h->number[1] = (cursor_of(h) + 1) % n;
  } else {
    for (int j = 0; j < k; j++) {
      *time_of(h, j) = *time_of(h, j + 1);
      memcpy(value_of(h, j), value_of(h, j + 1), (size_t)h->dim * sizeof(mjtNum));
    }
  }
  *time_of(h, k) = time;
  return value_of(h, k);
}

// controls and sensors

void history_controls(mjtNum* out, const mjModel* m, const mjData* d, int id) {
  History h = history_of_actuator(m, d, id);
  const mjtNum* value = d->ctrl + m->actuator_ctrladr[id];
  mjtNum delay = m->actuator_delay[id];
  if (h.number && delay != 0) {
    value = history_read(out, &h, d->time - delay, h.interp);
  }
  if (value != out) {
    memcpy(out, value, (size_t)m->actuator_ctrlnum[id] * sizeof(mjtNum));
  }
}

void history_store_controls(const mjModel* m, mjData* d) {
  for (int i = 0; m->nhistory && i < (int)m->nactuator; i++) {
    History h = history_of_actuator(m, d, i);
    if (h.number) {
      mju_copy(history_insert(&h, d->time), d->ctrl + m->actuator_ctrladr[i], h.dim);
    }
  }
}

int history_is_due(const mjModel* m, const mjData* d, const History* h, int sensor) {
  mjtNum period = m->sensor_interval[2 * sensor];
  return !(period > 0) || h->number[0] + period <= d->time;
}

// Times before 0, a step apart; of an interval sensor at the steps that would have measured.
static void reset_buffer(const History* h, mjtNum user, mjtNum period, mjtNum step) {
  memset(h->number, 0, (size_t)history_size(h->n, h->dim) * sizeof(mjtNum));
  h->number[0] = user;
  h->number[1] = h->n - 1;
  for (int j = 0; j < h->n; j++) {
    mjtNum before = h->n - 1 - j;
    h->number[2 + j] =
        period > 0 ? mju_ceil((user - before * period) / step) * step : -(before + 1) * step;
  }
}

void history_reset(const mjModel* m, mjData* d) {
  mjtNum step = m->opt.timestep;
  if (!m->nhistory) {
    return;
  }
  if (!(step > 0)) {
    mju_warning("history buffers need a positive timestep, got %g", (double)step);
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    History h = history_of_actuator(m, d, i);
    if (h.number) {
      reset_buffer(&h, 0, 0, step);
      for (int k = 0; k < h.n; k++) {
        input_neutral(value_of(&h, k), m, i);
      }
    }
  }
  for (int i = 0; i < m->nsensor; i++) {
    History h = history_of_sensor(m, d, i);
    mjtNum period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
    if (h.number) {
      reset_buffer(&h, period > 0 ? (phase == 0 ? -period : phase) : -step, period, step);
    }
  }
}

// the interface

static const mjtNum* read_buffer(const History* h, mjtNum time, mjtNum* result, int interp) {
  check_arrays(h->dim, result);
  const mjtNum* value = history_read(result, h, time, interp < 0 ? h->interp : interp);
  return value == result ? NULL : value;
}

const mjtNum* mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result,
                          int interp) {
  check_pair(m, d);
  check_index("mj_readCtrl", "actuator", id, (int)m->nactuator);
  History h = history_of_actuator(m, d, id);
  return h.number ? read_buffer(&h, time - m->actuator_delay[id], result, interp)
                  : d->ctrl + m->actuator_ctrladr[id];
}

const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result,
                            int interp) {
  check_pair(m, d);
  check_index("mj_readSensor", "sensor", id, m->nsensor);
  History h = history_of_sensor(m, d, id);
  return h.number ? read_buffer(&h, time - m->sensor_delay[id], result, interp)
                  : d->sensordata + m->sensor_adr[id];
}

// Given times are stored in the order of slots, and the last is the newest; without them row k
// becomes the value of the k-th oldest sample.
static void fill_buffer(const char* function, const History* h, const mjtNum* times,
                        const mjtNum* values) {
  check_arrays(h->n * h->dim, values);
  for (int i = 0; times && i + 1 < h->n; i++) {
    if (!(times[i + 1] - times[i] > SAME_TIME)) {
      mju_error("%s: times must increase, but number %d is %g and the next one %g", function, i,
                (double)times[i], (double)times[i + 1]);
      return;
    }
  }
  if (times) {
    h->number[1] = h->n - 1;
    mju_copy(h->number + 2, times, h->n);
  }
  for (int k = 0; k < h->n; k++) {
    mju_copy(value_of(h, k), values + (size_t)k * h->dim, h->dim);
  }
}

void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                        const mjtNum* values) {
  check_pair(m, d);
  check_index("mj_initCtrlHistory", "actuator", id, (int)m->nactuator);
  History h = history_of_actuator(m, d, id);
  if (!h.number) {
    mju_error("mj_initCtrlHistory: actuator %d has no history", id);
    return;
  }
  fill_buffer("mj_initCtrlHistory", &h, times, values);
}

void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                          const mjtNum* values, mjtNum phase) {
  check_pair(m, d);
  check_index("mj_initSensorHistory", "sensor", id, m->nsensor);
  History h = history_of_sensor(m, d, id);
  if (!h.number) {
    mju_error("mj_initSensorHistory: sensor %d has no history", id);
    return;
  }
  fill_buffer("mj_initSensorHistory", &h, times, values);
  h.number[0] = phase;
}
