// context.c: appends elements, indentation and escaped text to the growing text of a document.

#include "mjcf/write/context.h"

#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text_format.h"
#include "mjcf/write/order.h"

// Makes room for more bytes at the end.
static char* room(Writer* w, size_t bytes) {
  if (w->size + bytes > w->capacity) {
    size_t capacity = w->capacity ? w->capacity : 1 << 12;
    while (capacity < w->size + bytes) {
      capacity *= 2;
    }
    w->text = heap_resize(w->text, capacity);
    w->capacity = capacity;
  }
  return w->text + w->size;
}

static void put(Writer* w, const char* text, size_t length) {
  char* place = room(w, length);
  if (length) {
    memcpy(place, text, length);
    w->size += length;
  }
}

static void puts_(Writer* w, const char* text) {
  put(w, text, strlen(text));
}

// Indentation is bounded, because otherwise a chain of bodies would take the square of its length.
static void indent(Writer* w, int depth) {
  const int deepest = 64;
  for (int i = 0; i < depth && i < deepest; i++) {
    put(w, "  ", 2);
  }
}

static OpenElement* top(Writer* w) {
  return w->depth ? &w->open[w->depth - 1] : NULL;
}

// Sorts the attributes of the innermost element, before its start tag is closed.
static void end_attributes(Writer* w) {
  const OpenElement* element = top(w);
  const char* parent = w->depth > 1 ? w->open[w->depth - 2].name : NULL;
  order_attributes(w->text + element->tag, w->size - element->tag, element->name, parent);
}

// Closes the start tag of the innermost element before its first child. Returns 1 if it did.
static int begin_children(Writer* w) {
  OpenElement* parent = top(w);
  if (!parent || parent->children) {
    return 0;
  }
  end_attributes(w);
  puts_(w, ">\n");
  parent->children = 1;
  return 1;
}

void write_begin(Writer* w, const char* name) {
  if (w->depth == w->maxdepth) {
    int maxdepth = w->maxdepth ? 2 * w->maxdepth : 64;
    w->open = heap_resize(w->open, (size_t)maxdepth * sizeof(OpenElement));
    w->maxdepth = maxdepth;
  }
  OpenElement element = {.name = name, .start = w->size};
  element.first = begin_children(w);
  indent(w, w->depth);
  puts_(w, "<");
  puts_(w, name);
  element.tag = w->size;
  w->open[w->depth++] = element;
}

void write_end(Writer* w) {
  if (!w->depth) {
    return;
  }
  const OpenElement* element = top(w);
  if (element->children) {
    indent(w, w->depth - 1);
    puts_(w, "</");
    puts_(w, element->name);
    puts_(w, ">\n");
  } else {
    end_attributes(w);
    puts_(w, "/>\n");
  }
  w->depth--;
}

void write_enddrop(Writer* w) {
  if (!w->depth) {
    return;
  }
  const OpenElement* element = top(w);
  if (element->attributes || element->children) {
    write_end(w);
    return;
  }
  w->size = element->start;
  w->depth--;
  if (element->first && w->depth) {
    top(w)->children = 0;
  }
}

// Writes the value of an attribute, with references for characters that are special in XML.
static void put_escaped(Writer* w, const char* text) {
  static const char special[] = "&<>\"\n\r\t";
  static const char* const reference[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                          "&#10;", "&#13;", "&#9;"};
  for (; *text; text++) {
    const char* found = strchr(special, *text);
    if (found) {
      puts_(w, reference[found - special]);
    } else {
      put(w, text, 1);
    }
  }
}

static void begin_attribute(Writer* w, const char* name) {
  if (w->depth) {
    top(w)->attributes++;
  }
  puts_(w, " ");
  puts_(w, name);
  puts_(w, "=\"");
}

void write_text(Writer* w, const char* attribute, const char* value) {
  begin_attribute(w, attribute);
  put_escaped(w, value);
  puts_(w, "\"");
}

void write_given(Writer* w, const char* attribute, const mjString* value) {
  if (!string_empty(value)) {
    write_text(w, attribute, string_text(value));
  }
}

void write_key(Writer* w, const char* attribute, const SchemaKey* keys, int value) {
  const char* word = schema_word(keys, value);
  if (word) {
    write_text(w, attribute, word);
  }
}

// The words whose bits are set, in the order of the keys.
void write_mask(Writer* w, const char* attribute, const SchemaKey* keys, int bits) {
  char text[200] = "";
  for (const SchemaKey* key = keys; key->word; key++) {
    if (bits & (1 << key->value)) {
      strcat(text, text[0] ? " " : "");
      strcat(text, key->word);
    }
  }
  write_text(w, attribute, text);
}

void write_int(Writer* w, const char* attribute, int value) {
  double real = value;
  write_reals(w, attribute, &real, 1);
}

void write_reals(Writer* w, const char* attribute, const double* value, int n) {
  begin_attribute(w, attribute);
  for (int i = 0; i < n; i++) {
    char number[TEXT_NUMBER_BYTES];
    int length = text_formatreal(number, value[i]);
    if (i) {
      puts_(w, " ");
    }
    put(w, number, (size_t)length);
  }
  puts_(w, "\"");
}

void write_singles(Writer* w, const char* attribute, const float* value, int n, int perrow) {
  begin_attribute(w, attribute);
  for (int i = 0; i < n; i++) {
    char number[TEXT_NUMBER_BYTES];
    int length = text_formatsingle(number, value[i]);
    if (perrow && i % perrow == 0) {
      puts_(w, "\n            ");
    } else if (i) {
      puts_(w, " ");
    }
    put(w, number, (size_t)length);
  }
  puts_(w, "\"");
}

void write_numbers(Writer* w, const char* attribute, const mjtNum* value, int n) {
#ifdef mjUSESINGLE
  write_singles(w, attribute, value, n, 0);
#else
  write_reals(w, attribute, value, n);
#endif
}

void write_comment(Writer* w, const char* text) {
  size_t length = strlen(text);
  if (!length || strstr(text, "--") || text[length - 1] == '-') {
    return;
  }
  begin_children(w);
  indent(w, w->depth);
  puts_(w, "<!--");
  puts_(w, text);
  puts_(w, "-->\n");
}
