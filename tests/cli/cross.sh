#!/bin/sh
# The program compiles for other processors, optimised and without a warning, by whatever cross compilers there are: GCC 12 for arm64
# has broken down at a loop that is right.
# usage: cross.sh SOURCE_DIR        77: there is no such compiler
set -u
cd "$1" || exit 1
passed=0
failed=0
for processor in aarch64 riscv64; do
  command -v $processor-linux-gnu-gcc > /dev/null || continue
  # what draws wants the libraries of pictures
  for file in $(find cli -name '*.c' | grep -vE '/(render|record|picture|portrait|film|image)\.c$'); do
    if $processor-linux-gnu-gcc -std=gnu17 -O3 -DNDEBUG -Wall -Wextra -Werror -fno-math-errno -fno-trapping-math -ffp-contract=off \
      -Icli -Isrc -Iinclude -c "$file" -o /dev/null; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED $file: $processor"
    fi
  done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
