/** Who pays, on one line: what is not told is left out, and a payment that is not verified is a red flag's matter. */
import type { Client } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, percent, shortMoney } from '../blocks/numbers.ts';
import { line } from './parts.ts';

/** `★ 4.9 (32 reviews)`; a client without reviews has no rating, whatever number the server gives. */
export function ratingText(client: Client): string | undefined {
  if (client.reviews === 0) return 'no reviews yet';
  if (client.rating === undefined) return undefined;
  const stars = `★ ${client.rating.toFixed(1)}`;
  return client.reviews === undefined ? stars : `${stars} (${count(client.reviews, 'review')})`;
}

export function spentText(client: Client): string | undefined {
  if (client.totalSpentLabel) return `${safeLine(client.totalSpentLabel, 30)} spent`;
  return client.totalSpent === undefined ? undefined : `${shortMoney(client.totalSpent)} spent`;
}

/** `Germany · ★ 4.9 (32 reviews) · $12.3K spent · 45 hires · 80% hire rate · payment verified`. mrkdwn. */
export function clientLine(client: Client): string {
  return line(
    client.country && safeLine(client.country, 60),
    ratingText(client),
    spentText(client),
    client.totalHires === undefined ? undefined : count(client.totalHires, 'hire'),
    client.hireRate === undefined ? undefined : `${percent(client.hireRate)} hire rate`,
    client.verified ? 'payment verified' : undefined,
  );
}
