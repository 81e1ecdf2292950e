/** Parses numbers as people type them; undefined for anything else. Pure. */
import { normalizeNumeral } from '../base/amounts.ts';

const DOLLAR = /^(?:(?:US ?)?\$|USD) *| *(?:\$|USD)$/giu;
const PERCENT = /\s*%$/gu;
const SCALE = /(?<=\d) ?([km])$/iu;

function withoutDollar(text: string): string {
  return text.trim().replace(DOLLAR, '');
}

function readDecimal(text: string): number | undefined {
  const [, minus = '', written = ''] = /^(-?)(.*)$/su.exec(text.trim()) ?? [];
  const digits = normalizeNumeral(written, 'decimals');
  // Adding 0 turns -0 into 0.
  return digits === undefined ? undefined : Number(minus + digits) + 0;
}

/** Dollars, any amount and any number of decimals: `1500`, `$1,500`, `1 500,50 $`, `1.5k`. */
export function parseMoney(text: string): number | undefined {
  const written = withoutDollar(text);
  const scale = SCALE.exec(written)?.[1]?.toLowerCase();
  const value = readDecimal(written.replace(SCALE, ''));
  if (value === undefined || scale === undefined) return value;
  return Number((value * (scale === 'k' ? 1_000 : 1_000_000)).toFixed(2));
}

/** In percent, not a ratio: `7.5`, `80%`. */
export function parsePercent(text: string): number | undefined {
  return readDecimal(text.trim().replace(PERCENT, ''));
}

/** A whole number, zero or more: `25`, `1,000`, `1.000`. */
export function parseNonNegativeInteger(text: string): number | undefined {
  const value = Number(normalizeNumeral(text.trim(), 'thousands') ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether the text has more than two decimals, or thousands after a dot: dollars have cents only. */
export function hasMoreThanTwoDecimals(text: string): boolean {
  return /\.\d{3}/u.test(normalizeNumeral(withoutDollar(text).replace(/^-/u, ''), 'decimals') ?? '');
}
