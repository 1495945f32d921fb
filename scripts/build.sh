# ./dev build [--one-file]: the release build in dist/, every reference in it relative; or the page alone, as one file that needs no server.
# shellcheck shell=bash
source scripts/setup.sh

setup build
case ${1:-} in
  "") release_build ;;
  --one-file)
    release_build
    mkdir -p release
    cp dist/one-file.html release/attention-playground.html
    say "release/attention-playground.html: $(wc -c <release/attention-playground.html) bytes, opens by a double click."
    ;;
  *) die "./dev build takes --one-file or nothing, not '$1'." ;;
esac
