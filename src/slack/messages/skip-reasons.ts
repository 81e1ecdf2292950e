/** Why a project was skipped, in words. */
import type { SkipReason } from '../../feed/records.ts';

export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  'not-a-fit': 'not a fit',
  'budget-too-low': 'budget too low',
  client: 'the client',
  'too-late': 'too late',
  other: 'another reason',
};
