// starve.h: an allocator that refuses, to test that nothing leaks or crashes when memory is out.
//
//   for (int n = 0; n < 10; n++) {
//     starve_after(n);            // n allocations succeed, the next ones fail
//     ...
//     assert_int_equal(starve_blocks(), 0);
//     starve_end();
//   }

#ifndef CONDYLE_TESTS_SUPPORT_STARVE_H_
#define CONDYLE_TESTS_SUPPORT_STARVE_H_

// Hooks the allocator.
void starve_after(int allocations);

// How many blocks are out now.
int starve_blocks(void);

// Unhooks it.
void starve_end(void);

#endif  // CONDYLE_TESTS_SUPPORT_STARVE_H_
