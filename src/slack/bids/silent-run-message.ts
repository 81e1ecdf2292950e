/** The warning about a run of bids without an answer. Pure. */
import type { PostContentOf } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, joinLines, textMessage } from '../kit/block-builders.ts';
import { commandButton } from '../kit/command-button.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';

type Run = PostContentOf<'silent-run'>;

export function silentRunMessage({ bids, from, to, usualPercent }: Run): Message {
  const usual =
    usualPercent === undefined
      ? ''
      : ` Usually, about ${formatNumber(usualPercent)}% of your proposals get one.`;
  const words = joinLines(
    `:warning: *The last ${formatCount(bids, 'bid')} from this channel got no view and no interview.*`,
    `Sent ${formatDate(from)} to ${formatDate(to)}.${usual}`,
    'Check the letters, the rates, and which projects you bid on before you spend more connects.',
  );
  return textMessage(words, actionsBlock([commandButton({ command: 'stats', label: 'Show Statistics' })]));
}
