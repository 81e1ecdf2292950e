/** Odd marketplace answers and rejected modals: bids continue, or end in a clear sentence. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { accessSameMessage } from '../../src/slack/access/access.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead } from './as-read.ts';
import { begin as beginBid } from './begin-bid.ts';
import { approve, cardOf, openBid, press, SETUP } from './bidder.ts';
import { buttonsOf, unsubscribe } from './buttons.ts';
import {
  allShown,
  errorsInLog,
  expectDecent,
  expectDecentMessage,
  expectHealthy,
  shownTo,
} from './healthy.ts';
import { FAST, projectOf, type World, wordsOf } from './world.ts';

async function begin(options: Parameters<typeof beginBid>[0] = {}) {
  const begun = await beginBid({ ...FAST, ...options });
  const { world } = begun;
  world.slack.setRateLimits('off');
  onTestFinished(() => {
    allShown(world).forEach(expectDecentMessage);
    // The bot can't post in channels without it.
    expect(world.slack.failedCalls().filter(({ error }) => error !== 'not_in_channel')).toEqual([]);
  });
  return begun;
}

/** Deletes the stored setup list, as before the first fetch. */
async function forgetSetups(world: World) {
  const none = presetFaults.wrongJson({ success: true, count: 0, setups: [] });
  world.marketplace.injectFault({ path: '/auto-bidding/setups' }, none);
  await world.pass(2 * MINUTE);
  expect(await world.gig('web', 'setups', 'ben')).not.toContain('Fast setup');
}

/** Passes time without the feed, which isn't under test here. */
async function passQuietly(world: World, ms: number) {
  await unsubscribe(world, 'web', '101');
  await world.pass(ms);
}

const HOSTILE = [
  '<!channel> <https://evil.example|Approve>',
  '\u202Egnp\u0000\u200B',
  '😀'.repeat(200),
  '`*_~|"\\',
  'x'.repeat(3_000),
  ' ',
] as const;

describe('setups', () => {
  it('120 with hostile names and undocumented statuses can be listed, chosen, and bid with', async () => {
    const { bid, world } = await begin();
    for (let n = 0; n < 120; n++)
      world.marketplace.addSetup({
        id: 100 + n,
        name: `${HOSTILE[n % HOSTILE.length]}`,
        scheduleLabel: `${HOSTILE[(n + 1) % HOSTILE.length]}`,
        timezone: `${HOSTILE[(n + 2) % HOSTILE.length]}`,
        filter: { id: 101, name: `${HOSTILE[(n + 3) % HOSTILE.length]}` },
      });
    world.marketplace.updateSetup(100, { status: '<!here> on the moon' } as never);
    await world.pass(2 * MINUTE);
    await world.gig('web', 'setups', 'ben');
    for (let page = 2; page <= 11; page++) {
      const list = bid.note();
      expect(wordsOf(list)).toMatch(new RegExp(`\\b${page - 1} \\w+ 11\\b`, 'u'));
      await press(world, 'Next Page', { message: list });
      await world.pass(2 * SECOND);
    }
    await bid.open();
    expect(bid.screen()).toMatch(/\b21\b/u);
    await world.slack.closeView({ user: 'ben' });
    await world.gig('web', `bid ${bid.project.ciphertext} 219`, 'ben');
    await world.slack.submitView({ user: 'ben' });
    await world.pass(3 * SECOND);
    expect(bid.creates()[0]?.body).toMatchObject({ setup_id: 219 });
    await world.gig('web', 'audit');
    expectHealthy(world);
  });

  it('none at all: the form says so, and goes on once there is one', async () => {
    const { bid, world } = await begin();
    await forgetSetups(world);
    await bid.open();
    expect(bid.view().submit).toBeUndefined();
    expect(bid.screenAsRead()).toMatchSnapshot();
    await bid.pressOnScreen('Reload');
    await world.pass(3 * SECOND);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    expectHealthy(world);
  });

  it.each<[string, MarketplaceFaultEffect]>([
    ['a page of HTML', presetFaults.html(200)],
    ['an error page', presetFaults.html(502)],
    ['a list', presetFaults.wrongJson()],
    ['null', presetFaults.wrongJson(null)],
    [
      'setups of nonsense',
      presetFaults.wrongJson({ success: true, setups: [null, 1, 'x', { id: 'seven' }] }),
    ],
    ['a refusal', presetFaults.wrongJson({ success: false, error: 'No <!channel> plan' })],
  ])('that come as %s: the form says what is the matter, and can be reloaded', async (_, effect) => {
    const { bid, world } = await begin();
    await forgetSetups(world);
    await passQuietly(world, 6 * MINUTE);
    const fault = world.marketplace.injectFault({ path: '/auto-bidding/setups' }, effect, 99);
    await bid.open();
    await world.pass(30 * SECOND);
    expectDecent(bid.screen());
    expect(bid.view().submit).toBeUndefined();
    expect(bid.screenAsRead()).toMatchSnapshot();
    fault.cancel();
    await bid.pressOnScreen('Reload');
    await world.pass(3 * SECOND);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
  });
});

describe('a project', () => {
  it('with 50 questions of 2,000 characters and a title of emoji can be bid on', async () => {
    const { bid, world } = await begin();
    const questions = Array.from({ length: 50 }, (_, n) =>
      `${n} ${'Why & <how>? '.repeat(160)}`.slice(0, 2_000),
    );
    const project = world.marketplace.publishProject(101, {
      title: '🦄🦄',
      clientQuestions: questions,
      usOnly: false,
      ukOnly: false,
    });
    await world.until('the card', () => world.told('web').includes(project.ciphertext), 5 * MINUTE);
    await openBid(world, project);
    expect(bid.screen()).toMatch(/🦄🦄[\s\S]*\b20\b/u);
    const answers = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`answer_${n}`, `Answer ${n}`]));
    await bid.submit('ben', answers);
    const sent = bid.creates()[0]?.body as { answers: { question: string; answer: string }[] };
    expect(sent.answers.map(({ answer }) => answer)).toEqual(Object.values(answers));
    expect(sent.answers.map(({ question }) => question)).toEqual(questions.slice(0, 30));
    expect(wordsOf(cardOf(world, project))).toContain(`#${bid.job().id}`);
    expectHealthy(world);
  });

  async function approveInThread(world: World, project: ProjectWithFilterIds): Promise<void> {
    const thread = world.slack.thread('web', cardOf(world, project).ts);
    const request = thread.find((it) => findPressable(it, 'Reject'));
    if (!request) return expect.fail('nobody is asked to approve it');
    await approve(world, request);
  }

  it('with a hostile title is bid on, approved and followed in decent words', async () => {
    const { bid, world } = await begin({ reviews: true });
    const titles = HOSTILE.filter((title) => title.trim() !== '');
    const made = titles.map((title) =>
      world.marketplace.publishProject(101, {
        title,
        clientQuestions: [title],
        usOnly: false,
        ukOnly: false,
      }),
    );
    await world.until('the cards', () => made.every((it) => world.told('web').includes(it.ciphertext)), HOUR);
    for (const [n, project] of made.entries()) {
      const letter = `A letter. ${titles[n]}`.slice(0, 2_999);
      await openBid(world, project);
      await bid.submit('ben', { answer_0: titles[n] ?? '', cover_letter: letter });
      await world.pass(SECOND);
      await approveInThread(world, project);
      await world.pass(5 * SECOND);
    }
    expect(bid.approvals()).toHaveLength(titles.length);
    for (const [n, job] of world.marketplace.jobs().entries())
      world.marketplace.updateJob(job.id, { status: 'failed', errorMessage: titles[n] ?? '' });
    await passQuietly(world, HOUR);
    for (const { id } of world.marketplace.jobs()) await world.gig('web', `job ${id}`);
    await world.gig('web', 'audit');
    const { jobs } = await bid.books();
    expect(jobs.map(({ status }) => status)).toEqual(made.map(() => 'failed'));
    for (const { id, project } of jobs) {
      const card = world.cards('web').find((it) => projectOf(it) === project);
      expect(card && wordsOf(card)).toContain(`#${id}`);
    }
    expectHealthy(world);
  });
});

describe('an answer to a bid', () => {
  it.each<[string, MarketplaceFaultEffect]>([
    ['a page of HTML', presetFaults.html(200)],
    ['a list', presetFaults.wrongJson()],
    ['a success without a job', presetFaults.wrongJson({ success: true, message: 'ok' })],
    ['a job without an id', presetFaults.wrongJson({ success: true, job: { id: 1.5, status: {} } })],
  ])('that is %s leaves open whether there is a job, and nothing is repeated', async (_, effect) => {
    const { bid, world } = await begin();
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/create' }, effect);
    await bid.open();
    await bid.submit();
    expect(await bid.states()).toEqual(['unknown']);
    expect(shownTo(world, 'ben')).toContain('HTTP 200');
    expect(bid.screenAsRead()).toMatchSnapshot();
    await passQuietly(world, HOUR);
    expect(bid.creates()).toHaveLength(1);
    expectHealthy(world);
  });
});

describe('a reading of a job', () => {
  it('about another job, of zeros, or of nonsense, ends nothing: it is followed on', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await bid.submit();
    const { id } = bid.job();
    const status = { path: '/auto-bidding/jobs/*/status' };
    await passQuietly(world, SECOND);
    for (const effect of [
      presetFaults.wrongJson({
        success: true,
        job: { id: id + 1, status: 'completed', processed_at: '2026-01-01' },
      }),
      presetFaults.wrongJson({
        success: true,
        job: { id, status: 'scheduled', error_message: 0, processed_at: 0 },
      }),
      presetFaults.html(200),
    ]) {
      const fault = world.marketplace.injectFault(status, effect);
      await world.gig('web', `job ${id}`, 'ben');
      await world.until('it is read', () => fault.hits() > 0, HOUR);
    }
    expect(bid.thread()).toHaveLength(1);
    world.marketplace.updateJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await world.pass(2 * HOUR);
    expect(bid.thread().join('\n')).toContain('Out of connects');
  });
});

describe('windows that Slack refuses', () => {
  it('to open: a sentence says to press again, and the next press opens it', async () => {
    const { bid, world } = await begin();
    world.slack.injectFault('views.open', { kind: 'error', error: 'expired_trigger_id' });
    await bid.press('Bid');
    await world.pass(2 * SECOND);
    expect(bid.toldAsRead()).toMatchSnapshot();
    await bid.open();
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    expect(errorsInLog(world)).toHaveLength(1);
  });

  it('to confirm: the form stands, and nobody is told that it does not', async () => {
    const { bid, world } = await begin();
    const before = world.slack.apiCalls('views.open').length;
    world.slack.injectFault('views.open', { kind: 'status', status: 503, when: 'after' });
    await bid.press('Bid');
    await world.pass(2 * SECOND);
    expect(bid.told()).toContain('_ref');
    expect(bid.toldAsRead()).toMatchSnapshot();
    expect(world.slack.apiCalls('views.open')).toHaveLength(before + 1);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
  });

  it.each(['not_found', 'hash_conflict', 'internal_error'])(
    'to change (%s): nothing typed is lost, and what came of a bid is told all the same',
    async (error) => {
      const { bid, world } = await begin();
      const view = await bid.open();
      const fault = world.slack.injectFault('views.update', { kind: 'error', error }, 99);
      const values = { cover_letter: 'Typed before it failed' };
      await world.slack.chooseOption({
        view,
        user: 'ben',
        actionId: 'bid_when',
        option: 'as-set-up',
        values,
      });
      await world.pass(10 * SECOND);
      await bid.submit();
      await world.pass(10 * SECOND);
      expect(bid.creates().map((it) => it.body)).toMatchObject([
        { setup_id: SETUP, cover_letter: 'Typed before it failed' },
      ]);
      expect(bid.told()).toContain(`#${bid.job().id}`);
      fault.cancel();
    },
  );

  it('to tell user groups (missing_scope): the form of roles says who can help, and saves', async () => {
    const { bid, world } = await begin();
    world.slack.injectFault('usergroups.*', { kind: 'error', error: 'missing_scope' }, 99);
    await world.gig('web', 'access');
    await world.pass(2 * SECOND);
    expect(bid.screen('ada')).toContain('`usergroups:read`');
    await world.slack.submitView({ user: 'ada' });
    await world.pass(2 * SECOND);
    expect(shownTo(world, 'ada')).toContain(accessSameMessage().text);
    expectHealthy(world);
  });

  it('in a channel without the bot, access is asked for with a word on whom nobody reads', async () => {
    const { bid, world } = await begin();
    world.slack.addChannel({ name: 'without', withBot: false });
    await world.gig('without', `bid ${bid.project.ciphertext}`, 'ben');
    const refusal = world.slack.ephemerals('ben', 'without').at(-1) ?? expect.fail('no refusal');
    await press(world, 'Request Access', { message: refusal });
    await world.pass(2 * SECOND);
    const told = world.slack.ephemerals('ben', 'without').at(-1) ?? refusal;
    expect(buttonsOf(told, actionIds.accessAsk)).toEqual([]);
    expect(asRead(world, wordsOf(told))).toMatchSnapshot();
  });
});

describe('a restart', () => {
  it('leaves the buttons of old messages and open forms as good as they were', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open('ada');
    await bid.open();
    await bid.submit('ben', { cover_letter: 'Dear client' });
    await world.crash();
    await world.restart();
    await bid.press('Approve', 'ada').catch(() => undefined);
    const late = await bid.submit('ada');
    expect(JSON.stringify(late.errors)).toContain(`#${bid.job().id}`);
    await world.slack.closeView({ user: 'ada' });
    await world.pass(MINUTE);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.creates()).toHaveLength(1);
  });
});
