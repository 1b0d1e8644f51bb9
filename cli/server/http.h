// http.h: requests of a browser, as far as serving a page needs them.
//
// Requests are not trusted: any program on this machine, and any page that a browser shows, may
// send them. So an address is only valid with a secret in it, the host name asked for must be this
// machine's, and everything that isn't a plain request for an existing file is refused.

#pragma once

#include <stddef.h>

enum {
  HTTP_LARGEST = 8192,  // bytes of a request
};

typedef struct HttpRequest_ {
  int head;          // HEAD: an answer without content
  char path[512];    // begins with '/', without a query
  char host[256];    // "" if the request has none
  char origin[256];  // of the page that sends the request; "" if none
} HttpRequest;

// Is the beginning of a request complete, up to the empty line?
int http_complete(const char* text, size_t length);

// Reads a complete request. Returns 0, or the status of the answer that refuses it (400 ..).
int http_parse(HttpRequest* request, const char* text, size_t length);

// What a status means, in the words of the protocol.
const char* http_reason(int status);
