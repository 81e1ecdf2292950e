import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/clock.ts';
import { invalidDaysMessage } from '../../../src/slack/kit/command-text.ts';
import { PROPOSALS_STILL_LOADING } from '../../../src/slack/proposals/proposals-found.ts';
import { statsCommand, statsDimensionAction } from '../../../src/slack/stats/stats-command.ts';
import { statsMenu } from '../../../src/slack/stats/stats-groups.ts';
import { STATS_PRESS_OUTDATED } from '../../../src/slack/stats/stats-message.ts';
import { complete } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { NOW } from '../samples.ts';
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

/** The answer's grouping. */
function shownDimension(message = last().message): string | undefined {
  const chosen = (message.blocks ?? [])
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .find((element) => element.type === 'static_select');
  const value = chosen?.type === 'static_select' ? chosen.initial_option?.value : undefined;
  return value === undefined ? undefined : statsMenu.read(value)?.dimension;
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
        ...desk.press(statsMenu.write({ days: 30, dimension: 'weekday' }), undefined),
        person: { ...call.person, timezone },
      });
      return words();
    };
    expect(await dayOf('Europe/Berlin')).toMatch(/\(Europe\/Berlin\)[\s\S]*\nMonday \| 12 \|/u);
    expect(await dayOf('America/New_York')).toMatch(/\(America\/New_York\)[\s\S]*\nSunday \| 12 \|/u);
    expect(await dayOf('Nowhere/<!here>')).toMatch(/\(UTC\)[\s\S]*\nSunday \| 12 \|/u);
  });
});

describe('the choice of a dimension', () => {
  it('takes the place of the answer, with the same days and the numbers of now', async () => {
    await type('60');
    desk.proposals.held = [...some(1, { submittedAt: NOW - HOUR }), ...desk.proposals.held];
    await statsDimensionAction.run(desk.press(statsMenu.write({ days: 60, dimension: 'boost' }), undefined));
    expect(last().to).toBe('replaced');
    expect(words()).toMatch(/\b164 proposals\b.*\b60 days\b/u);
    expect(shownDimension()).toBe('boost');
  });

  it.each(['', 'x', '400:boost', '{}'])('with the value “%s” is out of date', async (value) => {
    await statsDimensionAction.run(desk.press(value, undefined));
    expect(last().message).toEqual(STATS_PRESS_OUTDATED);
    expect(last().to).toBe('person');
  });
});
