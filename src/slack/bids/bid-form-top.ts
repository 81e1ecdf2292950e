/** The top of the bid modal: the project, its bids, and what a bid costs. Pure. */
import type { KnownBlock, SectionBlock } from '@slack/types';
import type { BidDraft, BidWithJob } from '../../bidding/bidding.ts';
import { isUncertainBid, mayBidHaveJob } from '../../bidding/decide-bid.ts';
import { parseMarketplaceJobId } from '../../bidding/validate-bid-form.ts';
import { hasLinkWithoutProjectId } from '../../marketplace/project-key.ts';
import { parseNonNegativeInteger } from '../../typed/numbers.ts';
import {
  buttonElement,
  capitalize,
  confirmDialog,
  contextBlock,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
  sectionBlocks,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanLine, clipText, formatDate, formatMention, formatTimeAgo, safeUrl } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { clientLine } from '../kit/project/client.ts';
import { cardFitText } from '../kit/project/fit-text.ts';
import { projectBudgetText, verdictLine } from '../kit/project/project-lines.ts';
import { listProjectRedFlags } from '../kit/project/red-flags.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { type BidFormFacts, draftProjectReference, findDuplicateBid } from './bid-form-facts.ts';
import { bidLine, otherBidLine } from './bid-lines.ts';
import { bidsMissingFromFormText } from './bid-outcome.ts';
import { formWarningBlocks } from './bid-warnings.ts';

const MOST_OTHERS = 5;
const MOST_NEWS = 10;
const LONGEST_TITLE = 300;

function titleBlock({ title, url = '' }: BidDraft): SectionBlock {
  const block = plainTextSection(clipText(cleanLine(title), LONGEST_TITLE) || 'Untitled project');
  const safe = safeUrl(url);
  const open = buttonElement({ id: actionIds.openLink, label: 'Open Project', value: 'open' });
  return safe === undefined ? block : { ...block, accessory: { ...open, url: safe } };
}

function claimBlocks({ claim, draft }: BidFormFacts): KnownBlock[] {
  if (!claim) return [];
  const isOwn = claim.by === draft.user;
  const words = isOwn ? 'You claimed this project' : `Claimed by ${formatMention(claim.by)}`;
  return [contextBlock(`:raised_hand: ${words} (${formatDate(claim.at)})`)];
}

function nextAttempt({ bid }: BidWithJob): string {
  switch (bid.state) {
    case 'held':
    case 'sending':
    case 'created':
      return 'Each setup can bid on a project once. To bid again, choose another setup.';
    case 'unknown':
    case 'refused':
    case 'skipped':
      return `${isUncertainBid(bid) ? 'Check first. ' : ''}Sending again will be attempt ${bid.attempt + 1}.`;
  }
}

function chosenBidBlock(view: BidWithJob): KnownBlock {
  const { bid } = view;
  const words = joinLines(bidLine(view), nextAttempt(view));
  if (!isUncertainBid(bid)) return sectionBlock(words);
  return sectionBlock(words, buttonElement({ id: actionIds.bidCheck, label: 'Check', value: bid.id }));
}

function otherBids(views: readonly BidWithJob[], draft: BidDraft, most: number): readonly string[] {
  const more = views.length - most;
  return [
    ...views.slice(0, most).map((view) => otherBidLine(view, draft.channel)),
    ...(more > 0 ? [`…and ${formatCount(more, 'more bid')}`] : []),
  ];
}

function newsBlocks(views: readonly BidWithJob[], draft: BidDraft): readonly KnownBlock[] {
  if (views.length === 0) return [];
  return sectionBlocks([
    bidsMissingFromFormText(views.length),
    ...otherBids(views, draft, MOST_NEWS),
    'To send your bid anyway, press *Send Bid* again.',
  ]);
}

function bidBlocks(facts: BidFormFacts): KnownBlock[] {
  const { bids, draft, bidsNotShownBefore } = facts;
  const chosen = findDuplicateBid(facts);
  const others = bids.filter((view) => view !== chosen);
  // Bids that may have a job come first, so that the important ones are not only counted.
  const weight = ({ bid }: BidWithJob) => Number(mayBidHaveJob(bid));
  const known = others
    .filter(({ bid }) => !bidsNotShownBefore?.has(bid.id))
    .sort((a, b) => weight(b) - weight(a));
  const othersText = joinLines(...otherBids(known, draft, MOST_OTHERS));
  const news = others.filter(({ bid }) => bidsNotShownBefore?.has(bid.id));
  return [
    ...newsBlocks(news, draft),
    ...(chosen ? [chosenBidBlock(chosen)] : []),
    ...(othersText ? [contextBlock(othersText)] : []),
  ];
}

function costText({ connectsPrice: price, form }: BidDraft): string {
  const boost = parseNonNegativeInteger(form.boostConnects) ?? 0;
  if (price === undefined)
    return boost > 0 ? `cost: unknown + ${formatCount(boost, 'connect')} for the boost` : '';
  if (boost > 0)
    return `cost: ${formatCount(price + boost, 'connect')} (${price} for the bid, ${boost} for the boost)`;
  return `cost: ${formatCount(price, 'connect')}, plus any boost`;
}

function unknownBlocks({ draft }: BidFormFacts): KnownBlock[] {
  const { questions, connectsPrice } = draft;
  if (questions !== undefined && connectsPrice !== undefined) return [];
  const missing =
    questions === undefined
      ? "The screening questions and this bid's price in connects aren't known yet."
      : "This bid's price in connects isn't known yet.";
  if (!draftProjectReference(draft)) return [contextBlock(missing)];
  const look = buttonElement({ id: actionIds.bidLookUp, label: 'Look Up (1 Credit)', value: 'look-up' });
  return [sectionBlock(missing, look)];
}

/** `An interview costs about 192 connects (120 to 330), from 163 proposals in 30 days`. mrkdwn. */
function answerCostText({ answerCost }: BidFormFacts): string | undefined {
  if (!answerCost) return undefined;
  const { connects, low, high, proposals, days } = answerCost;
  const range = `${formatNumber(low)} to ${formatNumber(high)}`;
  return (
    `An interview costs you about ${formatCount(Math.round(connects), 'connect')} (${range}), ` +
    `based on ${formatNumber(proposals)} proposals in ${formatNumber(days)} days`
  );
}

const LONGEST_REASON = 300;

function projectBlocks({ project, fit }: BidFormFacts): KnownBlock[] {
  if (!project) return [];
  const { client, description, verdict } = project;
  const clientText = clientLine(client);
  const flags = description === undefined ? [] : listProjectRedFlags({ ...project, description });
  const words = joinLines(
    clientText && `Client: ${clientText}`,
    flags.length > 0 ? `:triangular_flag_on_post: ${flags.join(' · ')}` : undefined,
    verdictLine(verdict, LONGEST_REASON),
    cardFitText(fit),
  );
  return words ? [sectionBlock(words)] : [];
}

function resumedBlocks({ resumedFrom }: BidDraft): KnownBlock[] {
  if (resumedFrom === undefined) return [];
  const afresh = buttonElement({
    id: actionIds.bidStartOver,
    label: 'Start Over',
    value: 'afresh',
    confirm: confirmDialog('Start over?', 'This deletes everything you entered in this form.', 'Start Over'),
  });
  return [sectionBlock(`:pencil2: Restored your draft from ${formatTimeAgo(resumedFrom)}.`, afresh)];
}

/** The marketplace skips a job that this rules out. Source: docs/marketplace-api.md, States. */
function restrictionBlocks({ usOnly, ukOnly }: BidDraft): KnownBlock[] {
  if (!usOnly && !ukOnly) return [];
  const places = joinFacts(usOnly ? 'US' : undefined, ukOnly ? 'UK' : undefined).replace(' · ', ' and ');
  const why = 'The client only accepts freelancers from there, and the marketplace skips other bids.';
  return [alertBlock('warning', `*${places} only.* ${why}`)];
}

export function bidFormTopBlocks(facts: BidFormFacts): KnownBlock[] {
  const { draft, budget, note } = facts;
  const pays = projectBudgetText(budget);
  const price = capitalize(joinFacts(pays && `client's budget: ${pays}`, costText(draft)));
  const deal = joinLines(price, answerCostText(facts));
  const hasNoId =
    hasLinkWithoutProjectId(draft.url ?? '') &&
    parseMarketplaceJobId(draft.form.marketplaceJobId) === undefined;
  return [
    titleBlock(draft),
    ...(deal ? [contextBlock(deal)] : []),
    ...projectBlocks(facts),
    ...restrictionBlocks(draft),
    ...formWarningBlocks(facts),
    ...textSections(note),
    ...resumedBlocks(draft),
    ...claimBlocks(facts),
    ...bidBlocks(facts),
    ...unknownBlocks(facts),
    ...textSections(hasNoId ? "This project's link has no `~ID`. To bid, enter the `~ID` below." : undefined),
  ];
}
