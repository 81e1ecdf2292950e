import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/clock.ts';
import type { MessageTs } from '../../../src/ids.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import type { ActionCall } from '../../../src/slack/core/routes.ts';
import { invalidDaysMessage } from '../../../src/slack/kit/command-text.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { PROPOSALS_STILL_LOADING } from '../../../src/slack/proposals/proposals-found.ts';
import { shareProposalsAction } from '../../../src/slack/sharing/share-action.ts';
import {
  SHARE_OUTDATED_MESSAGE,
  SHARE_UNCERTAIN,
  SHARED_ALREADY,
  SHARED_DATA_DELETED,
  SHARED_NOTE,
  shownProposals,
} from '../../../src/slack/sharing/shown-proposals.ts';
import { statsCommand, statsDimensionAction } from '../../../src/slack/stats/stats-command.ts';
import { statsValueCodec } from '../../../src/slack/stats/stats-groups.ts';
import { STATS_PRESS_OUTDATED } from '../../../src/slack/stats/stats-message.ts';
import { offers } from '../buttons.ts';
import { complete } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, type CHANNEL, NOW, TEAM } from '../samples.ts';
import { aMonth, some } from './stats-samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
  desk.proposals.progress = [complete()];
  desk.proposals.held = aMonth().toSorted((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
});

function last() {
  return desk.shown.at(-1) ?? expect.fail('nothing was shown');
}

function words(): string {
  return asText(last().message);
}

async function type(args: string): Promise<string> {
  await statsCommand.run(desk.command(args));
  expectHarmless(last().message);
  return words();
}

function inChannel() {
  return desk.shown.filter(({ to }) => to === 'channel').map(({ message }) => asText(message));
}

/** The answer's grouping. */
function shownDimension(message = last().message): string | undefined {
  const chosen = (message.blocks ?? [])
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .find((element) => element.type === 'static_select');
  const value = chosen?.type === 'static_select' ? chosen.initial_option?.value : undefined;
  return value === undefined ? undefined : statsValueCodec.read(value)?.dimension;
}

/** The value of the newest answer's share button. */
async function shareValue(): Promise<string> {
  const kept = await desk.services.store.read((tx) =>
    tx.list(shownProposals, { prefix: [TEAM], limit: 100 }),
  );
  const ids = kept.map(({ value }) => value.id);
  return ids.find((id) => JSON.stringify(last().message).includes(id)) ?? expect.fail('nothing to share');
}

function pressShare(value: string, user?: typeof BEN): Promise<void> {
  return shareProposalsAction.run(desk.press(value, undefined, user));
}

describe('/gig stats', () => {
  it('answers the person alone, for the last 30 days, with the dimension that tells most', async () => {
    expect(await type('')).toMatch(/\b163 proposals\b.*\b30 days\b.*\b140\b/u);
    expect(last().to).toBe('person');
    expect(shownDimension()).toBe('template');
    expect(words()).toContain('profile 301');
    expect(words()).toMatchSnapshot();
  });

  it.each([
    ['90', '90 days'],
    ['90d', '90 days'],
    ['90 days', '90 days'],
    ['365', '365 days'],
    ['1', '24 hours'],
  ])('takes “%s”', async (args, span) => {
    expect(await type(args)).toContain(span);
  });

  it.each(['0', '366', '-3', 'lots', '1.5', '30 weeks', '<!channel>', '9'.repeat(400)])(
    'says what is wrong with “%s”',
    async (args) => {
      await type(args);
      expect(last().message).toEqual(invalidDaysMessage(args, { usual: 30, most: 365 }, 'stats 90'));
    },
  );

  it('says how to begin where nobody follows a profile', async () => {
    desk.proposals.held = [];
    desk.proposals.progress = [];
    expect(await type('')).toContain('/gig subscribe outcomes');
    expect(words()).toMatchSnapshot();
    desk.proposals.isLoaded = false;
    expect(await type('')).toContain(PROPOSALS_STILL_LOADING.text);
  });

  it('counts days in the person’s time zone, or in Gigdesk’s if Slack names no valid one', async () => {
    // Sunday, 23:30 UTC.
    desk.proposals.held = some(12, { submittedAt: Date.UTC(2026, 10, 8, 23, 30) });
    const call = desk.command('');
    const dayOf = async (timezone: string) => {
      await statsCommand.run({ ...call, person: { ...call.person, timezone } });
      await statsDimensionAction.run({
        ...desk.press(statsValueCodec.write({ days: 30, dimension: 'weekday' }), undefined),
        person: { ...call.person, timezone },
      });
      return words();
    };
    expect(await dayOf('Europe/Berlin')).toMatch(/\(Europe\/Berlin\)[\s\S]*\nMonday \| 12 \|/u);
    expect(await dayOf('America/New_York')).toMatch(/\(America\/New_York\)[\s\S]*\nSunday \| 12 \|/u);
    expect(await dayOf('Nowhere/<!here>')).toMatch(/\(UTC\)[\s\S]*\nSunday \| 12 \|/u);
  });

  it('offers no sharing where there is no channel', async () => {
    await statsCommand.run({ ...desk.command(''), channel: 'D0ANA' as typeof CHANNEL });
    expect(offers(last().message, actionIds.proposalsShare)).toBe(false);
  });
});

describe('the choice of a dimension', () => {
  it('takes the place of the answer, with the same days and the numbers of now', async () => {
    await type('60');
    desk.proposals.held = [...some(1, { submittedAt: NOW - HOUR }), ...desk.proposals.held];
    await statsDimensionAction.run(
      desk.press(statsValueCodec.write({ days: 60, dimension: 'boost' }), undefined),
    );
    expect(last().to).toBe('replaced');
    expect(words()).toMatch(/\b164 proposals\b.*\b60 days\b/u);
    expect(shownDimension()).toBe('boost');
    expect(offers(last().message, actionIds.proposalsShare)).toBe(true);
  });

  it.each(['', 'x', '400:boost', '{}'])('with the value “%s” is out of date', async (value) => {
    await statsDimensionAction.run(desk.press(value, undefined));
    expect(last().message).toEqual(STATS_PRESS_OUTDATED);
    expect(last().to).toBe('person');
  });
});

describe('Share to Channel', () => {
  it('posts what stands there, of the dimension that stands there, and without choices', async () => {
    await type('');
    await statsDimensionAction.run(
      desk.press(statsValueCodec.write({ days: 30, dimension: 'weekday' }), undefined),
    );
    await pressShare(await shareValue());
    expect(inChannel()).toHaveLength(1);
    expect(inChannel()[0]).toContain('<@U0ANA>');
    expect(inChannel()[0]).toMatch(/\b163 proposals\b.*\b30 days\b/u);
    expect(inChannel()[0]).toMatchSnapshot();
    const posted = desk.shown.find(({ to }) => to === 'channel')?.message;
    for (const id of [actionIds.proposalsShare, actionIds.statsDimension])
      expect(offers(posted, id)).toBe(false);
    expect(last().to).toBe('replaced');
    expect(words()).toContain(SHARED_NOTE);
    expect(offers(last().message, actionIds.proposalsShare)).toBe(false);
    expect(shownDimension()).toBe('weekday');
  });

  it('counts as of the moment at which they were shown', async () => {
    await type('');
    const value = await shareValue();
    desk.clock.moveBy(2 * DAY - 1_000);
    desk.proposals.held = [...some(3, { submittedAt: NOW + HOUR }), ...desk.proposals.held];
    await pressShare(value);
    expect(inChannel()[0]).toContain('163 proposals');
  });

  it('pressed twice at once posts once', async () => {
    await type('');
    const value = await shareValue();
    await Promise.all([pressShare(value), pressShare(value), pressShare(value)]);
    await pressShare(value);
    expect(inChannel()).toHaveLength(1);
    expect(last().message).toEqual(SHARED_ALREADY);
  });

  it('is nobody else’s', async () => {
    await type('');
    await pressShare(await shareValue(), BEN);
    expect(inChannel()).toEqual([]);
    expect(last().message).toEqual(SHARE_OUTDATED_MESSAGE);
  });

  it('that Slack left without an answer is not repeated', async () => {
    await type('');
    const value = await shareValue();
    const call = desk.press(value, undefined as MessageTs | undefined);
    const answer: ActionCall['answer'] = async (message, to) => {
      if (to === 'channel') throw new SlackCallError('timeout', 'unknown');
      await call.answer(message);
    };
    await shareProposalsAction.run({ ...call, answer });
    expect(last().message).toEqual(SHARE_UNCERTAIN);
    await pressShare(value);
    expect(inChannel()).toEqual([]);
  });

  it('of what is no longer known says so', async () => {
    await type('');
    const value = await shareValue();
    desk.proposals.held = [];
    await pressShare(value);
    expect(last().message).toEqual(SHARED_DATA_DELETED);
    expect(inChannel()).toEqual([]);
  });
});
