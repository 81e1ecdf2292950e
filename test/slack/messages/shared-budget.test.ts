/** What people read of the budget that unconfirmed channels share. */
import { describe, expect, it } from 'vitest';
import type { BudgetRecord } from '../../../src/credits/records.ts';
import { credits, UserId } from '../../../src/ids.ts';
import { budgetMessage, poolLine } from '../../../src/slack/messages/budget.ts';
import { newBudgetMessage } from '../../../src/slack/messages/new-budget.ts';
import { notBoughtText } from '../../../src/slack/messages/not-bought.ts';
import { noticeMessage } from '../../../src/slack/messages/notice.ts';
import { ANA, CHANNEL, NOW, TEAM } from '../samples.ts';
import { asText } from './as-text.ts';
import { ACCOUNT, aBudget } from './budget-samples.ts';

const BEN = UserId.parse('UBEN');
const shared = aBudget({
  limit: credits(50),
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
  it('with who subscribed, what it may spend, and one button', () => {
    const text = asText(newBudgetMessage(record, 50));
    expect(text).toContain(`<#${CHANNEL}>`);
    expect(text).toContain(`<@${BEN}> subscribed there.`);
    expect(text).toContain('shares 50 credits');
    expect(text.match(/\[Confirm Budget\]/gu)).toHaveLength(1);
    expect(text).toContain('/gig budget');
    const announced = { at: NOW, subscribed: false };
    expect(asText(newBudgetMessage({ ...record, announced }, 50))).not.toContain('<@');
  });

  it('and read who confirmed it or set its budget, without a button', () => {
    const confirmed = asText(newBudgetMessage({ ...record, confirmed: { by: ANA, at: NOW } }, 50));
    expect(confirmed).toContain(`<@${ANA}> confirmed <#${CHANNEL}>`);
    const set = asText(newBudgetMessage({ ...record, limit: 0, by: ANA, at: NOW }, 50));
    expect(set).toContain(`<@${ANA}> set the budget of <#${CHANNEL}>: it has 0 credits`);
    for (const text of [confirmed, set]) expect(text).not.toContain('[');
  });
});

describe('a channel that shares reads', () => {
  it('what all have spent, its part, and that an admin can confirm it', () => {
    const text = asText(budgetMessage(shared, ACCOUNT));
    expect(text).toContain(
      '35 of 50 shared credits spent by all unconfirmed channels, 12 of them in this channel',
    );
    expect(text).toMatch(/An admin confirms it/u);
    expect(poolLine([aBudget(), shared])).toContain('Unconfirmed channels share 50 credits: 35 spent.');
    expect(poolLine([aBudget()])).toBeUndefined();
  });

  it('when the shared budget runs low or out, and when a lookup is too much', () => {
    const resetsAt = NOW + 1_000_000;
    const low = { about: 'budget-low', used: 40, limit: 50, resetsAt, isShared: true } as const;
    const spent = { about: 'budget-spent', left: 3, limit: 50, resetsAt, isShared: true } as const;
    const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt, isShared: true } as const;
    for (const text of [noticeMessage(low).text, noticeMessage(spent).text, notBoughtText(refused)]) {
      expect(text).toMatch(/unconfirmed channels/u);
      expect(text).toMatch(/an admin .*budget/iu);
    }
  });

  it('that a reset is due, until the marketplace confirms it', () => {
    const period = { ...aBudget().period, resetsAt: NOW, isOver: true as const };
    expect(asText(budgetMessage(aBudget({ period }), ACCOUNT))).toContain('The reset was due');
    const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW, isOver: true } as const;
    expect(notBoughtText(refused)).toContain("hasn't confirmed that yet");
  });
});
