// pattern.c: patterns of names, which POSIX has and Windows has not.

#include "base/system/pattern.h"

#include <string.h>

// Is a character in a set, written behind '[' as in "a-z]" or "!a]"? Sets *end behind it.
static int in_set(const char** end, const char* set, char c) {
  int negated = *set == '!', found = 0;
  const char* at = set + negated;
  do {
    int range = at[0] && at[1] == '-' && at[2] && at[2] != ']';
    found |= at[0] <= c && c <= at[range ? 2 : 0];
    at += range ? 3 : 1;
  } while (*at && *at != ']');
  *end = at + (*at == ']');
  return found != negated;
}

// After a star the rest is tried further and further on.
int pattern_matches(const char* pattern, const char* name) {
  const char *star = NULL, *from = NULL;
  while (*name || *pattern == '*') {
    const char* next = pattern + 1;
    if (*pattern == '*') {
      star = ++pattern;
      from = name;
    } else if (*pattern == '?' || (*pattern == '[' && strchr(pattern, ']'))
                   ? *pattern == '?' || in_set(&next, pattern + 1, *name)
                   : *pattern == *name) {
      pattern = next;
      name++;
    } else if (star && *from) {
      pattern = star;
      name = ++from;
    } else {
      return 0;
    }
  }
  return !*pattern;
}
