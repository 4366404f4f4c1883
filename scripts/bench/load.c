/* The load client of the bench, so small that its own cost is nearly nothing and the same for floor and product.
 *   load calls raw|http|dbus SOCKET CONNECTIONS CALLS PAUSE_US REQUEST_FILE [GREETING_FILE]
 *     Sends the bytes of REQUEST_FILE, one call in flight on each connection. A run of twelve zeros in them becomes a counter.
 *     raw: an answer ends with a newline; http: with its Content-Length; dbus: with its message. PAUSE_US sleeps before each call.
 *     GREETING_FILE goes first on each connection; what it is answered with is dropped.
 *   load sync FILE COUNT PAUSE_US
 *     Overwrites 4 KiB of an already written file and calls fsync: what the disk takes for one durable thing.
 * Prints one line of JSON, times in microseconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ZEROS "000000000000"

struct connection {
  int fd, length;
  double sentAt;
  char answer[65536];
};

static char request[65536];
static int requestLength;
static char *counterPlace;
static unsigned long counter;
static int pauseUs;

static double nowUs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void report(double *times, int count, double elapsedUs, int refused) {
  qsort(times, count, sizeof *times, compare);
  printf("{\"p50\":%.1f,\"p95\":%.1f,\"perSecond\":%.0f,\"refused\":%d}\n", times[count / 2],
         times[(int)(count * 0.95)], count / elapsedUs * 1e6, refused);
}

static int dial(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(fd, (void *)&address, sizeof address)) fail("connect");
  return fd;
}

static void greet(int fd, const char *path) {
  static char greeting[4096];
  int file = open(path, O_RDONLY), length = read(file, greeting, sizeof greeting);
  if (write(fd, greeting, length) != length) fail("write");
  usleep(100000);
  if (read(fd, greeting, sizeof greeting) <= 0) fail("read");
}

static void ask(struct connection *c) {
  char digits[13];
  if (pauseUs) usleep(pauseUs);
  if (counterPlace) {
    snprintf(digits, sizeof digits, "%012lu", counter++);
    memcpy(counterPlace, digits, 12);
  }
  c->length = 0;
  c->sentAt = nowUs();
  if (write(c->fd, request, requestLength) != requestLength) fail("write");
}

static unsigned wordAt(const char *bytes) {
  unsigned word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static int isWhole(const struct connection *c, char framing) {
  const char *end, *length;
  if (framing == 'r') return c->answer[c->length - 1] == '\n';
  if (framing == 'd')
    return c->length >= 16 && c->length >= (int)(((16 + wordAt(c->answer + 12) + 7) & ~7u) + wordAt(c->answer + 4));
  end = strstr(c->answer, "\r\n\r\n");
  if (!end) return 0;
  length = strcasestr(c->answer, "content-length:");
  if (!length || length > end) {
    fprintf(stderr, "an answer without Content-Length\n");
    exit(1);
  }
  return c->length >= end - c->answer + 4 + atoi(length + 15);
}

static int calls(char **args) {
  char framing = args[0][0];
  int connections = atoi(args[2]), total = atoi(args[3]);
  int loop = epoll_create1(0), asked = 0, done = 0, refused = 0, file = open(args[5], O_RDONLY);
  struct connection *all = calloc(connections, sizeof *all);
  double *times = malloc(total * sizeof *times), startedAt;
  pauseUs = atoi(args[4]);
  requestLength = read(file, request, sizeof request - 1);
  if (requestLength <= 0) fail("read");
  counterPlace = memmem(request, requestLength, ZEROS, 12);
  counter = (unsigned long)(nowUs() * 10) % 1000000000000UL;
  for (int i = 0; i < connections; i++) {
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &all[i]};
    all[i].fd = dial(args[1]);
    if (args[6]) greet(all[i].fd, args[6]);
    epoll_ctl(loop, EPOLL_CTL_ADD, all[i].fd, &e);
  }
  startedAt = nowUs();
  for (int i = 0; i < connections && asked < total; i++, asked++) ask(&all[i]);
  while (done < total) {
    struct epoll_event events[64];
    int ready = epoll_wait(loop, events, 64, 10000);
    if (ready <= 0) fail("no answer within ten seconds");
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      int got = read(c->fd, c->answer + c->length, sizeof c->answer - 1 - c->length);
      if (got <= 0) fail("the server hung up");
      c->length += got;
      c->answer[c->length] = 0;
      if (!isWhole(c, framing)) continue;
      times[done++] = nowUs() - c->sentAt;
      if (strstr(c->answer, "\"error\":")) {
        if (!refused++) fprintf(stderr, "%.600s\n", c->answer);
      }
      if (asked < total) asked++, ask(c);
    }
  }
  report(times, total, nowUs() - startedAt, refused);
  return 0;
}

static int syncs(char **args) {
  int count = atoi(args[1]), fd = open(args[0], O_CREAT | O_TRUNC | O_RDWR, 0600);
  double *times = malloc(count * sizeof *times), startedAt;
  static char block[4096];
  pauseUs = atoi(args[2]);
  if (fd < 0) fail("open");
  unlink(args[0]);
  for (int i = 0; i < 256; i++)
    if (pwrite(fd, block, sizeof block, i * 4096L) < 0) fail("pwrite");
  fsync(fd);
  startedAt = nowUs();
  for (int i = 0; i < count; i++) {
    double t;
    if (pauseUs) usleep(pauseUs);
    t = nowUs();
    if (pwrite(fd, block, sizeof block, (i % 256) * 4096L) < 0 || fsync(fd)) fail("fsync");
    times[i] = nowUs() - t;
  }
  report(times, count, nowUs() - startedAt, 0);
  return 0;
}

int main(int count, char **args) {
  if ((count == 8 || count == 9) && !strcmp(args[1], "calls")) return calls(args + 2);
  if (count == 5 && !strcmp(args[1], "sync")) return syncs(args + 2);
  fprintf(stderr, "usage: see the head of load.c\n");
  return 2;
}
