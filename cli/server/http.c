// http.c: reading requests (RFC 9112), strictly.

#include "server/http.h"

#include <string.h>
#include <strings.h>

int http_complete(const char* text, size_t length) {
  for (size_t i = 3; i < length; i++) {
    if (!memcmp(text + i - 3, "\r\n\r\n", 4)) {
      return 1;
    }
  }
  return 0;
}

// Copies a piece of text that must fit. Returns 1 if it does.
static int copy(char* out, size_t room, const char* from, size_t length) {
  if (length >= room) {
    return 0;
  }
  memcpy(out, from, length);
  out[length] = 0;
  return 1;
}

// GET /path?query HTTP/1.1
static int parse_line(HttpRequest* request, const char* line, size_t length) {
  const char* end = line + length;
  const char* target = memchr(line, ' ', length);
  const char* version = target ? memchr(target + 1, ' ', (size_t)(end - target - 1)) : NULL;
  if (!version) {
    return 400;
  }
  size_t method = (size_t)(target - line), digits = (size_t)(end - version - 1);
  if (digits != 8 || memcmp(version + 1, "HTTP/", 5)) {
    return 400;
  }
  if (memcmp(version + 1, "HTTP/1.", 7)) {
    return 505;
  }
  request->head = method == 4 && !memcmp(line, "HEAD", 4);
  if (!request->head && !(method == 3 && !memcmp(line, "GET", 3))) {
    return 405;
  }
  target++;
  if (*target != '/') {
    return 400;
  }
  size_t path = 0;
  while (target + path < version && target[path] != '?') {
    unsigned char c = (unsigned char)target[path++];
    if (c <= ' ' || c >= 0x7f) {
      return 400;
    }
  }
  return copy(request->path, sizeof request->path, target, path) ? 0 : 414;
}

// Is this the field `name`? Its value is then *value, without spaces around it.
static int is_field(const char** value, size_t* size, const char* line, size_t length,
                    const char* name) {
  size_t n = strlen(name);
  if (length <= n || strncasecmp(line, name, n) || line[n] != ':') {
    return 0;
  }
  const char *begin = line + n + 1, *end = line + length;
  while (begin < end && (*begin == ' ' || *begin == '\t')) {
    begin++;
  }
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
    end--;
  }
  *value = begin;
  *size = (size_t)(end - begin);
  return 1;
}

static int parse_field(HttpRequest* request, const char* line, size_t length) {
  const char* value;
  size_t size;
  // continued lines, and spaces before the colon, are used to smuggle requests
  const char* colon = memchr(line, ':', length);
  if (!colon || colon == line || line[0] == ' ' || line[0] == '\t' || colon[-1] == ' ' ||
      memchr(line, 0, length)) {
    return 400;
  }
  if (is_field(&value, &size, line, length, "Host")) {
    return !request->host[0] && size && copy(request->host, sizeof request->host, value, size)
               ? 0
               : 400;
  }
  if (is_field(&value, &size, line, length, "Origin")) {
    return copy(request->origin, sizeof request->origin, value, size) ? 0 : 400;
  }
  if (is_field(&value, &size, line, length, "Transfer-Encoding")) {
    return 400;
  }
  if (is_field(&value, &size, line, length, "Content-Length")) {
    return size == 1 && *value == '0' ? 0 : 413;
  }
  return 0;
}

int http_parse(HttpRequest* request, const char* text, size_t length) {
  memset(request, 0, sizeof *request);
  const char *line = text, *end = text + length;
  for (int number = 0; line < end; number++) {
    const char* stop = memchr(line, '\r', (size_t)(end - line));
    if (!stop || stop + 1 >= end || stop[1] != '\n' || memchr(line, '\n', (size_t)(stop - line))) {
      return 400;
    }
    size_t size = (size_t)(stop - line);
    if (size == 0) {
      return number > 0 ? 0 : 400;
    }
    int status = number == 0 ? parse_line(request, line, size) : parse_field(request, line, size);
    if (status) {
      return status;
    }
    line = stop + 2;
  }
  return 400;
}

const char* http_reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "HTTP Version Not Supported";
  }
}
