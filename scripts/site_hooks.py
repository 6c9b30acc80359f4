"""Hooks of mkdocs.yml: the first page is README.md, and links that leave docs/ go to the repository."""
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/aurora-sidecar/aurora/blob/HEAD/"


def _first_page(text):
    """README.md as a page of docs/."""
    text = re.sub(r"\]\((?!https?:|#|docs/)([^)]+)\)", lambda m: f"]({REPOSITORY}{m[1]})", text)
    return text.replace("](docs/", "](")


def on_files(files, config):
    page = _first_page((ROOT / "README.md").read_text(encoding="utf-8"))
    files.append(File.generated(config, "index.md", content=page))
    return files


def on_page_markdown(markdown, page, config, files):
    return re.sub(r"\]\(\.\./([^)]+)\)", lambda m: f"]({REPOSITORY}{m[1]})", markdown)
