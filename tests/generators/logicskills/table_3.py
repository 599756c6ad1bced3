"""Table 3 of the paper: an English and a Carrollian sentence of each type, with our formulas.

The sentences are the paper's; the formulas were written from the sentences, by hand.
"""

_TABLE = """
atomic_monadic | Hazel drank. | Bungo gyred. | Hc
atomic_dyadic | Hazel kicked Lewis. | Bungo galumphed over Rafin. | Qcb
negation_monadic | Lewis isn't happy. | Rafin isn't uffish. | ¬Kb
quantified_universal_affirmative | Every monkey is asleep. | Every rath is mimsy. | ∀x(Ox→Jx)
quantified_particular_affirmative | A donkey will run. | A tove will whiffle. | ∃x(Mx∧Fx)
quantified_universal_negative | No humans chased Alfred. | No borogoves snicker-snacked Zindle. | ¬∃x(Nx∧Rxa)
quantified_particular_negative | Not all donkeys chased Alfred. | Not all toves snicker-snacked Zindle. | ∃x(Mx∧¬Rxa)
quantified_only_restrictor | Only humans will run. | Only borogoves will whiffle. | ∀x(Fx→Nx)
quantified_name_all | Hazel chased every human. | Bungo snicker-snacked every borogove. | ∀x(Nx→Rcx)
quantified_name_some | Alfred chased a donkey. | Zindle snicker-snacked a tove. | ∃x(Mx∧Rax)
quantified_all_all | Every monkey kicked every donkey. | Every rath galumphed over every tove. | ∀x∀y((Ox∧My)→Qxy)
quantified_all_all_all | Every donkey saw every donkey that saw every monkey. | Every tove chortled at every tove that chortled at every rath. | ∀x(Mx→∀y((My∧∀z(Oz→Pyz))→Pxy))
quantified_all_all_back | Every donkey chased every monkey that chased it. | Every tove snicker-snacked every rath that snicker-snacked it. | ∀x(Mx→∀y((Oy∧Ryx)→Rxy))
quantified_all_some | Every monkey kicked a human. | Every rath galumphed over a borogove. | ∀x(Ox→∃y(Ny∧Qxy))
quantified_all_some_back | Every human saw a donkey that saw it. | Every borogove chortled at a tove that chortled at it. | ∀x(Nx→∃y(My∧(Pxy∧Pyx)))
quantified_some_all | A monkey chased every human. | A rath snicker-snacked every borogove. | ∃x(Ox∧∀y(Ny→Rxy))
quantified_some_all_back | A monkey saw every human that saw it. | A rath chortled at every borogove that chortled at it. | ∃x(Ox∧∀y((Ny∧Pyx)→Pxy))
quantified_some_some | A human chased a donkey. | A borogove snicker-snacked a tove. | ∃x∃y((Nx∧My)∧Rxy)
quantified_some_some_back | A donkey kicked a monkey that kicked it. | A tove galumphed over a rath that galumphed over it. | ∃x∃y((Mx∧Oy)∧(Qxy∧Qyx))
quantified_some_some_some | A human kicked a human that kicked a monkey. | A borogove galumphed over a borogove that galumphed over a rath. | ∃x∃y∃z(((Nx∧Ny)∧Oz)∧(Qxy∧Qyz))
quantified_no_all | No humans kicked every human. | No borogoves galumphed over every borogove. | ¬∃x(Nx∧∀y(Ny→Qxy))
quantified_no_some | No humans chased a human. | No borogoves snicker-snacked a borogove. | ¬∃x∃y((Nx∧Ny)∧Rxy)
quantified_no_some_back | No donkeys kicked a monkey that kicked it. | No toves galumphed over a rath that galumphed over it. | ¬∃x∃y((Mx∧Oy)∧(Qxy∧Qyx))
quantified_rev_some_all | There is a donkey that every monkey kicked. | There is a tove that every rath galumphed over. | ∃x(Mx∧∀y(Oy→Qyx))
quantified_rev_no_all | There is not a monkey that every human chased. | There is not a rath that every borogove snicker-snacked. | ¬∃x(Ox∧∀y(Ny→Ryx))
quantified_some_self | A donkey kicked itself. | A tove galumphed over itself. | ∃x(Mx∧Qxx)
conjunction_simple | Hazel saw Lewis and not all monkeys kicked Lewis. | Bungo chortled at Rafin and not all raths galumphed over Rafin. | (Pcb∧∃x(Ox∧¬Qxb))
disjunction_simple | Alfred drank or a monkey kicked Alfred. | Zindle gyred or a rath galumphed over Zindle. | (Ha∨∃x(Ox∧Qxa))
conditional_if_then | If Hazel is a human, then Alfred isn't a human. | If Bungo is a borogove, then Zindle isn't a borogove. | (Nc→¬Na)
biconditional_just_in_case | Hazel is happy just in case every donkey chased Lewis. | Bungo is uffish just in case every tove snicker-snacked Rafin. | (Kc↔∀x(Mx→Rxb))
"""  # noqa: E501

TABLE_3 = tuple(tuple(line.split(" | ")) for line in _TABLE.strip().splitlines())
"""Type, English sentence, Carrollian sentence and formula, thirty times."""
