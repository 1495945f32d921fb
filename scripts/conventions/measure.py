"""measure.py [--write] [--environments FOLDER] [ID…]: measures the rows of content/conventions.toml anew, each in a process of its own, and prints
what is the same, what has changed, and what is not installed. Exits with 1 where something changed or could not be measured. --write puts what
was measured into the file, with today's date.

FOLDER (target/conventions) holds a virtual environment for each file of requirements/, under its name. A row's environment is the one whose file
pins the row's package.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from pathlib import Path

import table

HERE = Path(__file__).resolve().parent
SECONDS = 600


class NotInstalled(Exception):
    pass


class Failed(Exception):
    pass


def environment_of(package):
    """The name of the requirements file that pins a package."""
    pinned = re.compile(rf"^{re.escape(package)}(\[\w+\])?==", re.M)
    files = sorted((HERE / "requirements").glob("*.txt"))
    return next((file.stem for file in files if pinned.search(file.read_text())), None)


def measured(row, environments):
    """Name → value of what was measured of a row; raises NotInstalled or Failed."""
    environment = environment_of(row["package"])
    python = environments / (environment or "none") / "bin" / "python"
    if not python.exists() or not has(python, row["package"]):
        raise NotInstalled
    command = [python, "-B", HERE / "probe.py", row["package"], row["id"]]
    try:
        done = subprocess.run(command, input=row["program"], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed(f"no result after {SECONDS} s") from None
    if done.returncode != 0:
        raise Failed((done.stderr.strip() or f"exit status {done.returncode}").split("\n")[-1])
    return json.loads(done.stdout)


def has(python, package):
    looked_up = f"from importlib.metadata import version; version({package!r})"
    return subprocess.run([python, "-c", looked_up], capture_output=True).returncode == 0


def differences(row, found):
    return [f"{name}: {shown(row.get(name))} → {shown(found.get(name))}" for name in table.MEASURED if text(row.get(name)) != text(found.get(name))]


def text(value):
    """TOML's texts of several lines end with a line break, printed ones do not."""
    return value.strip("\n") if isinstance(value, str) else value


def shown(value):
    return "nothing" if value is None else str(value).strip("\n").replace("\n", " / ")


def replaced(row, found):
    kept = {name: value for name, value in row.items() if name not in table.MEASURED}
    return {**kept, **found, "seen": datetime.date.today().isoformat()}


def report(row, environments):
    """The row as it is now, and whether anything is to be told of it."""
    try:
        found = measured(row, environments)
    except NotInstalled:
        print(f"{row['id']}: not installed")
        return row, False
    except Failed as reason:
        print(f"{row['id']}: failed: {reason}")
        return row, True
    changed = differences(row, found)
    print(f"{row['id']}: same" if not changed else "\n  ".join([f"{row['id']}:", *changed]), flush=True)
    return replaced(row, found), bool(changed)


def main():
    options = argparse.ArgumentParser(description="Measures content/conventions.toml anew.")
    options.add_argument("--write", action="store_true")
    options.add_argument("--environments", type=Path, default=table.ROOT / "target" / "conventions")
    options.add_argument("ids", nargs="*")
    asked = options.parse_args()
    rows = table.read()
    if unknown := set(asked.ids) - {row["id"] for row in rows}:
        sys.exit(f"no rows are called {', '.join(sorted(unknown))}")
    chosen = [row for row in rows if not asked.ids or row["id"] in asked.ids]
    reports = {row["id"]: report(row, asked.environments) for row in chosen}
    if asked.write:
        table.write([reports[row["id"]][0] if row["id"] in reports else row for row in rows])
    sys.exit(any(changed for _, changed in reports.values()))


if __name__ == "__main__":
    main()
