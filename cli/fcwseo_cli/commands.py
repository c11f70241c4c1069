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
_TYPER_INTERRUPTED = 130  # the code that typer returns for Ctrl-C


class _Command(NamedTuple):
    """The function of a command as ``module:name``, and the first sentence of its help."""

    where: str
    help: str


# A command and the library behind it are imported when it is called, so that --help is fast.
COMMANDS = {
    "crawl": _Command("crawl:crawl", "Crawl a web for pages on a topic, or continue a crawl."),
    "recrawl": _Command("crawl:recrawl", "Fetch the kept pages of a crawl again and list the changes."),
    "status": _Command("crawl:status", "Show how far a crawl is, why it stopped, and what is next."),
    "repair": _Command("crawl:repair", "Save what is whole of a damaged run."),
    "explain": _Command("explain:explain", "Explain why a crawl followed a link, or did not."),
    "export": _Command("export:export", "Export the kept pages of a crawl to a file or folder."),
    "search": _Command("export:search", "Search the kept pages of a crawl, synonyms included."),
    "compare": _Command("compare:compare_", "Compare strategies on the same web, topic and seeds."),
    "strategies": _Command(
        "strategies:strategies", "List the strategies, their papers, and what each needs."
    ),
    "new": _Command("strategies:new_app", "Write the files of a new strategy."),
    "report": _Command("compare:report", "Write the HTML report of a crawl or a comparison."),
    "demo": _Command("compare:demo", "Build an ontology, crawl the built-in web, and compare."),
    "ontology": _Command("ontology:app", "Build, show, weigh and check domain ontologies."),
    "topic": _Command("ontology:topic_app", "Score documents for a topic, and calibrate its thresholds."),
    "web": _Command("web:app", "Describe, make, import and serve webs."),
    "seeds": _Command("seeds:app", "Make seeds files from the results of search engines."),
    "weights": _Command("strategies:weights_app", "Fit the weights of the texts around a link."),
    "config": _Command("crawl:config_app", "Show the settings in force."),
}


def loaded(name: str) -> TyperCommand | TyperGroup:
    """Import a command with its options, or a group with its commands."""
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
    """The commands by name; each is imported when it is called."""

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
    """Set the log format while options are parsed, so that usage errors are written in it too."""
    speak(logging.INFO, form)
    return form


@app.callback()
def options(
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print more; show the traceback of an error.")
    ] = False,
    log_format: Annotated[
        LogFormat,
        typer.Option(help="Format of messages on stderr: text, or one JSON object a line.", callback=_speak),
    ] = LogFormat.TEXT,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """An ontology-driven, multi-objective focused crawler."""
    speak(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO, log_format)


def run() -> None:
    """Run a command; any error becomes one line on stderr and an exit code."""
    try:
        code = app(prog_name="fcwseo", standalone_mode=False)
    except typer.TyperException as error:
        _tell_usage(error.format_message())
        sys.exit(error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _interrupted()
    except BrokenPipeError:  # the reader of stdout has closed it
        sys.stderr.close()
        sys.exit(1)
    except FcwseoError as error:
        _tell(error, str(error))
        sys.exit(error.exit_code)
    except Exception as error:
        if isinstance(error, OSError) and (known := _known(error)):
            _tell(error, str(known))
            sys.exit(known.exit_code)
        _tell(
            error,
            f"unexpected {type(error).__name__}: {error} (please report it with the output of -v)",
        )
        sys.exit(_UNEXPECTED)
    if code == _TYPER_INTERRUPTED:
        _interrupted()
    sys.exit(code if isinstance(code, int) else 0)


def _known(error: OSError) -> FcwseoError | None:
    """The error of ours for an error of the file system that any command may meet, or None."""
    if error.errno == ENAMETOOLONG:
        return InvalidInput(f"the file name is too long: {error.filename or error.strerror}")
    full = io_error("the output", error)
    return full if isinstance(full, NoSpace) else None


def _tell_usage(message: str) -> None:
    """Print a usage error as one line; for a command called without arguments, print its help."""
    if "\n" in message:
        tell_help(message)
    else:
        tell_error(f"{message} (see --help)")


def _tell(error: BaseException, line: str) -> None:
    verbose = logging.getLogger("fcwseo").isEnabledFor(logging.DEBUG)
    tell_error(" ".join(line.splitlines()), error if verbose else None)


def _interrupted() -> NoReturn:
    tell_interrupted()
    sys.exit(INTERRUPTED)
