"""A page to try tasks, answers and verdicts on: ``logic-curriculum play``, see ``docs/judges.md``.

Only ``page.py`` needs Gradio.
"""

import argparse
import socket
import sys
from collections.abc import Sequence

ABOUT = "Open a page to try tasks on: choose one, answer it, and see what its judge says."


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the page until it is interrupted; return the exit status, 1 if it can't be served."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum play", description=ABOUT, allow_abbrev=False
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines connect")
    parser.add_argument("--port", type=int, help="default: the first free one from 7860 on")
    options = parser.parse_args(argv)
    try:
        check_address(options.host, options.port)
        from logic_curriculum.curriculum.play.page import serve

        serve(options.host, options.port)
    except (ImportError, OSError) as error:
        print(f"logic-curriculum play: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    return 0


def check_address(host: str, port: int | None) -> None:
    """Raise an ``OSError`` if this machine can't be reached by a host and, if given, a port."""
    try:
        socket.create_server((host, port or 0)).close()
    except (OSError, OverflowError) as error:
        given = f"--host {host}" if port is None else f"--host {host} --port {port}"
        raise OSError(f"{given} can't be opened ({error}): choose another one.") from error
