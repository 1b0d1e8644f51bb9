// socket.c: connections by the sockets of POSIX and of Windows.

#ifndef _WIN32
#define _DEFAULT_SOURCE
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#endif

#include "server/socket.h"

#include <errno.h>
#include <string.h>

#ifdef _WIN32

#include <winsock2.h>

typedef SOCKET Handle;
typedef int Length;
typedef int Size;
typedef WSAPOLLFD Poll;

enum {
  QUIETLY = 0,
  FINISH = SD_SEND,
};

// Starts the sockets of the program, once.
static int begin(void) {
  static int started;
  WSADATA data;
  started = started || WSAStartup(MAKEWORD(2, 2), &data) == 0;
  return started;
}

static int reason(void) {
  switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK:
      return EAGAIN;
    case WSAEINTR:
      return EINTR;
    case WSAEADDRINUSE:
      return EADDRINUSE;
    case WSAEACCES:
      return EACCES;
    case WSAEMFILE:
      return EMFILE;
    default:
      return EIO;
  }
}

// A port that is in use is refused only if this is asked for.
static int set_reuse(Handle it) {
  BOOL yes = TRUE;
  return setsockopt(it, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char*)&yes, sizeof yes);
}

static int set_modes(Handle it) {
  u_long yes = 1;
  SetHandleInformation((HANDLE)it, HANDLE_FLAG_INHERIT, 0);
  return ioctlsocket(it, FIONBIO, &yes);
}

static int wait_for(Poll* poll_for, int count, int milliseconds) {
  return WSAPoll(poll_for, (ULONG)count, milliseconds);
}

static void close_handle(Handle it) {
  closesocket(it);
}

#else

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

typedef int Handle;
typedef socklen_t Length;
typedef size_t Size;
typedef struct pollfd Poll;

enum {
#ifdef MSG_NOSIGNAL
  QUIETLY = MSG_NOSIGNAL,
#else
  QUIETLY = 0,  // the program ignores the signal
#endif
  FINISH = SHUT_WR,
};

static int begin(void) {
  return 1;
}

static int reason(void) {
  return errno;
}

// A port that was in use a moment ago can be taken again.
static int set_reuse(Handle it) {
  int yes = 1;
  return setsockopt(it, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

static int set_modes(Handle it) {
  return fcntl(it, F_SETFL, O_NONBLOCK) || fcntl(it, F_SETFD, FD_CLOEXEC);
}

static int wait_for(Poll* poll_for, int count, int milliseconds) {
  return poll(poll_for, (nfds_t)count, milliseconds);
}

static void close_handle(Handle it) {
  close(it);
}

#endif

Socket socket_listen(int* port, int most) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Length size = sizeof address;
  Socket it = begin() ? (Socket)socket(AF_INET, SOCK_STREAM, 0) : -1;
  if (it < 0 || set_modes((Handle)it) || set_reuse((Handle)it) ||
      bind((Handle)it, (struct sockaddr*)&address, sizeof address) || listen((Handle)it, most) ||
      getsockname((Handle)it, (struct sockaddr*)&address, &size)) {
    int why = reason();
    socket_close(it);
    errno = why;
    return -1;
  }
  *port = ntohs(address.sin_port);
  return it;
}

Socket socket_accept(Socket listening) {
  Socket it = (Socket)accept((Handle)listening, NULL, NULL);
  if (it >= 0 && set_modes((Handle)it)) {
    socket_close(it);
    it = -1;
  }
  return it;
}

static long told(long result) {
  errno = result < 0 ? reason() : 0;
  return result >= 0                                                 ? result
         : errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? SOCKET_AGAIN
                                                                     : SOCKET_FAILED;
}

// Bytes that one call moves of so many.
static Size at_once(size_t size) {
  const size_t most = 1 << 20;
  return (Size)(size < most ? size : most);
}

long socket_receive(Socket it, void* bytes, size_t size) {
  return told((long)recv((Handle)it, bytes, at_once(size), 0));
}

long socket_send(Socket it, const void* bytes, size_t size) {
  return told((long)send((Handle)it, bytes, at_once(size), QUIETLY));
}

void socket_finish(Socket it) {
  shutdown((Handle)it, FINISH);
}

void socket_close(Socket it) {
  if (it >= 0) {
    close_handle((Handle)it);
  }
}

int socket_wait(SocketWatch* watch, int count, int milliseconds) {
  enum {
    MOST = 64,
  };
  Poll polled[MOST] = {0};
  count = count < MOST ? count : MOST;
  for (int i = 0; i < count; i++) {
    polled[i].fd = (Handle)watch[i].socket;
    polled[i].events = watch[i].writes ? POLLOUT : POLLIN;
  }
  if (wait_for(polled, count, milliseconds) < 0) {
    return reason() == EINTR;
  }
  for (int i = 0; i < count; i++) {
    watch[i].ready = polled[i].revents != 0;
  }
  return 1;
}
