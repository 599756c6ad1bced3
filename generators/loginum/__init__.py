"""LogiNumSynth (Liu, Li, Li and Cheng): joint logical and numerical deduction with rules."""
