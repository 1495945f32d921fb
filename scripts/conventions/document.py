"""document.py [--check]: writes the table and the programs of docs/conventions.md and docs/conventions.zh.md from content/conventions.toml; with
--check it writes nothing and exits with 1 where a page is not what it would write."""

import sys

import table
import words

BEGIN, END = "<!-- conventions: written by scripts/conventions/document.py -->\n", "<!-- /conventions -->"
PAGES = {"docs/conventions.md": ("en", words.ENGLISH), "docs/conventions.zh.md": ("zh", words.CHINESE)}


def page(text, rows, language, says):
    """A page whose part between the markers is made anew."""
    before, rest = text.split(BEGIN)
    parts = [as_table(rows, language, says), *(details(row, language, says) for row in rows)]
    return before + BEGIN + "\n" + "\n\n".join(parts) + "\n\n" + END + rest.split(END)[1]


def as_table(rows, language, says):
    lines = [says["columns"], ["---"] * len(says["columns"]), *(cells(row, language, says) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(row, language, says):
    star = "*" if f"note_{language}" in row else ""
    chosen = [says[field][row[field]] for field in ("empty_row", "polarity", "float_mask", "int_mask")]
    name = f"{row['library']} {row['version']}: `{row['function']}`{star}"
    return [name, says["alignment"][row["alignment"]], window(row, says), *chosen, hidden(row, says)]


def window(row, says):
    if "window_call" not in row:
        return says["none"]
    return says["window"].format(causal=row["window_causal"], two_sided=row["window_two_sided"] or says["none"], call=row["window_call"])


def hidden(row, says):
    how = row.get("hidden_by") or ("out" if "hidden_score" in row else "unseen")
    return says["hidden"][how].format(row.get("hidden_score", "").replace("-", "−", 1))


def details(row, language, says):
    summary = f"<summary>{row['library']}: <code>{row['function']}</code></summary>"
    note = ["\\* " + row[f"note_{language}"]] if f"note_{language}" in row else []
    code = [f"```python\n{row['program'].strip(chr(10))}\n```", f"```text\n{row['output'].strip(chr(10))}\n```"]
    return "\n\n".join([f"<details>\n{summary}", says["measured"].format(**row), *note, *code, "</details>"])


def stale(rows):
    """Path → what ought to stand there, for each page that says something else."""
    due = {}
    for name, (language, says) in PAGES.items():
        path = table.ROOT / name
        text = path.read_text(encoding="utf-8")
        if (made := page(text, rows, language, says)) != text:
            due[path] = made
    return due


def main():
    due = stale(table.read())
    if "--check" not in sys.argv[1:]:
        for path, text in due.items():
            path.write_text(text, encoding="utf-8")
    elif due:
        sys.exit(f"{', '.join(path.name for path in due)}: not made from content/conventions.toml; run scripts/conventions/document.py")


if __name__ == "__main__":
    main()
