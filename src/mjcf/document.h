// document.h: an XML file with its includes as one small tree in memory.
//
// The tree keeps exactly what MJCF means: elements, attributes, and where each stands. Text,
// comments (but the first) and processing instructions are dropped. Any content may come from a
// file:
// declarations of entities are refused, nesting, size and the depth of includes are bounded, and
// nothing here or above recurses deeper than DOCUMENT_MAX_DEPTH.
//
// Nodes, attributes and texts live in one region that is freed as a whole; the sources stay as long
// as the document, because the place of an attribute is looked up in the text only when a problem
// names it. [theory/format.md, Documents]

#ifndef CONDYLE_MJCF_DOCUMENT_H_
#define CONDYLE_MJCF_DOCUMENT_H_

#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "base/diagnostic.h"
#include "mjcf/schema.h"

enum {
  DOCUMENT_MAX_DEPTH = 1000,      // nested elements, includes counted in
  DOCUMENT_MAX_INCLUDES = 64,     // nested includes
  DOCUMENT_MAX_ATTRIBUTES = 256,  // of one element
};

typedef struct Document_ Document;

// One text: the main file, or an included one.
typedef struct Source_ {
  const char* name;       // path as opened; "" for text in memory
  const char* directory;  // of name, with its separator; "" if none
  const char* text;
  size_t size;
  const struct Source_* includer;  // NULL: main file
} Source;

typedef struct Attribute_ {
  const char* name;
  const char* value;
  const SchemaRow* row;  // NULL until checked, or unknown
} Attribute;

typedef struct Node_ Node;
struct Node_ {
  const char* name;
  Attribute* attributes;
  int nattribute;
  int skip;                     // has been reported as unusable, and is not read
  const SchemaElement* schema;  // NULL until checked
  Node* parent;
  Node* first;
  Node* last;
  Node* next;
  const Source* source;
  size_t offset;  // of '<' in the source's text
  int line;       // 1-based
  int column;     // 1-based, in characters
};

// Reads a file in a directory (NULL: none), or text in memory (then file is ""; directory is where
// includes are looked up), and splices its includes in. vfs may be NULL. NULL if there is no usable
// root element; problems go into the list.
Document* document_readfile(const char* directory, const char* file, const mjVFS* vfs,
                            cndDiagnostics* problems);
Document* document_readtext(const char* text, const char* directory, const mjVFS* vfs,
                            cndDiagnostics* problems);

void document_free(Document* document);

Node* document_root(const Document* document);

// The comment at the very beginning of the root element, NULL if there is none.
const char* document_comment(const Document* document);

// Directory of the main file with its separator, "" if none.
const char* document_directory(const Document* document);

// The i-th file that was read, in order of reading, the main one first; NULL beyond the last.
const char* document_file(const Document* document, int i);

// Attribute by name, NULL if the node has none such.
const Attribute* node_attribute(const Node* node, const char* name);

// Text of an attribute, NULL if the node has none such.
const char* node_text(const Node* node, const char* name);

// Child by name, NULL if there is none.
Node* node_child(const Node* node, const char* name);

// Is the name of a node this one, but for the case of letters?
int node_islike(const Node* node, const char* name);

// Where a node, or one of its attributes (NULL: the node), stands.
SourcePlace node_place(const Node* node, const Attribute* attribute);

// Reports a problem of a node or of one of its attributes (NULL: of the node); the hint may be
// NULL.
void node_report(const Node* node, const Attribute* attribute, cndDiagnostics* problems,
                 cndSeverity severity, const char* hint, const char* message, ...)
    mjPRINTFLIKE(6, 7);

#endif  // CONDYLE_MJCF_DOCUMENT_H_
