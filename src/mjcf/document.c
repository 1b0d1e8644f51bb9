// document.c: parses XML with Expat, whose handlers append nodes to a memory region. Then it
// expands includes in document order: each file is parsed into its own subtree, whose children
// replace the include element.

#include "mjcf/document.h"

#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <mujoco/api/model.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/mend.h"
#include "model/files/locate.h"
#include "model/files/resource.h"

enum {
  BLOCK_BYTES = 1 << 16,
  ALIGNMENT = 16,
};

// One block of the region. Its memory follows the struct.
typedef struct Block_ {
  struct Block_* next;
  size_t used;
  size_t size;
} Block;

// A source with its name and text, which it owns.
typedef struct SourceFile_ {
  Source source;
  char* name;
  char* directory;
  char* text;
  struct SourceFile_* next;
} SourceFile;

struct Document_ {
  Block* blocks;      // newest first
  SourceFile* files;  // newest first
  Node* root;
  const char* comment;
  const char* directory;
  const mjVFS* vfs;
  cndDiagnostics* problems;
};

// The state of parsing one text, which its handlers share.
typedef struct Parser_ {
  Document* document;
  const Source* source;
  Mended mended;      // the corrected text, which Expat reads
  TextCursor cursor;  // position in the source
  XML_Parser expat;
  Node* root;     // root element of this text
  Node* current;  // innermost open element
  int depth;      // number of open elements, including those around the include
  char* content;  // text since the last tag
  size_t ncontent, room;
  int stopped;  // 1 if a handler has stopped parsing and reported why
} Parser;

// Allocates zeroed memory that lives as long as the document.
static void* region_alloc(Document* document, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  Block* block = document->blocks;
  if (!block || block->size - block->used < bytes) {
    size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
    Block* fresh = heap_take(sizeof(Block) + ALIGNMENT + size);
    fresh->used = 0;
    fresh->size = size;
    // a block for one large piece goes behind the block that is being filled
    if (block && size != BLOCK_BYTES) {
      fresh->next = block->next;
      block->next = fresh;
    } else {
      fresh->next = block;
      document->blocks = fresh;
    }
    block = fresh;
  }
  char* memory = (char*)block + (sizeof(Block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* result = memory + block->used;
  block->used += bytes;
  return memset(result, 0, bytes);
}

static char* region_text(Document* document, const char* text) {
  size_t length = strlen(text);
  char* copy = region_alloc(document, length + 1);
  return memcpy(copy, text, length);
}

// Expat's position in its text: bytes before it, lines, columns. Expat 2.9 renamed them.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define EXPAT_BYTE(parser) XML_GetCurrentByteIndex64(parser)
#define EXPAT_LINE(parser) XML_GetCurrentLineNumber64(parser)
#define EXPAT_COLUMN(parser) XML_GetCurrentColumnNumber64(parser)
#else
#define EXPAT_BYTE(parser) XML_GetCurrentByteIndex(parser)
#define EXPAT_LINE(parser) XML_GetCurrentLineNumber(parser)
#define EXPAT_COLUMN(parser) XML_GetCurrentColumnNumber(parser)
#endif

// Expat's position in the original text. offset may be NULL.
static SourcePlace current_place(size_t* offset, Parser* parser) {
  size_t at = mend_origin(&parser->mended, (size_t)EXPAT_BYTE(parser->expat));
  if (offset) {
    *offset = at;
  }
  return parser->mended.nedit ? text_moveto(&parser->cursor, at)
                              : (SourcePlace){parser->source->name, (int)EXPAT_LINE(parser->expat),
                                              (int)EXPAT_COLUMN(parser->expat) + 1};
}

// Reports a problem of the text that is being parsed, at Expat's position, and stops parsing.
static void stop(Parser* parser, const char* element, const char* hint, const char* message) {
  SourcePlace place = current_place(NULL, parser);
  if (!parser->stopped) {
    diagnostic_add(parser->document->problems, cndSEVERITY_ERROR, place, element, hint, "%s",
                   message);
  }
  parser->stopped = 1;
  XML_StopParser(parser->expat, XML_FALSE);
}

static void append_text(Parser* parser, const char* text, size_t count) {
  if (parser->ncontent + count + 1 > parser->room) {
    parser->room = 2 * (parser->ncontent + count) + 64;
    parser->content = heap_resize(parser->content, parser->room);
  }
  memcpy(parser->content + parser->ncontent, text, count);
  parser->ncontent += count;
}

// Collects text; space before it doesn't count.
static void on_text(void* user, const char* text, int length) {
  Parser* parser = user;
  size_t count = (size_t)length;
  while (!parser->ncontent && count && text_isspace(*text)) {
    text++;
    count--;
  }
  if (count && !parser->stopped && parser->current && !parser->current->first) {
    append_text(parser, text, count);
  }
}

// Collects text inside a CDATA section, where MJCF may have some.
static void on_cdatatext(void* user, const char* text, int length) {
  Parser* parser = user;
  if (!parser->stopped) {
    append_text(parser, text, (size_t)length);
  }
}

static void on_cdata(void* user) {
  Parser* parser = user;
  parser->ncontent = 0;
  XML_SetCharacterDataHandler(parser->expat, on_cdatatext);
}

static void on_cdataend(void* user) {
  Parser* parser = user;
  XML_SetCharacterDataHandler(parser->expat, NULL);
  if (!parser->stopped && parser->current) {
    append_text(parser, "", 1);
    parser->current->cdata = region_text(parser->document, parser->content);
    parser->current->ncdata++;
  }
  parser->ncontent = 0;
}

static void on_start(void* user, const char* name, const char** attributes) {
  Parser* parser = user;
  Document* document = parser->document;
  if (parser->stopped) {
    return;
  }
  if (++parser->depth > DOCUMENT_MAX_DEPTH) {
    stop(parser, name, NULL, "XML parse error: element nesting is too deep");
    return;
  }

  int count = 0;
  while (attributes[2 * count]) {
    count++;
  }
  if (count > DOCUMENT_MAX_ATTRIBUTES) {
    stop(parser, name, NULL, "XML parse error: the element has too many attributes");
    return;
  }
  Node* node = region_alloc(document, sizeof(Node));
  char* text = region_text(document, name);
  Attribute* list = count ? region_alloc(document, (size_t)count * sizeof(Attribute)) : NULL;
  for (int i = 0; i < count; i++) {
    list[i].name = region_text(document, attributes[2 * i]);
    list[i].value = region_text(document, attributes[2 * i + 1]);
  }

  node->name = text;
  node->attributes = list;
  node->nattribute = count;
  node->content = "";
  node->source = parser->source;
  parser->ncontent = 0;
  SourcePlace place = current_place(&node->offset, parser);
  node->line = place.line;
  node->column = place.column;
  node->parent = parser->current;
  if (!parser->current) {
    parser->root = node;
    if (node_islike(node, "robot") || node_islike(node, "sdf")) {
      XML_SetCharacterDataHandler(parser->expat, on_text);
    } else {
      // MJCF says all by attributes, but for long texts
      XML_SetCdataSectionHandler(parser->expat, on_cdata, on_cdataend);
    }
  } else if (parser->current->last) {
    parser->current->last->next = node;
    parser->current->last = node;
  } else {
    parser->current->first = parser->current->last = node;
  }
  parser->current = node;
}

// Gives the text to an element that ends and has no children.
static void keep_content(Parser* parser) {
  size_t count = parser->ncontent;
  while (count && text_isspace(parser->content[count - 1])) {
    count--;
  }
  if (count && !parser->current->first) {
    parser->content[count] = 0;
    parser->current->content = region_text(parser->document, parser->content);
  }
  parser->ncontent = 0;
}

static void on_end(void* user, const char* name) {
  Parser* parser = user;
  (void)name;
  if (!parser->stopped) {
    keep_content(parser);
    parser->current = parser->current->parent;
    parser->depth--;
  }
}

static void on_comment(void* user, const char* text) {
  Parser* parser = user;
  Document* document = parser->document;
  int is_first = parser->current && !parser->current->parent && !parser->current->first;
  if (is_first && !parser->source->includer && !document->comment) {
    document->comment = region_text(document, text);
  }
}

// Accepts only a bare <!DOCTYPE name>. Any other could define entities or load files.
static void on_doctype(void* user, const char* name, const char* system, const char* public,
                       int has_internal) {
  (void)name;
  if (system || public || has_internal) {
    stop(user, NULL, "entities and document type definitions are not read",
         "XML parse error: a document type definition is not allowed");
  }
}

// Reports Expat's error, with a hint to its cause.
static void report_syntax(Parser* parser) {
  enum XML_Error code = XML_GetErrorCode(parser->expat);
  const Node* open = parser->current;
  int included = parser->source->includer != NULL;
  char hint[160] = "", message[400], shown[PATH_SHOWN];
  if (code == XML_ERROR_NO_ELEMENTS && !open && included) {
    snprintf(message, sizeof(message), "Root element missing in file '%s'",
             path_show(shown, parser->source->name));
  } else if (code == XML_ERROR_NO_ELEMENTS && !open) {
    snprintf(message, sizeof(message), "XML parse error: root element not found");
  } else {
    snprintf(message, sizeof(message), "%sXML parse error: %s", included ? "Include error: '" : "",
             XML_ErrorString(code));
  }
  if (open && code == XML_ERROR_TAG_MISMATCH) {
    snprintf(hint, sizeof(hint), "expected </%.60s>, which closes line %d", open->name, open->line);
  } else if (open && (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN)) {
    snprintf(hint, sizeof(hint), "the text ends inside <%.60s> of line %d", open->name, open->line);
  } else if (code == XML_ERROR_UNDEFINED_ENTITY) {
    snprintf(hint, sizeof(hint), "only &lt; &gt; &amp; &quot; &apos; and &#n; are known");
  }
  stop(parser, open ? open->name : NULL, hint, message);
}

// Parses one text. Returns its root element, or NULL with problems reported.
static Node* parse(Document* document, const Source* source, int depth) {
  Parser parser = {.document = document,
                   .source = source,
                   .cursor = text_cursor(source->text, source->name),
                   .depth = depth};
  mend_text(&parser.mended, source->text, source->size, source->name, document->problems);
  if (parser.mended.size > INT_MAX) {
    SourcePlace place = {source->name, 0, 0};
    diagnostic_add(document->problems, cndSEVERITY_ERROR, place, NULL, NULL,
                   "the text is too large");
    mend_free(&parser.mended);
    return NULL;
  }
  static const XML_Memory_Handling_Suite memory = {heap_take, heap_resize, heap_free};
  parser.expat = XML_ParserCreate_MM(NULL, &memory, NULL);
  XML_SetUserData(parser.expat, &parser);
  XML_SetElementHandler(parser.expat, on_start, on_end);
  XML_SetCommentHandler(parser.expat, on_comment);
  XML_SetStartDoctypeDeclHandler(parser.expat, on_doctype);
  XML_SetParamEntityParsing(parser.expat, XML_PARAM_ENTITY_PARSING_NEVER);
  if (XML_Parse(parser.expat, parser.mended.text, (int)parser.mended.size, 1) != XML_STATUS_OK) {
    report_syntax(&parser);
  }
  mend_free(&parser.mended);
  heap_free(parser.content);
  XML_ParserFree(parser.expat);
  return parser.stopped ? NULL : parser.root;
}

// Adds a source and takes ownership of text and name, and of the directory of the names in it,
// which may be NULL for that of its own name.
static SourceFile* add_source(Document* document, char* name, char* directory, char* text,
                              size_t size, const Source* includer) {
  SourceFile* file = heap_zero(1, sizeof(SourceFile));
  directory = directory ? directory : resource_directory(name);
  *file = (SourceFile){.source = {name, directory, text, size, includer},
                       .name = name,
                       .directory = directory,
                       .text = text,
                       .next = document->files};
  document->files = file;
  return file;
}

static int is_read(const Document* document, const char* path) {
  for (const SourceFile* file = document->files; file; file = file->next) {
    if (strcmp(file->name, path) == 0) {
      return 1;
    }
  }
  return 0;
}

// Is the path that of this file or of a file that includes it?
static int is_cycle(const Source* source, const char* path) {
  for (; source; source = source->includer) {
    if (strcmp(source->name, path) == 0) {
      return 1;
    }
  }
  return 0;
}

// The directory of an included file: the main file's, or else that of the including file.
static const char* include_directory(const Document* document, const Node* node, const char* name) {
  const char* nearer = node->source->directory;
  return mjp_findProvider(name) || resource_exists(document->vfs, document->directory, name) ||
                 !resource_exists(document->vfs, nearer, name)
             ? document->directory
             : nearer;
}

// The attribute that names the file of an include element. NULL, with the problem reported, if it
// may not be included.
static const Attribute* included_name(const Document* document, const Node* node, int level) {
  cndDiagnostics* problems = document->problems;
  const Attribute* attribute = node_attribute(node, "file");
  if (node->first) {
    node_report(node, NULL, problems, cndSEVERITY_ERROR, NULL,
                "Include element cannot have children");
    return NULL;
  }
  if (!attribute || !attribute->value[0]) {
    node_report(node, NULL, problems, cndSEVERITY_ERROR, NULL,
                "required attribute missing: 'file'");
    return NULL;
  }
  if (level > DOCUMENT_MAX_INCLUDES) {
    node_report(node, attribute, problems, cndSEVERITY_ERROR, NULL, "includes are nested too deep");
    return NULL;
  }
  return attribute;
}

// Reads an included file. NULL, with the problem reported, if it was included before, can't be read
// or is empty.
static SourceFile* read_included(Document* document, const Node* node, const Attribute* attribute) {
  cndDiagnostics* problems = document->problems;
  const char* name = attribute->value;
  const char* directory = include_directory(document, node, name);
  char *path = resource_path(directory, name), shown[PATH_SHOWN];
  if (is_read(document, path)) {
    node_report(
        node, attribute, problems, cndSEVERITY_ERROR,
        is_cycle(node->source, path) ? "the file includes itself" : "a file can be included once",
        "File '%s' already included", path_show(shown, name));
    heap_free(path);
    return NULL;
  }

  char error[160], *inside;
  size_t size;
  char* text =
      resource_readtext(&size, &inside, document->vfs, directory, name, error, sizeof(error));
  if (!text) {
    node_report(node, attribute, problems, cndSEVERITY_ERROR, NULL, "Error opening file '%s': %s",
                path_show(shown, path), error);
    heap_free(path);
    return NULL;
  }
  if (!size) {
    node_report(node, attribute, problems, cndSEVERITY_ERROR, NULL, "Empty file '%s'",
                path_show(shown, name));
    heap_free(path);
    heap_free(inside);
    heap_free(text);
    return NULL;
  }
  return add_source(document, path, inside, text, size, node->source);
}

// Parses the file of an include element. Returns its root, or NULL with problems reported.
static Node* read_include(Document* document, Node* node, int level, int depth) {
  const Attribute* attribute = included_name(document, node, level);
  SourceFile* file = attribute ? read_included(document, node, attribute) : NULL;
  Node* root = file ? parse(document, &file->source, depth) : NULL;
  char shown[PATH_SHOWN];
  if (root && !root->first) {
    node_report(node, attribute, document->problems, cndSEVERITY_ERROR, NULL,
                "Empty include file '%s'", path_show(shown, attribute->value));
    return NULL;
  }
  return root;
}

// Replaces every include below a node by the children of the file's root. An include that fails is
// removed.
static void expand(Document* document, Node* node, int level, int depth) {
  for (Node **link = &node->first, *last = NULL; *link;) {
    Node* child = *link;
    if (!text_equal(child->name, "include")) {
      expand(document, child, level, depth + 1);
      last = node->last = child;
      link = &child->next;
      continue;
    }

    // expand includes in the included file before its elements move
    Node* root = read_include(document, child, level + 1, depth - 1);
    Node* after = child->next;
    if (root) {
      expand(document, root, level + 1, depth);
    }
    if (root && root->first) {
      *link = root->first;
      for (Node* moved = root->first; moved; moved = moved->next) {
        moved->parent = node;
      }
      last = root->last;
      last->next = after;
      link = &last->next;
    } else {
      *link = after;
    }
    node->last = last;
  }
}

static Document* document_make(const mjVFS* vfs, cndDiagnostics* problems) {
  Document* document = heap_zero(1, sizeof(Document));
  document->vfs = vfs;
  document->problems = problems;
  return document;
}

// Parses the main text, which the document takes over, and expands its includes.
static Document* document_read(Document* document, char* name, char* inside, char* text,
                               size_t size, const char* directory) {
  SourceFile* file = add_source(document, name, inside, text, size, NULL);
  document->directory = region_text(document, directory ? directory : file->directory);
  document->root = parse(document, &file->source, 0);
  if (!document->root) {
    document_free(document);
    return NULL;
  }
  // includes of SDF are models
  if (!text_equal(document->root->name, "sdf")) {
    expand(document, document->root, 0, 1);
  }
  document->problems = NULL;
  return document;
}

static char* copy_text(const char* text, size_t size) {
  char* copy = heap_take(size + 1);
  memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}

Document* document_readfile(const char* directory, const char* file, const mjVFS* vfs,
                            cndDiagnostics* problems) {
  char error[160], shown[PATH_SHOWN], *inside;
  size_t size;
  SourcePlace place = {file, 0, 0};
  // only what the user names may be a pipe
  char* text = directory
                   ? resource_readtext(&size, &inside, vfs, directory, file, error, sizeof(error))
                   : resource_readmodel(&size, &inside, vfs, NULL, file, error, sizeof(error));
  if (!text) {
    diagnostic_add(problems, cndSEVERITY_ERROR, place, NULL, NULL, "Error opening file '%s': %s",
                   path_show(shown, file), error);
    return NULL;
  }
  if (!size) {
    diagnostic_add(problems, cndSEVERITY_ERROR, place, NULL, NULL, "empty file '%s'",
                   path_show(shown, file));
    heap_free(inside);
    heap_free(text);
    return NULL;
  }
  Document* document = document_make(vfs, problems);
  return document_read(document, resource_path(directory, file), inside, text, size, NULL);
}

Document* document_readtext(const char* text, const char* name, const char* directory,
                            const mjVFS* vfs, cndDiagnostics* problems) {
  Document* document = document_make(vfs, problems);
  size_t size = strlen(text);
  return document_read(document, copy_text(name, strlen(name)), NULL, copy_text(text, size), size,
                       directory);
}

Node* document_readbeside(Document* document, const Node* node, const char* path,
                          cndDiagnostics* problems) {
  char error[160], shown[PATH_SHOWN], *inside = NULL;
  size_t size;
  int level = 0;
  for (const Source* source = node->source; source; source = source->includer) {
    level++;
  }
  if (level > DOCUMENT_MAX_INCLUDES) {
    node_report(node, NULL, problems, cndSEVERITY_ERROR, NULL, "includes are nested too deep");
    return NULL;
  }
  int left = archive_left(document->vfs, document->directory, path);
  char* text =
      left ? NULL
           : resource_readtext(&size, &inside, document->vfs, "", path, error, sizeof(error));
  if (left) {
    snprintf(error, sizeof(error), "it would lie outside of the archive");
  }
  if (!text) {
    node_report(node, NULL, problems, cndSEVERITY_ERROR, NULL, "Error opening file '%s': %s",
                path_show(shown, path), error);
    return NULL;
  }
  SourceFile* file =
      add_source(document, resource_path("", path), inside, text, size, node->source);
  document->problems = problems;
  Node* root = parse(document, &file->source, 0);
  document->problems = NULL;
  return root;
}

Node* document_add(Document* document, Node* parent, const Node* origin, const char* name) {
  Node* node = region_alloc(document, sizeof(Node));
  node->name = region_text(document, name);
  node->content = "";
  node->source = origin->source;
  node->offset = origin->offset;
  node->line = origin->line;
  node->column = origin->column;
  node->parent = parent;
  if (!parent) {
    document->root = node;
  } else if (parent->last) {
    parent->last = parent->last->next = node;
  } else {
    parent->first = parent->last = node;
  }
  return node;
}

char* document_text(Document* document, const char* text) {
  return region_text(document, text);
}

void document_set(Document* document, Node* node, const char* name, const char* value) {
  size_t n = (size_t)node->nattribute;
  Attribute* list = region_alloc(document, (n + 1) * sizeof(Attribute));
  if (n) {
    memcpy(list, node->attributes, n * sizeof(Attribute));
  }
  list[n].name = region_text(document, name);
  list[n].value = region_text(document, value);
  node->attributes = list;
  node->nattribute++;
}

void document_free(Document* document) {
  if (!document) {
    return;
  }
  for (SourceFile* file = document->files; file;) {
    SourceFile* next = file->next;
    heap_free(file->name);
    heap_free(file->directory);
    heap_free(file->text);
    heap_free(file);
    file = next;
  }
  for (Block* block = document->blocks; block;) {
    Block* next = block->next;
    heap_free(block);
    block = next;
  }
  heap_free(document);
}

const mjVFS* document_vfs(const Document* document) {
  return document->vfs;
}

Node* document_root(const Document* document) {
  return document->root;
}

const char* document_comment(const Document* document) {
  return document->comment;
}

const char* document_directory(const Document* document) {
  return document->directory;
}

const char* document_file(const Document* document, int i) {
  int count = 0;
  for (const SourceFile* file = document->files; file; file = file->next) {
    count++;
  }
  const SourceFile* file = i < count ? document->files : NULL;
  for (; file && ++i < count; file = file->next) {
  }
  return file ? file->source.name : NULL;
}

const Attribute* node_attribute(const Node* node, const char* name) {
  for (int i = 0; i < node->nattribute; i++) {
    if (text_equal(node->attributes[i].name, name)) {
      return &node->attributes[i];
    }
  }
  return NULL;
}

const char* node_text(const Node* node, const char* name) {
  const Attribute* attribute = node_attribute(node, name);
  return attribute ? attribute->value : NULL;
}

Node* node_child(const Node* node, const char* name) {
  for (Node* child = node->first; child; child = child->next) {
    if (text_equal(child->name, name)) {
      return child;
    }
  }
  return NULL;
}

int node_islike(const Node* node, const char* name) {
  const char* own = node->name;
  while (*own && tolower((unsigned char)*own) == tolower((unsigned char)*name)) {
    own++;
    name++;
  }
  return *own == *name;
}

// Finds the place of an attribute by scanning the start tag. Quotes come in pairs, because Expat
// has read the tag. A UTF-16 text has no '<' at the offset and gives the element's place instead.
SourcePlace node_place(const Node* node, const Attribute* attribute) {
  SourcePlace start = {node->source->name, node->line, node->column};
  const char* text = node->source->text;
  size_t size = node->source->size, length = attribute ? strlen(attribute->name) : 0;
  if (!attribute || node->offset >= size || text[node->offset] != '<') {
    return start;
  }
  TextCursor cursor = {text, node->offset, start};
  char quote = 0, before = 0;
  for (size_t i = node->offset; i < size && (quote || text[i] != '>'); i++) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if ((text_isspace(before) || before == '"' || before == '\'') && i + length < size &&
               strncmp(text + i, attribute->name, length) == 0 &&
               (text[i + length] == '=' || text_isspace(text[i + length]))) {
      return text_moveto(&cursor, i);
    }
    before = c;
  }
  return start;
}

// Writes "joint", or "joint 'hip'" if the node has a name, into label and returns it.
static const char* node_label(char* label, int size, const Node* node) {
  const char* name = node_text(node, "name");
  if (name && name[0]) {
    snprintf(label, (size_t)size, "%s '%s'", node->name, name);
  } else {
    snprintf(label, (size_t)size, "%s", node->name);
  }
  return label;
}

// The link, joint or body that a node is, or is part of, in the same file; NULL if there is none.
static const Node* node_owner(const Node* node) {
  const Source* source = node->source;
  while (node && !text_equal(node->name, "link") && !text_equal(node->name, "joint") &&
         !text_equal(node->name, "body")) {
    node = node->parent;
  }
  return node && node->source == source ? node : NULL;
}

void node_report(const Node* node, const Attribute* attribute, cndDiagnostics* problems,
                 cndSeverity severity, const char* hint, const char* message, ...) {
  char label[128], text[1700];
  va_list args;
  va_start(args, message);
  vsnprintf(text, sizeof(text), message, args);
  va_end(args);
  SourcePlace place = node_place(node, attribute);
  const Node* owner = node_owner(node);
  const cndDiagnostic problem = {.severity = severity,
                                 .file = place.file,
                                 .line = place.line,
                                 .column = place.column,
                                 .element = node_label(label, sizeof(label), node),
                                 .hint = hint,
                                 .owner_line = owner ? owner->line : 0,
                                 .owner_column = owner ? owner->column : 0};
  diagnostic_report(problems, &problem, "%s", text);
}
