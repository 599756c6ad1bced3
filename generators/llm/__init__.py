"""The one door to a language model: any OpenAI-compatible endpoint, through the openai package."""

from logic_curriculum.generators.llm.answers import (
    Answer,
    LLMAnswerError,
    LLMError,
    Prices,
    Question,
    Usage,
)
from logic_curriculum.generators.llm.client import (
    LanguageModel,
    LLMConfig,
    load_config,
    load_model,
    text_of,
)

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
