"""RecAdam: Adam that recalls the weights it started from, and lets them go by and by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import torch
from torch.optim import Optimizer

from logic_curriculum.generators.family import option

if TYPE_CHECKING:
    from transformers import TrainingArguments

ANNEALING = ("sigmoid", "linear", "constant")
"""Shapes of λ(t)."""


def annealed(function: str, step: int, k: float, t0: float, weight: float) -> float:
    """Return λ(t), the weight of the new task at step t, counted from 1; it approaches ``weight``.

    ``sigmoid`` is ``weight / (1 + exp(-k (t - t0)))``, ``linear`` ``weight min(1, t / t0)``,
    ``constant`` ``weight``.

    >>> annealed("sigmoid", step=100, k=0.2, t0=100, weight=1.0)
    0.5
    """
    if function == "sigmoid":
        return weight * (1 + math.tanh(k * (step - t0) / 2)) / 2  # exp would overflow
    if function == "linear":
        return weight * min(1.0, step / t0)
    return weight


class RecAdam(Optimizer):
    """Adam with objective shifting and the simulation of pretraining (Recall Adam).

    Two losses are minimised at once: that of the new task, and a quadratic one in place of
    the pretraining, ``γ/2 |θ - θ*|²`` around the recalled weights ``θ*``, those before the first
    step. Their weights, λ(t) and ``w - λ(t)``, shift from the second to the first. The pull does
    not go through Adam's moments. With the gradient ``g`` of the new task alone::

        m ← β₁ m + (1 - β₁) g          m̂ = m / (1 - β₁ᵗ)
        v ← β₂ v + (1 - β₂) g²         v̂ = v / (1 - β₂ᵗ)
        θ ← θ - η [λ(t) m̂ / (√v̂ + ε) + (w - λ(t)) γ (θ - θ*) + δ θ]

    η is ``lr``, γ ``pretrain_cof`` and δ ``weight_decay``, all at least 0; β₁ and β₂ are ``betas``,
    in [0, 1), and w is ``anneal_w``, in (0, 1]. :func:`annealed` gives λ(t): ``anneal_fun`` is its
    shape, one of :data:`ANNEALING`, ``anneal_k`` the steepness of the sigmoid per step,
    ``anneal_t0`` its middle or the end of the line in steps. Each group of ``params`` may set any
    of these. Where λ is 1 this is AdamW. The authors' own code takes the pull after the adaptive
    step, which differs in second order of η.

    **What LoRA recalls.** The trained weights are the adapter's, so θ* are its initial ones: A
    drawn at random, B zero. Pulling B to zero and A to where it began pulls the merged weights
    ``W + (α/r) B A`` to the pretrained ``W``. Continuing from a trained adapter recalls that one.

    **Stability.** The pull alone multiplies ``θ - θ*`` by ``1 - η γ (w - λ)`` each step: with the
    product ``η γ w`` above 1 it swings, above 2 diverges. From 1 on it is a ValueError; the
    defaults fit learning rates far below ``1 / 3000``.

    Parameters without a gradient are left alone, pull included. The state holds a copy of the
    recalled weights, so that a resumed run continues exactly. Trainers take the class::

        SFTTrainer(..., optimizer_cls_and_kwargs=(RecAdam, {"lr": 2e-7}))

    Not tested under DeepSpeed's ZeRO, which keeps parameters and states in its own ways.

    Source: Chen et al. 2020, Recall and Learn (arXiv:2004.12651), section 3 and algorithm 1; the
    defaults are those of LogiNumSynth, appendix F.3.

    >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
    >>> optimizer = RecAdam([weight], lr=0.1, pretrain_cof=1.0)
    >>> weight.grad = torch.tensor([2.0])
    >>> optimizer.step()  # λ(1) is almost 0, so the new task hardly counts yet
    >>> weight.item()
    1.0
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-7,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        anneal_fun: str = "sigmoid",
        anneal_k: float = 0.2,
        anneal_t0: float = 100,
        anneal_w: float = 1.0,
        pretrain_cof: float = 3000.0,
    ) -> None:
        adam = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        shift = {"anneal_fun": anneal_fun, "anneal_k": anneal_k, "anneal_t0": anneal_t0}
        pull = {"anneal_w": anneal_w, "pretrain_cof": pretrain_cof}
        super().__init__(params, {**adam, **shift, **pull})

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with their own options, which are checked first."""
        _check({**self.defaults, **param_group})
        super().add_param_group(param_group)

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step, and return the loss of ``closure``, which computes the gradients again."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group)
        return loss

    def _update(self, parameter: torch.Tensor, group: dict[str, Any]) -> None:
        if cast(torch.Tensor, parameter.grad).is_sparse:
            raise ValueError(
                f"The gradient of a parameter of shape {tuple(parameter.shape)} is sparse, but "
                "RecAdam pulls at all weights: give its embedding sparse=False."
            )
        state = self.state[parameter] or self._begin(parameter)
        state["step"] += 1
        step, lr, limit = int(state["step"]), float(group["lr"]), group["anneal_w"]
        weight = annealed(group["anneal_fun"], step, group["anneal_k"], group["anneal_t0"], limit)
        pull = lr * group["pretrain_cof"] * (limit - weight)
        if pull >= 1:
            raise ValueError(_overshoots(group))
        away = parameter - state["recalled"]
        parameter.mul_(1 - lr * group["weight_decay"])
        parameter.add_(away, alpha=-pull)
        parameter.add_(_direction(parameter.grad, state, step, group), alpha=-lr * weight)

    def _begin(self, parameter: torch.Tensor) -> dict[str, Any]:
        state = cast(dict[str, Any], self.state[parameter])
        state |= {"step": torch.tensor(0.0), "recalled": parameter.detach().clone()}
        state |= {moment: torch.zeros_like(parameter) for moment in ("exp_avg", "exp_avg_sq")}
        return state


def _direction(gradient: Any, state: Any, step: int, group: dict[str, Any]) -> torch.Tensor:
    """Update Adam's moments and return ``m̂ / (√v̂ + ε)``."""
    (beta1, beta2), mean, square = group["betas"], state["exp_avg"], state["exp_avg_sq"]
    mean.lerp_(gradient, 1 - beta1)
    square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    scale = (square / (1 - beta2**step)).sqrt_().add_(group["eps"])
    return mean / (1 - beta1**step) / scale


def _check(options: dict[str, Any]) -> None:
    not_negative = ("lr", "eps", "weight_decay", "pretrain_cof")
    ranges = {name: (options[name] >= 0, "at least 0") for name in not_negative}
    ranges["anneal_fun"] = (options["anneal_fun"] in ANNEALING, f"one of {', '.join(ANNEALING)}")
    ranges["anneal_t0"] = (options["anneal_t0"] > 0, "above 0")
    ranges["anneal_w"] = (0 < options["anneal_w"] <= 1, "in (0, 1]")
    ranges["betas"] = (all(0 <= beta < 1 for beta in options["betas"]), "in [0, 1)")
    for name, (fits, allowed) in ranges.items():
        if not fits:
            raise ValueError(f"{name} is {options[name]!r}, but it has to be {allowed}.")
    pull = options["lr"] * options["pretrain_cof"] * options["anneal_w"]
    if options["anneal_fun"] != "constant" and pull >= 1:
        raise ValueError(_overshoots(options))


def _overshoots(options: dict[str, Any]) -> str:
    factors = [float(options[name]) for name in ("lr", "pretrain_cof", "anneal_w")]
    return (
        f"lr * pretrain_cof * anneal_w is {' * '.join(f'{factor:g}' for factor in factors)} = "
        f"{math.prod(factors):g}, so the pull to the recalled weights overshoots them at every "
        "step: keep the product below 1 with a smaller pretrain_cof or lr."
    )


@dataclass
class RecallArguments:
    """Recall Adam as an option of a recipe; the defaults are LogiNumSynth's, appendix F.3."""

    recadam: bool = option(
        False,
        "Train with Recall Adam, which also pulls to the weights at the start, instead of the "
        "optimizer that optim names. Its rate, betas, epsilon and decay are the trainer's: "
        "learning_rate, adam_beta1, ...",
    )
    anneal_fun: str = option("sigmoid", f"Shape of the shift: {', '.join(ANNEALING)}.")
    anneal_k: float = option(0.2, "Steepness of the sigmoid, per step.")
    anneal_t0: float = option(100, "Middle of the sigmoid or end of the line, in steps.")
    anneal_w: float = option(1.0, "What the weight of the new task approaches, in (0, 1].")
    pretrain_cof: float = option(3000.0, "Strength of the pull; below 1 when times learning_rate.")

    def for_trainer(self, args: TrainingArguments) -> tuple[type[RecAdam], dict[str, Any]] | None:
        """Return what transformers' trainers take as ``optimizer_cls_and_kwargs``."""
        if not self.recadam:
            return None
        own = {name: value for name, value in asdict(self).items() if name != "recadam"}
        betas = (args.adam_beta1, args.adam_beta2)
        adam = {"lr": args.learning_rate, "betas": betas, "eps": args.adam_epsilon}
        return RecAdam, {**adam, "weight_decay": args.weight_decay, **own}
