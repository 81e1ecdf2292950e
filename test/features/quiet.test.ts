/** A channel's quiet hours, from the form to the summary afterwards. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { asRead } from './as-read.ts';
import { buttonsOf } from './buttons.ts';
import { expectHealthy } from './healthy.ts';
import { changeSettings } from './settings-form.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

/** At a calendar time, with a subscribed channel that is quiet from 20:00 to 08:00 in Berlin. */
async function begin(at: string): Promise<World> {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.clock.moveTo(Date.parse(at));
  await world.pass(MINUTE);
  await world.gig('web', 'subscribe filter 101');
  await world.pass(MINUTE);
  await changeSettings(world, 'web', {
    quiet: ['daily'],
    'quiet-from': '20:00',
    'quiet-to': '08:00',
    timezone: 'berlin',
  });
  return world;
}

/** As if the machine had slept in between. */
async function until(at: string): Promise<void> {
  world.clock.moveTo(Date.parse(at));
  await world.pass(2 * MINUTE);
}

async function publish(...titles: readonly string[]): Promise<void> {
  for (const title of titles) world.marketplace.publishProject(101, { title });
  await world.pass(MINUTE);
}

const summaries = () => posted(world, 'quiet');

/** Presses the button that posts this many cards. */
async function show(howMany: number, on = summaries()[0] ?? expect.fail('no summary')): Promise<void> {
  const [found] = buttonsOf(on, actionIds.showMore);
  expect(found?.label).toMatch(new RegExp(`\\b${howMany}\\b`, 'u'));
  await world.slack.press({ message: on, user: 'ada', actionId: actionIds.showMore });
  await world.pass(MINUTE);
}

const SPRING = ['2027-03-27T17:00Z', '2027-03-27T19:30Z', '2027-03-28T05:55Z', '2027-03-28T06:00Z'] as const;
const AUTUMN = ['2027-10-30T16:00Z', '2027-10-30T18:30Z', '2027-10-31T06:55Z', '2027-10-31T07:00Z'] as const;
const PLAIN = ['2027-01-20T17:00Z', '2027-01-20T19:30Z', '2027-01-21T06:55Z', '2027-01-21T07:00Z'] as const;

describe('what quiet hours held back', () => {
  it.each([
    ['of an ordinary night', PLAIN],
    ['of the night in which clocks are set forward', SPRING],
    ['of the night in which clocks are set back', AUTUMN],
  ])(
    '%s comes at eight by the wall clock, as one summary',
    async (_, [evening, night, before, end]) => {
      await begin(evening);
      await publish('Before the night');
      expect(world.told('web')).toHaveLength(1);
      await until(night);
      await publish('First of the night', 'Second of the night');
      await publish('Third of the night');
      await until(before);
      expect(summaries()).toEqual([]);
      expect(world.told('web')).toHaveLength(1);
      await until(end);
      expect(summaries()).toHaveLength(1);
      expect(wordsOf(summaries()[0] ?? expect.fail())).toMatch(/\b3\b/u);
      await publish('After the night');
      expect(world.told('web')).toHaveLength(2);
      await show(3);
      expect(new Set(world.told('web')).size).toBe(5);
      expect(world.told('web')).toHaveLength(5);
      expectHealthy(world);
    },
    60_000,
  );

  it('is one card where there is one; answers and what is asked for are not held back', async () => {
    await begin(PLAIN[0]);
    await until(PLAIN[1]);
    await publish('The only one');
    expect(await world.gig('web', 'list')).toMatch(/8:00 PM.*8:00 AM.*Europe\/Berlin/u);
    expect(world.told('web')).toEqual([]);
    await until(PLAIN[3]);
    expect(world.told('web')).toHaveLength(1);
    expect(summaries()).toEqual([]);
  }, 60_000);

  it('is one summary of any size, posted once even if the app dies at the end of the night', async () => {
    await begin(PLAIN[0]);
    await until(PLAIN[1]);
    await publish(...Array.from({ length: 14 }, (_, place) => `Project ${place}`));
    world.clock.moveTo(Date.parse(PLAIN[3]) - SECOND);
    for (let crashes = 0; crashes < 3; crashes++) {
      world.clock.moveBy(500);
      await new Promise((resolve) => setImmediate(resolve));
      await world.crash();
      await world.restart();
    }
    await world.pass(3 * MINUTE);
    expect(summaries()).toHaveLength(1);
    expect(wordsOf(summaries()[0] ?? expect.fail())).toMatch(/\b14\b/u);
    expect(world.told('web')).toEqual([]);
    await show(10);
    await show(4);
    expect(new Set(world.told('web')).size).toBe(14);
  }, 60_000);

  it('comes at the start, when the app was down at the end of the night', async () => {
    await begin(PLAIN[0]);
    await until(PLAIN[1]);
    await publish('One', 'Two');
    await world.crash();
    world.clock.moveTo(Date.parse(PLAIN[3]) + 2 * HOUR);
    await world.restart();
    await world.pass(MINUTE);
    expect(summaries()).toHaveLength(1);
  }, 60_000);

  it('comes at once when quiet hours are switched off', async () => {
    await begin(PLAIN[0]);
    await until(PLAIN[1]);
    await publish('One', 'Two');
    await changeSettings(world, 'web', { quiet: [] });
    await world.pass(10 * SECOND);
    expect(summaries()).toHaveLength(1);
    const ada = `<@${world.slack.user('ada').id}>`;
    const told = world.slack.messages('web').findLast(({ text }) => text.includes(ada));
    expect(asRead(world, told?.text ?? '')).toMatchSnapshot();
  }, 60_000);

  it('holds invitations and outcomes back, too, and they come behind the summary', async () => {
    await begin(PLAIN[0]);
    const { marketplace } = world;
    marketplace.addProfile({ id: 301, label: 'Web studio' });
    await world.gig('web', 'subscribe invitations 301');
    await world.pass(10 * MINUTE);
    await until(PLAIN[1]);
    marketplace.addInvitation({ profileId: 301, title: 'Invited at night' });
    await publish('One', 'Two');
    await world.pass(15 * MINUTE);
    expect(world.slack.messages('web').some((it) => wordsOf(it).includes('Invited at night'))).toBe(false);
    await until(PLAIN[3]);
    const told = world.slack.messages('web');
    const summary = told.findIndex((it) => summaries().some(({ ts }) => ts === it.ts));
    expect(summary).toBeGreaterThan(-1);
    expect(told.map(wordsOf).findIndex((it) => it.includes('Invited at night'))).toBeGreaterThan(summary);
  }, 60_000);
});
