import { describe, expect, it } from 'vitest';
import { MarketplaceError, type MarketplaceErrorCode } from '../../../src/marketplace/errors.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import { describeSlackError, failureMessage } from '../../../src/slack/core/failures.ts';
import { checkMessage } from '../../../src/slack/kit/check-limits.ts';
import { StorageError } from '../../../src/storage/store.ts';

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
    ['subscription-inactive', {}, /subscription/u],
    [
      'credits-depleted',
      { creditsNeeded: 20, creditsRemaining: 1_234, creditsResetAt: at },
      /\b20\b.*\b1,234\b.*<!date\^/,
    ],
    ['credits-depleted', {}, /credits/u],
    ['forbidden', { serverMessage: 'no <!here>' }, /“no &lt;!here&gt;”/],
    ['not-found', {}, /found nothing/u],
    ['not-connected', {}, /\bHome\b/],
    ['rate-limited', { retryAfterMs: 40_000 }, /\b40 seconds\b/],
    ['server', {}, /marketplace/u],
    ['network', {}, /marketplace/u],
    [
      'network',
      { cause: Object.assign(new Error('no'), { code: 'ENOTFOUND' }) },
      /ENOTFOUND.*minute.*doctor/,
    ],
    [
      'network',
      { cause: { cause: Object.assign(new Error('no'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }) } },
      /SELF_SIGNED_CERT_IN_CHAIN(?!.*again).*doctor/,
    ],
    ['timeout', {}, /no response/iu],
    ['unreadable', {}, /couldn't read/iu],
    ['gate-timeout', { retryAfterMs: 20_000 }, /<!date\^1767603620\^\{time\}\|9:00 AM UTC>/],
    [
      'bad-request',
      { fields: { 'hourly_rate.rate': '<3 to 999>' } },
      /• hourly_rate\.rate: &lt;3 to 999&gt;/,
    ],
  ])('%s', (code, details, fact) => {
    const text = marketplace(code, details);
    expect(text).toMatch(fact);
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
    const late = told(new SlackCallError('expired_trigger_id', 'refused'));
    for (const code of ['invalid_trigger_id', 'exchanged_trigger_id'])
      expect(told(new SlackCallError(code, 'refused'))).toBe(late);
    const texts = [
      told(new SlackCallError('is_archived', 'refused')),
      told(new SlackCallError('http_503', 'unknown')),
      late,
      told(new SlackCallError('hash_conflict', 'refused')),
      told(new SlackCallError('not_found', 'refused')),
      told(new StorageError('full', 'x')),
      told('thrown text'),
    ];
    expect(texts[0]).toContain(describeSlackError('is_archived'));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.join('\n')).not.toContain('thrown text');
  });
});
