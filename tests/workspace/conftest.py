"""Servers on loopback and folders for the workspace's tests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from moto.server import ThreadedMotoServer

from tests.workspace.storages import Disk, s3

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fsspec import AbstractFileSystem


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    yield f"http://127.0.0.1:{port}"
    server.stop()


@pytest.fixture(scope="session")
def s3_client(s3_endpoint: str) -> AbstractFileSystem:
    client = s3(s3_endpoint)
    client.call_s3("create_bucket", Bucket="bucket")
    return client


@pytest.fixture
def s3_folder(s3_client: AbstractFileSystem) -> str:
    """A place in the bucket that no other test uses."""
    return f"bucket/{uuid4().hex}"


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    (tmp_path / "ws").mkdir()
    (tmp_path / "secret.html").write_text("SECRET")
    (tmp_path / "ws-evil").mkdir()
    (tmp_path / "ws-evil" / "secret.html").write_text("EVIL")
    return Disk(tmp_path / "ws")
