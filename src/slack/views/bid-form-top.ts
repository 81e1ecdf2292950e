/** The head of the bid modal: the project, how things stand with it, and what a bid costs. Pure. */
import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import type { BidView } from '../../bidding/bidding.ts';
import { isInDoubt, mayHaveJob } from '../../bidding/decide-bid.ts';
import { readMarketplaceJobId } from '../../bidding/read-job-id.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { isLinkWithoutId, readProjectReference } from '../../marketplace/project-key.ts';
import { readWhole } from '../../typed/numbers.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { clip, date, mention, safeUrl } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import { bidLine, otherBidLine } from '../messages/bid-lines.ts';
import { bidsNotShownText } from '../messages/bid-outcome.ts';
import { budgetLabel } from '../messages/budget-label.ts';
import {
  button,
  capital,
  confirm,
  context,
  line,
  lines,
  plainSection,
  section,
  sections,
} from '../messages/parts.ts';
import { ago } from '../messages/when.ts';
import { type BidFormFacts, chosenBid } from './bid-form-facts.ts';

const MOST_OTHERS = 5;
const MOST_NEWS = 10;
const LONGEST_TITLE = 300;

/** How the marketplace can be asked for the project; undefined where nothing names it. */
export function draftReference({ url, form }: BidDraft): ProjectReference | undefined {
  return readProjectReference(url ?? '') ?? readProjectReference(form.marketplaceJobId);
}

function openButton(url: string): Button | undefined {
  const safe = safeUrl(url);
  if (safe === undefined) return undefined;
  return { ...button({ id: actionIds.open, label: 'Open Project', value: 'open' }), url: safe };
}

function titleBlock({ title, url }: BidDraft): SectionBlock {
  const open = url === undefined ? undefined : openButton(url);
  const block = plainSection(clip(cleanLine(title), LONGEST_TITLE) || 'Untitled project');
  return open ? { ...block, accessory: open } : block;
}

function claimBlocks({ claim, draft }: BidFormFacts): KnownBlock[] {
  if (!claim) return [];
  const words = claim.by === draft.user ? 'You claimed this project' : `Claimed by ${mention(claim.by)}`;
  return [context(`:raised_hand: ${words}, ${date(claim.at)}`)];
}

/** What the bid of the chosen setup means for sending another. mrkdwn. */
function nextAttempt({ bid }: BidView): string {
  switch (bid.state) {
    case 'sending':
    case 'created':
      return 'Each setup can bid on a project once. To bid again, choose another setup.';
    case 'unknown':
    case 'refused':
    case 'skipped':
      return `${isInDoubt(bid) ? 'Check first. ' : ''}If you send it again, that's attempt ${bid.attempt + 1}.`;
  }
}

function chosenBidBlock(view: BidView): KnownBlock {
  const { bid } = view;
  const words = lines(bidLine(view), nextAttempt(view));
  if (!isInDoubt(bid)) return section(words);
  return section(words, button({ id: actionIds.bidCheck, label: 'Check', value: bid.id }));
}

/** The newest bids, and how many came before them. mrkdwn. */
function otherBids(views: readonly BidView[], draft: BidDraft, most: number): readonly string[] {
  const more = views.length - most;
  return [
    ...views.slice(0, most).map((view) => otherBidLine(view, draft.channel)),
    ...(more > 0 ? [`…and ${count(more, 'more bid')}`] : []),
  ];
}

/** The bids that kept the form from being sent, and what sending it again means. */
function newsBlocks(views: readonly BidView[], draft: BidDraft): readonly KnownBlock[] {
  if (views.length === 0) return [];
  return sections([
    bidsNotShownText(views.length),
    ...otherBids(views, draft, MOST_NEWS),
    'To send your bid anyway, press *Send Bid* again.',
  ]);
}

function bidBlocks(facts: BidFormFacts): KnownBlock[] {
  const { bids, draft, news } = facts;
  const chosen = chosenBid(facts);
  const others = bids.filter((view) => view !== chosen);
  // Those that may have a job first: what is only counted must not be what matters.
  const known = others.filter(({ bid }) => !news?.has(bid.id)).sort(byWeight);
  const told = lines(...otherBids(known, draft, MOST_OTHERS));
  return [
    ...newsBlocks(
      others.filter(({ bid }) => news?.has(bid.id)),
      draft,
    ),
    ...(chosen ? [chosenBidBlock(chosen)] : []),
    ...(told ? [context(told)] : []),
  ];
}

function byWeight(a: BidView, b: BidView): number {
  return Number(mayHaveJob(b.bid)) - Number(mayHaveJob(a.bid));
}

/** What a bid costs in connects, as far as it is known; empty where nothing is. */
function costText({ connectsPrice: price, form }: BidDraft): string {
  const boost = readWhole(form.boostConnects) ?? 0;
  if (price === undefined) return boost > 0 ? `cost: unknown + ${count(boost, 'connect')} for the boost` : '';
  if (boost > 0)
    return `cost: ${count(price + boost, 'connect')} (${price} for the bid, ${boost} for the boost)`;
  return `cost: ${count(price, 'connect')}, plus any boost`;
}

/** The job id has to be entered, although there is a link. */
function missingIdBlocks({ draft: { url, form } }: BidFormFacts): KnownBlock[] {
  if (url === undefined || !isLinkWithoutId(url)) return [];
  if (readMarketplaceJobId(form.marketplaceJobId) !== undefined) return [];
  return [section("This project's link has no `~ID`. To bid, enter the `~ID` below.")];
}

/** What only a lookup could tell, with the button that asks for it. */
function unknownBlocks({ draft }: BidFormFacts): KnownBlock[] {
  const { questions, connectsPrice } = draft;
  if (questions !== undefined && connectsPrice !== undefined) return [];
  const missing =
    questions === undefined ? 'Screening questions and connects cost unknown.' : 'Connects cost unknown.';
  if (!draftReference(draft)) return [context(missing)];
  const look = button({ id: actionIds.bidLookUp, label: 'Look Up (Max 1 Credit)', value: 'look-up' });
  return [section(missing, look)];
}

/** What decides: what the client pays, and what the bid costs. mrkdwn. */
function dealText({ draft, budget }: BidFormFacts): string {
  const pays = budgetLabel(budget);
  return capital(line(pays && `client pays ${pays}`, costText(draft)));
}

/** What stands in the form was typed before; it may be thrown away. */
function resumedBlocks({ resumedFrom }: BidDraft): KnownBlock[] {
  if (resumedFrom === undefined) return [];
  const afresh = button({
    id: actionIds.bidAfresh,
    label: 'Start Over',
    value: 'afresh',
    confirm: confirm('Start over?', 'This deletes everything you entered in this form.', 'Start Over'),
  });
  return [section(`:pencil2: Restored your draft from ${ago(resumedFrom)}.`, afresh)];
}

/** The marketplace skips a job that its location restriction rules out. Source: docs/marketplace-api.md, States. */
function restrictionBlocks({ usOnly, ukOnly }: BidDraft): KnownBlock[] {
  if (!usOnly && !ukOnly) return [];
  const places = line(usOnly ? 'US' : undefined, ukOnly ? 'UK' : undefined).replace(' · ', ' and ');
  return [
    section(
      `:warning: *${places} only.* The client only accepts freelancers from there, and the marketplace skips other bids.`,
    ),
  ];
}

export function topBlocks(facts: BidFormFacts): KnownBlock[] {
  const { draft, note } = facts;
  const deal = dealText(facts);
  return [
    titleBlock(draft),
    ...(deal ? [context(deal)] : []),
    ...restrictionBlocks(draft),
    ...(note ? [section(note)] : []),
    ...resumedBlocks(draft),
    ...claimBlocks(facts),
    ...bidBlocks(facts),
    ...unknownBlocks(facts),
    ...missingIdBlocks(facts),
  ];
}
