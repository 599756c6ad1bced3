"""Which optimizer an SFT recipe trains with: the trainer's own, or Recall Adam."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transformers import TrainingArguments

from logic_curriculum.curriculum.recadam import ANNEALING, RecAdam


@dataclass
class RecallArguments:
    """Recall Adam's options; the defaults are those of LogiNumSynth, appendix F.3."""

    recadam: bool = field(
        default=False,
        metadata={
            "help": "Train with Recall Adam, which also pulls to the weights at the start, instead "
            "of the optimizer that optim names. Its rate, betas, epsilon and decay are the "
            "trainer's: learning_rate, adam_beta1, ..."
        },
    )
    anneal_fun: str = field(
        default="sigmoid", metadata={"help": f"Shape of the shift: {', '.join(ANNEALING)}."}
    )
    anneal_k: float = field(default=0.2, metadata={"help": "Steepness of the sigmoid, per step."})
    anneal_t0: float = field(
        default=100, metadata={"help": "Middle of the sigmoid or end of the line, in steps."}
    )
    anneal_w: float = field(
        default=1.0, metadata={"help": "What the weight of the new task approaches, in (0, 1]."}
    )
    pretrain_cof: float = field(
        default=3000.0,
        metadata={"help": "Strength of the pull; times learning_rate it has to stay below 1."},
    )

    def for_trainer(self, args: TrainingArguments) -> tuple[type[RecAdam], dict[str, Any]] | None:
        """Return what transformers' trainers take as ``optimizer_cls_and_kwargs``."""
        if not self.recadam:
            return None
        options = {
            "lr": args.learning_rate,
            "betas": (args.adam_beta1, args.adam_beta2),
            "eps": args.adam_epsilon,
            "weight_decay": args.weight_decay,
            "anneal_fun": self.anneal_fun,
            "anneal_k": self.anneal_k,
            "anneal_t0": self.anneal_t0,
            "anneal_w": self.anneal_w,
            "pretrain_cof": self.pretrain_cof,
        }
        return RecAdam, options
