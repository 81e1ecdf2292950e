/** The client on one line, without unknown facts. An unverified payment shows as a red flag instead. Pure. */
import type { ProjectClient } from '../../../marketplace/schema.ts';
import { joinFacts } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatPercent, formatShortMoney } from '../numbers.ts';

/** `★ 4.9 (32 reviews)`; a client without reviews has no rating, whatever the server sends. */
export function ratingText(client: ProjectClient): string | undefined {
  if (client.reviews === 0) return 'no reviews yet';
  if (client.rating === undefined) return undefined;
  const stars = `★ ${client.rating.toFixed(1)}`;
  return client.reviews === undefined ? stars : `${stars} (${formatCount(client.reviews, 'review')})`;
}

/** In a label like `$450.0` or `$12.0K`. */
const EMPTY_DECIMALS = /\.0+(?=[A-Za-z]*\+?$)/u;

/** For a client without hires, having spent nothing shows as a red flag instead. */
export function clientSpendText(client: ProjectClient): string | undefined {
  const { totalSpent, totalSpentLabel, totalHires } = client;
  if (totalSpentLabel) return `${safeLine(totalSpentLabel, 30).replace(EMPTY_DECIMALS, '')} spent`;
  const isFlagged = totalHires === 0 && totalSpent === 0;
  return totalSpent === undefined || isFlagged ? undefined : `${formatShortMoney(totalSpent)} spent`;
}

/** Only for clients who have hired: “No hires yet” is a red flag. */
function hiresText({ totalHires, hireRate }: ProjectClient): string {
  if (totalHires === 0) return '';
  return joinFacts(
    totalHires === undefined ? undefined : formatCount(totalHires, 'hire'),
    hireRate === undefined ? undefined : `${formatPercent(hireRate)} hire rate`,
  );
}

/** `Germany · ★ 4.9 (32 reviews) · $12.3K spent · 45 hires · 80% hire rate · payment verified`. mrkdwn. */
export function clientLine(client: ProjectClient): string {
  return joinFacts(
    client.country && safeLine(client.country, 60),
    ratingText(client),
    clientSpendText(client),
    hiresText(client),
    client.verified ? 'payment verified' : undefined,
  );
}
