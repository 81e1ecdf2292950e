/** A channel that no admin has confirmed spends credits: for admins, with the answer once there is one. Pure. */
import type { BudgetRecord } from '../../credits/records.ts';
import { actionIds } from '../blocks/ids.ts';
import { channelLink, date, mention } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { actions, button, context, lines, section } from './parts.ts';

function whoText({ announced }: BudgetRecord): string {
  if (!announced) return '';
  const { by, subscribed } = announced;
  if (by === undefined) return '';
  return `${mention(by)} ${subscribed ? 'subscribed there' : 'looked up a project there'}. `;
}

/** @param limit credits that the channel has once it is confirmed */
export function newBudgetMessage(record: BudgetRecord, limit: number): Message {
  const { channel, confirmed, limit: own, by } = record;
  const place = channelLink(channel);
  if (own !== undefined && by !== undefined) {
    if (own === 'unlimited') return { text: `✅ ${mention(by)} removed the credit limit of ${place}.` };
    return {
      text: `✅ ${mention(by)} set the budget of ${place} to ${count(own, 'credit')} per billing period.`,
    };
  }
  if (confirmed) {
    const has = `It now has its own budget of ${count(limit, 'credit')} per billing period`;
    const text = `✅ ${mention(confirmed.by)} confirmed ${place}. ${has}.`;
    return { text, blocks: [section(text), context(date(confirmed.at))] };
  }
  const text = `${place} has started to spend project credits.`;
  return {
    text,
    blocks: [
      section(
        lines(
          `*${text}*`,
          `${whoText(record)}Until an admin confirms it, it shares ${count(limit, 'credit')} per billing period with all unconfirmed channels. Once confirmed, it gets its own ${count(limit, 'credit')}.`,
        ),
      ),
      actions([
        {
          ...button({ id: actionIds.budgetConfirm, label: 'Confirm Budget', value: channel }),
          style: 'primary',
        },
      ]),
      context('To set a different amount, run `/gig budget <credits>` in that channel.'),
    ],
  };
}
