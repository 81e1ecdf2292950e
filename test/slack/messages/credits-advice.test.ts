/** What is said of an account without credits, by whether it may be a trial. */
import { describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { moreCreditsAdvice, trialAdvice } from '../../../src/slack/messages/credits-advice.ts';
import { failureMessage } from '../../../src/slack/messages/failures.ts';
import { afterRefusal } from '../../../src/slack/messages/refusal-words.ts';
import { describeTrouble } from '../../../src/slack/messages/trouble.ts';
import { NOW } from '../samples.ts';

describe('advice on credits', () => {
  it('for a trial is a paid plan, never certain, with the date if there is one', () => {
    expect(trialAdvice()).not.toMatch(/top.?up|reset|undefined/i);
    expect(trialAdvice('4 Feb')).toMatch(/looks like.*50 credits don't renew.*renew 4 Feb/);
    expect(moreCreditsAdvice({ looksLikeTrial: true }, '4 Feb')).toBe(trialAdvice('4 Feb'));
    expect(describeTrouble('account-spent', { looksLikeTrial: true }).next).toContain(trialAdvice());
  });

  it('for a paid account is the top-up or the reset, and says nothing of trials', () => {
    expect(moreCreditsAdvice({})).toMatch(/top up.*reset/i);
    expect(moreCreditsAdvice({})).not.toMatch(/trial/);
    expect(describeTrouble('credits-depleted', {}).next).not.toMatch(/trial/);
  });

  it('where the account is not known is true of both', () => {
    const details = { status: 402, creditsNeeded: 10, creditsRemaining: 3, creditsResetAt: NOW };
    const error = new MarketplaceError(
      'credits-depleted',
      'none',
      'The project credits do not suffice',
      details,
    );
    const texts = [
      failureMessage(error, 'ref', NOW).text,
      afterRefusal({ code: 'credits-depleted' }),
      describeTrouble('account-spent').next,
    ];
    for (const text of texts)
      expect(text).toMatch(/on a paid plan, top up.*reset.*trial's 50 credits don't renew/i);
  });
});
