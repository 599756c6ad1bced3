"""Tokens per second of a pretrained model: LoRA training, generation in groups, GRPO, evaluation.

    python benchmarks/throughput.py [--model_name_or_path smollm2-135m] [--steps 3]

Each row adds one measure to those above it, and runs in a process of its own, which the peak of
memory is of. *Training* is TRL's SFTTrainer with LoRA of rank 32 on all linear layers and SLR tasks
of levels 1 to 6, 16 a step, as ``recipes/sft_slr.py`` trains; the first step is left out, and
padding is no token. *Generation* is a batch of GRPO, 4 tasks with 16 completions of 24 tokens each;
its tokens are the new ones. *GRPO* is whole steps on 4 tasks with 8 completions of 24 tokens each,
which are generated and learnt from. *Evaluation* answers 64 tasks once each.

The limit is what the processor's matrix products alone would take. A token costs 2 operations for
each weight of a layer forward and as many backward, since frozen weights need no gradient.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, ModelConfig, SFTConfig, SFTTrainer, get_peft_config

from logic_curriculum.curriculum import CurriculumConfig, CurriculumGRPOTrainer
from logic_curriculum.curriculum.dataset import Encoder
from logic_curriculum.curriculum.evaluation.ask import Question
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models import on_cpu, pretrained, shared_prompts
from logic_curriculum.curriculum.models.tiny_model import QUIET
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards.engines.allocator import ALL, keep_freed

TRAINING: Mapping[str, Mapping[str, Any]] = {
    "TRL's defaults": {},
    "no activation checkpointing": {"activation_checkpointing": False},
    "no dropout": {"lora_dropout": 0.0},
    "logits at answers only": {"score_answers_only": True},
    "memory kept between steps": {"keep_memory": True},
    "batches by length": {"train_sampling_strategy": "group_by_length"},
}
GRPO: Mapping[str, Mapping[str, Any]] = {
    "rows apart": {},
    "prompts of a group read once, to learn too": {"joined": True},
}
EAGER = {"attention by matrix products": {"attn_implementation": "eager"}}
BFLOAT16 = {"bfloat16": {"dtype": "bfloat16"}}
LOADING = ("dtype", "attn_implementation")


def tasks(count: int) -> list[Task]:
    """Return SLR tasks of levels 1 to 6, mixed."""
    return [generate("slr", 1 + i % 6, i, style="compact") for i in range(count)]


def train(model: str, steps: int, options: dict[str, Any]) -> float:
    """Return the tokens per second of optimizer steps."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    encoder = Encoder(tokenizer, None)
    rows = [encoder.encode(task.to_row(conversational=True)) for task in tasks((steps + 1) * 16)]
    if options.pop("score_answers_only", False):
        on_cpu.score_answers_only()
    if options.pop("keep_memory", False):
        keep_freed(ALL)
    dropout = options.pop("lora_dropout", ModelConfig.lora_dropout)
    loading = {name: options.pop(name) for name in LOADING if name in options}
    lora = {"lora_r": 32, "lora_dropout": dropout, "lora_target_modules": ["all-linear"]}
    trainer = SFTTrainer(
        model,
        SFTConfig(
            output_dir=tempfile.mkdtemp(),
            per_device_train_batch_size=16,
            max_steps=steps + 1,
            max_length=None,
            dataset_kwargs={"skip_prepare_dataset": True},
            model_init_kwargs={"dtype": "float32", **loading},
            use_cpu=True,
            bf16="dtype" in loading,
            **QUIET,
            **{"train_sampling_strategy": "sequential", **options},
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=get_peft_config(ModelConfig(model, use_peft=True, **lora)),
    )
    steps_taken: list[tuple[float, int]] = []  # when each began, and its tokens
    step = trainer.training_step

    def timed(network: Any, inputs: Any, *rest: Any) -> Any:
        read = inputs.get("attention_mask", torch.ones_like(inputs["input_ids"]))
        steps_taken.append((time.perf_counter(), int(read.sum())))
        return step(network, inputs, *rest)

    trainer.training_step = timed
    trainer.train()
    begun, _ = steps_taken[1]
    return sum(tokens for _, tokens in steps_taken[1:]) / (time.perf_counter() - begun)


def load(model: str, options: Mapping[str, Any]) -> Any:
    """Return the model in the precision and with the attention asked for."""
    loading = {name: options[name] for name in LOADING if name in options}
    return AutoModelForCausalLM.from_pretrained(model, **{"dtype": "float32", **loading})


def sample(model: str, steps: int, options: dict[str, Any]) -> float:
    """Return the new tokens per second of a batch of groups."""
    tokenizer = AutoTokenizer.from_pretrained(model, padding_side="left")
    network = load(model, options)
    chats = [task.to_row(conversational=True)["prompt"] for task in tasks(6)[2:]]
    texts = tokenizer.apply_chat_template(chats, tokenize=False, add_generation_prompt=True)
    prompts = [text for text in texts for _ in range(16)]
    batch = tokenizer(prompts, return_tensors="pt", padding=True)
    make = shared_prompts.generate if options.get("shared") else type(network).generate
    given = {name: batch[name] for name in ("input_ids", "attention_mask")}
    begun = time.perf_counter()
    for _ in range(steps):
        make(network, **given, do_sample=True, min_new_tokens=24, max_new_tokens=24)
    return steps * 64 * 24 / (time.perf_counter() - begun)


def reinforce(model: str, steps: int, options: dict[str, Any]) -> float:
    """Return the new tokens per second of GRPO's steps."""
    if not options.get("joined"):
        shared_prompts.can_join = lambda model: False
    on_cpu.score_answers_only()
    keep_freed(ALL)
    loading = {name: options[name] for name in LOADING if name in options}
    lora = {"lora_r": 32, "lora_dropout": 0.0, "lora_target_modules": ["all-linear"]}
    begun = []

    def halves(completions: list[Any], **_: Any) -> list[float]:
        begun.append(time.perf_counter())
        return [number % 2 for number in range(len(completions))]

    CurriculumGRPOTrainer(
        model,
        halves,
        GRPOConfig(
            output_dir=tempfile.mkdtemp(),
            per_device_train_batch_size=32,
            num_generations=8,
            max_completion_length=24,
            generation_kwargs={"min_new_tokens": 24},
            max_steps=steps + 1,
            activation_checkpointing=False,
            model_init_kwargs={"dtype": "float32", **loading},
            use_cpu=True,
            bf16="dtype" in loading,
            **QUIET,
        ),
        curriculum=CurriculumConfig(["slr"], strategy="uniform", last_level=6),
        task_options={"slr": {"style": "compact"}},
        conversational=True,
        peft_config=get_peft_config(ModelConfig(model, use_peft=True, **lora)),
    ).train()
    return steps * 32 * 24 / (begun[-1] - begun[0])


def evaluate(model: str, steps: int, options: dict[str, Any]) -> float:
    """Return the tokens per second, read and written, of an evaluation."""
    tokenizer = AutoTokenizer.from_pretrained(model, padding_side="left")
    network = load(model, options)
    answering = TransformersModel(network, tokenizer, Decoding(24, conversational=True))
    questions = [Question(task, task.prompt, 0, 0) for task in tasks(64)]
    if options.get("sorted"):
        questions.sort(key=lambda question: -len(question.prompt))
    begun, count = time.perf_counter(), 0
    for first in range(0, 64, size := options.get("size", 16)):
        replies = answering.answer(questions[first : first + size], 0)
        count += sum(reply.prompt_tokens + reply.completion_tokens for reply in replies)
    return count / (time.perf_counter() - begun)


def processor_limit(model: str, dtype: torch.dtype) -> str:
    """Return the operations per second of the processor, and the tokens per second they allow."""
    network = AutoModelForCausalLM.from_pretrained(model)
    embedding = network.get_input_embeddings().weight.numel()  # looked up, not multiplied
    weights = sum(p.numel() for p in network.parameters()) - embedding
    left, right = torch.rand(2048, 576).to(dtype), torch.rand(576, 1536).to(dtype)
    begun, rounds = time.perf_counter(), 200
    for _ in range(rounds):
        left @ right
    rate = rounds * 2 * 2048 * 576 * 1536 / (time.perf_counter() - begun)
    return (
        f"{dtype}: {rate / 1e9:.0f} billion operations per second, so at most "
        f"{rate / (4 * weights):.0f} tokens/s trained, {rate / (2 * weights):.0f} read or written"
    )


KINDS: dict[str, tuple[Callable[..., float], Mapping[str, Mapping[str, Any]]]] = {
    "training": (train, TRAINING),
    "generation": (sample, {"TRL's": {}, "prompts of a group read once": {"shared": True}}),
    "GRPO": (reinforce, GRPO),
    "evaluation": (
        evaluate,
        {"batches of 16": {}, "by length": {"sorted": True}, "batches of 64": {"size": 64}},
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model_name_or_path", default=pretrained.NAME)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--one", help=argparse.SUPPRESS)  # a row's options, in a row's process
    args = parser.parse_args()
    model = str(pretrained.resolve(args.model_name_or_path))
    if args.one:
        speed = KINDS[args.kinds[0]][0](model, args.steps, json.loads(args.one))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps([speed, peak]))
        return
    for dtype in [torch.float32] + [torch.bfloat16] * on_cpu.has_bfloat16():
        print(processor_limit(model, dtype), flush=True)
    rows = []
    for kind in args.kinds:
        options: dict[str, Any] = {}
        measures = {**KINDS[kind][1], **EAGER, **(BFLOAT16 if on_cpu.has_bfloat16() else {})}
        for name, added in measures.items():
            options |= added
            own = ["--kinds", kind, "--steps", str(args.steps), "--one", json.dumps(options)]
            command = [sys.executable, __file__, "--model_name_or_path", model, *own]
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
            if done.returncode:
                raise SystemExit(f"{kind}, {name}: {done.stderr[-2000:]}")
            speed, peak = json.loads(done.stdout.splitlines()[-1])
            rows.append([kind, name, f"{speed:.0f}", f"{peak:.1f}"])
            print(*rows[-1], flush=True)
    print("\n" + markdown_table(["", "added", "tokens/s", "peak GB"], rows))


if __name__ == "__main__":
    main()
