/** Everything a lookup knows about a client. Pure. */

import { joinFacts, joinLines } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../numbers.ts';
import { clientLine } from './client-line.ts';
import type { ProjectWithLookup } from './project-facts.ts';

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

function jobsText({
  jobsPosted,
  jobsActive,
  jobsOpen,
  totalHoursPaid,
  avgHourlyRatePaid,
}: ClientMore): string {
  return joinFacts(
    jobsPosted === undefined ? undefined : `${formatCount(jobsPosted, 'job')} posted`,
    jobsActive === undefined ? undefined : `${formatNumber(jobsActive)} active`,
    jobsOpen === undefined ? undefined : `${formatNumber(jobsOpen)} open`,
    totalHoursPaid ? `${formatCount(Math.round(totalHoursPaid), 'hour')} paid` : undefined,
    // Zero: the client has never paid by the hour.
    avgHourlyRatePaid ? `pays ${formatMoney(avgHourlyRatePaid)} an hour` : undefined,
  );
}

/** `Marketplace rank 3, limited to 3 because of 4 low reviews out of 20 scored, 2 of them recent`. */
function rankText({ rankLevel, rankDowngrade: why }: ClientMore): string | undefined {
  if (rankLevel === undefined && why === undefined) return undefined;
  const limit = why?.cappedAt === undefined ? '' : `, limited to ${formatNumber(why.cappedAt)}`;
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
