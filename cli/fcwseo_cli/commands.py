"""The command tree. A command reads its arguments, calls one function of the library, and prints."""

import logging
import sys
from errno import ENAMETOOLONG
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from fcwseo.errors import FcwseoError, InvalidInput, NoSpace
from fcwseo.files import trouble
from fcwseo_cli import compare, crawl, explain, export, ontology, seeds, web, weights
from fcwseo_cli.main import INTERRUPTED
from fcwseo_cli.output import LogFormat, speak, tell_error, tell_help, tell_interrupted

_UNEXPECTED = 17
_TYPER_INTERRUPTED = 130  # what typer makes of Ctrl-C

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(ontology.app, name="ontology")
app.add_typer(ontology.topic_app, name="topic")
app.add_typer(web.app, name="web")
app.command("crawl")(crawl.crawl)
app.command("recrawl")(crawl.recrawl)
app.command("status")(crawl.status)
app.command("explain")(explain.explain)
app.command("export")(export.export)
app.command("search")(export.search)
app.command("compare")(compare.compare_)
app.command("report")(compare.report)
app.command("demo")(compare.demo)
app.add_typer(seeds.app, name="seeds")
app.add_typer(weights.app, name="weights")
app.add_typer(crawl.config_app, name="config")


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
    full = trouble("the output", error)
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
