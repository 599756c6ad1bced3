"""Deduction with rules over entities, attributes and relations (LogiNumSynth, section 2.1)."""
