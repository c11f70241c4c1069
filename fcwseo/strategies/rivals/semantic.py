"""The crawlers of paper 003: each is ``FourTexts`` with an encoder; one of them fits its weights.

The encoders are English. ``elmo`` is a stand-in: the mean of all layers of a contextual encoder. In
``bsvsm:MODEL``, the model is a folder with ``model.onnx`` and ``tokenizer.json``, or a name at Hugging Face.
"""

from collections.abc import Callable
from random import Random

from fcwseo.relevance.models import encoders
from fcwseo.relevance.models.bsvsm import Bsvsm
from fcwseo.relevance.models.encoders import Encoder
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.rivals.fitting import least_squares
from fcwseo.strategies.rivals.four_texts import Fit, FourTexts
from fcwseo_ontology.topic import Topic

MODELLED = ("elmo", "bsvsm", "bsvsm-ha")  # strategies that accept another model


def word2vec(topic: Topic, relevance: Relevance, rng: Random) -> FourTexts:
    """The crawler of paper 003 with word vectors."""
    return FourTexts(Bsvsm(topic, encoders.word2vec()))


def elmo(topic: Topic, relevance: Relevance, rng: Random) -> FourTexts:
    """The crawler of paper 003 with mixed layers of an encoder."""
    return FourTexts(Bsvsm(topic, encoders.elmo()))


def bsvsm(topic: Topic, relevance: Relevance, rng: Random) -> FourTexts:
    """The crawler of paper 003 with an encoder."""
    return FourTexts(Bsvsm(topic, encoders.bsvsm()))


def with_model(role: str, model: str) -> Callable[[Topic, Relevance, Random], FourTexts]:
    """A strategy of ``MODELLED`` with a model named by the user."""

    def make(topic: Topic, relevance: Relevance, rng: Random) -> FourTexts:
        encoder = encoders.named(model, mix=role == "elmo")
        if role == "bsvsm-ha":
            return bsvsm_ha(topic, relevance, rng, encoder=encoder)
        return FourTexts(Bsvsm(topic, encoder))

    return make


def bsvsm_ha(
    topic: Topic,
    relevance: Relevance,
    rng: Random,
    *,
    encoder: Encoder | None = None,
    fit: Fit = least_squares,
) -> FourTexts:
    """BSVSM with the weights that HA approximates, found exactly; ``fit`` may also be ``hybrid``."""
    return FourTexts(Bsvsm(topic, encoder or encoders.bsvsm()), fit=fit)
