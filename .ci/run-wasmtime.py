"""python3 run-wasmtime.py PROGRAM.wasm ARGUMENTS... : runs a WASI program in wasmtime; it sees the current directory."""

import sys

import wasmtime

engine = wasmtime.Engine()
store = wasmtime.Store(engine)
linker = wasmtime.Linker(engine)
linker.define_wasi()
wasi = wasmtime.WasiConfig()
wasi.argv = sys.argv[1:]
wasi.preopen_dir(".", ".")
wasi.inherit_stdout()
wasi.inherit_stderr()
store.set_wasi(wasi)
module = wasmtime.Module.from_file(engine, sys.argv[1])
try:
    linker.instantiate(store, module).exports(store)["_start"](store)
except wasmtime.ExitTrap as end:
    sys.exit(end.code)
