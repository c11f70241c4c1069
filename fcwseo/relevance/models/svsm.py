"""The semantic vector space model: the cosine of two vectors with a component for each pair of terms.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equation 19. A pair of a term of the text and one of the topic has the
component ``wd sem`` in the text's vector and ``wt sem`` in the topic's.

The cosine does not change if all similarities are scaled: a text of terms that are all 0.05 similar to the
topic scores like one of terms that are all 0.95 similar. ``level_correction`` multiplies by the mean
similarity, the SSRM. Our crawlers use it; the paper does not.
"""

import math

from fcwseo.columns import Floats
from fcwseo.relevance.models.ssrm import ssrm


def svsm(sem: Floats, text: Floats, topic: Floats, *, level_correction: bool = True) -> float:
    """Equation 19. ``sem``: how alike each term of the text, a row, and each of the topic, a column, are.

    >>> import numpy as np
    >>> ones, alike = np.ones(2), np.array([[1.0, 0.5], [0.0, 0.2]])
    >>> round(svsm(0.1 * alike, ones, ones, level_correction=False), 6)
    1.0
    >>> round(svsm(0.1 * alike, ones, ones), 4)
    0.0425
    """
    squares = sem * sem
    norms = math.sqrt(float(text**2 @ squares.sum(axis=1))) * math.sqrt(float(squares.sum(axis=0) @ topic**2))
    if not norms:
        return 0.0
    cosine = min(1.0, float(text @ squares @ topic) / norms)
    return cosine * ssrm(sem, text, topic) if level_correction else cosine
