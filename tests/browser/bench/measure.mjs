// What the benchmark does in a page. Nothing here judges; run.mjs prints.

import { memory } from '../memory.mjs';
import { addOnPicture } from '../pictures.mjs';

const SENTENCE = "The animal didn't cross the street because it was too tired";

/** Every panel below the map, as links name them. */
export const ALL_PANELS = 'steps,streaming,compare,analysis,cost,code,data';

/** A link to the opening state with a text of this many tokens, and these panels open instead of the usual ones. */
export function linkTo(tokens, open) {
  const words = SENTENCE.split(' ');
  const text = Array.from({ length: tokens }, (_, at) => words[at % words.length]).join(' ');
  const parts = [
    ...(tokens === words.length ? [] : [`text=${encodeURIComponent(text).replaceAll('%20', '+')}`]),
    ...(open ? [`open=${open}`] : []),
  ];
  return `#${['v=1', ...parts].join('&')}`;
}

/** When the first map was painted, which the build has drawn, and when the engine's own was there. */
export async function mapTimes(page) {
  const times = await page.waitForFunction(() => {
    const [first, engine] = ['first-map', 'engine-map'].map((name) => performance.getEntriesByName(name)[0]?.startTime);
    return first && engine && { first, engine };
  }, undefined, { polling: 20 });
  return times.jsonValue();
}

/** Notes in the page when keys were pressed, when pictures were drawn and when the frame with them began. */
const watch = (page) => page.evaluate(() => {
  const notes = { pressed: [], drawn: [], shown: [] };
  globalThis.notes = notes;
  addEventListener('keydown', (event) => notes.pressed.push(event.timeStamp), true);
  onPicture(() => {
    notes.drawn.push(performance.now());
    // The task after the next frame's callbacks: by then the frame has been handed to the screen.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => notes.shown.push(performance.now());
      channel.port2.postMessage(0);
    });
  }, true);
});

/** `count` single key presses on the slider of d_k, each after the page has come to rest; milliseconds to "drawn" and to "shown". */
export async function presses(page, count) {
  await page.evaluate(addOnPicture);
  await watch(page);
  await page.locator('#d-k').focus();
  const times = { drawn: [], shown: [] };
  for (let at = 0; at < count; at++) {
    await page.evaluate(() => Object.values(globalThis.notes).forEach((list) => { list.length = 0; }));
    await page.waitForTimeout(40 + (at * 7) % 23);
    await page.keyboard.press(at % 2 ? 'ArrowLeft' : 'ArrowRight');
    await page.waitForFunction(() => globalThis.notes.shown.length > 0, undefined, { polling: 10 });
    const { pressed, drawn, shown } = await page.evaluate(() => globalThis.notes);
    times.drawn.push(drawn[0] - pressed[0]);
    times.shown.push(shown[0] - pressed[0]);
  }
  return times;
}

/**
 * 200 events on the slider of d_k, each to another stop, one every 10 ms; one that finds the page busy waits, none is left out.
 * Seconds until the last picture is drawn, pictures, frames, and the longest time without a frame.
 */
export async function burst(page) {
  await page.evaluate(addOnPicture);
  const { seconds, frames, pictures } = await page.evaluate(async () => {
    const slider = document.getElementById('d-k');
    const [frames, pictures] = [[], []];
    let isOver = false;
    const frame = (time) => {
      frames.push(time);
      if (!isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    onPicture(() => pictures.push(performance.now()), true);
    const until = (time) => new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
    const from = performance.now();
    for (let event = 1; event <= 200; event++) {
      await until(from + 10 * event);
      const stop = event % 14;
      slider.value = String(stop < 8 ? stop : 14 - stop);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    while (!('idle' in document.documentElement.dataset)) await until(performance.now() + 2);
    isOver = true;
    return { seconds: (pictures.at(-1) - from) / 1000, frames, pictures: pictures.length };
  });
  const gaps = frames.slice(1).map((time, at) => time - frames[at]);
  return { seconds, pictures, frames: frames.length, longestGap: Math.max(...gaps) };
}

/** Memory before and after `count` changes of every kind that a slider and a text can make. */
export async function changes(page, count) {
  const before = await memory(page);
  for (let at = 0; at < count; at++) {
    await page.evaluate((at) => {
      const say = (id, value) => {
        const control = document.getElementById(id);
        control.value = value;
        for (const event of ['input', 'change']) control.dispatchEvent(new Event(event, { bubbles: true }));
      };
      const kind = at % 4;
      if (kind === 0) say('d-k', String(at % 8));
      else if (kind === 1) say('d-model', String(at % 7));
      else if (kind === 2) say('heads', String(at % 5));
      else say('text', 'one cat and another cat sat there '.repeat(1 + (at % 5)).trim());
      return new Promise((resolve) => setTimeout(resolve, 8));
    }, at);
  }
  await page.waitForTimeout(500);
  return { before, after: await memory(page) };
}
