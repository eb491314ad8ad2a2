#!/usr/bin/env bash
# Everything that the documentation names exists: files, links, commands, options, keys, variables,
# functions.
. "$(dirname "$0")/lib.sh"
need python3

check 'the documentation names what exists' python3 "$SOURCE/tools/check-docs" "$SOURCE" "$WICK"
finish
