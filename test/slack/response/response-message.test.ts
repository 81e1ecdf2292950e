import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { ProjectKey } from '../../../src/ids.ts';
import { cardPostId } from '../../../src/outbox/outbox.ts';
import { ResponseItem } from '../../../src/outbox/posts.ts';
import { checkMessage } from '../../../src/slack/kit/check-limits.ts';
import { type ResponseContent, responseMessage } from '../../../src/slack/response/response-message.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, CHANNEL, NOW } from '../samples.ts';

const CARD = cardPostId(CHANNEL, ProjectKey.parse('~01'));

function item(stage: ResponseItem['stage'], more: Partial<ResponseItem> = {}): ResponseItem {
  const isClaim = stage === 'warning' || stage === 'expiry';
  return {
    stage,
    of: 'project',
    card: CARD,
    title: 'Rebuild our <checkout> & more',
    since: NOW,
    ...(isClaim ? { claimedBy: BEN } : {}),
    ...(stage === 'warning' ? { expiresAt: NOW + 10 * MINUTE } : {}),
    ...more,
  };
}

function content(items: ResponseItem[], more = 0): ResponseContent {
  const isClaim = items.every(({ claimedBy }) => claimedBy !== undefined);
  const mention = { users: isClaim ? [BEN] : [ANA], groups: isClaim ? [] : ['S1', '<!here>'] };
  return { kind: 'response', items, more, mention };
}

/** Which stages can end how. */
const ENDS: Readonly<Record<NonNullable<ResponseItem['over']>['what'], readonly ResponseItem['stage'][]>> = {
  claimed: ['nudge', 'lead', 'warning', 'expiry'],
  assigned: ['nudge', 'warning'],
  released: ['warning'],
  expired: ['warning'],
  skipped: ['lead', 'warning'],
  muted: ['nudge'],
  bidding: ['warning'],
  bid: ['nudge', 'warning', 'expiry'],
  again: ['nudge'],
  off: ['nudge', 'warning'],
};

const noLinks = new Map();
const links = new Map([[CARD, 'https://a.example/p1']]);

describe('a stage', () => {
  it.each(['nudge', 'lead', 'warning', 'expiry'] as const)(
    'says what happened and what to do: %s',
    (stage) => {
      expect(responseMessage(content([item(stage)]), noLinks)).toMatchSnapshot();
    },
  );

  it('shows what a person did, without its buttons', () => {
    const done = { by: ANA, what: 'snoozed', until: NOW + 30 * MINUTE } as const;
    const { blocks = [] } = responseMessage(content([item('nudge', { done })]), noLinks);
    expect(JSON.stringify(blocks)).toContain('snoozed');
    expect(blocks.map(({ type }) => type)).toEqual(['section']);
  });

  it.each(Object.entries(ENDS))('says what happened elsewhere, without its buttons: %s', (what, stages) => {
    for (const stage of stages) {
      const over = { what: ResponseItem.shape.over.unwrap().shape.what.parse(what), by: ANA };
      const { blocks = [] } = responseMessage(content([item(stage, { over })]), noLinks);
      expect(blocks.map(({ type }) => type)).toEqual(['section']);
      expect(blocks).toMatchSnapshot(stage);
    }
  });

  it('of several cards is one message, with each card linked and each person mentioned once', () => {
    const message = responseMessage(content([item('nudge'), item('expiry')], 3), links);
    expect(message).toMatchSnapshot();
  });

  it('is harmless and within the limits, whatever the titles are', () => {
    const titles = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(titles, fc.constantFrom(...ResponseItem.shape.stage.options), (all, stage) => {
        const items = all.map((title) => item(stage, { title }));
        // Groups are ours: people choose them in the settings.
        const own = { ...content(items, 90), mention: { users: [BEN], groups: ['<!here>'] } };
        const message = responseMessage(own, links);
        checkMessage(message);
        expectHarmless(message);
      }),
      { numRuns: 50 },
    );
  });
});
