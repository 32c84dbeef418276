// Structs of C in the module's memory: where each field lies, and how its value is read and written.
//
// A type has a size, an alignment, `read(memory, at)` and `write(memory, at, value)`.

// A number of the memory's own; `check` refuses a value that would be another one there.
function number(bytes, name, least, most) {
  const [get, set] = [`get${name}`, `set${name}`];
  const isBig = typeof least === "bigint";
  const check = (value) => {
    const isNumber = isBig ? typeof value === "bigint" : Number.isInteger(value);
    if (!isNumber) throw new TypeError(`${show(value)} is no ${isBig ? "bigint" : "whole number"}`);
    if (value < least || value > most) throw new RangeError(`${value} is not from ${least} to ${most}`);
    return value;
  };
  return {
    size: bytes,
    align: bytes,
    check,
    read: (memory, at) => memory.view[get](at, true),
    write: (memory, at, value) => memory.view[set](at, check(value), true),
  };
}

export const u32 = number(4, "Uint32", 0, 2 ** 32 - 1);
export const u8 = number(1, "Uint8", 0, 2 ** 8 - 1);
export const i16 = number(2, "Int16", -(2 ** 15), 2 ** 15 - 1);
export const i32 = number(4, "Int32", -(2 ** 31), 2 ** 31 - 1);
export const u64 = number(8, "BigUint64", 0n, (1n << 64n) - 1n);
const i64 = number(8, "BigInt64", -(1n << 63n), (1n << 63n) - 1n);

// A float, of pictures only.
export const f32 = {
  size: 4,
  align: 4,
  read: (memory, at) => memory.view.getFloat32(at, true),
  write(memory, at, value) {
    if (typeof value !== "number") throw new TypeError(`${show(value)} is no number`);
    memory.view.setFloat32(at, value, true);
  },
};

// Raw fixed point; a whole number and a text in units are taken as well.
export const scalar = { ...i64, write: (memory, at, value) => i64.write(memory, at, memory.raw(value)) };

// A whole number that is 0 or 1 there, and true or false here.
export const flag = {
  ...u32,
  read: (memory, at) => u32.read(memory, at) === 1,
  write: (memory, at, value) => u32.write(memory, at, indexIn([false, true], value)),
};

// One of some names, which are counted from 0.
export function oneOf(...names) {
  const write = (memory, at, value) => u32.write(memory, at, indexIn(names, value));
  return { ...u32, names, read: (memory, at) => names[u32.read(memory, at)], write };
}

// The place of a value among those that are allowed.
export function indexIn(values, value) {
  if (!values.includes(value)) throw new TypeError(`${show(value)} is none of ${values.join(", ")}`);
  return values.indexOf(value);
}

// An array of a fixed length.
export function array(type, length) {
  const place = (at, index) => at + index * type.size;
  return {
    size: length * type.size,
    align: type.align,
    read(memory, at) {
      const values = new Array(length);
      for (let index = 0; index < length; index++) values[index] = type.read(memory, place(at, index));
      return values;
    },
    write(memory, at, values) {
      if (!Array.isArray(values) || values.length !== length) throw new TypeError(`${show(values)} is no array of ${length}`);
      for (let index = 0; index < length; index++) type.write(memory, place(at, index), values[index]);
    },
  };
}

// Up to 8 rows of up to 8 heights, all of one length; the rest is left.
export const heights = {
  ...array(array(i16, 8), 8),
  write(memory, at, rows) {
    if (!isGrid(rows)) throw new TypeError("heights are 1 to 8 rows of 1 to 8, all of one length");
    for (const [row, values] of rows.entries()) array(i16, values.length).write(memory, at + row * 8 * i16.size, values);
  },
};

function isGrid(rows) {
  const isShort = (list) => Array.isArray(list) && list.length > 0 && list.length <= 8;
  return isShort(rows) && rows.every((row) => isShort(row) && row.length === rows[0].length);
}

// The elements of rows behind each other, and the numbers of rows and of elements in each: they are arrays, or typed ones, of one length.
export function flat(name, rows) {
  const isList = (list) => Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView));
  if (!Array.isArray(rows) || !rows.every((row) => isList(row) && row.length === rows[0].length)) {
    throw new TypeError(`${name} are rows, all of one length`);
  }
  return { values: rows.flatMap((row) => [...row]), rows: rows.length, columns: rows[0]?.length ?? 0 };
}

// The first field of many structs, and fields that are zero: they belong to the memory, not to the value.
export const structSize = { ...u32, isHidden: true };
export const zero = { ...u32, isHidden: true };

// An address in the memory, which has 32 bits.
export const address = u32;

// A struct of named fields, in order, which C lays out without gaps. `write` writes over what is there: fields that the value has not are
// left.
export function struct(types) {
  const fields = [];
  let [size, align] = [0, 1];
  for (const [name, type] of Object.entries(types)) {
    if (size % type.align !== 0) throw new Error(`there is a gap before ${name}`);
    fields.push({ name, type, at: size });
    [size, align] = [size + type.size, Math.max(align, type.align)];
  }
  if (size % align !== 0) throw new Error("there is a gap at the end");
  const shown = fields.filter(({ type }) => !type.isHidden);
  const names = new Set(shown.map(({ name }) => name));
  return {
    size,
    align,
    fields,
    read(memory, at) {
      const value = {};
      for (const field of shown) value[field.name] = field.type.read(memory, at + field.at);
      return value;
    },
    write(memory, at, value) {
      for (const name of Object.keys(value)) if (!names.has(name)) throw new TypeError(`there is no ${name} among ${[...names].join(", ")}`);
      for (const { name, type, at: offset } of fields) {
        if (type === structSize) u32.write(memory, at + offset, size);
        else if (value[name] !== undefined) withField(name, () => type.write(memory, at + offset, value[name]));
      }
    },
  };
}

// A type whose values look different here: `out` of what is read, `into` what is written.
export function as(type, out, into) {
  return { ...type, read: (memory, at) => out(type.read(memory, at)), write: (memory, at, value) => type.write(memory, at, into(value)) };
}

// Refuses an object that lacks one of some fields.
export function need(value, ...names) {
  for (const name of names) if (value[name] === undefined) throw new TypeError(`${name} is missing`);
}

// Says in which field something is wrong.
function withField(name, work) {
  try {
    work();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

export function show(value) {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
