// What can be wrong with a page, whatever was done to it.

import { meant, named } from '../helpers.mjs';

/** Everything that is looked at after each deed, read at once. */
const read = () => {
  const clipped = (part) => part.parentElement && (getComputedStyle(part.parentElement).overflowX !== 'visible' || clipped(part.parentElement));
  const map = document.querySelector('#map');
  if (!map) return null;
  const { rows, columns, step } = map.dataset;
  const root = document.documentElement;
  const table = document.querySelector('#as-table table');
  const failure = document.querySelector('[data-failure]');
  const controls = {};
  for (const field of document.querySelectorAll('#text, #second, input.number, input[type="checkbox"], input[type="radio"]:checked')) {
    // What is being typed may not be a value yet.
    if (field !== document.activeElement && field.name !== 'mask') controls[field.id || field.name] = field.type === 'checkbox' ? String(Number(field.checked)) : field.value;
  }
  controls.mask = [...document.querySelectorAll('input[name="mask"]:checked')].map((box) => box.value).join(',');
  controls.positions = document.querySelector('#positions').value;
  const { clientWidth } = document.documentElement;
  return {
    step,
    idle: root.dataset.idle,
    // What goes on for as long as somebody lets it.
    goesOn: ['#player-play', '#streaming-play'].some((play) => /^(Pause|暂停)/.test(document.querySelector(play)?.textContent)) || document.querySelector('#cost-stop')?.hidden === false,
    address: location.hash.slice(1),
    size: [Number(rows), Number(columns)],
    controls,
    isUnread: document.querySelector('.page').hasAttribute('data-unfinished'),
    head: document.querySelector('#all-heads button[aria-pressed="true"]')?.dataset.head,
    lines: table?.checkVisibility() && [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
    stopped: failure.hidden ? '' : failure.querySelector('[data-failure-cause]').textContent || 'stopped',
    hasNotices: document.querySelector('#notices li') !== null,
    widths: [document.documentElement.scrollWidth, clientWidth],
    outside: document.documentElement.scrollWidth <= clientWidth ? [] : [...document.querySelectorAll('.page *')]
      .filter((part) => part.getBoundingClientRect().right > clientWidth + 1 && !clipped(part))
      .map((part) => `${part.localName}#${part.id}.${part.getAttribute('class') ?? ''}`),
  };
};

/** Which setting stands in which control, unless what was brought decides instead. */
const CONTROLS = { text: 'text', source: 'second', seed: 'seed', d_model: 'd-model-number', d_k: 'd-k-number', heads: 'heads-number', kv_heads: 'kv-heads-number', valid: 'valid-number', window: 'window-number', stride: 'stride-number', first: 'first-number', mask: 'mask', hiding: 'hiding', scoring: 'scoring', linformer: 'linformer', projected: 'projected-number', temperature: 'temperature-number', weights: 'origin', scaled: 'scaled', positions: 'positions', scale: 'scale', range: 'range' };

/** What the numbers themselves get wrong; rows sum to 1 where they are weights that nothing was taken from. */
function faultsOf(lines, [rows, columns], { step, hiding, data }) {
  const areWhole = step === 'weights' && hiding !== 'after' && !data;
  if (!lines) return [];
  const found = lines.length === rows && lines.every((line) => line.length === columns) ? [] : ['table and map differ in size'];
  for (const [at, line] of lines.entries()) {
    const visible = line.filter((cell) => /^\d/.test(cell)).map(Number);
    const sum = visible.reduce((sum, cell) => sum + cell, 0);
    if (areWhole && visible.length && !(Math.abs(sum - 1) < 0.0005 * visible.length + 1e-6)) found.push(`row ${at + 1} sums to ${sum}`);
    if (line.some((cell) => /NaN|∞|undefined/.test(cell))) found.push(`row ${at + 1} holds ${line}`);
  }
  return found;
}

/** What is wrong with what was read, as words; nothing where all is well. `refused` holds addresses that were not taken as they are. */
function faults({ step, idle, goesOn, isUnread, address, size, controls, head, lines, stopped, widths, outside }, refused) {
  if (stopped) return [`stopped: ${stopped}`];
  if (step === undefined) return ['no picture'];
  if (idle === undefined && !goesOn) return ['still at work: data-idle is missing'];
  // A link of which something was not taken stands in the address as it came, until something is changed.
  const isTaken = !refused.has(address);
  const settings = isTaken ? { scale: 'above', ...meant(address) } : { hiding: controls.hiding, data: named(address).data };
  const found = faultsOf(lines, size, { ...settings, step });
  for (const [setting, control] of settings.data || !isTaken ? [] : Object.entries(CONTROLS)) {
    const [is, says] = [settings[setting], controls[control]];
    if (is !== undefined && says !== undefined && is !== says) found.push(`the address has ${setting}=${is}, its control says ${says}`);
  }
  // Heads count on through the layers of a model.
  const shown = (Number(head) % Number(settings.heads)) + 1;
  if (isTaken && !settings.data && !isUnread && head !== undefined && shown !== Number(settings.head)) found.push(`the picture shows head ${settings.head}, thumbnail ${head} is pressed`);
  if (idle === 'outdated' && isTaken && !isUnread) found.push(`the picture is not that of ${address}`);
  if (widths[0] > widths[1]) found.push(`${widths[0]} px wide in a window of ${widths[1]}: ${outside.slice(0, 8).join(' ')} at ${address}`);
  return found;
}

/** Looks until all is well, for as long as a person would wait; throws with what is not. */
export async function look(hands, { refused, isArrival, context, patience = 30_000 }) {
  const end = Date.now() + patience;
  for (let pause = 2; ; pause = Math.min(2 * pause, 200)) {
    await hands.face();
    const seen = await hands.evaluate(read).catch((error) => ({ lost: String(error) }));
    if (seen?.hasNotices && isArrival) refused.add(seen.address);
    const found = !seen ? ['no page'] : seen.lost ? [seen.lost] : faults(seen, refused);
    if (!found.length) return;
    if (Date.now() > end) throw new Error(`${found.join('\n')}\n${context()}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
