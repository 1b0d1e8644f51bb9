// document.h: an XML file with its includes as one small tree in memory.
//
// The tree keeps what has a meaning in models: elements, attributes, the text of elements without
// children (robots have it), and their places. Other text, comments (except the first) and
// processing instructions are dropped. Files are not trusted: declarations
// of entities are refused; nesting, size and the depth of includes are bounded. Nothing here or in
// the readers recurses deeper than DOCUMENT_MAX_DEPTH.
//
// Nodes, attributes and texts live in one region that is freed as a whole. The sources stay as long
// as the document, because the place of an attribute is looked up in the text only for a message.
// [theory/model/format.md, Documents]

#pragma once

#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "base/diagnostic.h"
#include "mjcf/schema.h"

enum {
  DOCUMENT_MAX_DEPTH = 1000,      // nested elements, across includes
  DOCUMENT_MAX_INCLUDES = 64,     // nested includes
  DOCUMENT_MAX_ATTRIBUTES = 256,  // attributes of one element
};

typedef struct Document_ Document;

// One text: the main file, or an included one.
typedef struct Source_ {
  const char* name;       // path as opened; "" for text in memory
  const char* directory;  // directory of name with its separator; "" if none
  const char* text;
  size_t size;
  const struct Source_* includer;  // NULL for the main file
} Source;

typedef struct Attribute_ {
  const char* name;
  const char* value;
  const SchemaRow* row;  // NULL if not checked yet, or unknown
} Attribute;

typedef struct Node_ Node;
struct Node_ {
  const char* name;
  Attribute* attributes;
  int nattribute;
  const char* content;          // text, without the space around it; "" if none. MJCF has none
  const char* cdata;            // text of its CDATA section, as it is; NULL if none
  int ncdata;                   // number of its CDATA sections, of which the last one counts
  int skip;                     // 1 if reported as unusable; readers ignore it
  const SchemaElement* schema;  // NULL until checked
  Node* parent;
  Node* first;
  Node* last;
  Node* next;
  const Source* source;
  size_t offset;  // offset of '<' in the source's text
  int line;       // 1-based
  int column;     // 1-based, in characters
};

// Reads a file relative to the directory of a model that names it (NULL: the user names it, and it
// may be a pipe), or a text in memory, and expands its includes. A text's name stands in places of
// problems, and directory is that of its includes. vfs may be NULL. Problems are added to the list.
// NULL if there is no usable root element.
Document* document_readfile(const char* directory, const char* file, const mjVFS* vfs,
                            cndDiagnostics* problems);
Document* document_readtext(const char* text, const char* name, const char* directory,
                            const mjVFS* vfs, cndDiagnostics* problems);

void document_free(Document* document);

// Parses one more file of SDF, which a node includes. Returns its root, NULL with the problem
// reported.
Node* document_readbeside(Document* document, const Node* node, const char* path,
                          cndDiagnostics* problems);

// Adds an element with the place of another one as the last child of `parent`; without a parent it
// becomes the root. Sets an attribute, which the element must not have.
Node* document_add(Document* document, Node* parent, const Node* origin, const char* name);
char* document_text(Document* document, const char* text);  // a copy
void document_set(Document* document, Node* node, const char* name, const char* value);

const mjVFS* document_vfs(const Document* document);

Node* document_root(const Document* document);

// The comment at the very beginning of the root element, NULL if there is none.
const char* document_comment(const Document* document);

// Directory of the main file with its separator, "" if none.
const char* document_directory(const Document* document);

// The i-th file in order of reading, the main file first; NULL beyond the last.
const char* document_file(const Document* document, int i);

// Attribute by name, NULL if the node doesn't have it.
const Attribute* node_attribute(const Node* node, const char* name);

// Text of an attribute, NULL if the node doesn't have it.
const char* node_text(const Node* node, const char* name);

// Child by name, NULL if there is none.
Node* node_child(const Node* node, const char* name);

// Does the node have this name, ignoring case?
int node_islike(const Node* node, const char* name);

// The place of an attribute of a node, or of the node itself if attribute is NULL.
SourcePlace node_place(const Node* node, const Attribute* attribute);

// Reports a problem of an attribute of a node, or of the node itself if attribute is NULL. hint may
// be NULL.
void node_report(const Node* node, const Attribute* attribute, cndDiagnostics* problems,
                 cndSeverity severity, const char* hint, const char* message, ...)
    mjPRINTFLIKE(6, 7);
