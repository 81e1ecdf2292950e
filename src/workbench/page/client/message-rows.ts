/** The rows of the message list: days, the "New" line, and messages in groups. Pure. */
import type { ShownMessage } from '../protocol.ts';

export type MessageListRow =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: ShownMessage;
      /** From the same author as the message above, shortly after it: shown without author and time. */
      readonly follows: boolean;
    };

const GROUP_MS = 5 * 60_000;

/** A message with more than text gets a frame. */
export function hasInteractiveBlocks({ blocks }: ShownMessage): boolean {
  return blocks.some(({ kind }) => kind === 'actions' || kind === 'input' || kind === 'data-table');
}

/** Ephemeral messages never join public ones, and cards join no group. */
function followsOn(before: ShownMessage | undefined, message: ShownMessage): boolean {
  return (
    before !== undefined &&
    before.author === message.author &&
    before.byBot === message.byBot &&
    before.onlyMe === message.onlyMe &&
    !hasInteractiveBlocks(before) &&
    !hasInteractiveBlocks(message) &&
    message.at - before.at < GROUP_MS
  );
}

/** `dayOf`: the calendar day of a moment in the reader's time zone, as text that differs from day to day. */
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
