/** What strangers may write. */
import * as fc from 'fast-check';
import { HOSTILE } from '../bids/bidding-samples.ts';

/** Hostile, up to huge sizes. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...HOSTILE, '`', '*', '\n\n', '&lt;'), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
