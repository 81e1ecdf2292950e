/** Asks admins to confirm a new channel that spends credits; shows the decision once there is one. Pure. */
import type { BudgetRecord } from '../../credits/records.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatDate, formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { codeText } from '../kit/query-error.ts';

function whoText({ announced }: BudgetRecord): string {
  if (!announced) return '';
  const { by, subscribed } = announced;
  if (by === undefined) return '';
  return `${formatMention(by)} ${subscribed ? 'subscribed there' : 'looked up a project there'}. `;
}

/** @param limit the channel's credits once it is confirmed */
export function budgetConfirmationMessage(record: BudgetRecord, limit: number): Message {
  const { channel, confirmed, limit: own, by } = record;
  const place = channelLink(channel);
  if (own !== undefined && by !== undefined) {
    if (own === 'unlimited') return { text: `✅ ${formatMention(by)} removed the credit limit of ${place}.` };
    return {
      text:
        `✅ ${formatMention(by)} set the budget of ${place} to ${formatCount(own, 'credit')} per billing ` +
        'period.',
    };
  }
  if (confirmed) {
    const has = `It now has its own budget of ${formatCount(limit, 'credit')} per billing period`;
    const text = `✅ ${formatMention(confirmed.by)} confirmed ${place}. ${has}.`;
    return { text, blocks: [sectionBlock(text), contextBlock(formatDate(confirmed.at))] };
  }
  const text = `${place} has started to spend project credits.`;
  return {
    text,
    blocks: [
      sectionBlock(
        joinLines(
          `*${text}*`,
          `${whoText(record)}Until an admin confirms it, ` +
            `it shares ${formatCount(limit, 'credit')} per billing period with all unconfirmed channels. ` +
            `Once confirmed, it gets its own ${formatCount(limit, 'credit')}.`,
        ),
      ),
      actionsBlock([
        {
          ...buttonElement({ id: actionIds.budgetConfirm, label: 'Confirm Budget', value: channel }),
          style: 'primary',
        },
      ]),
      contextBlock(`To set a different amount, run ${codeText('/gig budget <credits>')} in that channel.`),
    ],
  };
}
