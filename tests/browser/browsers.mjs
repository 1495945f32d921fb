// Where the browsers are and how they are started: shared by the Playwright configuration, the Firefox suite and the benchmarks.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of `names` on PATH; an environment variable `variable` beats them all. */
function find(variable, names) {
  if (process.env[variable]) return process.env[variable];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (!path) throw new Error(`none of ${names.join(', ')} found: run ./dev setup or set ${variable}`);
  return path;
}

const WITH_WINDOWS = ['chromium', 'chromium-browser', 'google-chrome'];
export const chromium = () => find('CHROMIUM', WITH_WINDOWS);
/** The same engine without windows, tabs and tool bars, which take almost a third of the time of the tests; Chromium itself where it is not there. */
export const headlessShell = () => find('CHROMIUM', ['chromium-headless-shell', ...WITH_WINDOWS]);
export const firefox = () => find('FIREFOX', ['firefox-esr', 'firefox']);

/**
 * Keeps Chromium from asking the outside world for anything: in a closed network each such attempt waits for its time limit.
 * Root may only start it without its sandbox.
 */
export const chromiumFlags = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** WebGPU on the adapter that Chromium brings itself, SwiftShader: the same on every machine, and slow. */
export const gpuFlags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** WebGPU on the graphics card, through Vulkan: without a window system Chromium would not look for one. */
export const cardFlags = ['--enable-gpu', '--ignore-gpu-blocklist', '--enable-unsafe-webgpu', '--enable-features=Vulkan', '--use-angle=vulkan', '--disable-vulkan-surface'];
