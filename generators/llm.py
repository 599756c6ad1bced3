"""The one door to a language model: any OpenAI-compatible endpoint, through the openai package.

Answers are kept on disk under the hash of model, messages, options and sample number, so that
whatever is built with them is a pure function of its arguments once it was built: the same question
is never asked twice, and a build that was killed goes on where it was. What is in the cache needs
no endpoint, no key and no openai package.

>>> model = LanguageModel(load_config("llm.yaml"))       # doctest: +SKIP
>>> model.ask(Question.of("Name a bird.")).text          # doctest: +SKIP
'Wren.'
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from tqdm import tqdm

from logic_curriculum.generators.llm_cache import AnswerCache
from logic_curriculum.generators.llm_config import LLMConfig, load_config
from logic_curriculum.generators.llm_records import (
    Answer,
    LLMAnswerError,
    LLMError,
    Prices,
    Question,
    Usage,
)
from logic_curriculum.generators.llm_usage import Meter

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = [
    "Answer",
    "LLMAnswerError",
    "LLMConfig",
    "LLMError",
    "LanguageModel",
    "Prices",
    "Question",
    "Usage",
    "load_config",
    "load_model",
    "text_of",
]

RETRIES = 6
"""Retries where ``client`` sets no ``max_retries``; they take about half a minute in all."""

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class LanguageModel:
    """Asks questions, several at a time, and keeps the answers.

    Safe over processes that share a cache: while one asks a question, the others wait for its
    answer. One object is for one thread.
    """

    def __init__(self, config: LLMConfig) -> None:
        self.config = config
        self.cache = AnswerCache(config.cache)
        self._meter = Meter()

    @property
    def usage(self) -> Usage:
        """What this object has asked so far, in processes forked from this one as well."""
        return self._meter.read(self.config.prices)

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
        return _run(self.answers(questions))

    def texts(self, prompts: Sequence[str]) -> list[str | None]:
        """Return the text of the answer to each prompt; None where no whole answer came.

        For uses that can do without some answers. What went wrong is logged as a warning.
        """
        questions = [Question.of(prompt) for prompt in prompts]
        try:
            return list(map(_whole_text, self.ask_all(questions)))
        except LLMError as error:
            _log.warning("%s", error)
        stored = [self.cache.load(self._key(question)) for question in questions]
        return [None if answer is None else _whole_text(answer) for answer in stored]

    async def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """Do what :meth:`ask_all` does, in a running event loop."""
        found: dict[Question, Answer] = {}
        missing: list[Question] = []
        for question in dict.fromkeys(questions):
            answer = self._stored(question)
            if answer is None:
                missing.append(question)
            else:
                found[question] = answer
        if missing:
            found.update(await self._ask_missing(missing))
        return [found[question] for question in questions]

    def _key(self, question: Question) -> str:
        return question.key(self.config.model, self.config.options)

    def _stored(self, question: Question) -> Answer | None:
        answer = self.cache.load(self._key(question))
        if answer is not None:
            self._meter.count_cached()
        return answer

    async def _ask_missing(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        limit = asyncio.Semaphore(self.config.concurrency)
        line = tqdm(
            total=len(questions),
            desc=self.config.model,
            unit="answer",
            leave=False,
            disable=None if len(questions) > 1 else True,  # None: shown on a terminal only
        )
        with line:
            async with _open_client(self.config) as client:
                batch = _Batch(self, client, limit, line)
                found = await asyncio.gather(*map(batch.answer, questions))
        if batch.failure is not None:
            done = sum(answer is not None for answer in found)
            raise type(batch.failure)(
                f"{batch.failure} Of {len(questions)} answers asked for, {done} came and are kept "
                f"in {self.config.cache}; run the same again for the rest."
            ) from batch.failure
        return {
            question: answer
            for question, answer in zip(questions, found, strict=True)
            if answer is not None
        }


@dataclass
class _Batch:
    """Questions that are asked together, until one fails."""

    model: LanguageModel
    client: AsyncOpenAI
    limit: asyncio.Semaphore
    line: tqdm
    failure: LLMError | None = field(default=None)

    async def answer(self, question: Question) -> Answer | None:
        """Return the answer, or None if it or another before it did not come."""
        async with self.limit:
            if self.failure is not None:
                return None
            try:
                answer = await self._claimed(question)
            except LLMError as error:
                self.failure = self.failure or error
                return None
        self.line.set_postfix_str(str(self.model.usage), refresh=False)
        self.line.update()
        return answer

    async def _claimed(self, question: Question) -> Answer:
        key = self.model._key(question)
        async with self.model.cache.claim(key):
            answer = self.model._stored(question)  # another process may have asked meanwhile
            if answer is None:
                answer = await _request(self.client, self.model.config, question)
                config = self.model.config
                self.model.cache.store(key, config.model, config.options, question, answer)
                self.model._meter.count(answer)
        return answer


def text_of(answer: Answer) -> str:
    """Return the text of an answer that is whole.

    Raises:
        LLMAnswerError: It has no text, or was cut off.
    """
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


def _whole_text(answer: Answer) -> str | None:
    try:
        return text_of(answer)
    except LLMAnswerError as error:
        _log.warning("%s", error)
        return None


@lru_cache(maxsize=8)
def load_model(name_or_path: str | None = None) -> LanguageModel:
    """Return the one model of this process for a name or a YAML file; see :func:`load_config`."""
    return LanguageModel(load_config(name_or_path))


def _run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end, inside of a running event loop (a notebook's) as well."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def _open_client(config: LLMConfig) -> AsyncOpenAI:
    try:
        import openai
    except ImportError as error:
        raise LLMError(
            f"The model {config.model!r} can't be asked, because the package openai is missing. "
            'Install it with: pip install "logic-curriculum[llm]"'
        ) from error
    try:
        return openai.AsyncOpenAI(**{"max_retries": RETRIES, **config.client})
    except openai.OpenAIError as error:
        raise LLMError(
            f"The model {config.model!r} can't be asked without a key: {_sentence(error)} Set "
            "OPENAI_API_KEY; for a server of your own, to any text, and OPENAI_BASE_URL to its "
            "address, such as http://localhost:8000/v1."
        ) from error
    except TypeError as error:
        raise LLMError(
            f"client {dict(config.client)!r}: {_sentence(error)} Its keys are arguments of "
            "openai.AsyncOpenAI."
        ) from error


async def _request(client: AsyncOpenAI, config: LLMConfig, question: Question) -> Answer:
    import openai

    messages: Any = [{"role": role, "content": text} for role, text in question.messages]
    where = f"The model {config.model!r} at {client.base_url}"
    try:
        reply: Any = await client.chat.completions.create(
            model=config.model, messages=messages, **config.options
        )
    except (openai.APIConnectionError, openai.APIStatusError) as error:
        raise LLMError(f"{where} gave no answer: {_explain(error)}") from error
    except (openai.OpenAIError, ValueError, RecursionError) as error:
        raise LLMAnswerError(
            f"{where} gave an answer that can't be read: {_sentence(error)} Check that the address "
            "is that of an OpenAI-compatible endpoint, which mostly ends in /v1."
        ) from error
    except TypeError as error:
        raise LLMError(
            f"options {dict(config.options)!r}: {_sentence(error)} Its keys are arguments of "
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
    return Answer(_storable(text or ""), _storable(str(reason)), *map(_count, tokens))


def _storable(text: str) -> str:
    """Return a text that can be written as UTF-8; halves of characters become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _count(tokens: object) -> int | None:
    """Return a number of tokens, or None where the endpoint told something else."""
    return tokens if isinstance(tokens, int) and 0 <= tokens < 2**40 else None


def _explain(error: Exception) -> str:
    """Return what happened and what to change, as sentences."""
    import openai

    advice = {
        401: "Check OPENAI_API_KEY.",
        403: "Check what OPENAI_API_KEY may do.",
        404: "Check OPENAI_BASE_URL and the model's name.",
        408: "Raise `timeout` under `client`.",
        429: "Lower `concurrency`, raise `max_retries` under `client`, or check the account.",
    }
    if isinstance(error, openai.APITimeoutError):
        return f"{_sentence(error)} Raise `timeout` under `client`, or lower `concurrency`."
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        default = "Try again later." if status >= 500 else "Check `options` and the prompt's size."
        return f"{_sentence(error)} {advice.get(status, default)}"
    cause = f" ({error.__cause__})" if error.__cause__ else ""
    return f"{str(error).rstrip('.')}{cause}. Check that the server runs, and OPENAI_BASE_URL."


def _sentence(error: Exception) -> str:
    return f"{str(error).splitlines()[0].rstrip('.')[:300]}." if str(error) else "no reason given."
