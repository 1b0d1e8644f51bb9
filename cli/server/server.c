// server.c: connections, each one request and one answer, watched by poll.

#define _POSIX_C_SOURCE 200809L  // CLOCK_MONOTONIC

#include "server/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system/machine.h"
#include "server/http.h"
#include "server/socket.h"
#include "stop.h"

enum {
  MOST_CONNECTIONS = 32,
  PATIENCE = 10,      // seconds for an answer to go on
  REQUEST_TIME = 3,   // seconds for a request, which browsers send at once
  SECRET_BYTES = 16,  // 128 bits can't be guessed
  BEAT = 1000,        // milliseconds between two looks at the clock
  HEAD_ROOM = 1024,   // bytes for the head of an answer
};

typedef struct Connection_ {
  Socket socket;
  time_t since;  // time of the last progress; for a request, of its beginning
  char request[HTTP_LARGEST];
  size_t received;
  char* answer;  // NULL while the request is read
  size_t size, sent;
} Connection;

struct Server_ {
  Socket socket;
  int port;
  char secret[2 * SECRET_BYTES + 1];
  char address[128];
  Connection connection[MOST_CONNECTIONS];
  int count;
};

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static int make_secret(char* secret) {
  unsigned char bytes[SECRET_BYTES];
  if (!system_random(bytes, sizeof bytes)) {
    return 0;
  }
  for (int i = 0; i < SECRET_BYTES; i++) {
    snprintf(secret + (size_t)(2 * i), 3, "%02x", bytes[i]);
  }
  return 1;
}

Server* server_open(int port) {
  Server* server = calloc(1, sizeof *server);
  if (server) {
    server->port = port;
    server->socket = socket_listen(&server->port, MOST_CONNECTIONS);
  }
  if (!server || server->socket < 0 || !make_secret(server->secret)) {
    fprintf(stderr, "port %d of 127.0.0.1: %s\n", port, strerror(errno));
    server_close(server);
    return NULL;
  }
  snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/%s/", server->port,
           server->secret);
  return server;
}

const char* server_address(const Server* server) {
  return server->address;
}

// Does this name mean this server? A request by another name comes from a page that tries to read
// what isn't its own (DNS rebinding).
static int is_own_host(const Server* server, const char* host) {
  static const char* const names[] = {"127.0.0.1", "localhost"};
  for (int i = 0; i < 2; i++) {
    char own[64];
    snprintf(own, sizeof own, "%s:%d", names[i], server->port);
    if (!strcmp(host, own)) {
      return 1;
    }
  }
  return 0;
}

// Compares in constant time, so that the time doesn't tell how many characters are right.
static int has_secret(const Server* server, const char* path) {
  size_t length = 2 * (size_t)SECRET_BYTES;
  if (strlen(path) < length + 2 || path[length + 1] != '/') {
    return 0;
  }
  unsigned char wrong = 0;
  for (size_t i = 0; i < length; i++) {
    wrong |= (unsigned char)(path[i + 1] ^ server->secret[i]);
  }
  return !wrong;
}

// Finds the content of an answer. Returns its status.
static int answer_to(Content* content, HttpRequest* request, const Server* server,
                     const Connection* connection, Serve serve, void* context) {
  int status = http_parse(request, connection->request, connection->received);
  if (status) {
    return status;
  }
  if (!is_own_host(server, request->host) ||
      (request->origin[0] &&
       (strncmp(request->origin, "http://", 7) || !is_own_host(server, request->origin + 7)))) {
    return 403;
  }
  if (!has_secret(server, request->path)) {
    return 404;
  }
  return serve(content, request->path + 1 + 2 * SECRET_BYTES, context);
}

// Writes head and content of an answer into one block. Without memory the connection ends.
static void put_answer(Connection* connection, int status, const Content* content, int head) {
  const char* text = http_reason(status);
  const char* bytes = content->bytes ? content->bytes : text;
  size_t size = content->bytes ? content->size : strlen(text);
  connection->answer = malloc(HEAD_ROOM + size);
  connection->since = now();
  if (!connection->answer) {
    return;
  }
  int length = snprintf(
      connection->answer, HEAD_ROOM,
      "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: "
      "same-origin\r\n\r\n",
      status, text, content->bytes ? content->type : "text/plain", size,
      status == 405 ? "Allow: GET, HEAD\r\n" : "");
  connection->size = (size_t)length;
  if (!head) {
    memcpy(connection->answer + length, bytes, size);
    connection->size += size;
  }
}

// Reads what has come. Returns 0 if the connection is at its end.
static int receive(Connection* it, const Server* server, Serve serve, void* context) {
  long got =
      socket_receive(it->socket, it->request + it->received, sizeof it->request - it->received);
  if (got <= 0) {
    return got == SOCKET_AGAIN;
  }
  it->received += (size_t)got;
  Content content = {NULL, 0, "text/plain"};
  HttpRequest request = {0};
  if (http_complete(it->request, it->received)) {
    int status = answer_to(&content, &request, server, it, serve, context);
    put_answer(it, status, &content, request.head);
    free(content.bytes);
    return it->answer != NULL;
  }
  if (it->received == sizeof it->request) {
    put_answer(it, 431, &content, 0);
    return it->answer != NULL;
  }
  return 1;
}

// Sends what can be sent. Returns 0 if everything was, or if the other side is gone.
static int deliver(Connection* it) {
  long sent = socket_send(it->socket, it->answer + it->sent, it->size - it->sent);
  if (sent < 0) {
    return sent == SOCKET_AGAIN;
  }
  it->sent += (size_t)sent;
  it->since = now();
  return it->sent < it->size;
}

// Ends a connection. What the other side still sends is read, so that it gets the whole answer.
static void end(Connection* it) {
  char rest[4096];
  socket_finish(it->socket);
  for (int i = 0; i < 16 && socket_receive(it->socket, rest, sizeof rest) > 0; i++) {
  }
  socket_close(it->socket);
  free(it->answer);
}

// Ends a connection, whose place the last one takes.
static void drop(Server* server, Connection* it) {
  end(it);
  *it = server->connection[--server->count];
}

// The connection that has not asked for anything for the longest time; NULL if all have.
static Connection* most_silent(Server* server) {
  Connection* found = NULL;
  for (int i = 0; i < server->count; i++) {
    Connection* it = &server->connection[i];
    if (!it->answer && (!found || it->since < found->since)) {
      found = it;
    }
  }
  return found;
}

// Whoever has not shown the secret gives way: any program of this machine can open connections.
static void take_connection(Server* server) {
  Socket socket = socket_accept(server->socket);
  if (socket < 0) {
    return;
  }
  Connection* silent = server->count == MOST_CONNECTIONS ? most_silent(server) : NULL;
  if (silent) {
    drop(server, silent);
  }
  if (server->count == MOST_CONNECTIONS) {
    socket_close(socket);
    return;
  }
  Connection* it = &server->connection[server->count++];
  memset(it, 0, sizeof *it);
  it->socket = socket;
  it->since = now();
}

// Serves all connections that are ready, once. Returns 0 if the system failed.
static int look(Server* server, Serve serve, void* context) {
  SocketWatch watched[MOST_CONNECTIONS + 1];
  watched[0] = (SocketWatch){server->socket, 0, 0};
  for (int i = 0; i < server->count; i++) {
    const Connection* it = &server->connection[i];
    watched[i + 1] = (SocketWatch){it->socket, it->answer != NULL, 0};
  }
  int count = server->count;
  if (!socket_wait(watched, count + 1, BEAT)) {
    return 0;
  }
  // backwards, because the last connection takes the place of one that ends
  for (int i = count - 1; i >= 0; i--) {
    Connection* it = &server->connection[i];
    int goes_on = now() - it->since <= (it->answer ? PATIENCE : REQUEST_TIME);
    if (goes_on && watched[i + 1].ready) {
      goes_on = it->answer ? deliver(it) : receive(it, server, serve, context);
    }
    if (!goes_on) {
      drop(server, it);
    }
  }
  if (watched[0].ready) {
    take_connection(server);
  }
  return 1;
}

int server_run(Server* server, Serve serve, void* context) {
  while (!stop_signal()) {
    if (!look(server, serve, context)) {
      perror("poll");
      return 0;
    }
  }
  return 1;
}

void server_close(Server* server) {
  if (!server) {
    return;
  }
  for (int i = 0; i < server->count; i++) {
    end(&server->connection[i]);
  }
  socket_close(server->socket);
  free(server);
}
