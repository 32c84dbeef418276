"""Verifies every recording of a folder by Ray Data, which spreads batches over the cores of a cluster.

    python verify.py FOLDER [--program bitstep] [--batch 50] [--out lines.jsonl]

Each batch is one call of the program with --json. A file without a line, since the program died in it or before it,
is verified alone; if it has none then either, that is its error. Exit codes are those of `bitstep verify`.
"""

import argparse, json, pathlib, subprocess, sys
import ray


def lines_of(program, files):
    """The whole lines that the program prints of some files, by file, and how it ended."""
    command = [program, "verify", "--json", "--jobs", "1", "--seconds-max", "600", "--", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    whole = done.stdout[: done.stdout.rfind("\n") + 1].splitlines()
    return {json.loads(line)["file"]: line for line in whole}, done


def verified(batch, program):
    """A batch of files with their lines."""
    files = [str(file) for file in batch["file"]]
    lines, _ = lines_of(program, files)
    for file in files:
        if file not in lines:
            alone, done = lines_of(program, [file])
            reason = f"the program ended with {done.returncode}: {done.stderr.strip()[-500:]}"
            lines[file] = alone.get(file) or json.dumps({"file": file, "error": reason})
    return {"line": [lines[file] for file in files]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default="bitstep")
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--out", default="lines.jsonl")
    options = parser.parse_args()
    files = [{"file": str(path)} for path in sorted(options.folder.rglob("*.replay")) if path.is_file()]
    if not files:
        parser.error(f"{options.folder}: no file in it ends in .replay")
    blocks = -(-len(files) // options.batch)  # one task for each batch: a worker that dies loses one
    items = ray.data.from_items(files, override_num_blocks=blocks)
    rows = items.map_batches(verified, batch_size=None, fn_kwargs={"program": options.program})
    counts = {"matched": 0, "diverged": 0, "could not be verified": 0}
    with open(options.out, "w") as out:
        for row in rows.iter_rows():
            line = json.loads(row["line"])
            verdict = "matched" if line.get("matches") else "diverged" if line.get("divergence") else "could not be verified"
            counts[verdict] += 1
            out.write(row["line"] + "\n")
            if verdict != "matched":
                print(row["line"], flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), file=sys.stderr)
    sys.exit(2 if counts["could not be verified"] else 1 if counts["diverged"] else 0)


if __name__ == "__main__":
    main()
