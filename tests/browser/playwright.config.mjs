import { defineConfig } from '@playwright/test';
import { chromium, chromiumFlags, gpuFlags, headlessShell } from './browsers.mjs';
import { inSoak, isSoak } from './extent.mjs';

const launch = (executablePath, ...flags) => ({ executablePath, args: [...chromiumFlags, ...flags] });

const GOLDENS = 'api-goldens.spec.mjs';
const REFUSALS = 'api-refusals.spec.mjs';
const OPTIONS = 'api-options.spec.mjs';
const ACCURACY = 'api-accuracy.spec.mjs';
/** What only an adapter makes possible, and what is asked of its kernels: the processor's are asked natively, and the same bodies under Node. */
const GPU_ONLY = ['gpu*.spec.mjs', 'faults*.spec.mjs', 'api-laws.spec.mjs', OPTIONS, ACCURACY];
/** What must come out of the module in a browser as well, on every backend. */
const EVERYWHERE = [GOLDENS, REFUSALS];

/** What takes long and is in `./dev soak` alone: natively runs on the GPU are held to give back what they took, and `faults.spec.mjs` has every kind of fault. */
const LONG = isSoak ? [] : ['faults-hundred.spec.mjs', 'gpu-memory.spec.mjs', 'notebook-hosts.spec.mjs'];

/** What needs files that are not in the repository: only where they are. */
const ELSEWHERE = process.env.REAL_CHECKPOINTS ? [] : ['checkpoint-real.spec.mjs'];

/** Whole journeys, in the browser that people have. */
const JOURNEYS = 'journeys.spec.mjs';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.mjs',
  outputDir: '../../test-results',
  // For two cores, as the gate has: two tests at a time leave a seventh of them idle.
  workers: 3,
  fullyParallel: true,
  // A test that would pass at a second try has found something.
  retries: 0,
  forbidOnly: !!process.env.CI,
  // A machine with other work takes several times as long as a free one. What is right is found as soon as it is there; only what is
  // wrong is waited for so long.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    // Requests through a service worker are out of the tests' reach. Those that are about it allow it.
    serviceWorkers: 'block',
  },
  projects: [
    // Without GPU flags a headless Chromium has no adapter: what most machines in a classroom look like.
    { name: 'cpu', testIgnore: [...GPU_ONLY, ...ELSEWHERE, ...LONG, JOURNEYS, 'adapter.spec.mjs', 'card.spec.mjs'], use: { backend: 'cpu', launchOptions: launch(headlessShell()) } },
    { name: 'chromium', testMatch: JOURNEYS, use: { backend: 'cpu', launchOptions: launch(chromium()) } },
    // Where this fails, the projects below are not run, and the whole run has failed. Each of these has one worker: its page compiles and checks
    // all kernels once, and the software adapter uses every core by itself.
    { name: 'adapter', testMatch: 'adapter.spec.mjs', use: { launchOptions: launch(headlessShell(), ...gpuFlags) } },
    {
      name: 'gpu',
      testMatch: [...GPU_ONLY, ...EVERYWHERE],
      testIgnore: LONG,
      dependencies: ['adapter'],
      timeout: 180_000,
      workers: 1,
      use: { backend: 'webgpu', launchOptions: launch(headlessShell(), ...gpuFlags) },
    },
    // The kernels for graphics cards, through Chromium's own compiler: the software adapter says that it is a card. In the browser that
    // people have, as the journeys. How exact they are in every case is a long test here: natively two drivers are asked for it.
    {
      name: 'card',
      testMatch: [GOLDENS, OPTIONS, 'card.spec.mjs', ...inSoak(ACCURACY)],
      dependencies: ['adapter'],
      timeout: 180_000,
      workers: 1,
      use: { backend: 'webgpu', isCard: true, launchOptions: launch(chromium(), ...gpuFlags) },
    },
  ],
});
