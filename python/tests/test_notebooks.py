"""Every notebook runs, cell by cell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path: Path, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib.pyplot as plt

    monkeypatch.setenv("SLIPSET_PROGRAM", program)
    if "identify" in path.read_text(encoding="utf-8") and not Path(program + "-identify").exists():
        pytest.skip("slipset-identify is not built")
    (tmp_path / "examples").symlink_to(path.parents[2] / "examples")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), namespace)
    plt.close("all")
