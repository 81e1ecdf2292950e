/** What in a digest needs an answer: bids that wait for a person, and unclaimed invitations. Pure. */
import type { SectionBlock } from '@slack/types';
import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN } from '../../digests/split-digest.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import {
  type ButtonFacts,
  buttonElement,
  joinFacts,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import type { MessageLinks } from '../kit/message-link.ts';
import { clipText, formatLink, safeUrl } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { bidRow, type DigestBid, invitationRow, moreInThreadText } from './digest-rows.ts';

interface ItemToAnswer {
  /** mrkdwn. */
  readonly text: string;
  /** Plain, for screen readers. */
  readonly title: string;
  readonly post: PostId;
  /** The step it waits for; undefined: only its message has one. */
  readonly step?: Pick<ButtonFacts, 'id' | 'label' | 'value'> | undefined;
}

/** Someone must approve it, or find out whether it was created. */
export function needsAnswer({ waitsForApproval, state, job }: DigestBid): boolean {
  return waitsForApproval || (state === 'unknown' && job === undefined);
}

/** Where each is done, the rights of its own channel are checked. */
function stepOfBid({ waitsForApproval, job, bid }: DigestBid): ItemToAnswer['step'] {
  if (waitsForApproval && job !== undefined)
    return { id: actionIds.jobReview, label: 'Review', value: String(job) };
  return bid === undefined ? undefined : { id: actionIds.bidCheck, label: 'Check', value: bid };
}

function listItemsToAnswer(facts: DigestFacts): readonly ItemToAnswer[] {
  const bids = facts.bids.list.filter(needsAnswer).slice(0, DIGEST_ROWS_SHOWN.bids);
  const invitations = facts.invitations.list.slice(0, DIGEST_ROWS_SHOWN.invitations);
  return [
    ...bids.map((bid) => ({ text: bidRow(bid), title: bid.title, post: bid.post, step: stepOfBid(bid) })),
    ...invitations.map((each) => ({
      text: `Invitation: ${invitationRow(each, facts)}`,
      title: each.title,
      post: each.post,
      step: { id: actionIds.invitationOpen, label: 'Details', value: each.uid },
    })),
  ];
}

/** The posts to which the main message links. */
export function listLinkedPosts(facts: DigestFacts): readonly PostId[] {
  const best = facts.projects.best.slice(0, DIGEST_ROWS_SHOWN.best);
  return [
    ...best.map(({ project }) => cardPostId(facts.channel, project)),
    ...listItemsToAnswer(facts).map(({ post }) => post),
  ];
}

/** Slack cuts longer rows anyway. */
const LONGEST_ROW = 600;

function itemSection({ text, title, post, step }: ItemToAnswer, links: MessageLinks): SectionBlock {
  const url = safeUrl(links.get(post) ?? '');
  const row = clipText(text, LONGEST_ROW);
  if (step) {
    const accessibilityLabel = `${step.label}: ${title}`;
    const link = url === undefined ? undefined : formatLink(url, 'Open card');
    return sectionBlock(joinFacts(row, link), buttonElement({ ...step, accessibilityLabel }));
  }
  if (url === undefined) return sectionBlock(row);
  const label = { label: 'Open', accessibilityLabel: `Open: ${title}` };
  return sectionBlock(row, { ...buttonElement({ id: actionIds.openLink, value: 'open', ...label }), url });
}

/** Items with a button for their next step, else for their message. Empty if nothing needs an answer. */
export function needsAnswerSections(facts: DigestFacts, links: MessageLinks): readonly SectionBlock[] {
  const { bids, invitations } = facts;
  const waiting = bids.list.filter(needsAnswer).length;
  const count = waiting + invitations.waiting;
  if (count === 0) return [];
  const items = listItemsToAnswer(facts);
  const kinds = [
    waiting > 0 ? formatCount(waiting, 'bid') : '',
    invitations.waiting > 0 ? formatCount(invitations.waiting, 'unclaimed invitation') : '',
  ].filter((words) => words !== '');
  return [
    sectionBlock(`*Needs an answer:* ${kinds.join(', ')}`),
    ...items.map((each) => itemSection(each, links)),
    ...textSections(moreInThreadText(count - items.length)),
  ];
}
