// How far results are from what they should be, and how far they may be. Knows no test runner: several share it.

/** What the contract promises of each backend: weights absolute, the output relative to its largest value. */
export const ACCURACY = { cpu: { weights: 1e-5, output: 1e-4 }, webgpu: { weights: 1e-4, output: 1e-3 } };

/** The largest difference, infinite where a value is missing or no number. */
export function distance(found, wanted) {
  if (found.length !== wanted.length) return Infinity;
  return found.reduce((worst, value, i) => {
    const d = Math.abs(value - wanted[i]);
    return Number.isNaN(d) ? Infinity : Math.max(worst, d);
  }, 0);
}
