import { describe, expect, it } from 'vitest';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { checkMessage } from '../../src/slack/blocks/check-limits.ts';
import { SlackCallError } from '../../src/slack/errors.ts';
import { failureMessage } from '../../src/slack/messages/failures.ts';
import { StorageError } from '../../src/storage/store.ts';

const at = Date.UTC(2026, 0, 5, 9);

function told(error: unknown): string {
  const message = failureMessage(error, '7F3K2', at);
  checkMessage(message);
  return message.text;
}

function marketplace(code: MarketplaceErrorCode, details = {}, effect: 'none' | 'unknown' = 'none') {
  return told(new MarketplaceError(code, effect, 'inner words', details));
}

describe('a failed call is told by what happened and what to do next', () => {
  it.each<[MarketplaceErrorCode, object, RegExp]>([
    ['unauthorised', {}, /MARKETPLACE_API_TOKEN/],
    ['subscription-inactive', {}, /owner can renew/],
    [
      'credits-depleted',
      { creditsNeeded: 20, creditsRemaining: 1_234, creditsResetAt: at },
      /needed 20; it has 1,234 left\. .*top up .* or wait for the reset <!date/,
    ],
    ['credits-depleted', {}, /don't suffice\. .*top up in the dashboard/],
    ['forbidden', { serverMessage: 'no <!here>' }, /It says: “no &lt;!here&gt;”/],
    ['not-found', {}, /nothing by that id/],
    ['rate-limited', { retryAfterMs: 40_000 }, /Try again in 40 seconds/],
    ['server', {}, /fault of its own\. Try again in a minute/],
    ['network', {}, /can't be reached/],
    ['timeout', {}, /did not answer in time/],
    ['unreadable', {}, /could not be read/],
    [
      'gate-timeout',
      { retryAfterMs: 20_000 },
      /nothing was sent\. Try again at <!date\^1767603620\^\{time\}\|09:00 UTC>/,
    ],
    [
      'bad-request',
      { fields: { 'hourly_rate.rate': '<3 to 999>' } },
      /• hourly_rate\.rate: &lt;3 to 999&gt;/,
    ],
  ])('%s', (code, details, words) => {
    const text = marketplace(code, details);
    expect(text).toMatch(words);
    expect(text).toContain('ref 7F3K2');
    expect(text).not.toContain('inner words');
  });

  it('stays within limits, however much the server says', () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, '&'.repeat(5_000)]));
    expect(marketplace('bad-request', { fields, serverMessage: '<'.repeat(100_000) }).length).toBeLessThan(
      10_000,
    );
  });

  it('of Slack, the disk, and anything else', () => {
    expect(told(new SlackCallError('is_archived', 'refused'))).toContain('it is archived');
    expect(told(new SlackCallError('http_503', 'unknown'))).toContain('Slack did not answer');
    for (const code of ['expired_trigger_id', 'invalid_trigger_id', 'exchanged_trigger_id'])
      expect(told(new SlackCallError(code, 'refused'))).toContain(
        'Slack gives a window three seconds to open, and this took longer. Try again.',
      );
    expect(told(new SlackCallError('hash_conflict', 'refused'))).toContain('has changed meanwhile');
    expect(told(new SlackCallError('not_found', 'refused'))).toContain('Open it again.');
    expect(told(new StorageError('full', 'x'))).toContain('disk is full');
    expect(told('thrown text')).toContain('Something went wrong on our side');
  });
});
