// node run-wasi.mjs PROGRAM.wasm ARGUMENTS... : runs a WASI program that sees the current directory.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [file, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [file, ...args], preopens: { '.': '.' }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(file));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
