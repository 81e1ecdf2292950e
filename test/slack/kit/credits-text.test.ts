/** The advice for an account without credits, depending on whether it may be a trial. */
import { describe, expect, it } from 'vitest';
import { TRIAL_CREDITS } from '../../../src/credits/balance.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { moreCreditsAdvice, trialAdvice } from '../../../src/slack/kit/words/credits-text.ts';
import {
  describeMarketplaceFailure,
  refusalAdviceText,
} from '../../../src/slack/kit/words/marketplace-failure.ts';

const NOW = 1_700_000_000_000;

describe('advice on credits', () => {
  it('for a trial is a paid plan, never certain, with the date if there is one', () => {
    for (const advice of [trialAdvice(), trialAdvice('4 Feb')]) {
      expect(advice).toContain(` ${TRIAL_CREDITS} `);
      expect(advice).not.toContain(moreCreditsAdvice({}));
    }
    expect(trialAdvice()).not.toContain('undefined');
    expect(trialAdvice('4 Feb')).toContain(' 4 Feb');
    expect(moreCreditsAdvice({ looksLikeTrial: true }, '4 Feb')).toBe(trialAdvice('4 Feb'));
    expect(describeMarketplaceFailure('account-spent', { looksLikeTrial: true }).next).toContain(
      trialAdvice(),
    );
  });

  it('for a paid account is the top-up or the reset, and says nothing of trials', () => {
    expect(moreCreditsAdvice({}, '4 Feb')).toContain(' 4 Feb');
    expect(describeMarketplaceFailure('credits-depleted', {}).next).toContain(moreCreditsAdvice({}));
    for (const text of [moreCreditsAdvice({}), describeMarketplaceFailure('credits-depleted', {}).next])
      expect(text).not.toContain(String(TRIAL_CREDITS));
  });

  it('where the account is not known is true of both', () => {
    const details = { status: 402, creditsNeeded: 10, creditsRemaining: 3, creditsResetAt: NOW };
    const error = new MarketplaceError('credits-depleted', 'none', 'too few', details);
    const texts = [
      failureMessage(error, 'ref', NOW).text,
      refusalAdviceText({ code: 'credits-depleted' }),
      describeMarketplaceFailure('account-spent').next,
    ];
    for (const text of texts) expect(text).toContain(` ${TRIAL_CREDITS} `);
  });
});
