/** Short references that stand both in an answer and in the log. */
import type { Random } from '../clock.ts';

/** Without letters and digits that are taken for one another. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 5;

export function createReference(random: Random): string {
  return Array.from({ length: LENGTH }, () => SIGNS[Math.floor(random() * SIGNS.length)] ?? SIGNS[0]).join(
    '',
  );
}
