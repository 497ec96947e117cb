#!/usr/bin/env bash
# Copies a backup back.
set -euo pipefail
cp -R "$1" "$2"
