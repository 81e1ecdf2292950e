/** Short references that appear both in a reply and in the log. */
import type { RandomSource } from '../../clock.ts';
import { randomId } from '../../ids.ts';

/** Without characters that look alike. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 5;

export function createErrorReference(random: RandomSource): string {
  return randomId(random, LENGTH, SIGNS);
}
