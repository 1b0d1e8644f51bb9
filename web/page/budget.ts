// How much of what is dropped onto the page is read.

import { megabytes } from "../worker/units.ts";

// What may be read in one go. `left` counts down.
export interface Budget {
  files: number;
  bytes: number;
}

const MOST_FILES = 20000;
const AT_ONCE = 32; // files that are read at the same time
const MOST_BYTES = 1 << 29; // 512 MB, as condyle view

export function fresh(): Budget {
  return { files: MOST_FILES, bytes: MOST_BYTES };
}

// Takes a file of this size from the budget, or says that there is too much.
export function spend(budget: Budget, bytes: number) {
  budget.files--;
  budget.bytes -= bytes;
  if (budget.files < 0) {
    throw new Error(`There are more than ${MOST_FILES} files: drop the folder of one robot`);
  }
  if (budget.bytes < 0) {
    throw new Error(`There is more than ${megabytes(MOST_BYTES)}: drop the folder of one robot`);
  }
}

// Is a file or folder of no use to models: hidden, or put there by a system?
export function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "__MACOSX";
}

// Does something to each of many items, some at a time: each waits mostly for the browser.
export async function severally<T, R>(items: T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await act(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
