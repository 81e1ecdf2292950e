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
    const amount = own === 'unlimited' ? 'no limit of its own' : `${count(own, 'credit')} a billing period`;
    return { text: `✅ ${mention(by)} set the budget of ${place}: it has ${amount}.` };
  }
  if (confirmed) {
    const has = `it has ${count(limit, 'credit')} a billing period to itself`;
    const text = `✅ ${mention(confirmed.by)} confirmed ${place}: ${has}.`;
    return { text, blocks: [section(text), context(date(confirmed.at))] };
  }
  const text = `${place} is a new channel that spends project credits.`;
  return {
    text,
    blocks: [
      section(
        lines(
          `*${text}*`,
          `${whoText(record)}Until an admin confirms it, it shares ${count(limit, 'credit')} a billing period with all unconfirmed channels. Once confirmed, it has ${count(limit, 'credit')} to itself.`,
        ),
      ),
      actions([
        {
          ...button({ id: actionIds.budgetConfirm, label: 'Confirm Budget', value: channel }),
          style: 'primary',
        },
      ]),
      context('To set another amount, run `/gig budget <credits>` in that channel.'),
    ],
  };
}
