#!/bin/sh
# Waits for the host's end of the pipe to close, by a proper close or by any death of the host,
# then ends what is left of its browsers and removes their folder ($1).
read -r _ || :
for file in "$1"/*/pid; do
    if ! read -r browser driver <"$file"; then continue; fi
    kill -9 -- "-$browser" "$browser" 2>/dev/null
    if [ "$driver" -gt 1 ]; then kill -9 "$driver" 2>/dev/null; fi
done 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf "$1" 2>/dev/null && break
    sleep 0.2
done
