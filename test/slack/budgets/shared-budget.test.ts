/** Texts about the budget that unconfirmed channels share. */
import { describe, expect, it } from 'vitest';
import type { BudgetRecord } from '../../../src/credits/records.ts';
import { toCredits, UserId } from '../../../src/ids.ts';
import {
  budgetConfirmationMessage,
  budgetMessage,
  sharedBudgetLine,
  sharedBudgetText,
} from '../../../src/slack/budgets/budget-messages.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { insufficientCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { noticeMessage } from '../../../src/slack/status/notice.ts';
import { asText, presses } from '../kit/as-text.ts';
import { ANA, CHANNEL, NOW, TEAM } from '../samples.ts';
import { ACCOUNT, aBudget } from './budget-samples.ts';

const BEN = UserId.parse('UBEN');
const shared = aBudget({
  limit: toCredits(50),
  settled: 12,
  reserved: 0,
  available: 5,
  pool: { settled: 35, reserved: 10 },
});
const record: BudgetRecord = {
  team: TEAM,
  channel: CHANNEL,
  isPooled: true,
  announced: { at: NOW, by: BEN, subscribed: true },
  since: NOW,
  period: 1,
  settled: 0,
  ahead: 0,
};

describe('admins hear of a new channel that spends', () => {
  it('with who subscribed, what it may spend, and how to confirm or change it', () => {
    const message = budgetConfirmationMessage(record, 50);
    const text = asText(message);
    expect(text).toMatchSnapshot();
    for (const fact of [`<#${CHANNEL}>`, `<@${BEN}>`, ' 50 ']) expect(text).toContain(fact);
    expect(presses(message)).toEqual([actionIds.budgetConfirm, actionIds.budgetSet]);
    const announced = { at: NOW, subscribed: false };
    expect(asText(budgetConfirmationMessage({ ...record, announced }, 50))).not.toContain('<@');
  });

  it('and read who confirmed it or set its budget, without a button', () => {
    const confirmed = budgetConfirmationMessage({ ...record, confirmed: { by: ANA, at: NOW } }, 50);
    const set = budgetConfirmationMessage({ ...record, limit: 0, by: ANA, at: NOW }, 50);
    expect(set.text).toContain(' 0 ');
    for (const message of [confirmed, set]) {
      for (const fact of [`<@${ANA}>`, `<#${CHANNEL}>`]) expect(message.text).toContain(fact);
      expect(asText(message)).toMatchSnapshot();
      expect(presses(message)).toEqual([]);
    }
  });
});

describe('a channel that shares reads', () => {
  it('what all have spent, its part, and that an admin can confirm it', () => {
    const text = asText(budgetMessage(shared, ACCOUNT));
    expect(text).toMatchSnapshot();
    expect(text).toMatch(/35 of 50 .* 12 /u);
    expect(text).toContain(sharedBudgetText(shared));
    expect(presses(budgetMessage(shared, ACCOUNT))).toEqual([actionIds.budgetSet, actionIds.ledgerShow]);
    expect(sharedBudgetLine([aBudget(), shared])).toMatch(/ 50 .* 35 /u);
    expect(sharedBudgetLine([aBudget(), shared])).toMatchSnapshot();
    expect(sharedBudgetLine([aBudget()])).toBeUndefined();
  });

  it('when the shared budget runs low or out, and when a lookup is too much', () => {
    const resetsAt = NOW + 1_000_000;
    const low = { about: 'budget-low', used: 40, limit: 50, resetsAt, isShared: true } as const;
    const spent = { about: 'budget-spent', left: 3, limit: 50, resetsAt, isShared: true } as const;
    const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt, isShared: true } as const;
    const { isShared: _low, ...ownLow } = low;
    const { isShared: _spent, ...ownSpent } = spent;
    const { isShared: _refused, ...ownRefused } = refused;
    const texts = [noticeMessage(low).text, noticeMessage(spent).text, insufficientCreditsText(refused)];
    const own = [
      noticeMessage(ownLow).text,
      noticeMessage(ownSpent).text,
      insufficientCreditsText(ownRefused),
    ];
    for (const notice of [low, spent]) expect(presses(noticeMessage(notice))).toEqual([actionIds.budgetSet]);
    for (const [at, text] of texts.entries()) {
      expect(text).not.toBe(own[at]);
      expect(text).toMatchSnapshot();
    }
  });

  it('that a reset is due, until the marketplace confirms it', () => {
    const period = { ...aBudget().period, resetsAt: NOW, isOver: true as const };
    const text = asText(budgetMessage(aBudget({ period }), ACCOUNT));
    expect(text).not.toBe(
      asText(budgetMessage(aBudget({ period: { ...aBudget().period, resetsAt: NOW } }), ACCOUNT)),
    );
    expect(text).toMatchSnapshot();
    const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW } as const;
    expect(insufficientCreditsText({ ...refused, isOver: true })).not.toBe(insufficientCreditsText(refused));
    expect(insufficientCreditsText({ ...refused, isOver: true })).toMatchSnapshot();
  });
});
