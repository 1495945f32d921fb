// What the page may do, said by the page itself, so that it holds on every host: its own scripts, styles, pictures and requests, and
// nothing of anybody else's. A worker obeys the headers of its script alone; docs/hosting.md gives the same as a header.

/**
 * Whoever is not named is 'none'. Pictures are drawn from data: and blob: when they are saved; a frame shows what is about to be shared. In a
 * sandbox without an origin a worker can only come from a blob: such a worker has this policy as well.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export default function policy(site) {
  // Trunk's reload script stands in the page.
  if (site.isServed) return;
  site.replace('index.html', '<meta charset="utf-8">', `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n<meta charset="utf-8">`);
}
