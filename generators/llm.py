"""Language models behind any OpenAI-compatible endpoint; answers are kept on disk.

Answers are kept under the hash of model, messages, options and sample number: the same question is
never asked twice. What is in the cache needs no endpoint, no key and no openai package.

    model = LanguageModel(load_config("llm.yaml"))
    model.ask(Question.of("Name a bird.")).text          # 'Wren.'
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from filelock import FileLock
from pydantic import AfterValidator, Field, JsonValue, field_validator

from logic_curriculum.common.files import write_text
from logic_curriculum.common.processes import threads_that_end
from logic_curriculum.common.yaml_file import FileModel, find_text, read_yaml

if TYPE_CHECKING:
    from openai import OpenAI

MODEL_VARIABLE = "OPENAI_MODEL"  # names the model where a file does not
RETRIES = 6  # where `client` sets no `max_retries`; they take about half a minute in all
_ADVICE = (
    "Check that the server runs and is OpenAI-compatible; its address, OPENAI_BASE_URL or "
    "`base_url` under `client`, which mostly ends in /v1; OPENAI_API_KEY; the model's name; and "
    "`options`, which are arguments of chat.completions.create (what only your server knows goes "
    "into extra_body). If it is slow or busy, raise `timeout` or `max_retries` under `client`, or "
    "lower `concurrency`."
)


class LLMError(RuntimeError):
    """No usable answer came; the message says from where, why, and what to change."""


@dataclass(frozen=True)
class Question:
    """Messages for a language model, and which of its possible answers to them is meant."""

    messages: tuple[tuple[str, str], ...]  # role and text, such as (("user", "Name a bird."),)
    sample: int = 0  # number of the answer, from 0

    @classmethod
    def of(cls, text: str, sample: int = 0) -> Question:
        """Return a question of one message by the user."""
        return cls((("user", text),), sample)

    def key(self, model: str, options: Mapping[str, Any]) -> str:
        """Return the SHA-256 of everything that the answer depends on, in hexadecimal."""
        content = [model, self.messages, options, self.sample]
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What the model wrote, as it came."""

    text: str
    finish_reason: str  # as the endpoint names it: "stop", or "length" when the text was cut off
    input_tokens: int | None  # by the endpoint's count; None when it does not tell
    output_tokens: int | None  # the same, thoughts that are not shown included


@dataclass(frozen=True)
class Usage:
    """A count of answers, and of tokens as far as the endpoint tells them."""

    asked: int = 0  # answers that the endpoint gave
    cached: int = 0  # answers that were there already, at no cost
    input_tokens: int = 0
    output_tokens: int = 0

    def __str__(self) -> str:
        tokens = f"{self.input_tokens:,} + {self.output_tokens:,} tokens"
        return f"{self.asked} asked, {self.cached} from the cache, {tokens}"


def _default_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "logic-curriculum" / "llm"


class LLMConfig(FileModel):
    """A language model behind an OpenAI-compatible endpoint."""

    model: str = Field(
        default_factory=lambda: os.environ.get(MODEL_VARIABLE, ""), validate_default=True
    )
    """The endpoint's name for it."""
    client: dict[str, JsonValue] = Field(default_factory=dict)
    """Arguments of ``openai.OpenAI``, unchanged: ``base_url``, ``timeout`` in seconds, …"""
    options: dict[str, JsonValue] = Field(default_factory=dict)
    """Arguments of its ``chat.completions.create``, unchanged; other options, other answers."""
    concurrency: int = Field(default=8, ge=1, strict=True)
    """Most questions that this process asks at a time."""
    cache: Annotated[Path, AfterValidator(Path.expanduser)] = Field(default_factory=_default_folder)
    """Folder of the answers."""

    @field_validator("model")
    @classmethod
    def _check_model(cls, model: str) -> str:
        if not model.strip():
            raise ValueError(f"no model is named; give `model`, or set {MODEL_VARIABLE}")
        return model


def load_config(name_or_path: str) -> LLMConfig:
    """Return the configuration of a model: by its name, or a file of :class:`LLMConfig`.

    The path of a file ends in ``.yaml`` or ``.yml``; else the environment names the endpoint. A
    ``ValueError`` says what is missing or wrong.
    """
    if not name_or_path.strip():
        raise ValueError("No language model is named: give its name, or a YAML file.")
    if not name_or_path.endswith((".yaml", ".yml")):
        return LLMConfig(model=name_or_path)
    text, name = find_text(name_or_path, Path(), (), "language model")
    return read_yaml(text, name, LLMConfig, "write `model: NAME` and other keys")


@lru_cache(maxsize=8)
def load_model(name_or_path: str) -> LanguageModel:
    """Return the one model of this process for a name or a YAML file; see :func:`load_config`."""
    return LanguageModel(load_config(name_or_path))


class LanguageModel:
    """Asks questions, several at a time, and keeps the answers.

    The cache is a folder of JSON files, an answer beside its question in each, to be read or
    deleted by hand. Threads and processes may share it: while one asks a question, the others wait.
    """

    def __init__(self, config: LLMConfig) -> None:
        self.config = config
        self._counts = multiprocessing.Array("q", len(fields(Usage)))

    @property
    def usage(self) -> Usage:
        """What this object has asked so far, in processes forked from this one as well."""
        return Usage(*self._counts[:])

    def _count(self, *amounts: int) -> None:
        with self._counts.get_lock():
            self._counts[:] = list(map(sum, zip(self._counts[:], amounts, strict=True)))

    def ask(self, question: Question) -> Answer:
        """Return the answer to one question; see :meth:`ask_all`."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Question]) -> list[Answer]:
        """Return the answers in the order of their questions.

        Answers come as they are, cut off or without text as well; see :func:`text_of`.

        Raises:
            LLMError: An answer did not come, after the retries of the openai package. No further
                question is asked then, but those on the way are waited for and kept.
            ValueError: An entry of the cache is damaged.
        """
        stored = {question: self._stored(question) for question in dict.fromkeys(questions)}
        answers = {question: answer for question, answer in stored.items() if answer}
        if missing := [question for question in stored if question not in answers]:
            answers |= self._ask_missing(missing)
        return [answers[question] for question in questions]

    def _path(self, question: Question) -> Path:
        key = question.key(self.config.model, self.config.options)
        return self.config.cache / key[:2] / f"{key}.json"

    def _stored(self, question: Question) -> Answer | None:
        path = self._path(question)
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))["answer"]
            answer = Answer(*(stored[item.name] for item in fields(Answer)))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{path} holds no stored answer ({error}): it was changed by something else than "
                "this program. Delete the file, and the question is asked again."
            ) from error
        self._count(0, 1, 0, 0)
        return answer

    def _ask_missing(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        answers: dict[Question, Answer] = {}
        failures: list[LLMError] = []

        def ask(question: Question) -> None:
            if not failures:
                try:
                    answers[question] = self._answer(client, question)
                except LLMError as error:
                    failures.append(error)

        workers = min(self.config.concurrency, len(questions))
        with _open_client(self.config) as client, threads_that_end(workers) as threads:
            list(threads.map(ask, questions))  # which raises what else went wrong
        if failures:
            raise LLMError(
                f"{failures[0]} Of {len(questions)} answers asked for, {len(answers)} came and are "
                f"kept in {self.config.cache}; run the same again for the rest."
            ) from failures[0]
        return answers

    def _answer(self, client: OpenAI, question: Question) -> Answer:
        """Ask, unless another process has asked meanwhile."""
        config, path = self.config, self._path(question)
        lock = config.cache / "locks" / f"{path.stem[:3]}.lock"  # empty files that stay: only 4,096
        lock.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock):  # a dying process gives it back
            if answer := self._stored(question):
                return answer
            answer = _request(client, config, question)
            content = {"model": config.model, "options": config.options, **asdict(question)}
            content["answer"] = asdict(answer)
            write_text(path, json.dumps(content, ensure_ascii=False, indent=1))
        self._count(1, 0, answer.input_tokens or 0, answer.output_tokens or 0)
        return answer


def text_of(answer: Answer) -> str:
    """Return the text of a whole answer; an ``LLMError`` if it is empty or was cut off."""
    text = answer.text.strip()
    if answer.finish_reason == "length":
        raise LLMError(
            f"The answer was cut off after {answer.output_tokens} tokens, and reads {text[-80:]!r} "
            "at its end. Raise `max_tokens` under `options`, or let the model think less."
        )
    if not text:
        raise LLMError(
            f"The answer has no text (finish_reason {answer.finish_reason!r}). Ask for another "
            "sample, change `options`, or use another model."
        )
    return text


def _open_client(config: LLMConfig) -> OpenAI:
    try:
        import openai
    except ImportError as error:
        raise LLMError(
            f"The model {config.model!r} can't be asked, because the package openai is missing. "
            'Install it with: pip install "logic-curriculum[llm]"'
        ) from error
    arguments: dict[str, Any] = {"max_retries": RETRIES, **config.client}
    try:
        return openai.OpenAI(**arguments)
    except (openai.OpenAIError, TypeError) as error:
        raise LLMError(
            f"The model {config.model!r} can't be asked: {_sentence(error)} Set OPENAI_API_KEY "
            "(for a server of your own, to any text) and OPENAI_BASE_URL, such as "
            "http://localhost:8000/v1; keys of `client` are arguments of openai.OpenAI."
        ) from error


def _request(client: OpenAI, config: LLMConfig, question: Question) -> Answer:
    import openai

    messages: Any = [{"role": role, "content": text} for role, text in question.messages]
    options: dict[str, Any] = config.options
    where = f"The model {config.model!r} at {client.base_url}"
    try:
        reply = client.chat.completions.create(model=config.model, messages=messages, **options)
    except (openai.OpenAIError, TypeError, ValueError, RecursionError) as error:
        raise LLMError(f"{where} gave no answer: {_sentence(error)} {_ADVICE}") from error
    try:  # the openai package checks no types of what it has read
        choice, usage = reply.choices[0], reply.usage
        # halves of characters, which UTF-8 can't write, become U+FFFD
        octets = (choice.message.content or "").encode("utf-16", "surrogatepass")
        text, reason = octets.decode("utf-16", "replace"), str(choice.finish_reason)
    except (AttributeError, TypeError, LookupError) as error:
        told = f"gave an answer without a message: {str(reply)[:200]!r}."
        raise LLMError(f"{where} {told} {_ADVICE}") from error
    counts = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
    return Answer(text, reason, *(count if isinstance(count, int) else None for count in counts))


def _sentence(error: Exception) -> str:
    return f"{str(error).splitlines()[0].rstrip('.')[:300]}." if str(error) else "no reason given."
