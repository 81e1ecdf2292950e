/** A project's budget, in the server's own labels. Pure. */
import type { ListedProject } from '../../../marketplace/schema.ts';
import { safeLine } from '../mrkdwn.ts';

/** `$500 fixed`, `$30-$50 hourly`; undefined if unknown. mrkdwn. */
export function projectBudgetText(budget: ListedProject['budget']): string | undefined {
  const amount = safeLine(budget?.amount ?? '', 40);
  const type = safeLine(budget?.type ?? '', 30).toLowerCase();
  return [amount, type].filter((part) => part !== '').join(' ') || undefined;
}
