"""pyright over the package and over the code that people copy: check_types.py FOLDER-OF-THE-BUILT-PACKAGE.

The package and the examples of notebooks and READMEs are laid side by side, as where slipset is installed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def code_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)) if path.suffix == ".md" else text


def lay_out(folder: Path, package: Path) -> None:
    (folder / "slipset").mkdir()
    for file in package.iterdir():
        if file.suffix in {".py", ".pyi", ".typed"}:  # copies: pyright follows links to where _core is not
            (folder / "slipset" / file.name).write_bytes(file.read_bytes())
        elif file.suffix == ".so":
            (folder / "slipset" / file.name).symlink_to(file.resolve())
    (folder / "examples").mkdir()
    for path in [ROOT / "README.md", *(ROOT / "python").glob("*.md"), *(ROOT / "python/notebooks").glob("*.ipynb"),
                 *(ROOT / "examples/python").glob("*.py")]:  # fmt: skip
        name = "_".join(path.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
        (folder / "examples" / f"{name}.py").write_text(code_of(path), encoding="utf-8")


def main(package: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder), package)
        (Path(folder) / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
        return subprocess.run([sys.executable, "-m", "pyright", "--project", folder, "--pythonpath", sys.executable], cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
