#!/usr/bin/env bash
# Copies a folder to where the settings say.
set -euo pipefail
. "${SETTINGS:?names the file with the settings}"

for folder in "$@"; do
    cp -R $folder "$BACKUP_TARGET"
done
