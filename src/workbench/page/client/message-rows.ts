/** What stands in the list of messages, line by line: days, the line above what is new, messages in groups. Pure. */
import type { ShownMessage } from '../protocol.ts';

export type MessageListRow =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: ShownMessage;
      /** Of the same author as the one above, shortly after: without a head of its own. */
      readonly follows: boolean;
    };

const GROUP_MS = 5 * 60_000;

/** More than words: drawn with a frame around it. */
export function isCard({ blocks }: ShownMessage): boolean {
  return blocks.some(({ kind }) => kind === 'actions' || kind === 'input');
}

/** Notes for one reader never join those for all, and what has something to press stands by itself. */
function followsOn(before: ShownMessage | undefined, message: ShownMessage): boolean {
  return (
    before !== undefined &&
    before.author === message.author &&
    before.byBot === message.byBot &&
    before.onlyMe === message.onlyMe &&
    !isCard(before) &&
    !isCard(message) &&
    message.at - before.at < GROUP_MS
  );
}

/** `formatIsoDay`: the calendar day of a moment in the reader's time zone, any words that tell days apart. */
export function buildMessageRows(
  messages: readonly ShownMessage[],
  dayOf: (at: number) => string,
  firstNew?: string,
): readonly MessageListRow[] {
  const rows: MessageListRow[] = [];
  let before: ShownMessage | undefined;
  for (const message of messages) {
    const day = dayOf(message.at);
    const isNewDay = before === undefined || dayOf(before.at) !== day;
    if (isNewDay) rows.push({ kind: 'day', key: `day ${day}`, at: message.at });
    const isFirstNew = message.ts === firstNew;
    if (isFirstNew) rows.push({ kind: 'new', key: 'new' });
    const follows = !isNewDay && !isFirstNew && followsOn(before, message);
    rows.push({ kind: 'message', key: message.ts, message, follows });
    before = message;
  }
  return rows;
}
