"""The semantic similarity retrieval model: the mean similarity of a text's terms and the topic's.

A. Hliaoutakis, G. Varelas, E. Voutsakis, E. G. M. Petrakis, E. Milios: Information retrieval by semantic
similarity, 2006; as the crawler SSRM of paper 000, equation 18.
"""

from fcwseo.columns import Floats


def ssrm(sem: Floats, text: Floats, topic: Floats) -> float:
    """Equation 18. ``sem`` is the similarity of each term of the text (row) and of the topic (column).

    >>> import numpy as np
    >>> round(ssrm(np.array([[1.0, 0.5], [0.0, 0.2]]), np.array([1.0, 1.0]), np.array([1.0, 1.0])), 3)
    0.425
    """
    pairs = float(text.sum()) * float(topic.sum())
    return min(1.0, float(text @ sem @ topic) / pairs) if pairs else 0.0
