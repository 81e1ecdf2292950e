/** A bar made of text, and what it means for those who can't see it. Pure. */
import { formatPercent } from '../blocks/numbers.ts';

const CELLS = 10;

/** `▓▓▓▓░░░░░░ 40%`; what is reserved counts as used. */
export function usageBarText(used: number, of: number): string {
  const ratio = of > 0 ? Math.min(1, Math.max(0, used / of)) : 1;
  const full = Math.floor(ratio * CELLS);
  return `${'▓'.repeat(full)}${'░'.repeat(CELLS - full)} ${formatPercent(Math.floor(ratio * 100) / 100)}`;
}
