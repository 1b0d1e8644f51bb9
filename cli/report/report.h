// report.h: what a model is made of, body by body: mass, shapes to be seen and to collide, what
// they cost in collisions, and what was changed while it was loaded.                docs/program.md

#pragma once

#include <stdio.h>

#include "command.h"

// A warning, and the body that it is about, -1 if it is about no single one.
typedef struct ReportNote_ {
  const cndDiagnostic* problem;
  int body;
} ReportNote;

typedef struct Report_ {
  const char* path;
  mjModel* m;  // not changed, but for pictures
  ReportNote* notes;
  int nnote;
  unsigned char* seen;      // 1 for a geom that is drawn by default
  unsigned char* collides;  // 1 for one that can touch another
} Report;

// Collects what is to be said. Returns 0 without memory. The model must stay.
int report_make(Report* report, const char* path, const LoadedModel* loaded);
void report_free(Report* report);

// The name of a body, or "body 3" until the next call; of a geom, or of its mesh, or "" if neither
// has one.
const char* report_bodyname(const mjModel* m, int body);
const char* report_geomname(const mjModel* m, int geom);

// "box", "mesh"...
const char* report_kind(const mjModel* m, int geom);

// What a geom is for: "seen", "collides", "both" or "hidden".
const char* report_use(const Report* report, int geom);

// Edges of the box around a geom in metres, "0.1 x 0.2 x 0.3"; what has no end is "-".
void report_size(char text[48], const mjModel* m, int geom);

// Vertices of a geom's mesh, and of its hull, which is what collides; 0 for other shapes.
int report_vertices(const mjModel* m, int geom);
int report_hullvertices(const mjModel* m, int geom);

// What a geom costs in collisions: the time of a narrow phase with its like, which it overlaps,
// over that of two spheres. 0 if it can't collide, or nobody can say.
double report_cost(const Report* report, int geom);
double report_bodycost(const Report* report, int body);  // sum over its geoms
double report_allcost(const Report* report);

// The next body that never collides with this one, after `at` exclusions; -1 at the end.
int report_partner(int* at, const mjModel* m, int body);

// Does the report say anything of a body?
int report_has(const Report* report, int body);

// Writes "file:line: <element>: " as far as it is known, with the last part of the file's name.
void report_place(char text[200], const cndDiagnostic* problem);

// Prints the table.
void report_print(const Report* report);

// Writes a page that needs no other file, with pictures where something can be drawn. Returns a
// status, after a message if it failed.
int report_write(const Report* report, const char* out);
