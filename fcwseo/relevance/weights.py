"""The weights of feature words in topical relevance: OSSC times keyness.

OSSC measures how close a concept is to the topic, and gives nearly all words of a built ontology the same
weight. Keyness measures how well a word distinguishes the domain (figures in ``docs/ontology-quality.md``).
The published models use OSSC alone.
"""

import numpy as np

from fcwseo.columns import Floats
from fcwseo_ontology.topic import Topic

CAP = 0.6  # largest weight by keyness; the topic itself has weight 1


def judging_weights(topic: Topic) -> Floats:
    """Return the weights of the words of a topic, in its order: min(0.6, OSSC * keyness / mean keyness).

    The topic and its synonyms have weight 1. The weight of a word with unknown keyness is its OSSC.

    >>> from fcwseo_ontology.topic import FeatureWord
    >>> rain = FeatureWord("rain", 1.0, ("rain",), keyness=1.0)
    >>> others = [FeatureWord(word, 0.2, (word,), keyness=k) for word, k in (("hail", 9.0), ("area", 1.0))]
    >>> judging_weights(Topic("rain", (rain, *others))).round(2).tolist()
    [1.0, 0.36, 0.04]
    """
    weights = np.array([word.weight for word in topic.words])
    keyness = np.array([word.keyness for word in topic.words])
    weighed = (keyness > 0) & (weights < 1)
    if weighed.any():
        factors = keyness[weighed] / keyness[weighed].mean()
        weights[weighed] = np.minimum(CAP, weights[weighed] * factors)
    return weights
