// The engine's memory as JavaScript sees it: texts, and arrays by their address.

// What a compiled engine offers: its functions (_web_...), heaps, and helpers for texts.
export interface Engine {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
  UTF8ToString(address: number): string;
  stringToUTF8(text: string, address: number, room: number): void;
  lengthBytesUTF8(text: string): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  [name: string]: unknown;
}

export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

// Copies an array out of the engine. `letter` says what its elements are (web_array).
export function copyNumbers(engine: Engine, address: number, count: number, letter: string): Numbers {
  if (!address || !count) {
    return new Float64Array(0);
  }
  switch (letter) {
    case "d":
      return engine.HEAPF64.slice(address >> 3, (address >> 3) + count);
    case "f":
      return engine.HEAPF32.slice(address >> 2, (address >> 2) + count);
    case "i":
      return engine.HEAP32.slice(address >> 2, (address >> 2) + count);
    case "l": {
      const low = new Int32Array(count);
      for (let i = 0; i < count; i++) {
        low[i] = engine.HEAP32[(address >> 2) + 2 * i]!;
      }
      return low;
    }
    default:
      return engine.HEAPU8.slice(address, address + count);
  }
}

// Calls a function of the engine by its name without "_web_". Texts are passed as texts of C.
export function call(engine: Engine, name: string, ...values: (number | string)[]): number {
  const texts: number[] = [];
  const plain = values.map((value) => {
    if (typeof value === "number") {
      return value;
    }
    const room = engine.lengthBytesUTF8(value) + 1;
    const address = engine._malloc(room);
    engine.stringToUTF8(value, address, room);
    texts.push(address);
    return address;
  });
  const run = engine["_web_" + name] as ((...values: number[]) => number) | undefined;
  if (!run) {
    throw new Error(`the engine has no function '${name}'`);
  }
  try {
    return run(...plain);
  } finally {
    texts.forEach((address) => engine._free(address));
  }
}

// Like call, for functions that return a text; null for NULL.
export function callText(engine: Engine, name: string, ...values: (number | string)[]): string | null {
  const address = call(engine, name, ...values);
  return address ? engine.UTF8ToString(address) : null;
}
