// Loaded into a program with LD_PRELOAD: counts its system calls on files below one directory, and at a chosen
// one kills the program, fails, or sends it a signal; turns the clock back.
//
//   GARRISON_SHIM_ROOT    the directory, absolute, without links
//   GARRISON_SHIM_TRACE   a file outside of it that gets a line for each call: its name and its site
//   GARRISON_SHIM_CALL    the call: open, write, sync, rename, remove, mkdir, truncate; name: those that name a
//                         path; or any
//   GARRISON_SHIM_SITE    the site: the path below the directory, each row of digits written as one '#'; or any
//   GARRISON_SHIM_NUMBER  which of these calls, from 1
//   GARRISON_SHIM_EFFECT  kill-before, kill-half, kill-after; fail ERRNO once|on, short ERRNO once|on;
//                         signal NUMBER
//   GARRISON_SHIM_CLOCK   SECONDS CALLS: after so many readings the real-time clock is so many seconds behind
//
// kill-half writes half of a buffer; with other calls it is kill-before. short writes half of the buffer, as a
// disk does that becomes full, and fails from the next such call on. A line that begins with '!' is traced when
// the effect comes, with the time of the monotonic clock in nanoseconds.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum effect { NOTHING, KILL_BEFORE, KILL_HALF, KILL_AFTER, FAIL, SHORT, SIGNAL };

static char root[PATH_MAX];
static size_t root_length;
static int trace = -1;
static const char *wanted_call, *wanted_site;
static long wanted_number, seen, argument;
static enum effect effect;
static int goes_on, armed, fired;
static long clock_seconds, clock_calls, clock_read;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_rmdir)(const char *);
static int (*real_unlinkat)(int, const char *, int);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_clock)(clockid_t, struct timespec *);

static void find(void *place, const char *name) { *(void **)place = dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  find(&real_open, "open64");
  find(&real_openat, "openat64");
  find(&real_write, "write");
  find(&real_writev, "writev");
  find(&real_fsync, "fsync");
  find(&real_fdatasync, "fdatasync");
  find(&real_rename, "rename");
  find(&real_unlink, "unlink");
  find(&real_rmdir, "rmdir");
  find(&real_unlinkat, "unlinkat");
  find(&real_mkdir, "mkdir");
  find(&real_ftruncate, "ftruncate64");
  find(&real_clock, "clock_gettime");
  const char *text = getenv("GARRISON_SHIM_CLOCK");
  if (text != NULL) {
    sscanf(text, "%ld %ld", &clock_seconds, &clock_calls);
  }
  text = getenv("GARRISON_SHIM_ROOT");
  if (text == NULL || strlen(text) >= sizeof root) {
    return;
  }
  text = getenv("GARRISON_SHIM_TRACE");
  if (text != NULL) {
    trace = real_open(text, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  }
  wanted_call = getenv("GARRISON_SHIM_CALL");
  wanted_site = getenv("GARRISON_SHIM_SITE");
  text = getenv("GARRISON_SHIM_NUMBER");
  wanted_number = text != NULL ? atol(text) : 1;
  text = getenv("GARRISON_SHIM_EFFECT");
  char word[16] = "", until[8] = "";
  if (text != NULL && wanted_call != NULL && wanted_site != NULL) {
    sscanf(text, "%15s %ld %7s", word, &argument, until);
    effect = strcmp(word, "kill-before") == 0  ? KILL_BEFORE
             : strcmp(word, "kill-half") == 0  ? KILL_HALF
             : strcmp(word, "kill-after") == 0 ? KILL_AFTER
             : strcmp(word, "fail") == 0       ? FAIL
             : strcmp(word, "short") == 0      ? SHORT
             : strcmp(word, "signal") == 0     ? SIGNAL
                                               : NOTHING;
    goes_on = strcmp(until, "on") == 0;
  }
  // The last thing: from here on calls are looked at.
  strcpy(root, getenv("GARRISON_SHIM_ROOT"));
  root_length = strlen(root);
  // Programs that this one starts, such as git, are not looked at.
  unsetenv("LD_PRELOAD");
}

// The path of a descriptor, without a zero at its end if it is as long as the buffer.
static int path_of(int descriptor, char *path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length > 0;
}

// The site of an absolute path; whether it lies below the directory.
static int site_of(const char *path, char *site) {
  if (root_length == 0 || strncmp(path, root, root_length) != 0 ||
      (path[root_length] != '/' && path[root_length] != '\0')) {
    return 0;
  }
  path += root_length;
  path += *path == '/';
  size_t length = 0;
  for (; *path != '\0' && length < PATH_MAX - 1; ++path) {
    int digit = *path >= '0' && *path <= '9';
    if (!digit || length == 0 || site[length - 1] != '#') {
      site[length++] = digit ? '#' : *path;
    }
  }
  site[length] = '\0';
  return 1;
}

// The same for what a program names, relative to its own directory or to an open one.
static int site_at(int directory, const char *name, char *site) {
  char path[2 * PATH_MAX];
  if (root_length == 0 || name == NULL) {
    return 0;
  }
  if (name[0] == '/') {
    return site_of(name, site);
  }
  if (directory == AT_FDCWD ? getcwd(path, PATH_MAX) == NULL : !path_of(directory, path)) {
    return 0;
  }
  while (name[0] == '.' && name[1] == '/') {
    name += 2;
  }
  size_t length = strlen(path);
  if (strcmp(name, ".") != 0) {
    snprintf(path + length, sizeof path - length, "/%s", name);
  }
  return site_of(path, site);
}

static int site_of_open(int descriptor, char *site) {
  char path[PATH_MAX];
  return root_length != 0 && path_of(descriptor, path) && site_of(path, site);
}

static void tell(const char *first, const char *call, const char *site) {
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s%s %s\n", first, call, site);
  if (trace >= 0 && length > 0) {
    (void)!real_write(trace, line, (size_t)length);
  }
}

static void tell_fired(const char *call, const char *site) {
  struct timespec now = {0, 0};
  char first[48];
  real_clock(CLOCK_MONOTONIC, &now);
  snprintf(first, sizeof first, "!%lld ", (long long)now.tv_sec * 1000000000LL + now.tv_nsec);
  tell(first, call, site);
}

static void die(void) {
  for (;;) {
    kill(getpid(), SIGKILL);
  }
}

static int is_wanted(const char *call) {
  int names = strcmp(call, "open") == 0 || strcmp(call, "rename") == 0 || strcmp(call, "remove") == 0 ||
              strcmp(call, "mkdir") == 0;
  return strcmp(wanted_call, "any") == 0 || strcmp(wanted_call, call) == 0 ||
         (names && strcmp(wanted_call, "name") == 0);
}

// What is to become of a call: an effect that has just come, or nothing. Its number goes up.
static enum effect meets(const char *call, const char *site) {
  tell("", call, site);
  if (effect == NOTHING || !is_wanted(call) ||
      (strcmp(wanted_site, "any") != 0 && strcmp(wanted_site, site) != 0)) {
    return NOTHING;
  }
  long number = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
  if (armed) {
    armed = goes_on;
    return FAIL;
  }
  if (number < wanted_number || (fired && !(effect == FAIL && goes_on))) {
    return NOTHING;
  }
  if (!__atomic_exchange_n(&fired, 1, __ATOMIC_SEQ_CST)) {
    tell_fired(call, site);
  }
  switch (effect) {
  case KILL_BEFORE:
    die();
    break;
  case SIGNAL:
    kill(getpid(), (int)argument);
    return NOTHING;
  case SHORT:
    armed = 1;
    break;
  default:
    break;
  }
  return effect;
}

// Around calls that have no half of them.
#define AROUND(call, found, site, real)                                                                                \
  do {                                                                                                                 \
    enum effect what = (found) ? meets(call, site) : NOTHING;                                                          \
    if (what == KILL_HALF) {                                                                                           \
      die();                                                                                                           \
    }                                                                                                                  \
    if (what == FAIL || what == SHORT) {                                                                               \
      errno = (int)argument;                                                                                           \
      return -1;                                                                                                       \
    }                                                                                                                  \
    int result = real;                                                                                                 \
    if (what == KILL_AFTER) {                                                                                          \
      die();                                                                                                           \
    }                                                                                                                  \
    return result;                                                                                                     \
  } while (0)

static int opening(int directory, const char *name, int flags, mode_t mode) {
  char site[PATH_MAX];
  int found = (flags & O_DIRECTORY) == 0 && site_at(directory, name, site);
  AROUND("open", found, site, real_openat(directory, name, flags, mode));
}

static mode_t mode_of(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(function)                                                                                                 \
  int function(const char *name, int flags, ...) {                                                                     \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    mode_t mode = mode_of(flags, list);                                                                                \
    va_end(list);                                                                                                      \
    return opening(AT_FDCWD, name, flags, mode);                                                                       \
  }
#define OPEN_AT(function)                                                                                              \
  int function(int directory, const char *name, int flags, ...) {                                                      \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    mode_t mode = mode_of(flags, list);                                                                                \
    va_end(list);                                                                                                      \
    return opening(directory, name, flags, mode);                                                                      \
  }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

ssize_t write(int descriptor, const void *buffer, size_t size) {
  char site[PATH_MAX];
  enum effect what = site_of_open(descriptor, site) ? meets("write", site) : NOTHING;
  switch (what) {
  case KILL_HALF:
    (void)!real_write(descriptor, buffer, size / 2);
    die();
    break;
  case SHORT:
    return real_write(descriptor, buffer, size / 2);
  case FAIL:
    errno = (int)argument;
    return -1;
  default:
    break;
  }
  ssize_t result = real_write(descriptor, buffer, size);
  if (what == KILL_AFTER) {
    die();
  }
  return result;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  char site[PATH_MAX];
  // As a write of its first part: writers go on with the rest.
  if (count > 0 && site_of_open(descriptor, site)) {
    return write(descriptor, parts[0].iov_base, parts[0].iov_len);
  }
  return real_writev(descriptor, parts, count);
}

int fsync(int descriptor) {
  char site[PATH_MAX];
  AROUND("sync", site_of_open(descriptor, site), site, real_fsync(descriptor));
}

int fdatasync(int descriptor) {
  char site[PATH_MAX];
  AROUND("sync", site_of_open(descriptor, site), site, real_fdatasync(descriptor));
}

#define TRUNCATE(function)                                                                                             \
  int function(int descriptor, off64_t size) {                                                                         \
    char site[PATH_MAX];                                                                                               \
    AROUND("truncate", site_of_open(descriptor, site), site, real_ftruncate(descriptor, size));                        \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int rename(const char *from, const char *to) {
  char site[PATH_MAX];
  AROUND("rename", site_at(AT_FDCWD, to, site), site, real_rename(from, to));
}

int unlink(const char *name) {
  char site[PATH_MAX];
  AROUND("remove", site_at(AT_FDCWD, name, site), site, real_unlink(name));
}

int rmdir(const char *name) {
  char site[PATH_MAX];
  AROUND("remove", site_at(AT_FDCWD, name, site), site, real_rmdir(name));
}

int unlinkat(int directory, const char *name, int flags) {
  char site[PATH_MAX];
  AROUND("remove", site_at(directory, name, site), site, real_unlinkat(directory, name, flags));
}

int mkdir(const char *name, mode_t mode) {
  char site[PATH_MAX];
  AROUND("mkdir", site_at(AT_FDCWD, name, site), site, real_mkdir(name, mode));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (real_clock == NULL) {
    return (int)syscall(SYS_clock_gettime, clock, time);
  }
  int result = real_clock(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME && clock_seconds != 0 &&
      __atomic_add_fetch(&clock_read, 1, __ATOMIC_SEQ_CST) > clock_calls) {
    time->tv_sec -= clock_seconds;
  }
  return result;
}
