/** What a screen reader announces of new messages: each one if they are few, otherwise their number. Pure. */

export interface ArrivedMessage {
  readonly author: string;
  readonly words: string;
}

const LONGEST = 160;
const TOLD_SINGLY = 2;

function shorten(words: string): string {
  const flat = words.replace(/\s+/gu, ' ').trim();
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST).trimEnd()}…`;
}

/** One sentence for all messages that arrived together. */
export function arrivalAnnouncementText(arrived: readonly ArrivedMessage[], place: string): string {
  if (arrived.length === 0) return '';
  if (arrived.length > TOLD_SINGLY) return `${arrived.length} new messages in ${place}.`;
  return arrived.map(({ author, words }) => `${author}: ${shorten(words)}`).join(' ');
}
