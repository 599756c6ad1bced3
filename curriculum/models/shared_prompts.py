"""Prompts that the rows of a group share are read once, in generation and in training."""

from typing import Any, NamedTuple

import torch


def generate(
    model: Any, input_ids: torch.Tensor, attention_mask: torch.Tensor, **options: Any
) -> torch.Tensor:
    """Return what ``model.generate`` returns, with one prefill for each run of equal rows.

    Args:
        model: A causal language model of transformers, or an adapter of PEFT on one.
        input_ids: Prompts, padded on the left, of shape (rows, tokens).
        attention_mask: 0 for padding, else 1, of the same shape.
        **options: Further arguments of ``generate``. With tensors among them, such as images, each
            row is read for itself.
    """
    both = torch.stack([input_ids, attention_mask])
    (ids, mask), row = torch.unique_consecutive(both, dim=1, return_inverse=True)
    has_more = any(isinstance(value, torch.Tensor) for value in options.values())
    if len(ids) < len(input_ids) and ids.shape[1] > 1 and not has_more:
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        with torch.no_grad():
            read = model(
                input_ids=ids[:, :-1],
                attention_mask=mask[:, :-1],
                position_ids=positions[:, :-1],
                use_cache=True,
                logits_to_keep=1,
            )
        read.past_key_values.reorder_cache(row)
        options["past_key_values"] = read.past_key_values
    return type(model).generate(
        model, input_ids=input_ids, attention_mask=attention_mask, **options
    )


class Joined(NamedTuple):
    """Completions of equal prompts in one row, behind their prompt."""

    inputs: dict[str, torch.Tensor]
    """For the model: token ids, positions and labels of shape (prompts, tokens), and what is added
    to the attention of each pair of tokens, of shape (prompts, 1, tokens, tokens)."""
    places: torch.Tensor  # of the completions' tokens among the flattened labels
    written: torch.Tensor  # 0 for padding, else 1; both are of shape (rows, completion tokens)

    def apart(self, values: torch.Tensor | None) -> torch.Tensor | None:
        """Return what the model gave each label as (rows, completion tokens), 0 for padding."""
        return None if values is None else values.flatten()[self.places] * self.written


def can_join(model: Any) -> bool:
    """Return whether rows can be joined for a model of transformers, with PEFT's adapters or not.

    It has to attend to what a mask of each pair of tokens says, to know a token's position from
    what it is told and from nothing else, and to treat all tokens of a row alike. Flash attention,
    sliding windows, state spaces, ALiBi, angles that depend on a row's length, losses over routers,
    learnt prompts and activated LoRA do not.
    """
    config = model.config
    rope = getattr(config, "rope_parameters", None) or {}
    layers = set(getattr(config, "layer_types", None) or ["full_attention"])
    adapters = getattr(model, "peft_config", {}).values()
    others = ("sliding_window", "alibi", "keep_window_size", "output_router_logits")
    return (
        config._attn_implementation in ("eager", "sdpa")
        and config.get_text_config() is config
        and layers == {"full_attention"}
        and not any(getattr(config, name, None) for name in others)
        and rope.get("rope_type") not in (None, "dynamic", "longrope")
        and "llama_4_scaling_beta" not in rope
        and not any(
            adapter.is_prompt_learning or getattr(adapter, "alora_invocation_tokens", None)
            for adapter in adapters
        )
    )


def join(
    input_ids: torch.Tensor, attention_mask: torch.Tensor, kept: int, dtype: torch.dtype
) -> Joined | None:
    """Join rows of equal prompts, so that a model reads each prompt once.

    A completion begins with the prompt's last token, which predicts its first one, and attends to
    the prompt and to itself. What the model computes for it is what it computes for a row of its
    own, up to rounding.

    Args:
        input_ids: Prompts, padded on the left, with completions, padded on the right, of shape
            (rows, tokens).
        attention_mask: 0 for padding, else 1, of the same shape.
        kept: How many of the tokens are the completion's.
        dtype: Of the model; under autocast the mask has autocast's.

    Returns:
        None if no two rows have one prompt, or if completions are so long beside it that
        attention would cost more than before.
    """
    both = torch.stack([input_ids, attention_mask])[:, :, :-kept]
    (prompts, masks), groups = torch.unique(both, dim=1, return_inverse=True)
    written = attention_mask[:, -kept:]
    read = (masks.sum(1) - 1).tolist()  # of a prompt, for all of its completions
    ends, starts = list(read), []
    for group, length in zip(groups.tolist(), written.sum(1).tolist(), strict=True):
        starts.append(ends[group])
        ends[group] += length
    (rows, tokens), width = input_ids.shape, max(ends)
    if len(prompts) == rows or len(prompts) * width**2 > rows * tokens**2:
        return None

    ids = input_ids.new_zeros(len(prompts), width)
    positions, labels = torch.zeros_like(ids), torch.full_like(ids, -100)
    owners = torch.full_like(ids, -1)  # padding; 0 is a prompt, 1 and more a completion
    places = torch.zeros_like(written)
    count = torch.arange(tokens, device=ids.device)
    for group, length in enumerate(read):
        ids[group, :length] = prompts[group, -length - 1 : -1]
        positions[group, :length] = count[:length]
        owners[group, :length] = 0
    for row, (group, start) in enumerate(zip(groups.tolist(), starts, strict=True)):
        length = int(written[row].sum())
        own, first = slice(start, start + length), tokens - kept
        ids[group, own] = input_ids[row, first - 1 : first - 1 + length]
        labels[group, own] = input_ids[row, first : first + length]
        positions[group, own] = read[group] + count[:length]
        owners[group, own] = row + 1
        places[row, :length] = group * width + start + count[:length]

    seen = (owners[:, None] == 0) | (owners[:, None] == owners[:, :, None])
    barred = ~seen.tril()
    kind = ids.device.type
    dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else dtype
    added = torch.zeros(barred.shape, dtype=dtype, device=ids.device)
    added.masked_fill_(barred, torch.finfo(dtype).min)
    inputs = {"input_ids": ids, "position_ids": positions, "attention_mask": added[:, None]}
    return Joined({**inputs, "shift_labels": labels}, places, written)
