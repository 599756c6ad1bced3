"""What the words of logic mean in the sentences, as prompts say it."""

from __future__ import annotations

CONVENTIONS = """\
- "A sailor" means at least one, "no sailors" not even one, and "not all sailors" at least one \
that isn't or doesn't. "Only sailors sang" says that whatever sang is a sailor. "Every" and "only" \
promise nothing: perhaps there is no sailor, and perhaps nothing sang.
- "Every", "a", "no" and their like take scope in the order in which the sentence has them, and \
stay inside their own clause, also a relative one: if every sailor trusts a pilot, it may be \
another pilot for each. Two of them may be about the same thing: a sailor that trusts itself makes \
"a sailor trusts a sailor" true.
- A relative clause ("that …") belongs to the noun right before it. "It" and "itself" mean the \
subject of the sentence.
- "Or", "either … or" and "unless" are inclusive: "A unless B" says that A is true, or B, or both. \
"But" means "and". "It is not the case that" denies all that follows it.
- "If A, then B" is false only where A is true and B is false, and "A only if B" says the same. \
"Just in case" means "if and only if": both sides are true, or both are false.
- In "if …, then …", the condition reaches to the comma, and what follows "then" to the end of the \
sentence: "if A, then B only if C" says that if A, then (if B, then C).
- "Both … and" and "either … or" bracket what they join. A comma before "and", "or" or "if and \
only if" ends all that stands before it: "either A or B, and C" says that (A or B) and C."""
"""In the words of the shipped lexicons; another lexicon says them in its own."""
