// http.h: requests of a browser, as far as serving a page needs them.
//
// Who asks is not trusted: any program on this machine and any page that a browser shows may try.
// So an address is only valid with a secret in it, the name that was asked for must be that of this
// machine, and what is not plainly a request for something that exists is refused.

#pragma once

#include <stddef.h>

enum {
  HTTP_LARGEST = 8192,  // bytes of a request
};

typedef struct HttpRequest_ {
  int head;          // HEAD: an answer without content
  char path[512];    // begins with '/', without a query
  char host[256];    // "" if it was not said
  char origin[256];  // of the page that asks; "" if it was not said
} HttpRequest;

// Is the beginning of a request complete, up to the empty line?
int http_complete(const char* text, size_t length);

// Reads a complete request. Returns 0, or the status of the answer that refuses it (400 ..).
int http_parse(HttpRequest* request, const char* text, size_t length);

// What a status means, in the words of the protocol.
const char* http_reason(int status);
