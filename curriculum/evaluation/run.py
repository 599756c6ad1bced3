"""One evaluation: its options, questions, model and judge, and what fixes its answers.

A model behind an endpoint needs neither torch nor TRL: what does is imported for a local one.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from logic_curriculum.curriculum import run_settings
from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.evaluation import ask
from logic_curriculum.curriculum.evaluation.endpoint import EndpointModel
from logic_curriculum.curriculum.evaluation.questions import question_files, read_questions
from logic_curriculum.curriculum.evaluation.report import NOTES
from logic_curriculum.curriculum.evaluation.scores import SHIPPED, load_prices
from logic_curriculum.generators import registry
from logic_curriculum.generators.family import option
from logic_curriculum.generators.llm import LanguageModel, LLMConfig, load_config
from logic_curriculum.generators.sampling import distinct_tasks, published_tasks
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards import Verdict, measure_batch
from logic_curriculum.rewards.llm_extraction import judge_with_extractor

if TYPE_CHECKING:
    from trl import ModelConfig

    from logic_curriculum.curriculum.evaluation.models import Decoding

OPENAI = "https://api.openai.com/v1"  # The openai package's default endpoint
BACKENDS = ("transformers", "vllm")


@dataclass
class EvaluationArguments:
    """What is asked, and how; without a model a tiny one is made."""

    output_dir: str = field(metadata={"help": "The run folder; a run in it is continued."})
    families: list[str] = option(["slr"], "Families of tasks.")
    levels: list[int] | None = option(None, "Levels; by default all.")
    tasks: int | None = option(
        50,
        "Tasks per family and level; null in a YAML for those of the published data set.",
    )
    split: str = option("test", "Split that the tasks are of.")
    task_options: str = option(
        "{}", 'Options of generators by family, a mapping or JSON: {"slr": {"style": "natural"}}.'
    )
    questions: str | None = option(
        None,
        "Published questions, a file of JSON lines or a folder of such, in place of generated "
        "tasks; families, levels, tasks, split and task_options are then ignored.",
    )
    shots: list[int] = option([0], "Numbers of worked examples in front of each question.")
    samples: int = option(1, "Answers to each question.")
    backend: str = option("transformers", "What runs the model: transformers, vllm.")
    endpoint: str | None = option(
        None,
        "Model behind an OpenAI-compatible endpoint, in place of a local one: its name or a "
        "YAML file, whose options then say how completions are made.",
    )
    vllm_options: str = option("{}", "Of vllm.LLM, mapping or JSON, such as tensor_parallel_size.")
    conversational: bool = option(True, "Whether prompts are chat messages; needs a chat template.")
    chat_template_kwargs: str = option(
        "{}", 'Options of the chat template, a mapping or JSON: {"enable_thinking": false}.'
    )
    max_new_tokens: int = option(2048, "Longest answer, in tokens.")
    temperature: float = option(0.0, "Sampling temperature; 0 is greedy.")
    top_p: float = option(1.0, "Nucleus sampling; used when temperature is above 0.")
    top_k: int = option(0, "Top-k sampling; 0 means all tokens.")
    batch_size: int = option(16, "Questions at a time, per process.")
    extractor: str | None = option(
        None, "Language model, name or YAML file, that writes out answers no parser reads; none."
    )
    label: str | None = option(
        None, "Name of the model in the report; by default its name or path."
    )
    prices: str | None = option(None, "YAML file of prices; by default Table 5 of SLR.")
    priced_as: str | None = option(None, "Name of the model in the prices, where it differs.")
    seed: int = option(0, "Seed of tasks, examples and draws.")
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        self.options = mapping_option("task_options", self.task_options)
        self.engine_options = mapping_option("vllm_options", self.vllm_options)
        self.template = mapping_option("chat_template_kwargs", self.chat_template_kwargs)
        if self.questions is not None:
            if self.shots != [0]:
                raise ValueError(
                    f"shots is {self.shots}, but worked examples are generated, and would ask for "
                    "another form of answers than published questions: leave shots out."
                )
            read = read_questions(Path(self.questions))
            self.families = list(dict.fromkeys(question.task.family for question in read))
        for family in self.families:
            registry.family(family)
        for family, given in self.options.items():
            if not isinstance(given, Mapping) or "split" in given:
                raise ValueError(
                    f"task_options of {family} is {given!r}: give a mapping of its options but "
                    "split, which is an option of its own."
                )
            try:
                registry.family(family).read_options(given)
            except TypeError as error:
                raise ValueError(f"task_options: {error}") from error
        if self.split not in SPLITS:
            raise ValueError(f"split is {self.split!r}: choose one of {', '.join(SPLITS)}.")
        if self.backend not in BACKENDS:
            raise ValueError(
                f"backend is {self.backend!r}: choose one of {', '.join(BACKENDS)}; a model behind "
                "an endpoint is named by --endpoint instead."
            )
        self._check_numbers()
        # An endpoint's answers may differ at temperature 0, too.
        if self.samples > 1 and self.temperature == 0 and self.endpoint is None:
            raise ValueError(
                f"samples is {self.samples}, but with temperature 0 all answers of a model that "
                "runs here to a question are the same: set a temperature, such as 0.7, or samples "
                "to 1."
            )

    def _check_numbers(self) -> None:
        for name in ("families", "shots", "levels"):
            if getattr(self, name) == []:
                raise ValueError(f"{name} is empty, so nothing would be asked: name one or more.")
        lowest = dict.fromkeys(("tasks", "samples", "batch_size", "max_new_tokens"), 1)
        lowest |= {"shots": 0, "temperature": 0, "top_k": 0}
        for name, low in lowest.items():
            given = getattr(self, name)
            if given is None:
                continue
            number = min(given) if isinstance(given, list) else given
            if not low <= number < math.inf:
                raise ValueError(f"{name} is {number}: a number of at least {low} is needed.")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}: a probability above 0, up to 1, is needed.")

    @property
    def decoding(self) -> Decoding:
        """How a local model's completions are made."""
        from logic_curriculum.curriculum.evaluation.models import Decoding

        names = ("max_new_tokens", "conversational", "temperature", "top_p", "top_k")
        given = {name: getattr(self, name) for name in names}
        return Decoding(**given, template=self.template or None)


def make_questions(script: EvaluationArguments) -> list[ask.Question]:
    """Return all questions: for each family and number of examples, levels in turn.

    Those of a file are in its order.
    """
    questions: list[ask.Question] = []
    if script.questions is not None:
        for question in read_questions(Path(script.questions)):
            questions += [question._replace(sample=n) for n in range(script.samples)]
        return questions
    for family in script.families:
        options = dict(script.options.get(family, {}))
        levels = script.levels or list(registry.family(family).levels(options.get("preset")))
        seed, split = script.seed, script.split
        if script.tasks is None:
            tasks = published_tasks(family, levels, seed, split, **options)
        else:
            count = script.tasks * len(levels)
            tasks = distinct_tasks(family, levels, count, seed, split, **options)
        for shots, (index, task) in product(script.shots, enumerate(tasks)):
            examples = ask.few_shot_examples(family, levels, shots, seed, index, split, **options)
            questions += [ask.in_context(task, examples, n) for n in range(script.samples)]
    return questions


def model_name(script: EvaluationArguments, model_args: ModelConfig | None) -> str:
    """Return the model's own name."""
    if model_args is None:
        return load_config(str(script.endpoint)).model
    return str(model_args.model_name_or_path or "tiny model")


def pricing(script: EvaluationArguments, model: str) -> dict[str, Any]:
    """Return the prices for the report; a ValueError if the table can't be read.

    The prices in an endpoint's YAML file come before the table's.
    """
    load_prices(Path(script.prices or SHIPPED))
    config = load_config(script.endpoint) if script.endpoint else None
    own = config.prices if config else None
    return {
        "prices": script.prices and str(Path(script.prices).resolve()),
        "own_prices": own and {"input": own.input, "output": own.output},
        "priced_as": script.priced_as or model,
    }


def opener(
    script: EvaluationArguments, model_args: ModelConfig | None, processes: int
) -> Callable[[], ask.Model]:
    """Return a function that opens the model; a SystemExit if vLLM can't answer as asked.

    Without ``model_args``, the model is behind an endpoint.
    """
    if model_args is None:
        return lambda: EndpointModel(LanguageModel(load_config(str(script.endpoint))))
    from logic_curriculum.curriculum.evaluation import models

    if script.backend == "transformers":
        return lambda: models.open_transformers_model(model_args, script.decoding)
    if processes > 1:
        raise SystemExit(
            f"The run has {processes} processes, but vLLM spreads over GPUs by itself: launch one "
            "process, and give vllm_options tensor_parallel_size or data_parallel_size."
        )
    options = models.vllm_options(model_args, script.engine_options)
    return lambda: models.VllmModel(script.decoding, script.seed, **options)


def judge_of(script: EvaluationArguments) -> ask.JudgeBatch:
    """Return the judge, with a language model for answers the parser can't read if one is named."""
    if script.extractor is None:
        return measure_batch
    extract = LanguageModel(load_config(script.extractor)).texts

    def judge(family: str, completions: Sequence[str], payloads: Sequence[Any]) -> list[Verdict]:
        if registry.family(family).judge.extraction is None:
            return measure_batch(family, completions, payloads)
        return judge_with_extractor(family, completions, payloads, extract)

    return judge


_FIXED = (
    *("families", "levels", "tasks", "split", "shots", "samples", "seed", "extractor"),
    *("backend", "conversational", "max_new_tokens", "temperature", "top_p", "top_k"),
    "batch_size",  # what a batch holds has a bearing on draws and on rounding
)


def settings_of(script: EvaluationArguments, model_args: ModelConfig | None) -> dict[str, Any]:
    """Return the settings that decide the answers, as JSON-able data, but for a tiny model's."""
    found: dict[str, Any] = {name: getattr(script, name) for name in _FIXED}
    found["task_options"] = script.options
    if script.questions is not None:
        content = b"".join(file.read_bytes() for file in question_files(Path(script.questions)))
        found["questions"] = hashlib.sha256(content).hexdigest()
    for role in ("extractor", "endpoint"):
        if named := getattr(script, role):
            config = load_config(named)
            found[role], found[f"{role}_url"] = config.model, public_url(config)
            found[f"{role}_options"] = completion_options(config)
    if model_args is not None:
        from logic_curriculum.curriculum.models import pretrained

        names = ("model_name_or_path", "model_revision", "dtype", "attn_implementation")
        loading = ("load_in_4bit", "load_in_8bit", "bnb_4bit_quant_type", "use_bnb_nested_quant")
        found |= {name: getattr(model_args, name) for name in (*names, *loading)}
        found["weights"] = pretrained.weights_of(model_args.model_name_or_path)
        found["engine"] = engine(script.backend)
        found["chat_template_kwargs"] = script.template or None
        if script.backend == "vllm":
            found["vllm_options"] = script.engine_options
    packages = {"logic-curriculum": version("logic-curriculum")}
    found["versions"] = {
        family: {**packages, **registry.family(family).versions()} for family in script.families
    }
    return as_read_back(run_settings.run_facts(**found))


def as_read_back(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as they will be read from a file."""
    return dict(json.loads(json.dumps(settings, default=str)))


def completion_options(config: LLMConfig) -> dict[str, Any]:
    """Return the options of a completion without its headers, which could hold a key."""
    return {name: value for name, value in config.options.items() if name != "extra_headers"}


def public_url(config: LLMConfig) -> str:
    """Return the endpoint's URL without what could be secret: user, password and query."""
    url = config.client.get("base_url") or os.environ.get("OPENAI_BASE_URL") or OPENAI
    parts = urlsplit(str(url))
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def engine(package: str) -> str:
    """Return the name and version of what runs a model."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package  # opening the model says how to install it


def claim(
    folder: Path, settings: Mapping[str, Any], notes: Mapping[str, Any] | None = None
) -> None:
    """Record the settings in a new run folder, or check that the run in it has the same.

    The notes are what its report says besides; those of the last start count. A folder that holds
    settings alone is new: that run ended before its first answer. Another run or something else in
    the folder is a SystemExit.
    """
    if folder.exists() and not folder.is_dir():
        raise SystemExit(f"{folder} is a file, and a run needs a folder: choose another.")
    recorded = {**settings, NOTES: notes} if notes else settings
    if not run_settings.has_started(folder):
        run_settings.write_settings(folder, recorded)
        return
    if not (folder / run_settings.SETTINGS).is_file():
        raise SystemExit(
            f"{folder} is not empty and holds no evaluation: choose another --output_dir, so that "
            "nothing in it is overwritten."
        )
    there = run_settings.read_settings(folder)
    if there.get("families") == settings.get("families"):
        run_settings.check_versions_of_run(folder, settings.get("families", ()))
    if changed := [name for name in settings if there.get(name) != settings[name]]:
        name = changed[0]
        raise SystemExit(
            f"{folder} holds a run whose {name} is {there.get(name)!r}, but {settings[name]!r} "
            "was asked for: choose another --output_dir, or continue that run with what it "
            "began with."
        )
    run_settings.write_settings(folder, recorded)
