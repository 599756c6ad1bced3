"""An adapter merged into its model, for a recipe to continue from and for vLLM.

python -m logic_curriculum.curriculum.models.merging runs/sft_slr runs/sft_slr_merged
"""

import hashlib
import sys
from pathlib import Path

from accelerate import PartialState
from peft import AutoPeftModelForCausalLM
from transformers import AutoTokenizer
from transformers.utils import ADAPTER_CONFIG_NAME

from logic_curriculum.common.files import atomic_folder


def whole_model(model: str | None) -> str | None:
    """Return a model's name; for the folder of an adapter, that of the merged model inside it.

    It is made once for the adapter's weights and configuration, whose hash is in its name. All
    processes of a run call this, and other runs may at the same time.
    """
    if model is None or not (Path(model) / ADAPTER_CONFIG_NAME).is_file():
        return model
    files = [Path(model) / ADAPTER_CONFIG_NAME, *sorted(Path(model).glob("adapter_model.*"))]
    content = b"".join(file.read_bytes() for file in files)
    merged = Path(model) / f"merged-{hashlib.sha256(content).hexdigest()[:12]}"
    with PartialState().local_main_process_first():
        if not merged.is_dir():
            with atomic_folder(merged) as folder:
                merge(model, str(folder))
    return str(merged)


def merge(adapter: str, folder: str) -> None:
    """Write the model that an adapter is for, with the adapter merged in, and its tokenizer."""
    AutoPeftModelForCausalLM.from_pretrained(adapter).merge_and_unload().save_pretrained(folder)
    AutoTokenizer.from_pretrained(adapter).save_pretrained(folder)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(f"Give an adapter's folder and a folder for the merged model.{__doc__}")
    merge(*sys.argv[1:])
