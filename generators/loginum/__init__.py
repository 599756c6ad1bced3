"""Joint logical and numerical deduction: what is the value of an attribute, given facts and rules?

Source: "LogiNumSynth: Synthesizing Joint Logical-Numerical Reasoning Problems for Language Models",
§2, App. D and E.
"""
