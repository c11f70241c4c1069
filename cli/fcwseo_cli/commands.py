"""The command tree. A command reads its arguments, calls one function of the library, and prints."""

import logging
import sys
from errno import ENAMETOOLONG
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from fcwseo.errors import FcwseoError, InvalidInput, NoSpace
from fcwseo.files import io_error
from fcwseo_cli.main import INTERRUPTED
from fcwseo_cli.output import LogFormat, speak, tell_error, tell_help, tell_interrupted

_UNEXPECTED = 17
_TYPER_INTERRUPTED = 130  # what typer makes of Ctrl-C


class _Command(NamedTuple):
    """Where a command is, and the first sentence of its help."""

    where: str
    help: str


# A command is imported when it is called, with what it needs of the library: so help comes at once.
COMMANDS = {
    "crawl": _Command("crawl:crawl", "Crawl a web for a topic."),
    "recrawl": _Command(
        "crawl:recrawl", "Ask for the kept pages of a crawl again, and say which have changed since."
    ),
    "status": _Command(
        "crawl:status", "Say how far a crawl is, why it stopped, and what continuing it would do."
    ),
    "explain": _Command(
        "explain:explain",
        "Say why a crawl took a link or not: its evidence, objectives, front and rank, parents and concepts.",
    ),
    "export": _Command(
        "export:export",
        "Write the kept pages of a crawl as JSON lines, Parquet, Markdown, CSV, WARC or a dataset folder.",
    ),
    "search": _Command(
        "export:search",
        "Search the kept pages of a crawl; the topic's ontology says what else the words may be called.",
    ),
    "compare": _Command(
        "compare:compare_",
        "Let strategies crawl the same web from the same seeds, and compare what they find.",
    ),
    "strategies": _Command(
        "strategies:strategies",
        "List the strategies: what each does, who described it, and what it needs.",
    ),
    "report": _Command(
        "compare:report", "Write the report of a crawl or of a comparison: one self-contained HTML page."
    ),
    "demo": _Command(
        "compare:demo",
        "Build an ontology, crawl the built-in web for rainstorms, and compare FCWSEO with its rivals.",
    ),
    "ontology": _Command("ontology:app", "Build, look at, weigh and check domain ontologies."),
    "topic": _Command("ontology:topic_app", "Try a topic on documents."),
    "web": _Command("web:app", "Look at, make, import and serve webs."),
    "seeds": _Command("seeds:app", "Where crawls start."),
    "weights": _Command("strategies:weights_app", "What the texts of a link weigh."),
    "config": _Command("crawl:config_app", "Look at the settings."),
}


def loaded(name: str) -> TyperCommand | TyperGroup:
    """A command with its options, or a group with its commands."""
    module, _, attribute = COMMANDS[name].where.partition(":")
    found = getattr(import_module(f"fcwseo_cli.{module}"), attribute)
    tree = typer.Typer(rich_markup_mode=None)
    tree.callback()(lambda: None)
    if isinstance(found, typer.Typer):
        tree.add_typer(found, name=name)
    else:
        tree.command(name)(found)
    group = typer.main.get_command(tree)
    assert isinstance(group, TyperGroup)
    command = group.commands[name]
    assert isinstance(command, TyperCommand | TyperGroup)
    return command


class _Commands(TyperGroup):
    """The commands by their names and help, each loaded when it is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name in COMMANDS else command, rest


app = typer.Typer(cls=_Commands, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
for _name, _command in COMMANDS.items():
    app.command(_name, help=_command.help)(lambda: None)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"fcwseo {version('fcwseo')}")
        raise typer.Exit


def _speak(form: LogFormat) -> LogFormat:
    """From here on: a command that does not exist is refused before the options are carried out."""
    speak(logging.INFO, form)
    return form


@app.callback()
def options(
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing but errors.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Say more; show where errors arise.")
    ] = False,
    log_format: Annotated[
        LogFormat,
        typer.Option(help="Of what is said on stderr: text, or a line of JSON each.", callback=_speak),
    ] = LogFormat.TEXT,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """An ontology-driven, multi-objective focused crawler."""
    speak(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO, log_format)


def run() -> None:
    """Run a command; whatever goes wrong is one line on stderr and the right exit code."""
    try:
        code = app(prog_name="fcwseo", standalone_mode=False)
    except typer.TyperException as error:
        _tell_usage(error.format_message())
        sys.exit(error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _interrupted()
    except BrokenPipeError:  # the reader of our output has gone
        sys.stderr.close()
        sys.exit(1)
    except FcwseoError as error:
        _tell(error, str(error))
        sys.exit(error.exit_code)
    except Exception as error:
        if isinstance(error, OSError) and (known := _known(error)):
            _tell(error, str(known))
            sys.exit(known.exit_code)
        _tell(error, f"unexpected {type(error).__name__}: {error} (please report it, with what -v shows)")
        sys.exit(_UNEXPECTED)
    if code == _TYPER_INTERRUPTED:
        _interrupted()
    sys.exit(code if isinstance(code, int) else 0)


def _known(error: OSError) -> FcwseoError | None:
    """What may happen wherever a file is named or written."""
    if error.errno == ENAMETOOLONG:
        return InvalidInput(
            f"there can be no file of this name, it is too long: {error.filename or error.strerror}"
        )
    full = io_error("the output", error)
    return full if isinstance(full, NoSpace) else None


def _tell_usage(message: str) -> None:
    """A command that was called without anything shows its help; any other mistake is one line."""
    if "\n" in message:
        tell_help(message)
    else:
        tell_error(f"{message} (--help says more)")


def _tell(error: BaseException, line: str) -> None:
    verbose = logging.getLogger("fcwseo").isEnabledFor(logging.DEBUG)
    tell_error(" ".join(line.splitlines()), error if verbose else None)


def _interrupted() -> NoReturn:
    tell_interrupted()
    sys.exit(INTERRUPTED)
