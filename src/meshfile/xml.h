// xml.h: a Collada file as a tree of elements.
//
// Collada refers to and fro: a node may show a geometry that stands behind it. So the whole tree is
// kept. The lists of numbers, which are nearly all of the file, are not: an element knows where its
// content stands in the text, and who needs the numbers reads them there.

#pragma once

#include "base/hash.h"
#include "meshfile/build.h"

typedef struct XmlNode_ {
  const char* name;               // without a prefix "x:"
  const char** attribute;         // name, value, name, value, ..., NULL
  const char *content, *end;      // in the text, between the tags
  const char* plain;              // decoded text, of elements that hold a path only; else NULL
  struct XmlNode_ *child, *last;  // first and last child
  struct XmlNode_* next;          // of the same parent
  void* made;                     // what the reader has made of it
} XmlNode;

typedef struct XmlTree_ {
  const MeshBuild* build;
  XmlNode* root;
  Hash id;  // elements by "id"
  // Where an id is sought first: some exporters use the ids of sources again in each geometry.
  const XmlNode* inside;
} XmlTree;

// Parses the text of `build`, or ends in an error.
void xml_parse(XmlTree* tree, const MeshBuild* build);

// The value of an attribute, NULL if it is absent.
const char* xml_attribute(const XmlNode* node, const char* name);

// The first child of a name, and the next sibling of a node with the same name; NULL if there is
// none. A NULL node has no children.
XmlNode* xml_child(const XmlNode* node, const char* name);
XmlNode* xml_again(const XmlNode* node);

int xml_is(const XmlNode* node, const char* name);

// The element that "#id" refers to, NULL if there is none or `link` is NULL.
XmlNode* xml_find(const XmlTree* tree, const char* link);

// The element that an attribute of a node refers to. Ends in an error if the attribute or the
// element is missing, or it has another name than `kind`, unless that is NULL.
XmlNode* xml_linked(const XmlTree* tree, const XmlNode* node, const char* attribute,
                    const char* kind);

// Skips white space and comments.
const char* xml_skip(const char* at, const char* end);

// Reads up to `most` numbers of the content. Returns how many; ends in an error at what is no
// number.
size_t xml_numbers(const XmlTree* tree, double* out, const XmlNode* node, size_t most);
