/** Parses a typed job reference. Pure. */
import { parseProjectReference } from '../marketplace/project-key.ts';

const LONGEST_JOB_ID = 100;
const JOB_ID = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_~-]+$/u;

/**
 * A marketplace job id: `~digits` or digits, a project link (its id is used), or a word of letters, digits,
 * `_`, `~` and `-`, at most 100 characters. undefined: invalid. Source: marketplace-api.md, "the marketplace
 * job id (usually starts with a tilde)"; other forms are undocumented.
 */
export function parseMarketplaceJobId(text: string): string | undefined {
  const reference = parseProjectReference(text);
  if (reference) return 'ciphertext' in reference ? reference.ciphertext : reference.uid;
  const word = text.trim();
  return word.length <= LONGEST_JOB_ID && JOB_ID.test(word) ? word : undefined;
}
