/** A message in the digest's thread, with what doesn't fit in the digest. Pure. */
import type { DigestFacts } from '../../digests/facts.ts';
import { type DigestListName, type DigestThreadPart, splitDigestThread } from '../../digests/split-digest.ts';
import type { Message } from '../core/routes.ts';
import { contextBlock, sectionBlock } from '../kit/block-builders.ts';
import { formatNumber } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { bulletListSections, digestRows } from './digest-rows.ts';

const TITLES: Readonly<Record<DigestListName, string>> = {
  invitations: 'Unclaimed invitations',
  bids: 'Bids, newest first',
  outcomes: 'Proposal updates',
  unclaimed: 'Unclaimed projects, newest first',
};

/** ` (31 to 60 of 300)`; empty if one message contains all. */
function stretchText({ from, to, total }: DigestThreadPart): string {
  return from === 0 && to >= total
    ? ''
    : ` (${formatNumber(from + 1)} to ${formatNumber(to)} of ${formatNumber(total)})`;
}

/** @returns undefined if the digest has no such part */
export function digestThreadPartMessage(facts: DigestFacts, part: number): Message | undefined {
  const found = splitDigestThread(facts)[part];
  if (!found) return undefined;
  const text = `${TITLES[found.list]}${stretchText(found)}`;
  const beyond = found.isLast ? andMoreText(found.total - found.to) : undefined;
  return {
    text,
    blocks: [
      sectionBlock(`*${text}*`),
      ...bulletListSections(digestRows(facts, found.list, found.from, found.to)),
      ...(beyond ? [contextBlock(beyond)] : []),
    ],
  };
}
