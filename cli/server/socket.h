// socket.h: connections of POSIX and Windows that never wait and are not inherited by programs.
//
// Functions that fail leave the reason in errno.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef intptr_t Socket;  // -1 for none

enum {
  SOCKET_AGAIN = -2,  // nothing to read, or no room to write, now
  SOCKET_FAILED = -1,
};

// Listens on a port of this machine alone, on any free one if *port is 0, which becomes the port.
Socket socket_listen(int* port, int most);

// Takes a connection that waits.
Socket socket_accept(Socket listening);

// Returns the number of bytes, 0 if the other side has ended, SOCKET_AGAIN or SOCKET_FAILED.
long socket_receive(Socket it, void* bytes, size_t size);
long socket_send(Socket it, const void* bytes, size_t size);

// Says that nothing more is sent.
void socket_finish(Socket it);
void socket_close(Socket it);

typedef struct SocketWatch_ {
  Socket socket;
  int writes;  // wait for room to write rather than for something to read
  int ready;   // out: is there, or is the connection broken?
} SocketWatch;

// Waits until one of them is ready, at most so many milliseconds. Returns 0 on failure.
int socket_wait(SocketWatch* watch, int count, int milliseconds);
