/** A text progress bar with a percentage for readers who can't see it. Pure. */
import { formatPercent } from './numbers.ts';

const CELLS = 10;

/** `▓▓▓▓░░░░░░ 40%`; reserved amounts count as used. */
export function usageBarText(used: number, of: number): string {
  const ratio = of > 0 ? Math.min(1, Math.max(0, used / of)) : 1;
  const full = Math.floor(ratio * CELLS);
  return `${'▓'.repeat(full)}${'░'.repeat(CELLS - full)} ${formatPercent(Math.floor(ratio * 100) / 100)}`;
}
