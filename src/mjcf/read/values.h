// values.h: from the text of attributes to values, as the schema's rows say.
//
// Most attributes are stored by one call per element (values_read): text, row, destination. The
// other functions give single values to code that has a rule of its own; they read by the same
// rows, so counts, keywords and messages are the table's. A wrong value is reported at its
// attribute and leaves what was there. [theory/format.md, Numbers]

#ifndef CONDYLE_MJCF_READ_VALUES_H_
#define CONDYLE_MJCF_READ_VALUES_H_

#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>

#include "mjcf/document.h"

enum {
  VALUES_MAX = 16,  // numbers in the longest attribute of fixed size, with room
};

typedef struct Submodels_ Submodels;

// What all readers of one document share.
typedef struct Reader_ {
  mjSpec* spec;
  const Document* document;
  cndDiagnostics* problems;
  const mjVFS* vfs;             // may be NULL
  Submodels* submodels;         // models that can be attached
  const struct Reader_* outer;  // of the model that has this one as an asset; NULL if none
} Reader;

// Stores all attributes of a node that have a destination into target, a struct whose first member
// is its mjsElement* if the element has a name (NULL if code reads them all); checks orientations
// and required attributes.
void values_read(const Reader* reader, const Node* node, void* target);

// Is the attribute there, with something in it that counts? Numbers that are only whitespace don't.
int values_has(const Node* node, const char* name);

// Name of a file as the compiler will look for it, in fresh memory that the caller frees: as it was
// written, unless the attribute stands in an included file and only from there the name leads
// anywhere. NULL if the attribute is absent. [theory/format.md, Files]
char* values_file(const Reader* reader, const Node* node, const char* name);

// Text of an attribute that the element knows and this version can use, NULL if there is none such.
const char* values_text(const Node* node, const char* name);

// Numbers of an attribute, at most its row's maximum; returns how many, 0 if it is absent or wrong.
// out is at least that long.
int values_reals(double* out, const Reader* reader, const Node* node, const char* name);
int values_ints(int* out, const Reader* reader, const Node* node, const char* name);

// One integer, one keyword; 0 if it is absent or wrong.
int values_int(int* out, const Reader* reader, const Node* node, const char* name);
int values_key(int* out, const Reader* reader, const Node* node, const char* name);

// Numbers of an attribute without a maximum, in fresh memory that the caller frees; NULL if it is
// absent, empty or wrong.
double* values_list(int* count, const Reader* reader, const Node* node, const char* name);
int* values_intlist(int* count, const Reader* reader, const Node* node, const char* name);

// What is said of a number that is none: the one warning of reading that the reference has too.
extern const char values_nanwarning[];

// Reports an error of a node or one of its attributes (by name; NULL, or an absent one: of the
// node).
void values_error(const Reader* reader, const Node* node, const char* attribute, const char* hint,
                  const char* message, ...) mjPRINTFLIKE(5, 6);

#endif  // CONDYLE_MJCF_READ_VALUES_H_
