// A server of somebody else: pages that tests write, from an origin that is not the playground's.

import { createServer } from 'node:http';

/**
 * `{ origin, pages, close }`: `pages` maps paths to `{ body, headers }`. A page that a test makes up in the browser's place would count
 * as one from the public network, and may not embed what comes from this machine.
 */
export async function serveStranger() {
  const pages = new Map();
  const server = createServer(({ url }, response) => {
    const { body, headers } = pages.get(url) ?? {};
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  // Not only another origin than the playground's, but another site.
  return { origin: `http://localhost:${server.address().port}`, pages, close };
}
