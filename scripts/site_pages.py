"""Pages of the site that mkdocs makes itself: home, reference, a sample task of each level."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File

from logic_curriculum.generators import families, generate, registry

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGES = ("generators", "rewards", "curriculum")
STYLE = ".language-text pre > code { white-space: pre-wrap; }\n"
ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):<code>~?")
LINK = re.compile(r"(?<!!)\[((?:[^][]|\[[^]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Put the pages that are made, and those of results, into the navigation."""
    results = sorted(path.name for path in (DOCS / "results").glob("*.md"))
    config.nav += [
        {"Sample tasks": [{name: f"samples/{name}.md"} for name in families()]},
        {"Reference": [{name: f"reference/{name}.md"} for name in PACKAGES]},
        {"Results": [f"results/{name}" for name in results]},
    ]
    config.extra_css += ["site.css"]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made."""
    home = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    pages = {"index.md": home, "site.css": STYLE}
    for name in PACKAGES:
        pages[f"reference/{name}.md"] = f"# {name}\n\n::: logic_curriculum.{name}\n"
    for name in families():
        pages[f"samples/{name}.md"] = samples_of(name)
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def samples_of(family: str) -> str:
    """Return a page with a task of each level of a family, and its solution."""
    parts = [f"# {family}, a task of each level\n"]
    for level in registry.family(family).levels():
        task = generate(family, level, seed=0)
        shown = (f"````text\n{text.strip()}\n````" for text in (task.prompt, task.solution))
        parts.append(f"## Level {level}\n\n" + "\n\nSolution:\n\n".join(shown) + "\n")
    return "\n".join(parts)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Leave of a link to a file outside of the site its text."""
    here = PurePosixPath(page.file.src_uri).parent

    def checked(found: re.Match[str]) -> str:
        target = (DOCS / here / found[2]).resolve()
        inside = target.is_relative_to(DOCS) and target.is_file()
        return found[0] if inside else found[1]

    return LINK.sub(checked, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Leave the names that docstrings refer to, without the marks of Sphinx."""
    return ROLE.sub("<code>", html)
