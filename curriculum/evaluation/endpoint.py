"""A model behind an OpenAI-compatible endpoint, which answers questions."""

from collections.abc import Sequence

from logic_curriculum.curriculum.evaluation.ask import Question, Reply, Shape
from logic_curriculum.generators.llm import LanguageModel, LLMError
from logic_curriculum.generators.llm import Question as Asked


class EndpointModel:
    """Decodes by the options of the client."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._is_cache_named = False

    def answer(
        self, questions: Sequence[Question], seed: int, shape: Shape | None = None
    ) -> list[Reply]:
        """Ask all questions; an answer that does not come is a SystemExit, the others are kept."""
        try:
            answers = self._model.ask_all([Asked.of(q.prompt, q.sample) for q in questions])
        except LLMError as error:
            raise SystemExit(str(error)) from error
        if self._model.usage.cached and not self._is_cache_named:
            self._is_cache_named = True
            print(
                f"Some answers are not asked for, since {self._model.config.cache} has them. It "
                "does not tell endpoints of one model name apart: give each a cache of its own.",
                flush=True,
            )
        return [Reply(a.text, a.input_tokens, a.output_tokens, a.seconds) for a in answers]
