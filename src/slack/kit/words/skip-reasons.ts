/** Labels for the reasons to skip a project. Pure. */
import type { SkipReason } from '../../../feed/records.ts';

export const SKIP_REASON_LABELS: Readonly<Record<SkipReason, string>> = {
  'not-a-fit': 'not a fit',
  'budget-too-low': 'budget too low',
  client: 'poor client',
  'too-late': 'too old or too many bids',
  other: 'another reason',
};
