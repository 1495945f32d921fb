import { after, before, test } from 'node:test';
import { SUB_FOLDER } from '../server.mjs';
import { start } from './firefox.mjs';

let session;
before(async () => { session = await start(); });
after(() => session?.close());

for (const folder of ['/', SUB_FOLDER]) {
  test(`the page opens from ${folder} and paints its first map`, async () => {
    const page = await session.open('', { folder });
    page.assertQuiet();
    await page.close();
  });
}
