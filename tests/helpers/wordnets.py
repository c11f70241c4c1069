"""A WordNet of a few nouns, for tests that must not depend on a real one."""

from fcwseo_ontology.relations.wordnet import WordNet

# noun: what it is
_NOUNS = {
    "entity": "",
    "event": "entity",
    "storm": "event",
    "rainstorm": "storm",
    "blizzard": "storm",
    "flood": "event",
    "thing": "entity",
    "tool": "thing",
    "hammer": "tool",
    "saw": "tool",
}


def small_wordnet() -> WordNet:
    numbers = {noun: place for place, noun in enumerate(_NOUNS, 1)}
    below: dict[str, list[str]] = {noun: [] for noun in _NOUNS}
    for noun, above in _NOUNS.items():
        if above:
            below[above].append(noun)
    data = []
    for noun, above in _NOUNS.items():
        pointers = [f"@ {numbers[above]:08d} n 0000"] if above else []
        pointers += [f"~ {numbers[child]:08d} n 0000" for child in below[noun]]
        data.append(f"{numbers[noun]:08d} 03 n 01 {noun} 0 {len(pointers):03d} {' '.join(pointers)} | a noun")
    return WordNet.of_lines([f"{noun} n 1 0 1 0 {number:08d}" for noun, number in numbers.items()], data)
