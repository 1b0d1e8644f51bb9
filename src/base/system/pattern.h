// pattern.h: names as a shell matches them.

#pragma once

// Does a name match a pattern: '*' any characters, '?' one, a set such as [a-z] or [!0-9] one of
// them? A bracket that isn't closed stands for itself.
int pattern_matches(const char* pattern, const char* name);
