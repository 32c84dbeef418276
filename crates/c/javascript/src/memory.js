// The module: its memory, its calls, and its errors.

import { scalar, show, u32 } from "./layout.js";

// By their numbers in bitstep.h.
export const CODES = ["ok", "argument", "handle", "size", "buffer", "range", "refused", "data", "noSuchBody", "order", "panic", "poisoned"];
const [OK, BUFFER] = ["ok", "buffer"].map((name) => CODES.indexOf(name));
const PAGE = 65536;
const ABI_VERSION = 1;

// A call that failed: the name of its code, and why.
export class BitstepError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "BitstepError";
    this.code = code;
  }
}

export class Memory {
  #scratch = { start: 0, top: 0, end: 0 };
  #sizes = new Map();
  #view;
  #isBroken = false;

  constructor(exports) {
    this.exports = exports;
    this.registry = new FinalizationRegistry(([free, handle]) => this.release(free, handle));
    const version = exports.bitstep_abi_version?.();
    if (version !== ABI_VERSION) throw new BitstepError("size", `the module has ABI version ${version}, this package is for ${ABI_VERSION}`);
  }

  // Of the memory as it is: any call may let it grow.
  get view() {
    if (this.#view?.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }

  // Scratch memory that is taken in a scope is free after it.
  scope(work) {
    const { start, top } = this.#scratch;
    try {
      return work();
    } finally {
      this.#scratch.top = this.#scratch.start === start ? top : this.#scratch.start;
    }
  }

  // The address of scratch memory, in pages for which the module did not ask, so that it never uses them.
  scratch(size) {
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} bytes`);
    const { start, top, end } = this.#scratch;
    if (top + size > end) {
      const pages = Math.ceil(Math.max(size, 2 * (end - start)) / PAGE);
      const at = this.exports.memory.grow(pages) * PAGE;
      this.#scratch = { start: at, top: at, end: at + pages * PAGE };
    }
    const at = this.#scratch.top;
    this.#scratch.top = at + Math.ceil(size / 8) * 8;
    return at;
  }

  // The address of a value.
  put(type, value) {
    return this.putList(type, [value]);
  }

  // The address of an array of values.
  putList(type, values) {
    const at = this.scratch(type.size * values.length);
    new Uint8Array(this.exports.memory.buffer, at, type.size * values.length).fill(0);
    values.forEach((value, index) => type.write(this, at + index * type.size, value));
    return at;
  }

  // The address of bytes.
  putBytes(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`${show(bytes)} is no Uint8Array`);
    const at = this.scratch(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  // The address of a text, with a zero at its end.
  putText(text) {
    if (typeof text !== "string" || text.includes("\0")) throw new TypeError(`${show(text)} is no text without zeros`);
    return this.putBytes(new TextEncoder().encode(`${text}\0`));
  }

  // The handle of an object of this module.
  handle(kind, object) {
    if (!(object instanceof kind) || object.memory !== this) throw new TypeError(`${show(object)} is no ${kind.name} of this module`);
    return object.handle;
  }

  // Calls a function; gives its code. A fault of the library is a trap, and its memory is of no use after it.
  code(name, ...numbers) {
    if (this.#isBroken) throw new BitstepError("poisoned", "this module met a fault of bitstep: load another one");
    try {
      return this.exports[name](...numbers);
    } catch (trap) {
      if (trap instanceof TypeError) throw trap; // of a number that is none: the function was not called
      this.#isBroken = true;
      throw new BitstepError("panic", `a fault of bitstep in ${name}: ${trap.message}`);
    }
  }

  // Frees a handle. One that is stale is a code, and of a module that is of no use nothing is freed.
  release(name, handle) {
    if (!this.#isBroken) this.code(name, handle);
  }

  // Calls a function that may fail.
  call(name, ...numbers) {
    this.check(this.code(name, ...numbers));
  }

  // Throws unless a code is that of success.
  check(code) {
    if (code === OK) return;
    const [, words] = this.#bytes("bitstep_last_error", []);
    throw new BitstepError(CODES[code] ?? `${code}`, words ? textOf(words) : "no words");
  }

  // The value that a function writes to its last parameter.
  out(type, name, ...numbers) {
    return this.scope(() => {
      const at = this.scratch(type.size);
      this.call(name, ...numbers, at);
      return type.read(this, at);
    });
  }

  // The struct that a function writes to its last parameter, whose size is set before.
  outSized(type, name, ...numbers) {
    return this.scope(() => {
      const at = this.put(type, {});
      this.call(name, ...numbers, at);
      return type.read(this, at);
    });
  }

  // The code and the array of a function that writes one, of elements of a size; the call is repeated if there are more than before.
  #elements(size, name, numbers, take) {
    let capacity = this.#sizes.get(name) ?? 64;
    for (;;) {
      const [code, value, count] = this.scope(() => {
        const [at, length] = [this.scratch(capacity * size), this.scratch(u32.size)];
        const code = this.code(name, ...numbers, at, capacity, length);
        const count = u32.read(this, length);
        return [code, code === OK ? take(at, count) : undefined, count];
      });
      if (code !== BUFFER) return [code, value];
      capacity = count;
      this.#sizes.set(name, count);
    }
  }

  #bytes(name, numbers) {
    return this.#elements(1, name, numbers, (at, count) => new Uint8Array(this.exports.memory.buffer, at, count).slice());
  }

  // The array that a function writes.
  list(type, name, ...numbers) {
    const read = (at, count) => Array.from({ length: count }, (_, index) => type.read(this, at + index * type.size));
    const [code, values] = this.#elements(type.size, name, numbers, read);
    this.check(code);
    return values;
  }

  // The bytes that a function writes, as a copy.
  bytes(name, ...numbers) {
    const [code, bytes] = this.#bytes(name, numbers);
    this.check(code);
    return bytes;
  }

  // The text that a function writes.
  text(name, ...numbers) {
    return textOf(this.bytes(name, ...numbers));
  }

  // The text at an address, up to its zero.
  textAt(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // Raw fixed point: a bigint is, a whole number is in units, and a text is rounded exactly.
  raw(value) {
    if (typeof value === "string") return this.scope(() => this.out(scalar, "bitstep_lit", this.putText(value)));
    if (typeof value !== "bigint" && !Number.isInteger(value)) {
      throw new TypeError(`${show(value)} is no bigint, whole number, or text such as "0.5"`);
    }
    return scalar.check(typeof value === "bigint" ? value : BigInt(value) << 32n);
  }
}

// The text of bytes with a zero at their end.
function textOf(bytes) {
  return new TextDecoder().decode(bytes.subarray(0, -1));
}

// The owner of a handle, which is freed by `free`, or some time after nothing uses it.
export class Owned {
  constructor(memory, handle, free) {
    for (const [name, value] of Object.entries({ memory, handle, freeName: free })) Object.defineProperty(this, name, { value });
    memory.registry.register(this, [free, handle]); // freed before, it is a stale one, which is a code
  }

  free() {
    this.memory.release(this.freeName, this.handle);
  }
}
