# ./dev serve [PORT]: builds, serves, and rebuilds on change. Its own output folder keeps the reload script out of dist/.
# shellcheck shell=bash
source scripts/setup.sh

# The first free port from 8080 on, so that a second checkout can be served beside the first.
free_port() {
  node --input-type=module -e '
    import { createServer } from "node:net";
    const attempt = (port) => createServer()
      .once("error", () => attempt(port + 1))
      .listen(port, "127.0.0.1", function () { this.close(() => console.log(port)); });
    attempt(8080);'
}

# trunk watches the whole folder and refuses to ignore what does not exist.
not_the_page=(benches dist docs scripts target test-results tests)

setup build
port=${1:-$(free_port)}
mkdir -p "${not_the_page[@]}" target/serve
say "Building; then the page is at http://127.0.0.1:$port/ (Ctrl-C ends it)."
RUST_BACKTRACE=0 PLAYGROUND_SERVE=1 exec trunk serve --dist target/serve --address 127.0.0.1 --port "$port" "${not_the_page[@]/#/--ignore=}"
