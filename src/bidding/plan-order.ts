/**
 * What a channel's rules for spending make of a bid or an approval, in the transaction that claims it: it is
 * sent at once, waits, or isn't sent.
 */
import { HOUR, type Instant } from '../clock.ts';
import { extractPreferences, readChannelSettings } from '../feed/channels.ts';
import { listFoundChannels } from '../feed/find-project.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { ListedProject, ProposalTemplate } from '../marketplace/schema.ts';
import { budgetType, largestAmount, largestBudget } from '../query/project-rules.ts';
import type { SetupService } from '../setups/setups.ts';
import { countConnects, findSecondNeed, joinRules, type OrderFacts } from '../spending/decide-rules.ts';
import { beginHold, isTooSoon, type SecondNeed, type SpendingHold } from '../spending/hold.ts';
import { type CapExceeded, readSpendingRules, type SpendingRules } from '../spending/spending.ts';
import { reserveConnects, type WeekPlace } from '../spending/weekly-connects.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  type ApprovalSubject,
  findConnectsPrice,
  hashApprovalFacts,
  listApprovalFacts,
} from './approval-request.ts';
import type { ApprovalFact } from './records.ts';

/** A bid, or an approval of a job. */
export interface Order {
  readonly channel: ChannelId;
  readonly subject: ApprovalSubject;
  /** Who sends the bid, or approves the job first. */
  readonly sender: UserId;
  /** The bidder and all who asked for the job's approval; missing for a bid. */
  readonly askers?: readonly UserId[];
  /** `connectsRef` of the bid or job. */
  readonly ref: string;
}

/** Nothing was sent: the bid names a time that comes before the end of the cancel window. */
export interface TooSoon {
  readonly kind: 'too-soon';
  /** Of the cancel window. */
  readonly seconds: number;
}

type OrderPlan =
  | { readonly kind: 'send' }
  | { readonly kind: 'hold'; readonly hold: SpendingHold; readonly shown: ApprovalFact[] }
  /** The person asked for it, so others must approve it. */
  | { readonly kind: 'own' }
  | CapExceeded;

interface OrderRules {
  readonly rules: SpendingRules;
  /** Until silence counts as no; 0: never. */
  readonly hours: number;
  readonly need: SecondNeed | undefined;
}

/** Of the project that is sent: what isn't known to be that one's counts as unknown. */
function factsOf(subject: ApprovalSubject, template?: ProposalTemplate): OrderFacts {
  const { bid, job, project, doubt } = subject;
  // The price is that of the job ID; before there is a job, a project ID may name another project.
  const isPriced = job.id !== undefined || bid?.request.projectId === undefined;
  const named = { ours: bid?.request.bidAmount, theirs: job.bidAmount, template };
  return {
    amount: findBidAmount(named, doubt ? undefined : project?.budget),
    price: isPriced ? findConnectsPrice(subject) : undefined,
    boost: bid && (bid.request.boostConnects ?? 0),
    client: project && !doubt ? project.client : undefined,
  };
}

/** More channels with one project are as good as never. */
const MOST_CHANNELS = 50;

/** Also of all channels that found the project: a bid from another channel avoids no rule. */
/** A bid from another channel that found the project, or from a direct message, avoids no rule. */
async function listRules(
  tx: ReadTransaction,
  { channel, subject: { job, bid } }: Pick<Order, 'channel' | 'subject'>,
): Promise<{ readonly own: SpendingRules; readonly others: readonly SpendingRules[] }> {
  const own = await readSpendingRules(tx, channel);
  const marketplaceJobId = job.marketplaceJobId ?? bid?.request.marketplaceJobId;
  const names = { project: bid?.project ?? job.project, marketplaceJobId };
  const others: SpendingRules[] = [];
  for (const each of await listFoundChannels(tx, names, MOST_CHANNELS))
    if (each !== channel) others.push(await readSpendingRules(tx, each));
  return { own, others };
}

/** The form and Review read it when they open. One that was read earlier may have been changed since. */
const TEMPLATE_KNOWN_MS = HOUR;

/** Until silence counts as no; 0: never. */
export async function readApprovalHours(tx: ReadTransaction, { channel }: Pick<Order, 'channel'>) {
  return extractPreferences(await readChannelSettings(tx, channel)).approvalHours;
}

export async function readOrderRules(
  tx: ReadTransaction,
  setups: Pick<SetupService, 'findKnownTemplate'>,
  order: Omit<Order, 'sender' | 'ref'>,
): Promise<OrderRules> {
  const { own, others } = await listRules(tx, order);
  const rules = others.reduce(joinRules, own);
  const { template } = order.subject;
  const known =
    template && template !== 'none' ? setups.findKnownTemplate(template.id, TEMPLATE_KNOWN_MS) : undefined;
  const facts = factsOf(order.subject, known);
  const need = findSecondNeed(own, others, facts, order.askers);
  return { rules, hours: await readApprovalHours(tx, order), need };
}

/** Reserves the order's connects for the week, under the caps of all channels that found the project. */
export async function reserveOrder(tx: Transaction, order: Order, defaultTimezone: string, at: Instant) {
  const { subject, sender, ref } = order;
  const { own, others } = await listRules(tx, order);
  const capped = others.filter(({ channelCap, personCap }) => (channelCap ?? personCap) !== undefined);
  const places: WeekPlace[] = [];
  for (const { channel } of [own, ...capped]) {
    const { timezone = defaultTimezone } = await readChannelSettings(tx, channel);
    places.push({ channel, timezone });
  }
  const connects = countConnects(factsOf(subject));
  const user = subject.bid?.by ?? sender;
  return reserveConnects(tx, { places, user, ref, connects, at });
}

/** Whether a bid that waits would miss the time that it names for itself, even if all approve it at once. */
export function findTooSoon(
  { rules, need }: OrderRules,
  sendAt: Instant | undefined,
  at: Instant,
): TooSoon | undefined {
  const { cancelSeconds: seconds } = rules;
  const waits = need !== undefined || seconds > 0;
  return waits && isTooSoon(seconds, sendAt, at) ? { kind: 'too-soon', seconds } : undefined;
}

/** Stores nothing if the order isn't sent. */
export async function planOrder(
  tx: Transaction,
  order: Order,
  { rules, hours, need }: OrderRules,
  defaultTimezone: string,
  at: Instant,
): Promise<OrderPlan> {
  if (need?.not.includes(order.sender)) return { kind: 'own' };
  const exceeded = await reserveOrder(tx, order, defaultTimezone, at);
  if (exceeded) return exceeded;
  const shown = [...listApprovalFacts(order.subject)];
  const hold = beginHold({ at, seconds: rules.cancelSeconds, shown: hashApprovalFacts(shown), need, hours });
  return hold ? { kind: 'hold', hold, shown } : { kind: 'send' };
}

type Budget = ListedProject['budget'];
type Rates = Pick<ProposalTemplate, 'hourlyRate' | 'fixedPrice'>;

function takePercent(percent: number | undefined, budget: Budget): number | undefined {
  const whole = largestBudget(budget);
  return percent === undefined || whole === undefined ? undefined : (whole * percent) / 100;
}

function findHourlyRate({ hourlyRate }: Rates, budget: Budget): number | undefined {
  const { mode, rate, smartRatePercent, smartRateMin = 0, smartRateMax = Infinity } = hourlyRate;
  if (mode === 'fixed') return rate;
  const share = mode === 'smart' ? takePercent(smartRatePercent, budget) : undefined;
  return share && Math.max(smartRateMin, Math.min(share, smartRateMax));
}

function findFixedPrice({ fixedPrice }: Rates, budget: Budget): number | undefined {
  const { type, price, minPrice = 0, clientBudgetPercent } = fixedPrice;
  if (type === 'by-project') return price;
  const share = type === 'by-job-terms' ? takePercent(clientBudgetPercent, budget) : undefined;
  return share && Math.max(share, minPrice);
}

/** Of a range, the client's higher amount counts. @returns undefined if it depends on something unknown */
export function findTemplateAmount(template: Rates, budget: Budget): number | undefined {
  const type = budgetType(budget);
  if (type === undefined) return undefined;
  return (type === 'hourly' ? findHourlyRate : findFixedPrice)(template, budget) || undefined;
}

/**
 * The higher amount, if ours and the marketplace's differ; the template's if neither names one.
 * @param named `theirs`: the job's label at the marketplace; it may be a part of the client's budget: `80%`
 */
export function findBidAmount(
  named: { readonly ours?: number; readonly theirs?: string; readonly template?: Rates },
  budget: Budget,
): number | undefined {
  const { ours, theirs, template } = named;
  const label = theirs?.trim() ?? '';
  const percent = /^(\d+(?:\.\d+)?) ?%/u.exec(label)?.[1];
  const job = percent === undefined ? largestAmount(label) : takePercent(Number(percent), budget);
  const known = [ours, job].filter((each) => each !== undefined);
  if (known.length > 0) return Math.max(...known);
  return template && label === '' ? findTemplateAmount(template, budget) : undefined;
}
