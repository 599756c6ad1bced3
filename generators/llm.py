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
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from filelock import FileLock
from pydantic import AfterValidator, Field, JsonValue, field_validator

from logic_curriculum.common.files import atomic_write, read_text
from logic_curriculum.common.processes import threads_that_end
from logic_curriculum.common.yaml_file import FileModel, read_yaml

if TYPE_CHECKING:
    from openai import OpenAI

MODEL_VARIABLE = "OPENAI_MODEL"  # names the model where none is given
RETRIES = 6  # where `client` sets no `max_retries`; they take about half a minute in all
_OWN_OPTIONS = ("messages", "model", "n", "stream")
"""Options of a completion that this client sets itself."""
_ADVICE = {
    401: "Check OPENAI_API_KEY.",
    403: "Check what OPENAI_API_KEY may do.",
    404: "Check OPENAI_BASE_URL and the model's name.",
    408: "Raise `timeout` under `client`.",
    429: "Lower `concurrency`, raise `max_retries` under `client`, or check the account.",
}
"""HTTP status of a refusal → what to change."""


class LLMError(RuntimeError):
    """No usable answer came; the message says from where, why, and what to change."""


class LLMAnswerError(LLMError):
    """An answer came that can't be used: it has no text, or not the form of an answer."""


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
    seconds: float | None = field(default=None, compare=False)
    """From the question to the answer, retries included; None in files of earlier versions."""


@dataclass(frozen=True)
class AnswerCache:
    """A folder of JSON files, an answer beside its question in each, to be read or deleted by hand.

    Any number of processes may share it: a file appears when it is complete and on disk.
    """

    folder: Path

    def path(self, key: str) -> Path:
        """Return where the answer of a key is or will be."""
        return self.folder / key[:2] / f"{key}.json"

    def load(self, key: str) -> Answer | None:
        """Return a stored answer or None; a ``ValueError`` if the file is damaged."""
        path = self.path(key)
        try:
            return Answer(**json.loads(path.read_text(encoding="utf-8"))["answer"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{path} holds no stored answer ({error}): it was changed by something else than "
                "this program. Delete the file, and the question is asked again."
            ) from error

    def store(
        self, key: str, model: str, options: Mapping[str, Any], question: Question, answer: Answer
    ) -> None:
        """Write an answer; it is on disk when this returns."""
        content = {"model": model, "options": options, **asdict(question), "answer": asdict(answer)}
        with atomic_write(self.path(key)) as partial, partial.open("w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())

    def claim(self, key: str) -> FileLock:
        """Return the lock of a question that is being asked; a dying process gives it back."""
        path = self.folder / "locks" / f"{key[:3]}.lock"  # empty files that stay, so only 4,096
        path.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(path)


@dataclass(frozen=True)
class Usage:
    """A count of answers and tokens."""

    asked: int = 0  # answers that the endpoint gave
    cached: int = 0  # answers that were there already, at no cost
    input_tokens: int = 0
    output_tokens: int = 0
    unmetered: int = 0  # answers for which the endpoint told no tokens; they are missing above

    def __str__(self) -> str:
        tokens = f"{self.input_tokens:,} + {self.output_tokens:,} tokens"
        parts = [f"{self.asked} asked", f"{self.cached} from the cache", tokens]
        if self.unmetered:
            parts.append(f"{self.unmetered} without a count of tokens")
        return ", ".join(parts)


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
            raise ValueError(
                f"model is {model!r}; give the name under which the endpoint serves a language "
                f"model, here or in the variable {MODEL_VARIABLE}"
            )
        return model

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if taken := [name for name in _OWN_OPTIONS if name in options]:
            raise ValueError(
                f"options: {', '.join(taken)} can't be chosen, since this program sets "
                f"{', '.join(_OWN_OPTIONS)} itself; leave it out"
            )
        return options


def load_config(name_or_path: str | None = None) -> LLMConfig:
    """Return the configuration of a model: by its name, or a file of :class:`LLMConfig`.

    The path of a file ends in ``.yaml`` or ``.yml``; else the environment names the endpoint, and
    where nothing is given the model too. A ``ValueError`` says what is missing or wrong.
    """
    given = name_or_path or os.environ.get(MODEL_VARIABLE)
    if not given:
        raise ValueError(
            f"No language model is named: give its name or a YAML file, or set {MODEL_VARIABLE}"
        )
    if not given.endswith((".yaml", ".yml")):
        return LLMConfig(model=given)
    try:
        text = read_text(given)
    except OSError as error:
        raise ValueError(f"{given} can't be read ({error.strerror}); check the path") from error
    return read_yaml(text, given, LLMConfig, "write `model: NAME` and other keys")


@lru_cache(maxsize=8)
def load_model(name_or_path: str | None = None) -> LanguageModel:
    """Return the one model of this process for a name or a YAML file; see :func:`load_config`."""
    return LanguageModel(load_config(name_or_path))


class LanguageModel:
    """Asks questions, several at a time, and keeps the answers.

    Threads and processes may share a cache: while one asks a question, the others wait for it.
    """

    def __init__(self, config: LLMConfig) -> None:
        self.config = config
        self._cache = AnswerCache(config.cache)
        self._counts = multiprocessing.Array("q", 5)

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

    def _key(self, question: Question) -> str:
        return question.key(self.config.model, self.config.options)

    def _stored(self, question: Question) -> Answer | None:
        if answer := self._cache.load(self._key(question)):
            self._count(0, 1, 0, 0, 0)
        return answer

    def _ask_missing(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        count = len(questions)
        failures: list[LLMError] = []

        def answer(question: Question) -> Answer | None:
            if failures:
                return None
            try:
                return self._answer(client, question)
            except LLMError as error:
                failures.append(error)
                return None

        workers = min(self.config.concurrency, count)
        with _open_client(self.config) as client, threads_that_end(workers) as threads:
            answers = dict(zip(questions, threads.map(answer, questions), strict=True))
        came = {question: answer for question, answer in answers.items() if answer}
        if failures:
            raise type(failures[0])(
                f"{failures[0]} Of {count} answers asked for, {len(came)} came and are "
                f"kept in {self.config.cache}; run the same again for the rest."
            ) from failures[0]
        return came

    def _answer(self, client: OpenAI, question: Question) -> Answer:
        """Ask, unless another process has asked meanwhile."""
        config, key = self.config, self._key(question)
        with self._cache.claim(key):
            if answer := self._stored(question):
                return answer
            start = time.monotonic()
            answer = _request(client, config, question)
            answer = replace(answer, seconds=round(time.monotonic() - start, 3))
            self._cache.store(key, config.model, config.options, question, answer)
        read, written = answer.input_tokens, answer.output_tokens
        self._count(1, 0, read or 0, written or 0, read is None or written is None)
        return answer


def text_of(answer: Answer) -> str:
    """Return the text of a whole answer; an ``LLMAnswerError`` if it is empty or was cut off."""
    text = answer.text.strip()
    if answer.finish_reason == "length":
        raise LLMAnswerError(
            f"The answer was cut off after {answer.output_tokens} tokens, and reads {text[-80:]!r} "
            "at its end. Raise `max_tokens` under `options`, or let the model think less."
        )
    if not text:
        raise LLMAnswerError(
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
    except openai.OpenAIError as error:
        raise LLMError(
            f"The model {config.model!r} can't be asked without a key: {_sentence(error)} Set "
            "OPENAI_API_KEY; for a server of your own, to any text, and OPENAI_BASE_URL to its "
            "address, such as http://localhost:8000/v1."
        ) from error
    except TypeError as error:
        raise LLMError(
            f"client {config.client!r}: {_sentence(error)} Its keys are arguments of openai.OpenAI."
        ) from error


def _request(client: OpenAI, config: LLMConfig, question: Question) -> Answer:
    import openai

    messages: Any = [{"role": role, "content": text} for role, text in question.messages]
    options: dict[str, Any] = config.options
    where = f"The model {config.model!r} at {client.base_url}"
    try:
        reply = client.chat.completions.create(model=config.model, messages=messages, **options)
    except (openai.APIConnectionError, openai.APIStatusError) as error:
        raise LLMError(f"{where} gave no answer: {_explain(error)}") from error
    except (openai.OpenAIError, ValueError, RecursionError) as error:
        raise LLMAnswerError(
            f"{where} gave an answer that can't be read: {_sentence(error)} Check that the address "
            "is that of an OpenAI-compatible endpoint, which mostly ends in /v1."
        ) from error
    except TypeError as error:
        raise LLMError(
            f"options {config.options!r}: {_sentence(error)} Its keys are arguments of "
            "chat.completions.create; what only your server knows goes into extra_body."
        ) from error
    return _read_reply(reply, where)


def _read_reply(reply: Any, where: str) -> Answer:
    """Take an answer out of what the openai package has read, which checks no types."""
    try:
        choice, usage = reply.choices[0], reply.usage
        text, reason = choice.message.content, choice.finish_reason
        tokens = (None, None) if usage is None else (usage.prompt_tokens, usage.completion_tokens)
    except (AttributeError, TypeError, LookupError) as error:
        raise LLMAnswerError(
            f"{where} gave an answer without a message: {str(reply)[:200]!r}. Check that the "
            "address is that of an OpenAI-compatible endpoint, which mostly ends in /v1."
        ) from error
    if not isinstance(text, str | None):
        raise LLMAnswerError(f"{where} gave {str(text)[:200]!r} where a text should be.")
    # halves of characters, which UTF-8 can't write, become U+FFFD
    texts = [
        each.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for each in (text or "", str(reason))
    ]
    counts = [n if isinstance(n, int) and 0 <= n < 2**40 else None for n in tokens]
    return Answer(texts[0], texts[1], counts[0], counts[1])


def _explain(error: Exception) -> str:
    import openai

    if isinstance(error, openai.APITimeoutError):
        return f"{_sentence(error)} Raise `timeout` under `client`, or lower `concurrency`."
    if isinstance(error, openai.APIStatusError):
        is_server = error.status_code >= 500
        default = "Try again later." if is_server else "Check `options` and the prompt's size."
        return f"{_sentence(error)} {_ADVICE.get(error.status_code, default)}"
    cause = f" ({error.__cause__})" if error.__cause__ else ""
    advice = "Check that the server runs, and base_url (or OPENAI_BASE_URL)."
    return f"{str(error).rstrip('.')}{cause}. {advice}"


def _sentence(error: Exception) -> str:
    return f"{str(error).splitlines()[0].rstrip('.')[:300]}." if str(error) else "no reason given."
