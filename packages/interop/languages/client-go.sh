#!/usr/bin/env bash
# Unpacks client-go and all that it imports into .kindforge/client-go. Debian has it only in the source of kubernetes.
set -euo pipefail
target="$(dirname "${BASH_SOURCE[0]}")/../../../.kindforge/client-go"
[ -d "$target/src" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial"
listed=/etc/apt/sources.list.d/debian.sources
[ -f "$listed" ] || listed=/etc/apt/sources.list
# The lists of the system stay as they are.
sed 's/^Types: .*/Types: deb-src/; s/^deb /deb-src /' "$listed" > "$work/${listed##*/}"
options=(-qq -o APT::Sandbox::User=root)
options+=(-o "Dir::Etc::SourceList=$work/${listed##*/}" -o Dir::Etc::SourceParts=- -o "Dir::State::lists=$work/lists")
apt-get "${options[@]}" update
(cd "$work" && apt-get "${options[@]}" source --download-only kubernetes 2>/dev/null)
rm -rf "$target" && mkdir -p "$target"
tar -xzf "$work"/kubernetes_*.orig.tar.gz -C "$target" --strip-components=1 --wildcards --no-wildcards-match-slash \
  'kubernetes-*/vendor' 'kubernetes-*/staging/src/k8s.io'
mv "$target/vendor" "$target/src"
