// The few numbers that stand in the README.

import { kb, median, ms, p95, table } from './report.mjs';

export function coldRows({ networks, forMap, untilMap, untilIdle }) {
  const first = (network) => ms(median(networks[network].map(({ phases }) => phases['first map'])));
  return [
    ...Object.keys(networks).map((network) => [`Navigation → first map, fresh browser, nothing cached, ${network}`, first(network)]),
    ['Transferred as brotli: needed for the first map, requested before it, requested until the page is idle', `${kb(forMap.brotli)}, ${kb(untilMap.brotli)}, ${kb(untilIdle.brotli)}`],
  ];
}

export const latencyRows = ({ answers }) => answers.filter(({ open }) => !open).map(({ tokens, drawn }) => (
  [`Key press on a slider → map drawn, ${tokens} tokens`, `median ${ms(median(drawn))}, 95 % within ${ms(p95(drawn))}`]));

export const summary = (machine, rows) => [
  `Measured on: ${machine}. [benches/RESULTS.md](benches/RESULTS.md) has everything: kernels, mechanisms, growth, memory, a first visit by phases.`,
  '',
  table(['What', 'Measured'], rows),
].join('\n');
