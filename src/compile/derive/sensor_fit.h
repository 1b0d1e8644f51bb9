// sensor_fit.h: the rules about objects and dimensions of sensors that a model alone tells. The
// compiler asks them of what an author wrote, the loader of binary models of what a file says.
//
// A function about an object returns what is wrong with it, NULL if nothing is.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>

#include "sensor/sensor.h"

// The stage after which a sensor is read.
int fit_stage(const mjModel* m, const SensorType* type, mjtSensor kind, const int intprm[mjNSENS]);

// Numbers of a contact sensor; of a rangefinder, which has one record for each ray: for each pixel
// of a camera. In double, as numbers of a file may overflow an int.
double fit_contactdim(const int intprm[mjNSENS]);
double fit_raydim(const int intprm[mjNSENS], const int resolution[2]);

// Is it a type of objects with a frame? May a sensor have no object?
int fit_isframe(mjtObj type);
int fit_maybenothing(mjtSensor type);

// The object, with the ids of object and reference; the reference.
const char* fit_object(const mjModel* m, const mjsSensor* spec, const int id[2]);
const char* fit_reference(const mjModel* m, const mjsSensor* spec, int refid);

// Is it an insidesite sensor with `enclosed`? Then its object. *type, *named: which object is
// wrong, itself or a geom of it.
int fit_isenclosed(mjtSensor type, const int intprm[mjNSENS]);
const char* fit_enclosed(mjtObj* type, int* named, const mjModel* m, const mjsSensor* spec, int id);

// Are the sensors of a model with valid ids such as the compiler could have made?
int derive_validsensors(const mjModel* m);
