// viewer.h: the state that all parts of the viewer's engine share.
//
// The page has one model, and up to three simulations of it that differ in their law of contacts.
// Side by side they start in the same state and get the same controls, pushes and camera.
// Everything is in one struct, because a worker of the page is one program with one model.

#pragma once

#include <mujoco/mujoco.h>

// Functions that the worker calls: kept by the linker, and visible to it.
#define WEB __attribute__((used, visibility("default")))

// One simulation, and its picture. No model: not in use.
typedef struct World_ {
  mjModel* m;
  mjData* d;
  mjvScene scene;
} World;

typedef struct Viewer_ {
  mjVFS files;                // everything the page has sent
  mjSpec* spec;               // of the model; NULL for a binary one
  World world[cndNCONTACT];   // by the law of contacts
  int own;                    // the law of the model as it is written; -1 without a model
  mjvOption option;           // what is drawn
  mjvCamera camera;           // the eye, the same for all worlds
  mjvPerturb perturb;         // what the mouse holds
  mjtByte flags[mjNRNDFLAG];  // how it is drawn
  char error[1024];           // of the last call that failed
} Viewer;

extern Viewer viewer;

// The world with the model's own law of contacts. It has no model before one is loaded.
World* main_world(void);

// Runs a call whose errors (mju_error) become the text viewer.error. Returns 1 if it went well.
int attempt(void (*call)(void* argument), void* argument);

// Opens a world for a model, which it takes over; frees its former content. Returns 1, or 0, with
// an error, if memory is out.
int open_world(World* world, mjModel* m);
void close_world(World* world);

// Sets the camera from which a new model is seen.
void first_camera(const mjModel* m);

// mj_forward of a World, for attempt.
void forward_world(void* world);
