"""A trainer's model reads a prompt once for all of its completions, in generation and training.

    class Mine(SharedPrompts, CurriculumGRPOTrainer): ...

It learns what CurriculumGRPOTrainer learns, up to rounding, in less time where prompts are long
beside completions, as on a CPU. During a step, torch's forward hooks recognise two calls of the
model by their arguments: the one that reads prompts for ``generate``, and the one in which TRL
scores completions. No call is added, all others are left alone, and no hook outlives the step.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from peft import PeftModel
from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, DynamicCache
from transformers.cache_utils import DynamicLayer

if TYPE_CHECKING:  # what it is mixed into
    from trl import GRPOTrainer as OnlineTrainer
else:
    OnlineTrainer = object

MODELS = ("llama", "qwen2", "qwen3", "smollm3", "mistral", "olmo2", "granite", "gemma", "phi3")
ROPE = ("default", "linear", "llama3")  # whose angles depend on a token's position alone
GENERATION = {"num_beams": (1,), "use_cache": (True,), "cache_implementation": ("dynamic",)}
SCORING = {"input_ids", "attention_mask", "labels", "fused_lm_head"}
Arguments: TypeAlias = dict[str, Any]
Shared: TypeAlias = tuple[Arguments, Callable[[Any], Any]]  # arguments, and what undoes the sharing
Fact: TypeAlias = tuple[str, Any, tuple[Any, ...]]  # an option, its value, and those allowed


class SharedPrompts(OnlineTrainer):
    """Mixed in before TRL's GRPOTrainer or RLOOTrainer, or a class derived from one of them.

    What is random inside the model, such as LoRA's dropout, is drawn once for a prompt instead of
    once for each of its completions.

    Raises:
        ValueError: If prompts can't be shared; the message says what to change.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = (model for model in (self.model, self.ref_model) if model is not None)
        for name, given, allowed in chain(*map(_of_model, models), _of_run(self)):
            if given is not None and given not in allowed:
                raise ValueError(
                    f"{name} is {given}, but prompts can only be shared where it is "
                    f"{' or '.join(map(str, allowed))}: change it, or leave out share_prompts "
                    "(the class SharedPrompts)."
                )

    def training_step(self, model: Any, inputs: Any, num_items_in_batch: Any = None) -> Any:
        """Take a step in which prompts are read once."""
        with sharing(self.model, self.ref_model):
            return super().training_step(model, inputs, num_items_in_batch)

    def prediction_step(
        self, model: Any, inputs: Any, prediction_loss_only: bool, ignore_keys: Any = None
    ) -> Any:
        """Take a step of an evaluation in which prompts are read once."""
        with sharing(self.model, self.ref_model):
            return super().prediction_step(model, inputs, prediction_loss_only, ignore_keys)


def _of_run(trainer: Any) -> Iterator[Fact]:
    args = trainer.args
    for name in ("use_vllm", "use_transformers_continuous_batching", "torch_compile"):
        yield name, getattr(args, name), (False,)
    kind = trainer.accelerator.distributed_type
    yield "distributed_type", kind.value, ("NO", "MULTI_CPU", "MULTI_GPU")
    yield "parallelism_config", args.parallelism_config, (None,)
    yield "the number of GPUs of a process", args.n_gpu, (0, 1)
    own, default = trainer.generation_config, trainer.model.generation_config  # vLLM has none
    for name, allowed in GENERATION.items():
        given = getattr(own, name)
        yield name, getattr(default, name) if given is None else given, allowed


def _of_model(model: Any) -> Iterator[Fact]:
    config = model.config
    yield "model_type", config.model_type, MODELS
    known = MODEL_FOR_CAUSAL_LM_MAPPING.get(type(config), None)
    yield "the model's class", type(_inner(model)), (known,)
    yield "attn_implementation", config._attn_implementation, ("eager", "sdpa")
    yield "rope_type", config.rope_parameters["rope_type"], ROPE
    yield "is_causal", getattr(config, "is_causal", True), (True,)
    yield "sliding_window", getattr(config, "sliding_window", None), (None,)
    for layer in getattr(config, "layer_types", None) or ():
        yield "layer_types", layer, ("full_attention",)
    yield "the number of devices", len({*getattr(model, "hf_device_map", {}).values()}), (0, 1)
    for adapter in getattr(model, "peft_config", {}).values():
        yield "peft_type", adapter.peft_type, ("LORA",)
        yield "alora_invocation_tokens", adapter.alora_invocation_tokens, (None,)


def _inner(model: Any) -> Any:
    return model.get_base_model() if isinstance(model, PeftModel) else model


@contextmanager
def sharing(*models: Any) -> Iterator[None]:
    """Let models of transformers, with PEFT's adapters or not, read prompts once; skip None."""
    with ExitStack() as hooks:
        for model in models:
            if model is not None:
                _hook(hooks, _inner(model), read_once)  # generate calls the model inside PEFT's
                _hook(hooks, model, score_once)
        yield


def _hook(hooks: ExitStack, module: Any, share: Callable[[Any, Arguments], Shared | None]) -> None:
    restore: Callable[[Any], Any] | None = None

    def before(module: Any, args: Any, kwargs: Arguments) -> tuple[Any, Arguments]:
        nonlocal restore
        kwargs, restore = (None if args else share(module, kwargs)) or (kwargs, None)
        return args, kwargs

    def after(module: Any, args: Any, kwargs: Arguments, output: Any) -> Any:
        return restore(output) if restore else output

    hooks.callback(module.register_forward_pre_hook(before, with_kwargs=True).remove)
    hooks.callback(module.register_forward_hook(after, with_kwargs=True, prepend=True).remove)


def read_once(model: Any, given: Arguments) -> Shared | None:
    """Share the call that reads prompts into an empty cache; None for any other call."""
    cache: Any = given.get("past_key_values")
    needed = {"input_ids", "attention_mask"}
    tensors = {name: value for name, value in given.items() if isinstance(value, torch.Tensor)}
    if (
        type(cache) is not DynamicCache
        or any(type(layer) is not DynamicLayer for layer in cache.layers)
        or cache.get_seq_length()
        or not needed <= tensors.keys() <= {*needed, "position_ids"}
        or len({tensor.shape for tensor in tensors.values()}) > 1
        or tensors["input_ids"].shape[1] < 2
    ):
        return None
    both = torch.stack([tensor.long() for tensor in tensors.values()])
    distinct, row = torch.unique_consecutive(both, dim=1, return_inverse=True)
    if distinct.shape[1] == len(row):
        return None

    def restore(output: Any) -> Any:
        cache.batch_select_indices(row)
        output.logits = output.logits[row]
        return output

    return {**given, **dict(zip(tensors, distinct, strict=True))}, restore


def score_once(model: Any, given: Arguments) -> Shared | None:
    """Share the call in which TRL scores completions; None for any other call."""
    if given.keys() != SCORING or not given["fused_lm_head"]:
        return None
    ids, mask, labels = given["input_ids"], given["attention_mask"].long(), given["labels"]
    if not ids.shape == mask.shape == labels.shape:
        return None
    first = int((labels != -100).any(0).int().argmax())  # the first column of completions
    scored = ids.masked_fill(mask == 0, -100)
    scored[:, :first] = -100
    left, right = mask[:, :first], mask[:, first:]
    if (
        not torch.equal(labels, scored)
        or not left[:, -1:].all()
        or not torch.equal(left.sort().values, left)  # padded on the left
        or not torch.equal(right.sort(descending=True).values, right)
    ):
        return None
    joined = join(ids, mask, first, model.config.hidden_size)
    if joined is None:
        return None
    (token, position, label, owner), target, source = joined

    def restore(output: Any) -> Any:
        for name, values in list(output.items()):
            if values.shape == token.shape:
                output[name] = values.new_zeros(len(ids), ids.shape[1] - 1)
                output[name][target] = values[source]
        return output

    inputs = {"input_ids": token, "position_ids": position, "shift_labels": label}
    attention = {"attention_mask": _added(owner, model.dtype), "fused_lm_head": True}
    return {**inputs, **attention}, restore


def join(ids: torch.Tensor, mask: torch.Tensor, first: int, hidden: int) -> Any:
    """Join rows of equal prompts: one prompt, and behind it its completions.

    A completion begins with the prompt's last token, which predicts its first one, and attends to
    the prompt and to itself, so that the model computes what it computes for that row alone.
    ``first`` is the first column of completions. A layer takes about 12 h² products for a token and
    2 h for each that it attends to, h being ``hidden``, the model's hidden size.

    Returns:
        Token, position, label and owner (padding's -1, a prompt's 0, else of a completion), of
        shape (4, prompts, tokens); where the labels belong among rows apart, and where they are.
        None if no rows have one prompt, or if joined rows, being long, would cost more.
    """
    both = torch.stack([ids, mask])[:, :, :first]
    (prompts, shown), group = torch.unique(both, dim=1, return_inverse=True)
    read = shown.sum(1) - 1  # of a prompt's tokens, for all of its completions
    length = mask[:, first:].sum(1)
    start = read[group] + ((group[:, None] == group).tril(-1) * length).sum(1)
    width = int(torch.cat([read, start + length]).max())
    cost, before = (n * w * (w + 6 * hidden) for n, w in ((len(prompts), width), ids.shape))
    if len(prompts) == len(ids) or cost > before:
        return None
    joined = ids.new_tensor([0, 0, -100, -1])[:, None, None].repeat(1, len(prompts), width)
    row, column = shown[:, :-1].nonzero(as_tuple=True)
    place = shown.cumsum(1)[row, column] - 1
    none = torch.zeros_like(place)
    joined[:, row, place] = torch.stack([prompts[row, column], place, none - 100, none])
    row, column = mask[:, first:].nonzero(as_tuple=True)
    source, target = (group[row], start[row] + column), (row, first - 1 + column)
    values = [ids[target], read[group[row]] + column, ids[row, first + column], row + 1]
    joined[(slice(None), *source)] = torch.stack(values)
    return joined, target, source


def _added(owner: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return what is added to the attention of a token to each: none but its own and a prompt's."""
    seen = (owner[:, None] == 0) | (owner[:, None] == owner[:, :, None])
    kind = owner.device.type
    dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else dtype
    added = torch.zeros(seen.shape, dtype=dtype, device=owner.device)
    return added.masked_fill_(~seen.tril(), torch.finfo(dtype).min)[:, None]
