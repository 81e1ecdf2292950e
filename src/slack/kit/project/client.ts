/** A project's client: on one line, after a lookup, and what earlier jobs say. Pure. */
import type { ProjectClient, WorkHistoryEntry } from '../../../marketplace/schema.ts';
import { joinFacts, joinLines, joinRows } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney, formatNumber, formatPercent, formatShortMoney } from '../numbers.ts';
import { andMoreText } from '../paged-list.ts';
import { SHORT_MONTHS } from '../words/labels.ts';
import type { ProjectWithLookup } from './project-lines.ts';

/** `★ 4.9 (32 reviews)`; a client without reviews has no rating, whatever the server sends. */
export function ratingText(client: ProjectClient): string | undefined {
  if (client.reviews === 0) return 'no reviews yet';
  if (client.rating === undefined) return undefined;
  const stars = `★ ${client.rating.toFixed(1)}`;
  return client.reviews === undefined ? stars : `${stars} (${formatCount(client.reviews, 'review')})`;
}

/** “No hires yet” already says that nothing is spent. */
export function clientSpendText(client: ProjectClient): string | undefined {
  const { totalSpent, totalSpentLabel, totalHires } = client;
  // Without the empty decimals of a label like `$450.0` or `$12.0K`.
  const label = safeLine(totalSpentLabel ?? '', 30).replace(/\.0+(?=[A-Za-z]*\+?$)/u, '');
  if (totalSpentLabel) return `${label} spent`;
  const isImplied = totalHires === 0 && totalSpent === 0;
  return totalSpent === undefined || isImplied ? undefined : `${formatShortMoney(totalSpent)} spent`;
}

function hiresText({ totalHires, hireRate }: ProjectClient): string {
  if (totalHires === 0) return 'no hires yet';
  return joinFacts(
    totalHires === undefined ? undefined : formatCount(totalHires, 'hire'),
    hireRate === undefined ? undefined : `${formatPercent(hireRate)} hire rate`,
  );
}

/** Bold if the client can't pay yet; empty if that is unknown. mrkdwn. */
function paymentText({ verified }: ProjectClient): string | undefined {
  if (verified === undefined) return undefined;
  return verified ? 'payment verified' : '*payment not verified*';
}

/** `Germany · ★ 4.9 (32 reviews) · $12.3K spent · 45 hires · 80% hire rate · payment verified`. mrkdwn. */
export function clientLine(client: ProjectClient): string {
  return joinFacts(
    client.country && safeLine(client.country, 60),
    ratingText(client),
    clientSpendText(client),
    hiresText(client),
    paymentText(client),
  );
}

type ClientMore = NonNullable<ProjectWithLookup['clientMore']>;

/** `2-9 people`; other texts unchanged. mrkdwn. */
function peopleText(companySize: string): string {
  const text = safeLine(companySize, 40);
  return /^[\d\s,.+–-]+$/u.test(text) ? `${text} people` : text;
}

/** `local time 10:00 (Europe/Oslo)`. mrkdwn. */
function clockText({ localTime, timezone }: ClientMore): string | undefined {
  const time = safeLine(localTime ?? '', 20);
  const zone = safeLine(timezone ?? '', 60);
  if (time) return `local time ${time}${zone ? ` (${zone})` : ''}`;
  return zone && `time zone ${zone}`;
}

function companyText(more: ClientMore): string {
  return joinFacts(
    more.city && safeLine(more.city, 60),
    clockText(more),
    more.industry && safeLine(more.industry, 60),
    more.companySize && peopleText(more.companySize),
    more.registeredAt === undefined
      ? undefined
      : `member since ${new Date(more.registeredAt).getUTCFullYear()}`,
    more.phoneVerified === undefined ? undefined : `phone ${more.phoneVerified ? '' : 'not '}verified`,
  );
}

function jobsText(more: ClientMore): string {
  const { jobsPosted, jobsActive, jobsOpen, totalHoursPaid, avgHourlyRatePaid } = more;
  return joinFacts(
    jobsPosted === undefined ? undefined : `${formatCount(jobsPosted, 'project')} posted`,
    jobsActive === undefined ? undefined : `${formatNumber(jobsActive)} active`,
    jobsOpen === undefined ? undefined : `${formatNumber(jobsOpen)} open`,
    totalHoursPaid ? `${formatCount(Math.round(totalHoursPaid), 'hour')} paid` : undefined,
    // Zero: the client has never paid by the hour.
    avgHourlyRatePaid ? `pays ${formatMoney(avgHourlyRatePaid)} an hour` : undefined,
  );
}

/** `Marketplace rank 3, at most 3 because of 4 low reviews out of 20 scored, 2 of them recent`. */
function rankText({ rankLevel, rankDowngrade: why }: ClientMore): string | undefined {
  if (rankLevel === undefined && why === undefined) return undefined;
  const limit = why?.cappedAt === undefined ? '' : `, at most ${formatNumber(why.cappedAt)}`;
  const rank =
    rankLevel === undefined ? 'Marketplace rank unknown' : `Marketplace rank ${formatNumber(rankLevel)}`;
  const scored = why?.scoredReviews ? ` out of ${formatNumber(why.scoredReviews)} scored` : '';
  const reviews = [
    why?.lowReviews ? `${formatCount(why.lowReviews, 'low review')}${scored}` : '',
    why?.recentLowReviews ? `${formatNumber(why.recentLowReviews)} of them recent` : '',
  ].filter((part) => part !== '');
  const because = limit ? ' because of ' : ': ';
  return `${rank}${limit}${reviews.length > 0 ? `${because}${reviews.join(', ')}` : ''}`;
}

/** The client's public record, most important first. mrkdwn; undefined if nothing is known. */
export function clientDetailsText({ client, clientMore }: ProjectWithLookup): string | undefined {
  const text = joinLines(
    clientLine(client),
    ...(clientMore ? [companyText(clientMore), jobsText(clientMore), rankText(clientMore)] : []),
  );
  return text ? `*Client*\n${text}` : undefined;
}

/** `Aug 2025` from an ISO date; other texts unchanged. mrkdwn. */
function monthText(date: string | undefined): string {
  const [, year, digits] = /^(\d{4})-(\d{2})(?!\d)/u.exec(date ?? '') ?? [];
  const name = SHORT_MONTHS[Number(digits) - 1];
  return year && name ? `${name} ${year}` : safeLine(date ?? '', 20);
}

/** `Aug 2025`, `May to Aug 2025`, `Dec 2024 to Feb 2025`, `since Aug 2025`. mrkdwn. */
function period({ startDate, endDate }: WorkHistoryEntry): string | undefined {
  const from = monthText(startDate);
  const to = monthText(endDate);
  if (!(from && to)) return from ? `since ${from}` : to || undefined;
  if (from === to) return to;
  const isOneYear = /^\w{3} \d{4}$/u.test(from) && from.slice(4) === to.slice(4);
  return `${isOneYear ? from.slice(0, 3) : from} to ${to}`;
}

function quote(speaker: string, comment: string | undefined): string | undefined {
  const words = safeLine(comment ?? '', 200);
  return words ? `   ${speaker}: “${words}”` : undefined;
}

function entryLines(entry: WorkHistoryEntry): string {
  const contractor = safeLine(entry.contractor ?? '', 60);
  const status = safeLine(entry.status ?? '', 30).toLowerCase();
  const facts = joinFacts(
    status,
    entry.totalCharge === undefined ? undefined : `paid ${formatMoney(entry.totalCharge)}`,
    !entry.rate ? undefined : `at ${formatMoney(entry.rate)} an hour`,
    entry.totalHours ? formatCount(entry.totalHours, 'hour') : undefined,
    period(entry),
    entry.scoreOfClient === undefined ? undefined : `gave the client ★ ${entry.scoreOfClient.toFixed(1)}`,
    entry.score === undefined ? undefined : `got ★ ${entry.score.toFixed(1)}`,
  );
  return joinLines(
    `• *${safeLine(entry.title ?? '', 80) || 'Untitled project'}*${facts ? ` – ${facts}` : ''}`,
    quote(contractor || 'Freelancer', entry.commentOnClient),
    quote('Client', entry.comment),
  );
}

/**
 * The first jobs, five by default: what they paid, and what freelancer and client said about each other.
 * mrkdwn; split into as many section texts as needed.
 */
export function workHistoryTexts(entries: readonly WorkHistoryEntry[], most = 5): readonly string[] {
  if (entries.length === 0) return [];
  const more = andMoreText(entries.length - most);
  return joinRows([
    `*Client's work history* (${formatCount(entries.length, 'job')})`,
    ...entries.slice(0, most).map(entryLines),
    ...(more ? [more] : []),
  ]);
}
