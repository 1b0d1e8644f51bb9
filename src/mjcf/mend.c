// mend.c: corrects a text in one pass, from one markup ('<') to the next. No copy is made until the
// first correction. A text that needs none is returned as it is.

#include "mjcf/mend.h"

#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"

// A replacement that changed the length of the text.
struct MendEdit_ {
  size_t at;     // offset in the copy just after it
  size_t shift;  // offset in the copy minus offset in the original, from `at` to the next edit
};

typedef struct Mender_ {
  const char* text;
  size_t size;
  size_t done;  // number of bytes of the text that are in the copy
  char* copy;
  size_t length;
  size_t capacity;
  MendEdit* edits;
  int nedit;
  int maxedit;
  int is_latin;  // 1 if the declaration names Latin-1
  TextCursor cursor;
  cndDiagnostics* problems;
} Mender;

// The context of a run of characters, which decides which characters are invalid in it.
typedef enum Role_ {
  ROLE_CONTENT,
  ROLE_COMMENT,
  ROLE_VALUE,
  ROLE_CDATA,
} Role;

TextCursor text_cursor(const char* text, const char* file) {
  return (TextCursor){text, 0, {file, 1, 1}};
}

SourcePlace text_moveto(TextCursor* cursor, size_t offset) {
  if (offset < cursor->offset) {
    *cursor = text_cursor(cursor->text, cursor->place.file);
  }
  for (; cursor->offset < offset; cursor->offset++) {
    unsigned char c = (unsigned char)cursor->text[cursor->offset];
    if (c == '\n') {
      cursor->place.line++;
      cursor->place.column = 1;
    } else if ((c & 0xC0) != 0x80) {
      cursor->place.column++;  // later bytes of a UTF-8 character don't count as columns
    }
  }
  return cursor->place;
}

static void warn(Mender* m, size_t at, const char* message) {
  diagnostic_add(m->problems, cndSEVERITY_WARNING, text_moveto(&m->cursor, at), NULL, NULL, "%s",
                 message);
}

static void append(Mender* m, const char* bytes, size_t n) {
  if (n == 0) {
    return;
  }
  if (m->capacity - m->length < n) {
    m->capacity = m->length + n + m->size + m->size / 4;
    m->copy = heap_resize(m->copy, m->capacity);
  }
  memcpy(m->copy + m->length, bytes, n);
  m->length += n;
}

// Copies the text up to an offset.
static void copy_until(Mender* m, size_t end) {
  append(m, m->text + m->done, end - m->done);
  m->done = end;
}

// Replaces [begin, end) by at least as many bytes in the copy.
static void replace(Mender* m, size_t begin, size_t end, const char* bytes, size_t n) {
  copy_until(m, begin);
  append(m, bytes, n);
  m->done = end;
  if (n == end - begin) {
    return;
  }
  if (m->nedit == m->maxedit) {
    m->maxedit = m->maxedit ? 2 * m->maxedit : 16;
    m->edits = heap_resize(m->edits, (size_t)m->maxedit * sizeof(MendEdit));
  }
  m->edits[m->nedit++] = (MendEdit){m->length, m->length - m->done};
}

// Replaces the copy from an offset on by spaces; line ends and tabs stay.
static void blank_copy(Mender* m, size_t first) {
  for (size_t i = first; i < m->length; i++) {
    m->copy[i] = text_isspace(m->copy[i]) ? m->copy[i] : ' ';
  }
}

static void blank(Mender* m, size_t begin, size_t end) {
  copy_until(m, begin);
  size_t first = m->length;
  copy_until(m, end);
  blank_copy(m, first);
}

static int begins(const Mender* m, size_t i, const char* word) {
  size_t n = strlen(word);
  return m->size - i >= n && memcmp(m->text + i, word, n) == 0;
}

// Offset of the first occurrence of `word` at or after i, or the size of the text if there is none.
static size_t find(const Mender* m, size_t i, const char* word) {
  for (const char* at; i < m->size && (at = memchr(m->text + i, word[0], m->size - i)); i++) {
    i = (size_t)(at - m->text);
    if (begins(m, i, word)) {
      return i;
    }
  }
  return m->size;
}

// Offset of the first character at or after i that is no white space.
static size_t skip_space(const Mender* m, size_t i) {
  while (i < m->size && text_isspace(m->text[i])) {
    i++;
  }
  return i;
}

// Bytes of the UTF-8 character at i, 0 if it is invalid in XML. RFC 3629, section 4
static size_t character_bytes(const Mender* m, size_t i) {
  const unsigned char* c = (const unsigned char*)m->text + i;
  size_t n = c[0] < 0x80   ? 1
             : c[0] < 0xC2 ? 0
             : c[0] < 0xE0 ? 2
             : c[0] < 0xF0 ? 3
             : c[0] < 0xF5 ? 4
                           : 0;
  if (n > m->size - i) {
    return 0;
  }
  for (size_t k = 1; k < n; k++) {
    if ((c[k] & 0xC0) != 0x80) {
      return 0;
    }
  }
  // overlong forms, surrogates, numbers beyond the last character, and U+FFFE and U+FFFF
  int is_bad = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
               (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F) ||
               (c[0] == 0xEF && c[1] == 0xBF && c[2] > 0xBD);
  return is_bad ? 0 : n;
}

static int is_digit(char c, int is_hex) {
  return (c >= '0' && c <= '9') || (is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

// Whether the '&' at i begins a predefined entity (&lt; and so on) or a character reference
// (&#10;).
static int is_reference(const Mender* m, size_t i) {
  if (begins(m, i, "&lt;") || begins(m, i, "&gt;") || begins(m, i, "&amp;") ||
      begins(m, i, "&quot;") || begins(m, i, "&apos;")) {
    return 1;
  }
  int is_hex = begins(m, i, "&#x");
  size_t first = i + 2 + (size_t)is_hex, end = first;
  while (begins(m, i, "&#") && end < m->size && is_digit(m->text[end], is_hex)) {
    end++;
  }
  return end > first && end < m->size && m->text[end] == ';';
}

// Mends the characters in [begin, end) and reports the first change.
static void mend_characters(Mender* m, size_t begin, size_t end, Role role) {
  int is_reported = 0;
  for (size_t i = begin, n; i < end; i += n) {
    const char *instead = NULL, *message = NULL;
    unsigned char c = (unsigned char)m->text[i];
    char latin[2] = {(char)(0xC0 | c >> 6), (char)(0x80 | (c & 0x3F))};
    size_t length = 0;
    n = 1;
    if (c == ' ' || (c >= '.' && c < '<') || (c > '>' && c < 0x80)) {
      continue;  // most of a model: digits, letters
    }
    if (c >= 0x80) {
      n = m->is_latin ? 0 : character_bytes(m, i);
      if (n == 0) {
        n = 1;
        instead = latin;
        length = sizeof(latin);
        message = m->is_latin ? NULL : "bytes that are not UTF-8 are read as Latin-1";
      }
    } else if (role == ROLE_VALUE && (c == '\n' || c == '\r')) {
      n = c == '\r' && i + 1 < end && m->text[i + 1] == '\n' ? 2 : 1;
      instead = "&#10;";
    } else if (role == ROLE_VALUE && c == '\t') {
      instead = "&#9;";
    } else if (role == ROLE_VALUE && c == '<') {
      instead = "&lt;";
      message = "'<' in an attribute is written &lt;";
    } else if (role != ROLE_COMMENT && role != ROLE_CDATA && c == '&' && !is_reference(m, i)) {
      instead = "&amp;";
      message = "'&' is written &amp;";
    } else if (role == ROLE_COMMENT && c == '-' && (i + 1 == end || m->text[i + 1] == '-')) {
      instead = "- ";
      message = "a comment with '--' in it";
    } else if (role == ROLE_CONTENT && c == '>' && i - begin >= 2 && begins(m, i - 2, "]]")) {
      instead = "&gt;";
      message = "']]>' outside CDATA";
    } else if (role != ROLE_VALUE && c < ' ' && !text_isspace((char)c)) {
      instead = " ";
      message = "a control character is read as a space";
    }
    if (message && !is_reported && role != ROLE_CDATA) {
      warn(m, i, message);
      is_reported = 1;
    }
    if (instead) {
      replace(m, i, i + n, instead, length ? length : strlen(instead));
    }
  }
}

static int is_namestart(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}

// Mends the start tag at i. Returns the offset of its '>', or the size of the text if it has none.
static size_t mend_tag(Mender* m, size_t i) {
  while (i < m->size && m->text[i] != '>') {
    char quote = m->text[i++];
    if (quote != '"' && quote != '\'') {
      continue;
    }
    const char* close = i < m->size ? memchr(m->text + i, quote, m->size - i) : NULL;
    if (!close) {
      return m->size;
    }
    size_t end = (size_t)(close - m->text);
    mend_characters(m, i, end, ROLE_VALUE);
    i = end + 1;
    if (i < m->size && is_namestart((unsigned char)m->text[i])) {
      warn(m, i, "no space between two attributes");
      replace(m, i, i, " ", 1);
    }
  }
  return i;
}

// Reads the encoding that the declaration in [begin, end) names, in capital or small letters.
static void note_encoding(Mender* m, size_t begin, size_t end) {
  static const char* const names[] = {"UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1", "LATIN1"};
  size_t i = find(m, begin, "encoding");
  while (i < end && m->text[i] != '"' && m->text[i] != '\'') {
    i++;
  }
  if (i >= end) {
    return;
  }
  for (int k = 0; k < 6; k++) {
    size_t n = strlen(names[k]), same = 0;
    while (same < n && i + 1 + same < end &&
           (names[k][same] == m->text[i + 1 + same] ||
            (names[k][same] | 0x20) == m->text[i + 1 + same])) {
      same++;
    }
    if (same == n && i + 1 + n < end && m->text[i + 1 + n] == m->text[i]) {
      m->is_latin = k >= 4;
      return;
    }
  }
  warn(m, i + 1, "unknown encoding, read as UTF-8");
}

// Replaces the XML declaration by spaces, since the parser doesn't need it. Returns the offset at
// which the text goes on: behind the declaration, or behind leading white space if there is none.
static size_t mend_declaration(Mender* m) {
  size_t begin = begins(m, 0, "\xEF\xBB\xBF") ? 3 : 0, i = skip_space(m, begin);
  size_t end = find(m, i, "?>");
  if (!begins(m, i, "<?xml") || end == m->size || !(text_isspace(m->text[i + 5]) || end == i + 5)) {
    return i;
  }
  if (i > begin) {
    warn(m, i, "white space before the XML declaration");
  }
  note_encoding(m, i, end);
  blank(m, i, end + 2);
  return end + 2;
}

// Mends the comment, CDATA section, processing instruction or DOCTYPE at i. Returns the offset
// behind it, or the size of the text if it is not closed.
static size_t mend_special(Mender* m, size_t i) {
  size_t end;
  if (begins(m, i, "<!--")) {
    end = find(m, i + 4, "-->");
    if (end < m->size) {
      mend_characters(m, i + 4, end, ROLE_COMMENT);
    }
    return end < m->size ? end + 3 : end;
  }
  if (begins(m, i, "<![CDATA[")) {
    end = find(m, i, "]]>");
    if (end < m->size) {
      mend_characters(m, i + 9, end, ROLE_CDATA);
    }
    return end < m->size ? end + 3 : end;
  }
  end = find(m, i, begins(m, i, "<?") ? "?>" : ">");
  return end < m->size ? end + 1 : end;
}

// Mends the markup at i and updates depth, the number of open elements. Returns the offset behind
// it, or the size of the text if it is not closed.
static size_t mend_markup(Mender* m, int* depth, size_t i) {
  int is_close = begins(m, i, "</");
  char next = i + 1 < m->size ? m->text[i + 1] : 0;
  if (!is_close && !is_namestart((unsigned char)next)) {
    return next == '!' || next == '?' ? mend_special(m, i) : i + 1;
  }
  size_t end = is_close ? find(m, i, ">") : mend_tag(m, i);
  *depth += is_close ? -1 : end < m->size && m->text[end - 1] != '/';
  return end < m->size ? end + 1 : end;
}

// Mends the text up to the end tag of the root element. Returns the offset behind it, or the size
// of the text if the root element is not closed.
static size_t mend_root(Mender* m, size_t i) {
  for (int depth = 0; i < m->size;) {
    if (m->text[i] != '<') {
      size_t end = find(m, i, "<");
      if (depth) {
        mend_characters(m, i, end, ROLE_CONTENT);
      }
      i = end;
      continue;
    }
    int is_other = begins(m, i, "<!--") || begins(m, i, "<?") || begins(m, i, "<!DOCTYPE");
    i = mend_markup(m, &depth, i);
    if (!is_other && !depth && m->text[i - 1] == '>') {
      return i;
    }
  }
  return m->size;
}

// Returns the offset behind the element, other markup or run of characters at i. Returns 0 if an
// element or markup is not closed, or if no markup follows the characters.
static size_t mend_extra(Mender* m, size_t i) {
  if (m->text[i] != '<') {
    i = find(m, i, "<");
    return i < m->size ? i : 0;
  }
  int depth = 0;
  do {
    i = m->text[i] == '<' ? mend_markup(m, &depth, i) : find(m, i, "<");
  } while (depth > 0 && i < m->size);
  return depth || m->text[i - 1] != '>' ? 0 : i;
}

static int is_endtag(const Mender* m, size_t i) {
  return begins(m, i, "</") && i + 2 < m->size && is_namestart((unsigned char)m->text[i + 2]) &&
         find(m, i, ">") < m->size;
}

// Truncates the source text at `offset`. If the mended copy already goes past it, truncates the
// copy to `length`, its size at that offset.
static void end_text(Mender* m, size_t offset, size_t length) {
  m->size = offset;
  if (m->done > offset) {
    m->done = offset;
    m->length = length;
  }
}

// Replaces what follows the root element by spaces, as far as it is complete. An end tag without an
// element ends the text. Incomplete markup is left to the parser, which reports it.
static void mend_behind(Mender* m, size_t root) {
  size_t length = m->length + root - m->done;
  int is_reported = 0;
  for (size_t i = root; (i = skip_space(m, i)) < m->size;) {
    if (begins(m, i, "<!--") || begins(m, i, "<?")) {
      i = mend_special(m, i);
      continue;
    }
    if (is_endtag(m, i)) {
      warn(m, i, "an end tag after the root element's; it and what follows is ignored");
      end_text(m, root, length);
      return;
    }
    size_t begin = i;
    copy_until(m, begin);
    size_t first = m->length;
    i = mend_extra(m, begin);
    if (!i) {
      return;
    }
    copy_until(m, i);
    blank_copy(m, first);
    if (!is_reported) {
      warn(m, begin, "what stands after the root element is ignored");
      is_reported = 1;
    }
  }
}

// UTF-16 is left to the parser, which detects it by its first two bytes.
static int is_utf16(const char* text, size_t size) {
  return size >= 2 && (!text[0] || !text[1] || memcmp(text, "\xFF\xFE", 2) == 0 ||
                       memcmp(text, "\xFE\xFF", 2) == 0);
}

void mend_text(Mended* mended, const char* text, size_t size, const char* file,
               cndDiagnostics* problems) {
  *mended = (Mended){.text = text, .size = size};
  if (is_utf16(text, size)) {
    return;
  }
  const char* end = memchr(text, 0, size);
  Mender m = {.text = text,
              .size = end ? (size_t)(end - text) : size,
              .cursor = text_cursor(text, file),
              .problems = problems};
  mend_behind(&m, mend_root(&m, mend_declaration(&m)));
  mended->size = m.size;
  if (end && m.size == (size_t)(end - text)) {
    warn(&m, m.size, "the text ends at a NUL character");
  }
  if (m.done) {
    copy_until(&m, m.size);
    *mended = (Mended){m.copy, m.length, m.copy, m.edits, m.nedit};
  }
}

void mend_free(Mended* mended) {
  heap_free(mended->copy);
  heap_free(mended->edits);
  mended->copy = NULL;
  mended->edits = NULL;
}

// Finds the last edit at or before the offset by bisection.
size_t mend_origin(const Mended* mended, size_t offset) {
  int low = 0, high = mended->nedit;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (mended->edits[middle].at <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low ? offset - mended->edits[low - 1].shift : offset;
}
