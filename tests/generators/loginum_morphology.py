"""Base forms of English verbs, by rules and a list of irregular participles of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

WORDS = Path(__file__).parents[2] / "generators" / "loginum" / "words"
VOWELS = "aeiou"

_IRREGULAR = """
arise arisen, awake awoken, be been, bear borne, bear born, beat beaten, become become, befall
befallen, beget begotten, begin begun, behold beheld, bend bent, beset beset, bet bet, betake
betaken, bid bid, bid bidden, bind bound, bite bitten, bleed bled, blow blown, break broken, breed
bred, bring brought, broadcast broadcast, browbeat browbeaten, build built, burst burst, buy
bought, cast cast, catch caught, choose chosen, cling clung, come come, cost cost, creep crept,
cut cut, deal dealt, dig dug, do done, draw drawn, dream dreamt, drink drunk, drive driven, dwell
dwelt, eat eaten, fall fallen, feed fed, feel felt, fight fought, find found, flee fled, fling
flung, fly flown, forbear forborne, forbid forbidden, forecast forecast, foresee foreseen,
foretell foretold, forget forgotten, forgive forgiven, forgo forgone, forsake forsaken, freeze
frozen, get gotten, get got, give given, go gone, grind ground, grow grown, hang hung, have had,
hear heard, hide hidden, hit hit, hold held, hurt hurt, inset inset, interbreed interbred, keep
kept, kneel knelt, know known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave
left, lend lent, let let, lie lain, light lit, lose lost, make made, mean meant, meet met, mishear
misheard, mislay mislaid, mislead misled, misread misread, misspeak misspoken, mistake mistaken,
misunderstand misunderstood, mow mown, offset offset, outbid outbid, outdo outdone, outfight
outfought, outgrow outgrown, outride outridden, outrun outrun, outsell outsold, outshine outshone,
outwear outworn, overbear overborne, overcome overcome, overdo overdone, overdraw overdrawn,
overeat overeaten, overfeed overfed, overfly overflown, overhang overhung, overhear overheard,
override overridden, overrun overrun, oversee overseen, oversleep overslept, overtake overtaken,
overthrow overthrown, partake partaken, pay paid, prepay prepaid, overpay overpaid, repay repaid,
plead pled, proofread proofread, prove proven, put put, quit quit, read read, rebuild rebuilt,
recast recast, redo redone, remake remade, rend rent, reread reread, reset reset, resell resold,
retake retaken, retell retold, rethink rethought, rewrite rewritten, rid rid, ride ridden, ring
rung, rise risen, run run, rerun rerun, saw sawn, say said, see seen, seek sought, sell sold, send
sent, set set, sew sewn, shake shaken, shave shaven, shear shorn, shed shed, shine shone, shoe
shod, shoot shot, outshoot outshot, show shown, shrink shrunk, shut shut, sing sung, sink sunk,
sit sat, babysit babysat, outsit outsat, slay slain, sleep slept, slide slid, sling slung, slit
slit, smite smitten, sow sown, speak spoken, speed sped, spell spelt, spend spent, spill spilt,
spin spun, spit spat, split split, spoil spoilt, spread spread, spring sprung, stand stood, steal
stolen, stick stuck, sting stung, stink stunk, strew strewn, stride stridden, strike struck,
string strung, strive striven, swear sworn, sweep swept, swell swollen, swim swum, swing swung,
take taken, teach taught, tear torn, tell told, think thought, thrive thriven, throw thrown,
thrust thrust, tread trodden, undercut undercut, undergo undergone, undersell undersold,
understand understood, undertake undertaken, underwrite underwritten, undo undone, overdrive
overdriven, overlay overlaid, smell smelt, beseech besought, unwind unwound, uphold upheld, upset
upset, wake woken, waylay waylaid, wear worn, weave woven, wed wed, weep wept, wet wet, win won,
wind wound, withdraw withdrawn, withhold withheld, withstand withstood, wring wrung, write
written, unstring unstrung, outthrow outthrown
"""
_IRREGULAR_PAIRS = tuple(tuple(pair.split()) for pair in _IRREGULAR.split(","))


@cache
def _pool() -> frozenset[str]:
    """Return all verbs that relations may be called."""
    return frozenset(
        word.strip()
        for path in sorted(WORDS.glob("*.txt"))
        if "relation" in path.name or "verb" in path.name
        for word in path.read_text(encoding="utf-8").splitlines()
        if word.strip() and not word.startswith("#")
    )


@cache
def lemmas_of_present(form: str) -> tuple[str, ...]:
    """Return the verbs of the pool whose third person is the form."""
    return tuple(verb for verb in sorted(_pool()) if form == present(verb))


@cache
def lemmas_of_participle(form: str) -> tuple[str, ...]:
    """Return the verbs of the pool that the form may be the past participle of."""
    irregular = {verb for verb, participle in _IRREGULAR_PAIRS if participle == form}
    regular = {verb for verb in _pool() if form in regular_participles(verb)}
    return tuple(sorted(irregular & _pool() | regular))


def present(verb: str) -> str:
    """Return the third person singular."""
    if verb in ("have", "do", "go", "undergo", "forgo", "outdo", "overdo", "undo", "redo"):
        return {"have": "has"}.get(verb, f"{verb}es")
    if verb.endswith(("s", "x", "z", "ch", "sh")) or verb in ("echo", "veto", "torpedo", "embargo"):
        return f"{verb}{'z' if verb == 'quiz' else ''}es"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def regular_participles(verb: str) -> tuple[str, ...]:
    """Return what may be the participle of a verb that is regular."""
    if verb.endswith("e"):
        return (f"{verb}d",)
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return (f"{verb[:-1]}ied",)
    if verb.endswith("c"):
        return (f"{verb}ked",)
    doubled = f"{verb}{verb[-1]}ed"
    if verb[-1] not in f"{VOWELS}wxyh" and verb[-2] in VOWELS and verb[-3:-2] not in VOWELS[:-1]:
        one_syllable = not any(letter in VOWELS for letter in verb[:-2])
        return (doubled,) if one_syllable else (f"{verb}ed", doubled)
    return (f"{verb}ed",)
