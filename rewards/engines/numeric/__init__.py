"""Joint logical and numerical deduction: rules over entities, attributes and relations.

``syntax`` holds facts, rules and expressions, ``parser`` reads their text and ``engine`` derives
what follows (LogiNumSynth, section 2.1).
"""
