// context.h: the context of all writers: the model, and the text so far.

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/schema.h"
#include "spec/spec.h"

// An element that is being written.
typedef struct OpenElement_ {
  const char* name;
  size_t start;  // start of its text, including its parent's ">" if it is the first child
  size_t tag;    // start of its attributes
  int first;     // 1 if it is the first child
  int attributes;
  int children;
} OpenElement;

// Other names for the files of assets: answers the one of a file that is named in an object, to be
// freed with heap_free. Directories of assets are then left out.
typedef struct FileNames_ {
  char* (*name)(void* user, const SpecObject* object, const char* file);
  void* user;
} FileNames;

// The text so far.
typedef struct Writer_ {
  const SpecTree* tree;
  const mjModel* m;        // the numbers, without names, vertices, pixels and patterns
  const SpecTree* blank;   // an empty spec: built-in defaults
  int written;             // 1 to write what the spec says, not the numbers of the model
  int notation;            // 1 to write angles and orientations as the spec says them
  int expanded;            // 1 to write lengths and damping computed by the compiler too
  int joined;              // 1 if file names include asset directories, because these differ
  const FileNames* files;  // NULL: names as they are
  const char* scope;       // class of tree elements without a class attribute
  char* opened;            // by frame id: 1 if it was opened before and can't be again
  char** instance;         // by id of plugin instance: its name, NULL if written where it is used

  char* text;
  size_t size, capacity;
  OpenElement* open;
  int depth, maxdepth;
} Writer;

void write_begin(Writer* w, const char* name);
void write_end(Writer* w);

// Ends an element, or removes it if it has neither attributes nor children.
void write_enddrop(Writer* w);

void write_text(Writer* w, const char* attribute, const char* value);
void write_given(Writer* w, const char* attribute, const mjString* value);  // unless it is empty
void write_key(Writer* w, const char* attribute, const SchemaKey* keys, int value);
void write_mask(Writer* w, const char* attribute, const SchemaKey* keys, int bits);
void write_int(Writer* w, const char* attribute, int value);
void write_reals(Writer* w, const char* attribute, const double* value, int n);
void write_numbers(Writer* w, const char* attribute, const mjtNum* value, int n);

// perrow numbers on each line; 0 for all on one line
void write_singles(Writer* w, const char* attribute, const float* value, int n, int perrow);

// Writes a comment, if the text may be in one.
void write_comment(Writer* w, const char* text);
