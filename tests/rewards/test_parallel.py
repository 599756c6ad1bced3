"""Work that several processes share."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from logic_curriculum.common.processes import AHEAD, in_order, threads_that_end


def slower_at_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def with_process(number: int) -> tuple[int, int]:
    return number, os.getpid()


def killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise ValueError(f"no {number}")


def wait_long(number: int) -> int:
    time.sleep(600)
    return number


def test_results_come_in_order_though_the_first_takes_longest():
    assert list(in_order(slower_at_first, range(20), 2)) == list(range(20))


def test_all_is_done_elsewhere_even_by_a_single_process():
    assert os.getpid() not in {process for _, process in in_order(with_process, range(3), 1)}


def test_items_are_read_as_they_are_needed():
    read: list[int] = []
    results = in_order(slower_at_first, (read.append(n) or n for n in range(1000)), 1)
    next(results)
    assert len(read) <= AHEAD + 2
    results.close()


def test_a_process_that_was_killed_is_told_in_one_line():
    with pytest.raises(RuntimeError, match=r"One of 2 worker processes was killed.*--num-proc"):
        list(in_order(killed, range(5), 2))


def test_an_error_is_that_of_the_work_and_ends_all_processes():
    with pytest.raises(ValueError, match="no 0"):
        list(in_order(refuse, range(50), 2))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process' threads as files")
def test_no_thread_of_a_pool_is_left_when_it_is():
    before = os.listdir("/proc/self/task")
    for _ in range(100):  # one that is still ending is seen in about a third of the rounds
        with threads_that_end(2) as threads:
            list(threads.map(socket.getaddrinfo, ["localhost"] * 2, [80] * 2))
        assert set(os.listdir("/proc/self/task")) <= set(before)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_first_one(sent):
    script = (
        "import signal, sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_parallel import in_order, wait_long\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in background
        "print('ready', flush=True)\n"
        "list(in_order(wait_long, range(4), 2))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, os.path.dirname(__file__)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(1)  # the processes begin to wait
    process.send_signal(sent)
    assert process.stdout.read() == b""  # they share this pipe: it closes with the last of them
    assert process.wait(60) != 0
