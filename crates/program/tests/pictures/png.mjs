// A smaller PNG of a screenshot: three channels of six bits, and the filter of each line that leaves least.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const paeth = (a, b, c) => {
  const [x, y, z] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return x <= y && x <= z ? a : y <= z ? b : c;
};
// What a byte is expected to be from the one before it, the one above, and the one above that.
const FILTERS = [() => 0, (a) => a, (a, b) => b, (a, b) => (a + b) >> 1, paeth];

function chunks(png) {
  const found = [];
  for (let at = 8; at < png.length; ) {
    const size = png.readUInt32BE(at);
    found.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + size)]);
    at += size + 12;
  }
  return found;
}

function chunk(name, data) {
  const bytes = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([size, bytes, sum]);
}

// The lines of a picture without their filters.
function unfiltered(raw, { line, dots, high }) {
  const lines = [];
  for (let y = 0; y < high; y++) {
    const [filter, row] = [FILTERS[raw[y * (line + 1)]], Buffer.from(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)))];
    const above = lines[y - 1] ?? Buffer.alloc(line);
    for (let x = 0; x < line; x++) row[x] += filter(row[x - dots] ?? 0, above[x], above[x - dots] ?? 0);
    lines.push(row);
  }
  return lines;
}

export function smaller(png) {
  const parts = chunks(png);
  const header = Buffer.from(parts[0][1]);
  const [wide, high, dots] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const data = parts.filter(([name]) => name === "IDAT").map(([, data]) => data);
  const lines = unfiltered(inflateSync(Buffer.concat(data)), { line: wide * dots, dots, high });
  const plain = lines.map((row) => {
    const out = Buffer.alloc(wide * 3);
    for (let x = 0; x < wide; x++) {
      for (let k = 0; k < 3; k++) out[x * 3 + k] = Math.min(252, (row[x * dots + k] + 2) & ~3);
    }
    return out;
  });
  const size = (row) => row.reduce((sum, byte) => sum + Math.min(byte, 256 - byte), 0);
  const rows = plain.map((row, y) => {
    const above = plain[y - 1] ?? Buffer.alloc(row.length);
    const tries = FILTERS.map((filter) => row.map((byte, x) => byte - filter(row[x - 3] ?? 0, above[x], above[x - 3] ?? 0)));
    const best = tries.reduce((best, one, index) => (size(one) < size(tries[best]) ? index : best), 0);
    return Buffer.concat([Buffer.from([best]), tries[best]]);
  });
  header[9] = 2;
  const end = [chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", header), ...end]);
}

// The pixels of a screenshot, three bytes of six bits each.
function pixels(png) {
  const parts = chunks(png);
  const header = parts[0][1];
  const [wide, high, dots] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const data = parts.filter(([name]) => name === "IDAT").map(([, data]) => data);
  const lines = unfiltered(inflateSync(Buffer.concat(data)), { line: wide * dots, dots, high });
  const rows = lines.map((row) => {
    const out = Buffer.alloc(wide * 3);
    for (let x = 0; x < wide * 3; x++) out[x] = Math.min(252, (row[Math.floor(x / 3) * dots + (x % 3)] + 2) & ~3);
    return out;
  });
  return { wide, high, rows };
}

// Where two pictures differ: the box around it, and in it the later one, without what is the same.
function change(before, { wide, high, rows }) {
  const differs = (x, y) => !before || before.rows[y].compare(rows[y], x * 3, x * 3 + 3, x * 3, x * 3 + 3) !== 0;
  let [left, top, right, bottom] = [wide, high, 0, 0];
  for (let y = 0; y < high; y++) {
    if (before && before.rows[y].equals(rows[y])) continue;
    for (let x = 0; x < wide; x++) {
      if (differs(x, y)) [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  if (right === 0) [left, top, right, bottom] = [0, 0, 1, 1];
  const lines = [];
  for (let y = top; y < bottom; y++) {
    const line = Buffer.alloc(1 + (right - left) * 4); // no filter: what is the same is zero
    for (let x = left; x < right; x++) {
      if (!differs(x, y)) continue;
      rows[y].copy(line, 1 + (x - left) * 4, x * 3, x * 3 + 3);
      line[1 + (x - left) * 4 + 3] = 255;
    }
    lines.push(line);
  }
  return { left, top, wide: right - left, high: bottom - top, data: deflateSync(Buffer.concat(lines), { level: 9 }) };
}

// An APNG of screenshots of one size, each shown for so many milliseconds.
export function moving(pictures, millis) {
  const frames = pictures.map(pixels);
  const numbers = (...values) => {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
    return bytes;
  };
  const { wide, high } = frames[0];
  const parts = [chunk("IHDR", Buffer.concat([numbers(wide, high), Buffer.from([8, 6, 0, 0, 0])])), chunk("acTL", numbers(frames.length, 0))];
  let sequence = 0;
  frames.forEach((frame, index) => {
    const { left, top, wide, high, data } = change(frames[index - 1], frame);
    const time = Buffer.alloc(6);
    time.writeUInt16BE(millis[index], 0);
    time.writeUInt16BE(1000, 2);
    time[5] = 1; // over what is there
    parts.push(chunk("fcTL", Buffer.concat([numbers(sequence++, wide, high, left, top), time])));
    parts.push(index === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])));
  });
  return Buffer.concat([pictures[0].subarray(0, 8), ...parts, chunk("IEND", Buffer.alloc(0))]);
}
