"""Generation for groups: a prompt that several rows share is read once."""

from typing import Any

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
