"""OpenEnv's own client and server, with a task of ours."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from logic_curriculum.generators import generate

openenv = pytest.importorskip("openenv.core", reason="pip install openenv")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    import uvicorn

    from logic_curriculum.curriculum.integrations.openenv_server import app

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def episode(address, answers, **task):
    """Return the prompt, and finding, reward and end of each step."""
    with openenv.GenericEnvClient(base_url=address).sync() as client:
        prompt = client.reset(**task).observation["prompt"]
        steps = [client.step({"answer": answer}) for answer in answers]
        return prompt, [(step.observation["finding"], step.reward, step.done) for step in steps]


def test_a_right_answer_ends_the_episode_and_earns_1(address):
    task = generate("slr", 3, 7)
    prompt, steps = episode(address, [task.metadata["rule"]], family="slr", level=3, seed=7)
    assert prompt.startswith(task.prompt)
    assert steps == [("right on all examples shown; submissions left: 1", 1.0, True)]


def test_a_second_try_costs(address):
    task = generate("slr", 3, 7)
    wrong = "eastbound(T) :- has_car(T, C), has_wall(C, full)."
    _, steps = episode(address, [wrong, task.metadata["rule"]], family="slr", level=3, seed=7)
    assert [(reward, done) for _, reward, done in steps] == [(0.0, False), (0.5, True)]
    assert steps[0][0].startswith("2 of 4 examples right")
    _, steps = episode(address, [wrong, wrong], family="slr", level=3, seed=7)
    assert steps[-1][1:] == (-0.5, True)


def test_none_lets_the_last_answer_stand(address):
    _, steps = episode(address, ["no", None], family="sat", level=1)
    assert [(reward, done) for _, reward, done in steps] == [(0.0, False), (0.0, True)]


def test_a_level_that_is_not_there_is_one_line(address):
    with pytest.raises(Exception, match="level 99"):
        episode(address, [], family="slr", level=99)
