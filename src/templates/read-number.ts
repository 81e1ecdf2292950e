/** Reads a number as people type it. Pure. */

/** Between groups of three digits, as people and locales write thousands. */
const GROUPED = /^-?\d{1,3}(?:[, '’\u00a0\u2009\u202f]\d{3})+(?=\.|$)/u;
const SEPARATORS = /[, '’\u00a0\u2009\u202f]/gu;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/u;

/** Without what stands around the digits: blanks, a `$` before or behind, a `%` behind. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^\$\s*|\s*[$%]$/gu, '')
    .trim();
}

/** `1500`, `$1,500`, `1 500.50 $`, `7.5%`; undefined: it is no number. */
export function readNumber(text: string): number | undefined {
  const digits = bare(text);
  const plain = GROUPED.test(digits) ? digits.replace(SEPARATORS, '') : digits;
  // Adding 0 makes the 0 of “-0” plain.
  return DECIMAL.test(plain) ? Number(plain) + 0 : undefined;
}

/** Whether somebody wrote decimals with a comma, which could be taken for thousands. */
export function hasDecimalComma(text: string): boolean {
  return /^-?\d+,\d{1,2}$/u.test(bare(text));
}

/** Whether more than two decimals were typed. */
export function isFinerThanCents(text: string): boolean {
  return /\.\d{3}/u.test(text);
}
