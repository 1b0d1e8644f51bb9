// Both walks over contacts, shared by threads. What one of them lacks room for or warns of, one
// thread does again.

#include "constraint/rows/shared.h"

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "model/data/arena.h"
#include "model/data/share.h"

typedef struct Walk {
  const RowSink* sink;
  ContactPieces* pieces;
  int first;    // row of all contacts
  int address;  // of its entries
} Walk;

// Walks over the contacts of a piece with a sink of its own.
static void walk_piece(RowSink* own, const Walk* walk, int begin, int end) {
  BodyJacobian bodies;
  size_t top = arena_top(own->d);
  if (own->sparse || !own->measuring) {
    bodies_make(&bodies, own->m, own->d, walk->pieces->most);
  }
  rows_contacts(own, &bodies, begin, end);
  arena_pop(own->d, top);
}

static void count_pieces(void* argument, int begin, int end) {
  const Walk* walk = argument;
  RowSink own = *walk->sink;
  own.nrow = own.nJ = 0;
  walk_piece(&own, walk, begin, end);
  int piece = begin / walk->pieces->size;
  walk->pieces->row[piece + 1] = own.nrow;
  walk->pieces->adr[piece + 1] = own.nJ;
}

static void write_pieces(void* argument, int begin, int end) {
  const Walk* walk = argument;
  RowSink own = *walk->sink;
  int piece = begin / walk->pieces->size;
  own.row = walk->first + (int)walk->pieces->row[piece];
  own.adr = walk->address + (int)walk->pieces->adr[piece];
  walk_piece(&own, walk, begin, end);
}

// Runs pieces, each on the stack of its thread.
static int walk_pieces(const Walk* walk, SharedCall call) {
  mjData* d = walk->sink->d;
  return share_attempt(d, d->ncon, walk->pieces->size, call, (void*)walk) < SIZE_MAX;
}

int contacts_count_shared(ContactPieces* pieces, RowSink* sink, int most) {
  int ncon = sink->d->ncon;
  pieces->size = 0;
  if (!share_pays(sink->d, ncon, LEAST_SHARED_CONTACTS)) {
    return 0;
  }
  pieces->size = int_max(32, ncon / SHARED_PIECES + 1);
  pieces->most = most;
  pieces->row[0] = pieces->adr[0] = 0;
  const Walk walk = {.sink = sink, .pieces = pieces};
  if (!walk_pieces(&walk, count_pieces)) {
    pieces->size = 0;
    return 0;
  }
  int last = (ncon - 1) / pieces->size + 1;
  for (int i = 1; i <= last; i++) {
    pieces->row[i] += pieces->row[i - 1];
    pieces->adr[i] += pieces->adr[i - 1];
  }
  sink->nrow += pieces->row[last];
  sink->nJ += pieces->adr[last];
  return 1;
}

int contacts_write_shared(ContactPieces* pieces, RowSink* sink) {
  const Walk walk = {sink, pieces, sink->row, sink->adr};
  if (!pieces->size || !walk_pieces(&walk, write_pieces)) {
    return 0;
  }
  int last = (sink->d->ncon - 1) / pieces->size + 1;
  sink->row += (int)pieces->row[last];
  sink->adr += (int)pieces->adr[last];
  return 1;
}
