"""Bytes of GPU memory by part. docs/pretrained.md has the formulas in words, with their sources."""

from typing import Any, NamedTuple

GIB = 2**30
USABLE = 0.93  # of a GPU's memory; the rest is CUDA's context, NCCL's and the allocator's gaps
TILE = (4096, 32768)  # tokens and vocabulary that TRL's head projects at once
LIVE = 10**9  # parameters that ZeRO-3 keeps gathered at most: DeepSpeed's default
BUCKET = 5 * 10**8  # numbers in ZeRO-2's bucket of gradients: DeepSpeed's default

Parts = dict[str, float]
"""Part -> bytes on a GPU."""


class Shape(NamedTuple):
    """A decoder such as Llama's, Qwen2's or Qwen3's."""

    h: int  # hidden size
    layers: int
    heads: int
    kv_heads: int
    head: int  # size of a head
    i: int  # intermediate size
    vocabulary: int
    tied: bool  # embedding and head are one
    biased: bool  # queries, keys and values have a bias
    normed: bool  # queries and keys have a norm
    context: int  # tokens

    @property
    def linears(self) -> dict[str, tuple[int, int]]:
        """Inputs and outputs of a layer's matrices by name."""
        h, i, q, kv = self.h, self.i, self.heads * self.head, self.kv_heads * self.head
        attention = {"q_proj": (h, q), "k_proj": (h, kv), "v_proj": (h, kv), "o_proj": (q, h)}
        return {**attention, "gate_proj": (h, i), "up_proj": (h, i), "down_proj": (i, h)}

    @property
    def in_linears(self) -> int:
        """Parameters of the matrices of all layers."""
        return self.layers * sum(a * b for a, b in self.linears.values())

    @property
    def parameters(self) -> int:
        """Parameters, tied ones once."""
        more = (self.heads + 2 * self.kv_heads) * self.head * self.biased
        norms = self.layers * (2 * self.h + more + 2 * self.head * self.normed) + self.h
        return self.in_linears + norms + self.vocabulary * self.h * (2 - self.tied)

    @property
    def kv_bytes(self) -> int:
        """Bytes of a token's keys and values in bfloat16."""
        return 2 * 2 * self.layers * self.kv_heads * self.head


class Hardware(NamedTuple):
    """GPUs, and how a model is divided among them."""

    gib: float = 80  # memory of a GPU
    gpus: int = 1
    zero: int = 0  # DeepSpeed's stage, 3 for FSDP as well; 0 if every GPU has everything
    offloads: bool = False  # parameters and optimizer lie in the host's memory


class Training(NamedTuple):
    """What decides memory, of a training's options."""

    weight: int = 2  # bytes: 2 for bfloat16, 4 for float32
    four_bit: bool = False
    nested: bool = False  # QLoRA's double quantization
    rank: int = 0  # of LoRA; 0 trains all parameters
    targets: Any = "all-linear"  # of LoRA
    dropout: float = 0.0  # of LoRA
    checkpoints: bool = True  # activations are computed again in the backward pass
    attention: str = "sdpa"
    state: int = 0  # bytes of the optimizer for a parameter; 0 for two moments

    def adapted(self, shape: Shape) -> list[tuple[int, int]]:
        """Return inputs and outputs of a layer's matrices with adapters."""
        names = [self.targets] if isinstance(self.targets, str) else self.targets
        names = list(shape.linears) if names == ["all-linear"] else names or ["q_proj", "v_proj"]
        if unknown := set(names) - set(shape.linears):
            raise ValueError(
                f"lora_target_modules names {min(unknown)}, whose size is not known: choose among "
                f"{', '.join(shape.linears)}, or all-linear."
            )
        return [shape.linears[name] for name in names]

    def trained(self, shape: Shape) -> int:
        """Return the number of trained parameters."""
        lora = shape.layers * self.rank * sum(a + b for a, b in self.adapted(shape))
        return lora or shape.parameters


def static(shape: Shape, how: Training, on: Hardware) -> Parts:
    """Return the memory held between steps, per GPU; what is offloaded to the host is no part."""
    count, n = how.trained(shape), on.gpus
    width = (2 if on.zero or how.four_bit else 4) if how.rank else how.weight
    weights = float(shape.parameters * how.weight)
    if how.four_bit:
        saved = how.weight - 0.5 - (0.127 / 8 if how.nested else 4 / 64)
        weights -= shape.in_linears * saved
    weights += count * width * bool(how.rank)
    gradients, states = float(count * width), float(count * (how.state or 2 * width))
    if on.zero:
        states = 12 * count / n  # weights in float32 and two moments
    if on.zero == 2:
        gradients = gradients / n + 2 * BUCKET
    elif on.zero == 3:
        gathered = 2.0 * min(shape.parameters, LIVE)
        weights = gathered + (0 if on.offloads else weights / n)
        gradients, states = gradients / n, 0 if on.offloads else states
    elif n > 1 and not on.zero:
        gradients *= 2  # DDP's buckets
    copies = 2.0 * shape.in_linears * (how.weight == 4)  # in bfloat16, of autocast
    return {
        "weights": weights + copies,
        "gradients": gradients,
        "optimizer": states,
    }


def saved_by_layer(shape: Shape, how: Training) -> float:
    """Return the bytes a token that a layer keeps for its backward pass, computing in bfloat16.

    Attention's mask and copies of weights are left out.
    """
    h, i, w = shape.h, shape.i, how.weight
    q, kv = shape.heads * shape.head, shape.kv_heads * shape.head
    kept = 8 * h + 8.0 + 8 * q + 4 * shape.heads  # norms' inputs; q, k, v, result, log-sum-exp
    if shape.normed:
        kept += 4 * (q + kv) + 4 * (shape.heads + shape.kv_heads)
    if how.rank:
        inputs = sum((6 if how.dropout else 2) * a + 2 * how.rank for a, _ in how.adapted(shape))
        return kept + 6 * i + inputs
    return kept + 8 * i + (8 if w == 2 else 18) * h + 2 * (q + kv) * shape.normed


def mask(shape: Shape, how: Training, rows: int, tokens: int) -> float:
    """Return the bytes of what attention needs for each pair of tokens, at its peak."""
    each = {"sdpa": 5, "eager": 2 + 10 * shape.heads}.get(how.attention, 0)
    return float(each * rows * tokens**2)


def step(shape: Shape, how: Training, rows: int, prompt: int, completion: int) -> Parts:
    """Return the memory that a micro-batch adds at its peak, by part."""
    h, w, tokens, scored = shape.h, how.weight, prompt + completion, rows * completion
    n, layer, pairs = rows * tokens, saved_by_layer(shape, how), mask(shape, how, rows, tokens)
    if how.checkpoints:
        kept = n * (shape.layers * h * w + layer)
    else:
        kept = n * shape.layers * layer
        pairs *= (shape.layers + 1) / 2 if how.attention == "sdpa" else shape.layers
    head = n * h * (4 + 2 * w) + scored * h * (2 * w + 4)
    head += 2 * min(scored, TILE[0]) * TILE[1] + 2 * h * min(shape.vocabulary, TILE[1]) * (w == 4)
    head += 0 if how.rank else shape.vocabulary * h * (6 if w == 2 else 4)
    backward = n * 8 * (shape.i + h)  # gradients of a layer's insides
    return {
        "activations": float(kept),
        "backward pass of a layer, or of the head": float(max(backward, head)),
        "attention mask": pairs,
    }


def generation(shape: Shape, how: Training, rows: int, prompt: int, completion: int) -> Parts:
    """Return the memory that transformers' generation adds at its peak, when prompts are read."""
    read = rows * prompt * (6 * shape.i + 8 * shape.heads * shape.head + 12 * shape.h)
    cache = shape.kv_bytes * rows * (prompt + completion)
    return {
        "key-value cache": cache * (1 + 1 / shape.layers),  # a layer's is copied to grow
        "activations": float(read),
        "logits": 4.0 * rows * shape.vocabulary,
        "attention mask": mask(shape, how, rows, prompt),
    }
