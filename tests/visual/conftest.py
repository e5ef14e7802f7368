"""A server of buckets, as the workspace's tests have it."""

from tests.workspace.conftest import s3_client, s3_endpoint, s3_folder

__all__ = ("s3_client", "s3_endpoint", "s3_folder")
