/** What a digest's one screen does not hold: a message of its thread. */
import type { DigestFacts } from '../../digests/facts.ts';
import { type DigestList, type DigestPart, splitDigest } from '../../digests/split-digest.ts';
import { number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { listRows, rowSections } from './digest-rows.ts';
import { context, section } from './parts.ts';

const TITLES: Readonly<Record<DigestList, string>> = {
  invitations: 'Unclaimed invitations',
  bids: 'Bids, newest first',
  outcomes: 'Proposal updates',
  unclaimed: 'Unclaimed projects, newest first',
};

/** ` (31 to 60 of 300)`; nothing where one message holds all. */
function stretchText({ from, to, total }: DigestPart): string {
  return from === 0 && to >= total ? '' : ` (${number(from + 1)} to ${number(to)} of ${number(total)})`;
}

/** @returns undefined where the digest has no such part */
export function digestPartMessage(facts: DigestFacts, part: number): Message | undefined {
  const found = splitDigest(facts)[part];
  if (!found) return undefined;
  const text = `${TITLES[found.list]}${stretchText(found)}`;
  const beyond = found.isLast ? found.total - found.to : 0;
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...rowSections(listRows(facts, found.list, found.from, found.to)),
      ...(beyond > 0 ? [context(`…and ${number(beyond)} more`)] : []),
    ],
  };
}
