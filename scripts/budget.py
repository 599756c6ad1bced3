"""How large the project is, and how large it may be: ``budget.yaml`` at the top.

    python scripts/budget.py

``make check`` runs this, and fails when something is above its budget. A line of code is one that
is neither blank nor a comment nor part of a docstring.
"""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
SILENT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(source: str) -> int:
    """Return the number of lines of a Python file that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if tokenize.tok_name[token.type] not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            lines.difference_update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return len(lines)


def sizes() -> dict[str, int]:
    """Return the size of everything that has a budget, of the files that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    files = [path for path in files if path.is_file() and not path.is_symlink()]
    python = [path for path in files if path.suffix == ".py"]
    tests = [path for path in python if path.is_relative_to(ROOT / "tests")]
    source = [path for path in python if path not in set(tests)]
    pages = [p for p in files if p.suffix == ".md" and p.is_relative_to(ROOT / "docs")]

    def lines(paths: list[Path]) -> int:
        return sum(len(path.read_text().splitlines()) for path in paths)

    return {
        "python_files": len(source),
        "code_lines": sum(code_lines(path.read_text()) for path in source),
        "test_code_lines": sum(code_lines(path.read_text()) for path in tests),
        "pages": len(pages),
        "page_lines": lines(pages),
        "readme_lines": lines([ROOT / "README.md"]),
    }


def main() -> None:
    """Print each size beside its budget; exit with 1 when one is above it."""
    budget = yaml.safe_load((ROOT / "budget.yaml").read_text())
    found = sizes()
    for name, size in found.items():
        print(f"{name:16} {size:6} of {budget[name]:6}")
    over = [name for name, size in found.items() if size > budget[name]]
    if over:
        sys.exit(f"Above budget.yaml: {', '.join(over)}. CONTRIBUTING.md says what to do.")


if __name__ == "__main__":
    main()
