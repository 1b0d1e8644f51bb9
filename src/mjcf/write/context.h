// context.h: what the writers of all sections share: the model, and the text so far.

#ifndef CONDYLE_MJCF_WRITE_CONTEXT_H_
#define CONDYLE_MJCF_WRITE_CONTEXT_H_

#include <mujoco/mjspec.h>

#include "mjcf/schema.h"
#include "spec/spec.h"

// An element that is being written.
typedef struct OpenElement_ {
  const char* name;
  size_t start;  // where its text begins, and that of its parent's ">" if it is the first child
  int first;     // it is the first child
  int attributes;
  int children;
} OpenElement;

// The text so far.
typedef struct Writer_ {
  const SpecTree* tree;
  const mjModel* m;       // the numbers: no names, vertices, pixels, patterns in it
  const SpecTree* blank;  // an empty spec: built-in defaults
  int expanded;           // lengths and damping that the compiler found are written too
  int joined;             // asset directories are in the file names, for they differ
  const char* scope;      // class that elements of the tree have by themselves
  char* opened;           // by frame id: was open before, can't be opened again
  char** instance;        // by id of plugin instance: its name, NULL if it stands where it is used

  char* text;
  size_t size, capacity;
  OpenElement* open;
  int depth, maxdepth;
} Writer;

void write_begin(Writer* w, const char* name);
void write_end(Writer* w);

// Ends an element, or takes it back if it has neither attributes nor children.
void write_enddrop(Writer* w);

void write_text(Writer* w, const char* attribute, const char* value);
void write_given(Writer* w, const char* attribute, const mjString* value);  // unless it is empty
void write_key(Writer* w, const char* attribute, const SchemaKey* keys, int value);
void write_int(Writer* w, const char* attribute, int value);
void write_reals(Writer* w, const char* attribute, const double* value, int n);
void write_numbers(Writer* w, const char* attribute, const mjtNum* value, int n);

// perrow numbers on a line of their own each; 0: all on one line
void write_singles(Writer* w, const char* attribute, const float* value, int n, int perrow);

// Writes a comment, if it can be one.
void write_comment(Writer* w, const char* text);

#endif  // CONDYLE_MJCF_WRITE_CONTEXT_H_
