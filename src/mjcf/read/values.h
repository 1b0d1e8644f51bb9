// values.h: reading values from the text of attributes by the rows of the schema.
//
// One call per element (values_read) stores most attributes in the destinations of their rows. The
// other functions return single values to code with special rules. They use the same rows for
// counts, keywords and messages. A wrong value is reported at its attribute, and the destination is
// unchanged. [theory/model/format.md, Numbers]

#pragma once

#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>

#include "mjcf/document.h"

enum {
  VALUES_MAX = 16,  // at least the numbers of the longest attribute of fixed size
};

typedef struct Submodels_ Submodels;

// The context that all readers of one document share.
typedef struct Reader_ {
  mjSpec* spec;
  const Document* document;
  cndDiagnostics* problems;
  const mjVFS* vfs;             // may be NULL
  Submodels* submodels;         // models that can be attached
  const struct Reader_* outer;  // reader of the model that has this one as an asset, or NULL
  int generated;                // 1 if the text is not the author's: elements have no place in it
} Reader;

// Stores all attributes of a node with a destination into target, and checks orientations and
// required attributes. target is a struct whose first member is its mjsElement* if the element has
// a name. It is NULL if code reads all attributes.
void values_read(const Reader* reader, const Node* node, void* target);

// Does the attribute exist with a value? White space is no value for numbers.
int values_has(const Node* node, const char* name);

// Name of a file as the compiler will look for it; the caller frees it. It is the written name,
// unless the attribute is in an included file and the file exists only relative to that. NULL if
// the attribute is absent. [theory/model/format.md, Files]
char* values_file(const Reader* reader, const Node* node, const char* name);

// Text of an attribute, NULL if it is absent or unknown to the schema.
const char* values_text(const Node* node, const char* name);

// Reads the numbers of an attribute, at most its row's maximum, which out must hold. Returns their
// number, 0 if the attribute is absent or wrong.
int values_reals(double* out, const Reader* reader, const Node* node, const char* name);
int values_ints(int* out, const Reader* reader, const Node* node, const char* name);

// Reads one integer or one keyword. Returns 0 if it is absent or wrong.
int values_int(int* out, const Reader* reader, const Node* node, const char* name);
int values_key(int* out, const Reader* reader, const Node* node, const char* name);

// The numbers of an attribute without a maximum; the caller frees them. NULL if it is absent, empty
// or wrong.
double* values_list(int* count, const Reader* reader, const Node* node, const char* name);
int* values_intlist(int* count, const Reader* reader, const Node* node, const char* name);

// Reads an attribute of words, whose keys are places of bits, as a mask: each word at most once and
// in the order of the keys. 0 if there is none.
int values_mask(const Reader* reader, const Node* node, const char* name, const SchemaKey* keys);

// The warning about NaN, the only warning of reading that the reference has too.
extern const char values_nanwarning[];

// Reports an error of the named attribute of a node, or of the node itself if attribute is NULL or
// absent.
void values_error(const Reader* reader, const Node* node, const char* attribute, const char* hint,
                  const char* message, ...) mjPRINTFLIKE(5, 6);
