/** Reads what people type into the bid modal's short fields. Pure. */
import { readProjectReference } from '../marketplace/project-key.ts';

/** Between groups of three digits, as people and locales write thousands. */
const GROUPED = /^\d{1,3}(?:[, \u00a0\u2009\u202f]\d{3})+(?=\.|$)/u;
const SEPARATORS = /[, \u00a0\u2009\u202f]/gu;

/** A plain decimal number without sign; thousands may be grouped. undefined: it is none. */
function readDecimal(text: string): number | undefined {
  const plain = GROUPED.test(text) ? text.replace(SEPARATORS, '') : text;
  return /^\d{1,15}(?:\.\d{1,15})?$/u.test(plain) ? Number(plain) : undefined;
}

/** `1500`, `1,500`, `$ 1 500.50`: a number, however large and with however many decimals. undefined: it is none. */
export function readAmount(text: string): number | undefined {
  return readDecimal(text.trim().replace(/^\$\s*/u, ''));
}

/** A whole number, zero or more. undefined: it is none. */
export function readWhole(text: string): number | undefined {
  const value = readDecimal(text.trim());
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether more than two decimals were typed: the marketplace counts in dollars and cents. */
export function isFinerThanCents(text: string): boolean {
  return /\.\d\d\d/u.test(text);
}

const LONGEST_JOB_ID = 100;
const JOB_ID = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_~-]+$/u;

/**
 * A marketplace job id: `~digits` or digits, a project's link (its id is taken), or a word of letters, digits, `_`, `~` and `-`,
 * at most 100 characters. undefined: it is none. Source: marketplace-api.md, "the marketplace job id (usually starts with a
 * tilde)"; what else it may be is not written down.
 */
export function readMarketplaceJobId(text: string): string | undefined {
  const reference = readProjectReference(text);
  if (reference) return 'ciphertext' in reference ? reference.ciphertext : reference.uid;
  const word = text.trim();
  return word.length <= LONGEST_JOB_ID && JOB_ID.test(word) ? word : undefined;
}

/** Whether nothing can be seen of a text: it is empty, or all blanks and unseen characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{C}\u115f\u1160\u2800\u3164\uffa0]/u.test(text);
}

/** Characters as people and the marketplace's limits count them: code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
