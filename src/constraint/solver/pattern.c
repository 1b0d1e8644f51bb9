// Symbolic factorization with sets of columns as bits.     theory/contact/solvers.md, Newton matrix

#include "constraint/solver/pattern.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

typedef unsigned long Word;
enum {
  BITS = 8 * sizeof(Word)
};

// Word w of a set, without the columns from `below` on.
INLINE Word word_below(const Word* set, int w, int below) {
  int kept = below - w * BITS;
  return kept >= BITS ? set[w] : kept > 0 ? set[w] & (((Word)1 << kept) - 1) : 0;
}

INLINE int words_below(int below) {
  return (below + BITS - 1) / BITS;
}

// The largest column before `below`; -1 if there is none.
INLINE int highest_bit(const Word* set, int below) {
  for (int w = words_below(below) - 1; w >= 0; w--) {
    Word word = word_below(set, w, below);
    if (word) {
      return w * BITS + BITS - 1 - __builtin_clzl(word);
    }
  }
  return -1;
}

INLINE int count_bits(const Word* set, int below) {
  int count = 0;
  for (int w = 0; w < words_below(below); w++) {
    count += __builtin_popcountl(word_below(set, w, below));
  }
  return count;
}

// Adds columns a word at a time: they ascend.
INLINE void add_columns(Word* set, const int* column, int n) {
  for (int k = 0; k < n;) {
    int w = column[k] / BITS;
    Word word = 0;
    for (; k < n && column[k] / BITS == w; k++) {
      word |= (Word)1 << column[k] % BITS;
    }
    set[w] |= word;
  }
}

// to |= from for columns before `below`, and maybe some behind, which are never read.
INLINE void add_below(Word* to, const Word* from, int below) {
  for (int w = 0; w < words_below(below); w++) {
    to[w] |= from[w];
  }
}

// On entry the rows are those of J'J; they become those of M + J'J, then of the factor. path: a
// scratch row of M for each depth, which is the parent's row plus the dof itself (smooth/ldl.h).
static KERNEL void complete(Pattern* pattern, Word* path, TreePattern tree) {
  int n = tree.n;
  size_t width = pattern->width;
  for (int i = 0; i < n && !tree.is_cut; i++) {
    int depth = tree.rownnz[i] - 1;
    Word *row = pattern->row + i * width, *own = path + depth * width;
    pattern->nnzJ += count_bits(row, i + 1);
    for (size_t w = 0; w < width; w++) {
      own[w] = depth ? own[w - width] : 0;
    }
    own[i / BITS] |= (Word)1 << i % BITS;
    add_below(row, own, i + 1);
  }

  for (int i = 0; i < n && tree.is_cut; i++) {
    Word* row = pattern->row + i * width;
    pattern->nnzJ += count_bits(row, i + 1);
    add_columns(row, tree.colind + tree.rowadr[i], tree.rownnz[i]);
  }

  // fill-in
  for (int i = n - 1; i >= 0; i--) {
    const Word* row = pattern->row + i * width;
    int parent = pattern->parent[i] = highest_bit(row, i);
    if (parent >= 0) {
      add_below(pattern->row + parent * width, row, parent);
    }
    pattern->nnz[i] = count_bits(row, i);
    pattern->nnzL += pattern->nnz[i] + 1;
  }
}

Pattern pattern_make(mjData* d, const Problem* p) {
  int n = p->n;
  size_t width = words_below(n);
  Pattern pattern = {.width = width};
  pattern.row = mj_stackAllocByte(d, sizeof(Word) * n * width, sizeof(Word));
  pattern.parent = mj_stackAllocInt(d, n);
  pattern.nnz = mj_stackAllocInt(d, n);
  memset(pattern.row, 0, sizeof(Word) * n * width);

  // rows with the same columns count once
  mj_markStack(d);
  Word* columns = mj_stackAllocByte(d, sizeof(Word) * width, sizeof(Word));
  for (int r = 0; r < p->rows.nefc; r += 1 + p->J.same[r]) {
    const int* column = p->J.column + p->J.rowadr[r];
    memset(columns, 0, sizeof(Word) * width);
    add_columns(columns, column, p->J.rownnz[r]);
    for (int k = 0; k < p->J.rownnz[r]; k++) {
      add_below(pattern.row + column[k] * width, columns, column[k] + 1);
    }
  }
  int deepest = 0;
  for (int i = 0; i < n; i++) {
    deepest = int_max(deepest, p->tree.rownnz[i]);
  }
  Word* path = mj_stackAllocByte(d, sizeof(Word) * deepest * width, sizeof(Word));
  complete(&pattern, path, p->tree);
  mj_freeStack(d);
  return pattern;
}

void pattern_count(int64_t nnzL[1], int64_t nnzJ[1], const Problem* p) {
  const TreePattern* tree = &p->tree;
  int n = p->n;
  uint64_t row[COUNT_UP_TO] = {0}, path[COUNT_UP_TO];
  for (int r = 0; r < p->rows.nefc; r += 1 + p->J.same[r]) {
    const int* column = p->J.column + p->J.rowadr[r];
    uint64_t columns = 0;
    for (int k = 0; k < p->J.rownnz[r]; k++) {
      columns |= (uint64_t)1 << column[k];
    }
    for (int k = 0; k < p->J.rownnz[r]; k++) {
      row[column[k]] |= columns;
    }
  }
  *nnzL = *nnzJ = 0;
  for (int i = 0; i < n; i++) {
    uint64_t diagonal = (uint64_t)1 << i;
    row[i] &= diagonal | (diagonal - 1);
    *nnzJ += __builtin_popcountll(row[i]);
    if (tree->is_cut) {
      for (int k = 0; k < tree->rownnz[i]; k++) {
        row[i] |= (uint64_t)1 << tree->colind[tree->rowadr[i] + k];
      }
    } else {
      int depth = tree->rownnz[i] - 1;
      path[depth] = diagonal | (depth ? path[depth - 1] : 0);
      row[i] |= path[depth];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    uint64_t below = row[i] & (((uint64_t)1 << i) - 1);
    if (below) {
      row[63 - __builtin_clzll(below)] |= below;
    }
    *nnzL += __builtin_popcountll(below) + 1;
  }
}

void pattern_list(int* list, const Pattern* pattern, int i) {
  const Word* row = pattern->row + i * pattern->width;
  for (int w = 0; w < words_below(i); w++) {
    for (Word word = word_below(row, w, i); word; word &= word - 1) {
      *list++ = w * BITS + __builtin_ctzl(word);
    }
  }
}
