/**
 * Sends the stages that are due in a channel, in one transaction with the clocks and the released claims. One
 * due card gets a message in its own thread. Several at once become one message in the channel.
 */
import type { Instant } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId, type ResponseItem } from '../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { type ClockRules, createClockRules, followCard, stepClock } from './clocks.ts';
import { closeEndedItems, closeItems } from './ended-items.ts';
import {
  type ResponseClock,
  type ResponseSettings,
  type ResponseTarget,
  responseClocks,
  responseSettings,
} from './records.ts';
import { readResponseSettings } from './response.ts';
import { chooseTarget, findClaimExpiry, listStageTargets, stageKey, targetId } from './stages.ts';
import { readWatchedCard, type WatchedCard } from './watched-cards.ts';

/** Per transaction, which delays other writers. More are due only after a long downtime. */
const MOST_DUE = 100;
const MOST_LISTED = 10;
/** More people at once is a crowd. */
const MOST_MENTIONED = 10;

interface DueCard {
  readonly clock: ResponseClock;
  readonly card: WatchedCard;
  readonly item: ResponseItem;
}

export interface ClockContext {
  /** IANA name, for channels without their own. */
  readonly timezone: string;
}

/** undefined: the channel's clock is off. */
export async function readClockRules(
  tx: ReadTransaction,
  { timezone }: ClockContext,
  channel: ChannelId,
  now: Instant,
): Promise<ClockRules<ResponseSettings> | undefined> {
  const settings = await readResponseSettings(tx, channel);
  if (!settings?.isOn) return undefined;
  return createClockRules(settings, await readChannelSettings(tx, channel), timezone, now);
}

function itemOf(
  clock: ResponseClock,
  card: WatchedCard,
  stage: ResponseItem['stage'],
  { plan, work }: ClockRules,
): ResponseItem {
  return {
    stage,
    of: card.of,
    card: clock.post,
    title: card.title,
    since: card.claim?.at ?? clock.since,
    claimedBy: card.claim?.by,
    expiresAt: stage === 'warning' ? findClaimExpiry(clock.since, plan, work) : undefined,
  };
}

/** The clock after its stage. A second nudge makes the first one's buttons pointless. */
async function passStage(tx: Transaction, { clock, card, item }: DueCard, rules: ClockRules) {
  if (item.stage === 'expiry') {
    // The card is free again, and its clock restarts.
    await card.release(tx);
    const released = { ...card, claim: undefined, wasClaimed: true };
    const closed = await closeItems(tx, clock, () => ({ what: 'expired' }));
    return stepClock(followCard(closed, released, rules.now), released, rules).clock;
  }
  const next = stepClock(clock, card, rules).clock;
  if (item.stage !== 'lead') return next;
  return closeItems(tx, next, ({ stage }) => (stage === 'nudge' ? { what: 'again' } : undefined));
}

async function collectDueCards(tx: Transaction, rules: ClockRules<ResponseSettings>) {
  const { channel } = rules.plan;
  const range = { index: 'byDue', prefix: [channel], to: [rules.now + 1], limit: MOST_DUE } as const;
  const due: DueCard[] = [];
  for (const { value } of await tx.list(responseClocks, range)) {
    const card = await readWatchedCard(tx, value, rules.channel);
    const step = stepClock(value, card, rules);
    const clock = await closeEndedItems(tx, step.clock, card, rules.plan);
    if (step.kind === 'due' && card) due.push({ clock, card, item: itemOf(clock, card, step.stage, rules) });
    else await tx.put(responseClocks, clock);
  }
  return due;
}

/** Each person and group once, over all cards. */
function resolveMentions(
  items: readonly ResponseItem[],
  { plan }: ClockRules,
  unavailable: ReadonlySet<string>,
) {
  const users = new Set<UserId>();
  const groups = new Set<string>();
  const skipped = new Map<string, ResponseTarget>();
  for (const { stage, claimedBy } of items) {
    if (claimedBy) users.add(claimedBy);
    const chosen = chooseTarget(listStageTargets(stage, plan), unavailable);
    for (const each of chosen.skipped) skipped.set(targetId(each), each);
    if (chosen.target?.kind === 'person') users.add(chosen.target.user);
    if (chosen.target?.kind === 'group') groups.add(chosen.target.group);
  }
  const mention = {
    users: [...users].slice(0, MOST_MENTIONED),
    groups: [...groups].slice(0, MOST_MENTIONED),
  };
  return { mention, skipped: [...skipped.values()] };
}

/** The stage keys of a card never repeat, so neither does this. */
function messageIdOf({ clock, item }: DueCard): PostId {
  return PostId.parse(`response:${clock.channel}:${stageKey(item.stage, clock)}:${clock.post}`);
}

async function enqueueMessage(
  tx: Transaction,
  channel: ChannelId,
  due: readonly DueCard[],
  { mention }: ReturnType<typeof resolveMentions>,
  at: Instant,
): Promise<void> {
  const [first] = due;
  if (!first) return;
  const items = due.map(({ item }) => item).slice(0, MOST_LISTED);
  const isAlone = due.length === 1;
  await enqueuePost(tx, {
    id: messageIdOf(first),
    channel,
    content: { kind: 'response', items, more: due.length - items.length, mention },
    under: isAlone ? first.clock.post : undefined,
    order: isAlone ? Math.max(at, first.card.post.order) : at,
    at,
  });
}

/** Remembers who couldn't be mentioned: the settings form says it. */
async function noteSkipped(tx: Transaction, settings: ResponseSettings, skipped: readonly ResponseTarget[]) {
  const known = new Set((settings.skipped ?? []).map(targetId));
  const more = skipped.filter((each) => !known.has(targetId(each)));
  if (more.length === 0) return;
  const noted = { ...settings, skipped: [...(settings.skipped ?? []), ...more] };
  await tx.put(responseSettings, noted);
}

/**
 * Sends what is due now, each stage of each card once.
 * @param unavailable IDs of people and groups that can't be mentioned
 * @returns whether more may be due
 */
export async function postDueStages(
  tx: Transaction,
  context: ClockContext,
  channel: ChannelId,
  unavailable: ReadonlySet<string>,
  now: Instant,
): Promise<boolean> {
  const rules = await readClockRules(tx, context, channel, now);
  if (!rules) return false;
  const due = await collectDueCards(tx, rules);
  const items = due.map(({ item }) => item);
  const mentions = resolveMentions(items, rules, unavailable);
  const [first] = due;
  for (const [at, each] of due.entries()) {
    const { open = [], ...clock } = await passStage(tx, each, rules);
    const messages = first && at < MOST_LISTED ? [...open, messageIdOf(first)] : open;
    await tx.put(responseClocks, { ...clock, open: messages });
  }
  await noteSkipped(tx, rules.plan, mentions.skipped);
  await enqueueMessage(tx, channel, due, mentions, now);
  return due.length === MOST_DUE;
}
