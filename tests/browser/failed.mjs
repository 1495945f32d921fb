// Lists the tests that failed, for the second try of `./dev test`: `file › name` in failed.txt of the output folder. There is no list
// where a test was left out because another had failed, or where many failed: then something is broken.

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** More than this fail for a reason that a second try does not take away. */
const MOST = 10;

export default class Failed {
  onBegin(config, suite) {
    this.suite = suite;
  }

  async onEnd() {
    const tests = this.suite.allTests();
    const failed = tests.filter((test) => test.outcome() === 'unexpected');
    const isLeftOut = (test) => test.expectedStatus !== 'skipped' && test.results.every(({ status }) => status === 'skipped');
    if (!failed.length || failed.length > MOST || tests.some(isLeftOut)) return;
    const { outputDir } = failed[0].parent.project();
    const name = (test) => `${basename(test.location.file)} › ${test.titlePath().slice(3).join(' › ')} [${test.parent.project().name}]`;
    await mkdir(outputDir, { recursive: true });
    await writeFile(join(outputDir, 'failed.txt'), `${failed.map(name).join('\n')}\n`);
  }

  printsToStdio() {
    return false;
  }
}
