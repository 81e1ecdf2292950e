/** How many messages a channel gets at its level, and that nothing is lost or late because of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { countLinesBeforeFold } from '../slack/rubric.ts';
import { press } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import { expectDecentMessage, expectHealthy } from './healthy.ts';
import { QUIET } from './quiet-proposal.ts';
import { changeSettings, type FilledForm } from './settings-form.ts';
import { FAST, posted, startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

const PROFILE = 31;
/** About ten lines: a bundle's title, ten items, and how many more. The rest is folded or behind a press. */
const MOST_LINES = 12;

let world: World;
let before: ReadonlySet<string>;
afterEach(() => world.stop());

/** A channel that follows a profile's invitations and outcomes. */
async function begin(settings: FilledForm, options: WorldOptions = FAST): Promise<void> {
  world = await startWorld(options);
  world.marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  await world.gig('web', 'subscribe invitations 31');
  await world.gig('web', 'subscribe outcomes 31');
  await changeSettings(world, 'web', settings);
  await world.pass(10 * MINUTE);
  startCounting();
}

function startCounting(): void {
  before = new Set(world.slack.messages('web').map(({ ts }) => ts));
}

/** Top-level messages since the last `startCounting`. */
function counted(): readonly SlackMessage[] {
  return world.slack.messages('web').filter(({ ts }) => !before.has(ts));
}

const titles = (count: number) => Array.from({ length: count }, (_, each) => `Invited ${each + 1}.`);

function invite(names: readonly string[]): void {
  for (const title of names) world.marketplace.addInvitation({ profileId: PROFILE, title });
}

const summaries = () => posted(world, 'flood');

/** Opens all bundles, press by press. */
async function openAll(): Promise<void> {
  for (let presses = 0; presses < 10; presses++) {
    const message = summaries().find((it) => buttonsOf(it, actionIds.showMore).length > 0);
    if (!message) return;
    await world.slack.press({ message, user: 'ben', actionId: actionIds.showMore });
    await world.pass(MINUTE);
  }
}

/** The titles of single invitations, sorted; each should be there once. */
function singles(): readonly string[] {
  const shown = posted(world, 'invitation').map((it) => /Invited \d+\./u.exec(wordsOf(it))?.[0] ?? '');
  return shown.toSorted();
}

describe('12 invitations that arrive together', () => {
  it.each([
    ['normal', 5, 3],
    ['quiet', 3, 1],
  ] as const)(
    'at %s are at most %i messages, and each can be opened and claimed',
    async (level, most, few) => {
      await begin({ level });
      invite(titles(12));
      await world.pass(10 * MINUTE);
      expect(counted().length).toBeLessThanOrEqual(most);
      expect(singles()).toHaveLength(few);
      expect(counted().at(-1)).toEqual(summaries()[0]);
      for (const message of counted()) expectDecentMessage(message);
      await openAll();
      expect(singles()).toEqual(titles(12).toSorted());
      for (const card of posted(world, 'invitation')) await press(world, 'Claim', { message: card }, 'ben');
      await world.pass(MINUTE);
      const ben = `<@${world.slack.user('ben').id}>`;
      expect(posted(world, 'invitation').filter((it) => wordsOf(it).includes(ben))).toHaveLength(12);
      expectHealthy(world);
    },
    60_000,
  );

  it.each(['before', 'after'] as const)(
    'are each there once when Slack loses the bundle and the app dies: %s',
    async (when) => {
      await begin({ level: 'normal' });
      invite(titles(12));
      await world.until('single ones', () => singles().length === 3, 10 * MINUTE);
      let lost = 0;
      world.slack.injectFault(
        (method) => method === 'chat.postMessage' && ++lost > 0,
        { kind: 'drop', when },
        1,
      );
      await world.until('the bundle is sent', () => lost > 0);
      await world.crash();
      invite(['Invited 13.']);
      await world.restart();
      await world.pass(15 * MINUTE);
      expect(summaries()).toHaveLength(1);
      expect(counted().length).toBeLessThanOrEqual(5);
      await openAll();
      expect(singles()).toEqual(titles(13).toSorted());
    },
    60_000,
  );
});

describe('12 views that arrive together', () => {
  it.each([
    ['quiet', 0],
    ['normal', 1],
    ['everything', 11],
  ] as const)(
    'at %s are %i messages, and a hire among them is its own',
    async (level, messages) => {
      await begin({ level });
      const sent = titles(13).map((jobTitle) =>
        world.marketplace.addProposal({ profileId: PROFILE, jobTitle, ...QUIET }),
      );
      await world.pass(5 * MINUTE);
      for (const { id } of sent.slice(1)) world.marketplace.updateProposal(id, { isViewed: true });
      await world.pass(5 * MINUTE);
      expect(counted()).toHaveLength(messages);
      const hired = sent[0]?.id ?? expect.fail('none sent');
      world.marketplace.updateProposal(hired, { isViewed: true, isHired: true });
      await world.pass(5 * MINUTE);
      expect(counted()).toHaveLength(messages + 1);
      expect(posted(world, 'outcome').filter((it) => wordsOf(it).includes('Invited 1.'))).toHaveLength(1);
      const [list] = posted(world, 'outcomes-hour');
      if (level !== 'normal') return expect(list).toBeUndefined();
      if (!list) return expect.fail('no summary');
      expectDecentMessage(list);
      await press(world, 'Invited 8.', { message: list }, 'ben');
      await world.pass(SECOND);
      expect(JSON.stringify(world.slack.view('ben')?.blocks)).toContain('Invited 8.');
      return expectHealthy(world);
    },
    60_000,
  );
});

describe('a bundle', () => {
  it('comes after quiet hours, and has what a pause held back', async () => {
    await begin({ level: 'normal' });
    const sent = titles(9).map((jobTitle) =>
      world.marketplace.addProposal({ profileId: PROFILE, jobTitle, ...QUIET }),
    );
    await world.pass(5 * MINUTE);
    const now = new Date(world.clock.now()).getUTCHours();
    const clock = (hours: number) => `${String((now + hours) % 24).padStart(2, '0')}:00`;
    await changeSettings(world, 'web', {
      quiet: ['daily'],
      'quiet-from': clock(0),
      'quiet-to': clock(4),
      timezone: 'UTC',
    });
    startCounting();
    for (const { id } of sent) {
      world.marketplace.updateProposal(id, { isViewed: true });
      await world.pass(10 * MINUTE);
    }
    invite(titles(12));
    await world.pass(10 * MINUTE);
    expect(counted()).toEqual([]);
    await world.crash();
    world.clock.moveBy(4 * HOUR);
    await world.restart();
    await world.pass(10 * MINUTE);
    // Three invitations, a bundle of nine, and one list of the nine views.
    expect(counted()).toHaveLength(5);
    expect(posted(world, 'outcomes-hour')).toHaveLength(1);
    await world.gig('web', 'pause 2h');
    startCounting();
    invite(titles(20).slice(12));
    await world.pass(30 * MINUTE);
    expect(counted()).toEqual([]);
    await world.pass(2 * HOUR);
    expect(counted().length).toBeLessThanOrEqual(4);
    await openAll();
    expect(singles()).toEqual(titles(20).toSorted());
    expectHealthy(world);
  }, 60_000);
});

describe('40 lively minutes', () => {
  interface Busy {
    readonly messages: number;
    /** When each hire and interview was posted, by the proposal's title. */
    readonly results: ReadonlyMap<string, number>;
    readonly words: string;
  }

  /** Each minute, one project, one invitation, and two outcomes. */
  async function live(level: string): Promise<Busy> {
    await begin({ level }, {});
    const { marketplace } = world;
    marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'budget off');
    await world.gig('web', 'subscribe filter 101');
    const sent = Array.from({ length: 80 }, (_, each) =>
      marketplace.addProposal({ profileId: PROFILE, jobTitle: `Sent ${each}.`, ...QUIET }),
    );
    await world.pass(5 * MINUTE);
    startCounting();
    for (let minute = 0; minute < 40; minute++) {
      marketplace.publishProject(101);
      invite([`Invited ${minute}.`]);
      const isResult = minute % 4 === 3;
      const result = minute % 8 === 3 ? { isHired: true } : { isInterviewed: true };
      marketplace.updateProposal(sent[2 * minute]?.id ?? 0, { isViewed: true });
      marketplace.updateProposal(sent[2 * minute + 1]?.id ?? 0, isResult ? result : { isViewed: true });
      await world.pass(MINUTE, 2 * SECOND);
    }
    await world.pass(5 * MINUTE);
    const results = new Map(
      posted(world, 'outcome')
        .filter((it) => /hired|interviewed/iu.test(wordsOf(it)))
        .map((it) => [/Sent \d+\./u.exec(wordsOf(it))?.[0] ?? '', Number(it.ts)]),
    );
    const words = counted().map((it) => wordsOf(it) + JSON.stringify(it.blocks));
    const busy = { messages: counted().length, results, words: words.join('\n') };
    expect(world.told('web')).toHaveLength(40);
    for (const { blocks } of counted())
      expect(countLinesBeforeFold(blocks), JSON.stringify(blocks)).toBeLessThanOrEqual(MOST_LINES);
    await openAll();
    expect(singles()).toHaveLength(40);
    return busy;
  }

  it('are at most 60 messages at normal, and no hire or interview comes later', async () => {
    const everything = await live('everything');
    await world.stop();
    const normal = await live('normal');
    expect(normal.messages).toBeLessThanOrEqual(60);
    expect(everything.messages).toBeGreaterThan(150);
    expect(normal.results.size).toBe(10);
    for (const [title, at] of everything.results)
      expect(normal.results.get(title), title).toBeLessThanOrEqual(at);
    for (let each = 0; each < 80; each++) expect(normal.words).toContain(`Sent ${each}.`);
    expectHealthy(world);
  }, 120_000);
});
