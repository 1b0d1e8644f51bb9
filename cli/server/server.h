// server.h: a small web server for the browser of this machine's user.
//
// It listens on the loopback address only, and answers only addresses that begin with a random
// secret, to browsers that asked for this machine by its own name. Connections that are slow,
// silent or too many are closed.

#pragma once

#include <stddef.h>

// An answer: content is freed by the server.
typedef struct Content_ {
  char* bytes;
  size_t size;
  const char* type;  // "text/html; charset=utf-8"
} Content;

// Finds what is at a path, which begins after the secret: "/" is the page. Returns the status.
typedef int (*Serve)(Content* content, const char* path, void* context);

typedef struct Server_ Server;

// Listens on a port, 0: a free one. NULL, after a message, if it can't.
Server* server_open(int port);

// The address of the page, with the secret.
const char* server_address(const Server* server);

// Answers until a signal asks to stop. Returns 1, or 0, after a message, if the system failed.
int server_run(Server* server, Serve serve, void* context);

void server_close(Server* server);
