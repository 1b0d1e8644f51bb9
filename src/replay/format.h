// format.h: the file of a run, and what writer and reader share.
//
//   head, 256 bytes     "CNDRUN1\n", int32 0x01020304, int32 bytes of an mjtNum, a line of text
//   int64, bytes        the model as a binary model
//   int64, numbers      the state before the first step
//   for each step       int32 n, then n runs of numbers that were set: int32 first, int32 count,
//                       numbers; then the hash of the state after it
//   end                 int32 -1, int32 flags, int64 number of steps, numbers of the last state,
//                       the sum of all bytes before
//
// Numbers are as they are in memory: machines of another byte order, and builds with another
// mjtNum, refuse the file by its head. The sum tells a damaged file from a run that differs.

#pragma once

#include <mujoco/mjtnum.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_MAGIC "CNDRUN1\n"

enum {
  RUN_HEAD = 256,  // bytes
  RUN_TEXT = 16,   // where the line begins
  RUN_ORDER = 0x01020304,
  RUN_END = -1,     // instead of a number of runs
  RUN_CHANGED = 1,  // flag: the model was changed while it was recorded
};

// The sum of bytes (FNV-1a), from the sum of those before.
static const uint64_t run_sum_start = 14695981039346656037u;
uint64_t run_sum(uint64_t sum, const void* bytes, size_t count);

// The bits of a number; all NaN are one.
uint64_t run_bits(mjtNum x);
