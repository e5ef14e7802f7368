"""`python -m artifact_kit` is `artifact-kit`."""

from artifact_kit.hosts import main

if __name__ == "__main__":
    main()
