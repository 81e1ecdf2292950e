/** Short references that stand both in an answer and in the log. */
import type { Random } from '../clock.ts';
import { randomId } from '../ids.ts';

/** Without letters and digits that are taken for one another. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 5;

export function createErrorReference(random: Random): string {
  return randomId(random, LENGTH, SIGNS);
}
