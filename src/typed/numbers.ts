/** Parses numbers as people type them; undefined for anything else. Pure. */

/** Separators of thousands, as people and locales write them. */
const GROUPED = /^-?\d{1,3}(?:[, '’\u00a0\u2009\u202f]\d{3})+(?=\.|$)/u;
const SEPARATORS = /[, '’\u00a0\u2009\u202f]/gu;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/u;

const DOLLAR = /^\$\s*|\s*\$$/gu;
const PERCENT = /\s*%$/gu;

function readDecimal(text: string): number | undefined {
  const digits = text.trim();
  const plain = GROUPED.test(digits) ? digits.replace(SEPARATORS, '') : digits;
  // Adding 0 turns -0 into 0.
  return DECIMAL.test(plain) ? Number(plain) + 0 : undefined;
}

/** Dollars, any amount and any number of decimals: `1500`, `$1,500`, `1 500.50 $`. */
export function parseMoney(text: string): number | undefined {
  return readDecimal(text.trim().replace(DOLLAR, ''));
}

/** In percent, not a ratio: `7.5`, `80%`. */
export function parsePercent(text: string): number | undefined {
  return readDecimal(text.trim().replace(PERCENT, ''));
}

/** A whole number, zero or more: `25`, `1,000`. */
export function parseNonNegativeInteger(text: string): number | undefined {
  const value = readDecimal(text);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Whether a comma separates decimals, which could be read as thousands: `37,50`. */
export function hasDecimalComma(text: string): boolean {
  return /^[\s$]*-?\d+,\d{1,2}[\s$%]*$/u.test(text);
}

/** Whether the text has more than two decimals: the marketplace counts in dollars and cents. */
export function hasMoreThanTwoDecimals(text: string): boolean {
  return /\.\d{3}/u.test(text);
}
