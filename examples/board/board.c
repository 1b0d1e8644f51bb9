// board.c: a control loop for a small board. An arm follows a trajectory by computed torques; all
// memory is one static block, and none is taken once the loop has started.
//
//   condyle compile arm.xml -o arm.mjb
//   cc -O2 -DARM_MODEL='"arm.mjb"' board.c $(pkg-config --cflags --libs condyle_core) -lm -o board
//
// The model is in the program, as bytes of a binary model. malloc and its kin are defined here, so
// that the C library has no other memory either: what the engine takes when the model is loaded and
// its data is made comes out of the block, and a request after that ends the program. Prints how
// much was taken, and how well the arm followed. It runs as it is under QEMU's user mode, for any
// processor; on a board, `plant` is the arm itself: encoders instead of qpos, drives instead of
// ctrl, and the timer's interrupt instead of the loop.

#include <math.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ARM_MODEL
#define ARM_MODEL "arm.mjb"
#endif

// the file becomes bytes of the program, between two symbols; global, since local ones may get one
// address where a program finds them by a table (arm64)
#ifdef __APPLE__
#error "the section for constants has another name here"
#endif
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global arm_model, arm_model_end\n"
    "arm_model:\n"
    ".incbin \"" ARM_MODEL
    "\"\n"
    "arm_model_end:\n"
    ".byte 0\n"
    ".previous\n");
extern const char arm_model[], arm_model_end[];

enum {
  MEMORY = 448 * 1024,
  ALIGN = 64,
  STEPS = 5000
};

// Memory: blocks one behind the other, each with its size before it. The last one can be given
// back; whatever else is freed stays taken, which loading a model makes little of.

static _Alignas(ALIGN) unsigned char memory[MEMORY];
static size_t taken = 0, most = 0;
static int is_running = 0;

static void end_program(const char* why) {
  fputs(why, stderr);
  fputc('\n', stderr);
  abort();
}

static size_t round_up(size_t size) {
  return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t* size_of(void* block) {
  return (size_t*)block - 1;
}

// malloc by another name: compilers make a calloc of a malloc whose block is cleared, and then
// ours would call itself
static void* take(size_t size) {
  if (is_running) {
    end_program("memory was taken while the loop ran");
  }
  if (size > MEMORY - ALIGN || taken + ALIGN + round_up(size) > MEMORY) {
    return NULL;
  }
  unsigned char* block = memory + taken + ALIGN;
  *size_of(block) = round_up(size);
  taken += ALIGN + round_up(size);
  most = taken > most ? taken : most;
  return block;
}

void* malloc(size_t size) {
  return take(size);
}

void free(void* block) {
  if (block && (unsigned char*)block + *size_of(block) == memory + taken) {
    taken -= ALIGN + *size_of(block);
  }
}

void* calloc(size_t count, size_t size) {
  void* block = size && count > MEMORY / size ? NULL : take(count * size);
  return block ? memset(block, 0, count * size) : NULL;
}

void* realloc(void* block, size_t size) {
  size_t old = block ? *size_of(block) : 0;
  void* larger = size <= old ? block : take(size);
  if (larger && block && larger != block) {
    memcpy(larger, block, old);
    free(block);
  }
  return larger;
}

void* aligned_alloc(size_t align, size_t size) {
  return align <= ALIGN ? take(size) : NULL;
}

int posix_memalign(void** out, size_t align, size_t size) {
  *out = aligned_alloc(align, size);
  return *out ? 0 : 12;  // ENOMEM
}

// Where the joints should be, how fast and how accelerated (rad, rad/s, rad/s^2): slow waves.
static void target(mjtNum q[2], mjtNum v[2], mjtNum a[2], double t) {
  static const double middle[2] = {0.3, 1.2}, size[2] = {0.6, 0.5}, rate[2] = {2, 3};
  for (int i = 0; i < 2; i++) {
    double s = sin(rate[i] * t), c = cos(rate[i] * t);
    q[i] = (mjtNum)(middle[i] + size[i] * (1 - c));
    v[i] = (mjtNum)(size[i] * rate[i] * s);
    a[i] = (mjtNum)(size[i] * rate[i] * rate[i] * c);
  }
}

// Computed torque: the force that gives the arm the target's acceleration, corrected by how far it
// is behind:  tau = inverse(q, v, a* + kd (v* - v) + kp (q* - q))
static double control(const mjModel* m, mjData* think, const mjData* plant, mjtNum* torque) {
  const mjtNum kp = 400, kd = 40;
  mjtNum q[2], v[2], a[2];
  target(q, v, a, (double)plant->time);
  double behind = 0;
  for (int i = 0; i < 2; i++) {
    think->qpos[i] = plant->qpos[i];
    think->qvel[i] = plant->qvel[i];
    think->qacc[i] = a[i] + kd * (v[i] - plant->qvel[i]) + kp * (q[i] - plant->qpos[i]);
    behind = fmax(behind, fabs((double)(q[i] - plant->qpos[i])));
  }
  mj_inverse(m, think);
  for (int i = 0; i < 2; i++) {
    torque[i] = think->qfrc_inverse[i];
  }
  return behind;
}

int main(void) {
  static char out[BUFSIZ];
  setvbuf(stdout, out, _IOFBF, sizeof(out));
  mjModel* m = mj_loadModelBuffer(arm_model, (mjtSize)(arm_model_end - arm_model));
  mjData* plant = m ? mj_makeData(m) : NULL;
  mjData* think = plant ? mj_makeData(m) : NULL;
  if (!think || m->nv != 2 || m->nu != 2) {
    end_program("no model of an arm, or too little memory");
  }
  mjtNum rate[2], acceleration[2];
  target(plant->qpos, rate, acceleration, 0);

  is_running = 1;
  double worst = 0;
  for (int i = 0; i < STEPS; i++) {
    double behind = control(m, think, plant, plant->ctrl);
    worst = fmax(worst, behind);
    mj_step(m, plant);
  }
  is_running = 0;

  printf("model: %d bytes; memory: %d bytes at most, %d while running, of %d\n",
         (int)(arm_model_end - arm_model), (int)most, (int)taken, MEMORY);
  printf("steps: %d; largest use of the arenas: %d bytes; behind by %.3g rad at most\n", STEPS,
         (int)(plant->maxuse_arena + think->maxuse_arena), worst);
  return worst < 0.01 ? 0 : 1;
}
