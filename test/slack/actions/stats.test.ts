import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/clock.ts';
import type { MessageTs } from '../../../src/ids.ts';
import { proposalsShare } from '../../../src/slack/actions/proposals-share.ts';
import { statsDimension } from '../../../src/slack/actions/stats.ts';
import { stats } from '../../../src/slack/commands/stats.ts';
import { SlackCallError } from '../../../src/slack/errors.ts';
import { statsValue } from '../../../src/slack/messages/stats-values.ts';
import type { ActionCall } from '../../../src/slack/routes.ts';
import { shownProposals } from '../../../src/slack/shown-proposals.ts';
import { complete } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../messages/as-text.ts';
import { aMonth, some } from '../messages/stats-samples.ts';
import { BEN, type CHANNEL, NOW, TEAM } from '../samples.ts';

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
  await stats.run(desk.command(args));
  expectHarmless(last().message);
  return words();
}

function inChannel() {
  return desk.shown.filter(({ to }) => to === 'channel').map(({ message }) => asText(message));
}

/** What the share button of the newest answer carries. */
async function shareValue(): Promise<string> {
  const kept = await desk.services.store.read((tx) =>
    tx.list(shownProposals, { prefix: [TEAM], limit: 100 }),
  );
  const ids = kept.map(({ value }) => value.id);
  return ids.find((id) => JSON.stringify(last().message).includes(id)) ?? expect.fail('nothing to share');
}

function pressShare(value: string, user?: typeof BEN): Promise<void> {
  return proposalsShare.run(desk.press(value, undefined, user));
}

describe('/gig stats', () => {
  it('answers the person alone, for the last 30 days, with the dimension that tells most', async () => {
    expect(await type('')).toContain('*163 proposals sent in the last 30 days* · 140 of them');
    expect(last().to).toBe('person');
    expect(words()).toContain('*By template*');
    expect(words()).toContain('Covers profile 301');
  });

  it.each(['90', '90d', '90 days', '365', '1'])('takes “%s”', async (args) => {
    expect(await type(args)).toMatch(/the last (?:90|365) days|the last 24 hours/u);
  });

  it.each(['0', '366', '-3', 'lots', '1.5', '30 weeks', '<!channel>', '9'.repeat(400)])(
    'says what is wrong with “%s”',
    async (args) => {
      expect(await type(args)).toContain('Say a number of days from 1 to 365, or nothing for 30');
      expect(words()).toContain('For example: `/gig stats 90`');
    },
  );

  it('says how to begin where nobody follows a profile', async () => {
    desk.proposals.held = [];
    desk.proposals.progress = [];
    expect(await type('')).toContain('There is nothing to count yet');
    expect(words()).toContain('/gig subscribe outcomes');
    desk.proposals.isLoaded = false;
    expect(await type('')).toContain('still being loaded');
  });

  it('counts days where the person lives; where Slack tells no zone that there is, where Gigdesk is', async () => {
    // Sunday, half past eleven in the evening, in UTC.
    desk.proposals.held = some(12, { submittedAt: Date.UTC(2026, 10, 8, 23, 30) });
    const call = desk.command('');
    const dayOf = async (timezone: string) => {
      await stats.run({ ...call, person: { ...call.person, timezone } });
      await statsDimension.run({
        ...desk.press(statsValue.write({ days: 30, dimension: 'weekday' }), undefined),
        person: { ...call.person, timezone },
      });
      return words();
    };
    expect(await dayOf('Europe/Berlin')).toMatch(/\(Europe\/Berlin\)\n\*Monday\* · 12 sent/u);
    expect(await dayOf('America/New_York')).toMatch(/\(America\/New_York\)\n\*Sunday\* · 12 sent/u);
    expect(await dayOf('Nowhere/<!here>')).toMatch(/\(UTC\)\n\*Sunday\* · 12 sent/u);
  });

  it('offers no sharing where there is no channel', async () => {
    await stats.run({ ...desk.command(''), channel: 'D0ANA' as typeof CHANNEL });
    expect(words()).not.toContain('Share to channel');
  });
});

describe('the choice of a dimension', () => {
  it('takes the place of the answer, with the same days and the numbers of now', async () => {
    await type('60');
    desk.proposals.held = [...some(1, { submittedAt: NOW - HOUR }), ...desk.proposals.held];
    await statsDimension.run(desk.press(statsValue.write({ days: 60, dimension: 'boost' }), undefined));
    expect(last().to).toBe('replaced');
    expect(words()).toContain('*164 proposals sent in the last 60 days*');
    expect(words()).toContain('*By boost*');
    expect(words()).toContain('[Share to channel]');
  });

  it.each(['', 'x', '400:boost', '{}'])('with the value “%s” is out of date', async (value) => {
    await statsDimension.run(desk.press(value, undefined));
    expect(words()).toContain('out of date');
    expect(last().to).toBe('person');
  });
});

describe('Share to channel', () => {
  it('posts what stands there, of the dimension that stands there, and without choices', async () => {
    await type('');
    await statsDimension.run(desk.press(statsValue.write({ days: 30, dimension: 'weekday' }), undefined));
    await pressShare(await shareValue());
    expect(inChannel()).toHaveLength(1);
    expect(inChannel()[0]).toContain('<@U0ANA> shared statistics of proposals:');
    expect(inChannel()[0]).toContain('*163 proposals sent in the last 30 days*');
    expect(inChannel()[0]).toContain('*By weekday*');
    expect(inChannel()[0]).not.toMatch(/\[Share|\[By template/u);
    expect(last().to).toBe('replaced');
    expect(words()).toContain('Shared to the channel by you');
    expect(words()).not.toContain('[Share to channel]');
    expect(words()).toContain('By boost');
  });

  it('counts as of the moment at which they were shown', async () => {
    await type('');
    const value = await shareValue();
    desk.clock.moveBy(2 * DAY - 1_000);
    desk.proposals.held = [...some(3, { submittedAt: NOW + HOUR }), ...desk.proposals.held];
    await pressShare(value);
    expect(inChannel()[0]).toContain('*163 proposals sent');
  });

  it('pressed twice at once posts once', async () => {
    await type('');
    const value = await shareValue();
    await Promise.all([pressShare(value), pressShare(value), pressShare(value)]);
    await pressShare(value);
    expect(inChannel()).toHaveLength(1);
    expect(words()).toContain('shared this to the channel already');
  });

  it('is nobody else’s', async () => {
    await type('');
    await pressShare(await shareValue(), BEN);
    expect(inChannel()).toEqual([]);
    expect(words()).toContain("can't be shared any more");
  });

  it('that Slack left without an answer is not repeated', async () => {
    await type('');
    const value = await shareValue();
    const call = desk.press(value, undefined as MessageTs | undefined);
    const answer: ActionCall['answer'] = async (message, to) => {
      if (to === 'channel') throw new SlackCallError('timeout', 'unknown');
      await call.answer(message);
    };
    await proposalsShare.run({ ...call, answer });
    expect(words()).toContain('did not say whether this arrived');
    await pressShare(value);
    expect(inChannel()).toEqual([]);
  });

  it('of what is no longer known says so', async () => {
    await type('');
    const value = await shareValue();
    desk.proposals.held = [];
    await pressShare(value);
    expect(words()).toContain('no longer known');
    expect(inChannel()).toEqual([]);
  });
});
