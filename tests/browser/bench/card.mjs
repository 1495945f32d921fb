// The page on a graphics card: from a key press to the painted map, by backend.

import { cardFlags } from '../browsers.mjs';
import { launch } from './builds.mjs';
import { linkTo, mapTimes, presses } from './measure.mjs';
import { median, ms, p95, table } from './report.mjs';
import { expectCard } from './peers/adapter.mjs';

const TOKENS = [11, 64, 256, 1024];
const CHOICES = ['cpu', 'webgpu', 'auto'];

export async function measure({ origin, isQuick }) {
  const browser = await launch(cardFlags);
  const answers = [];
  let adapter;
  for (const tokens of TOKENS) for (const choice of CHOICES) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${origin}/ours/${linkTo(tokens)}${choice === 'auto' ? '' : `&backend=${choice}`}`);
    await mapTimes(page);
    const { webgpu } = await page.evaluate(() => attentionPlayground.backends());
    adapter = webgpu.adapter;
    expectCard(webgpu.is_software ? 'basic render' : `${adapter}`);
    const { drawn } = await presses(page, isQuick ? 8 : 24);
    answers.push({ tokens, choice, drawn, on: await page.locator('#map').getAttribute('data-backend') });
    await page.close();
  }
  await browser.close();
  return { adapter, answers };
}

export function markdown({ adapter, answers }) {
  const cell = ({ drawn, choice, on }) => `${ms(median(drawn))}, ${ms(p95(drawn))}${choice === 'auto' ? ` (${on})` : ''}`;
  const rows = CHOICES.map((choice) => [choice, ...answers.filter((answer) => answer.choice === choice).map(cell)]);
  return `WebGPU adapter: ${adapter}. From a key press on a slider to the drawn map: median, 95 %.\n\n${table(['', ...TOKENS.map((n) => `${n} tokens`)], rows)}`;
}
