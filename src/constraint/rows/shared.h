// shared.h: rows of contacts made by several threads, in pieces of contacts.
//
// The first walk counts the rows and entries of each piece, so each piece knows where its own begin
// and the second walk can write them all at once.
//                                                       theory/data.md, Threads within one step

#pragma once

#include "constraint/rows/sink.h"

enum {
  SHARED_PIECES = 512,          // the most pieces
  LEAST_SHARED_CONTACTS = 128,  // contacts that are worth waking other threads
};

// The pieces of a step's contacts: where the rows of each begin and their Jacobian's entries.
typedef struct ContactPieces {
  int size;  // contacts of a piece; 0: the contacts are not shared
  int most;  // bodies of a row
  int64_t row[SHARED_PIECES + 1], adr[SHARED_PIECES + 1];
} ContactPieces;

// Counts the rows of contacts and their entries. Returns 0, having counted nothing, if that is for
// one thread.
int contacts_count_shared(ContactPieces* pieces, RowSink* sink, int most);

// Writes the rows of contacts, with their parameters, behind those that the sink has. Returns 0 if
// they are for one thread.
int contacts_write_shared(ContactPieces* pieces, RowSink* sink);
