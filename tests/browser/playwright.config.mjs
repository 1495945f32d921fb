import { defineConfig } from '@playwright/test';
import { chromium, chromiumFlags } from './browsers.mjs';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.mjs',
  outputDir: '../../test-results',
  workers: 2,
  fullyParallel: true,
  // A test that passes at the second try has found something: it must not be hidden.
  retries: 0,
  forbidOnly: !!process.env.CI,
  timeout: 30_000,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromium(), args: chromiumFlags },
  },
  // Without GPU flags a headless Chromium has no adapter: what most machines in a classroom look like.
  projects: [{ name: 'cpu' }],
});
