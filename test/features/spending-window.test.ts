/** The cancel window: a request waits with Cancel in sight, over restarts, and is sent once or never. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin } from './begin-bid.ts';
import { grant } from './bidder.ts';
import {
  heldMessage,
  heldWords,
  openRules,
  pressAsSeen,
  pressHeld,
  setRules,
  submitRules,
} from './spending-rules.ts';
import { wordsOf } from './world.ts';

async function beginWithWindow(seconds: string, options = {}) {
  const begun = await begin(options);
  await setRules(begun.world, { 'cancel-window': seconds });
  return begun;
}

describe('the form with the rules', () => {
  it('shows all mistakes at their fields, and announces and audits a change', async () => {
    const { world } = await begin();
    await openRules(world);
    const answer = await submitRules(world, {
      'second-amount': 'much',
      'second-connects': '3.5',
      'channel-cap': '-1',
      'person-cap': 'all',
    });
    expect(Object.keys(answer.errors ?? {}).sort()).toEqual([
      'channel-cap',
      'person-cap',
      'second-amount',
      'second-connects',
    ]);
    const done = await submitRules(world, {
      'cancel-window': '30',
      'second-amount': '1,500',
      'second-connects': '30',
      'channel-cap': '200',
      'person-cap': null,
    });
    expect(done.errors ?? {}).toEqual({});
    const said = world.slack
      .messages('web')
      .map((it) => JSON.stringify(it))
      .join('\n');
    expect(said).toContain(`<@${world.slack.user('ada').id}> changed this channel's spending rules`);
    for (const part of ['30 seconds', '$1,500', '30 connects', '200 for the channel'])
      expect(said).toContain(part);
    await world.slack.closeView({ user: 'ada', all: true });
    expect(await world.gig('web', 'audit')).toContain('cancel window');
    const again = await openRules(world);
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"1500"');
  });

  it('is for admins only, and saves nothing over what another admin saved meanwhile', async () => {
    const { world } = await begin();
    await grant(world, ['ben']);
    await world.gig('web', 'settings', 'ben');
    await world.pass(SECOND);
    const view = world.slack.view('ben');
    expect(view && findPressable(view, 'Spending Rules')).toBeUndefined();
    const old = await openRules(world);
    await submitRules(world, { 'cancel-window': '10' });
    await world.slack.submitView({
      user: 'ada',
      view: old,
      values: { 'cancel-window': '60' },
      asItWas: true,
    });
    await world.pass(2 * SECOND);
    expect(JSON.stringify(world.slack.ephemerals('ada', 'web').at(-1))).toContain("weren't saved");
  });
});

describe('the cancel window after Send', () => {
  it('waits with Cancel in a message, then sends the bid once', async () => {
    const { bid, world } = await beginWithWindow('30');
    await bid.open();
    await bid.submit('ben', { cover_letter: 'Hello' });
    expect(bid.creates()).toEqual([]);
    expect(await bid.states()).toEqual(['held']);
    expect(findPressable(heldMessage(bid), 'Cancel')).toBeDefined();
    expect(bid.screen('ben')).toContain('Cancel');
    expect(bid.cardWords()).toContain('unless someone cancels it');
    await world.pass(25 * SECOND);
    expect(bid.creates()).toEqual([]);
    await world.pass(10 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(await bid.states()).toEqual(['created']);
    expect(findPressable(heldMessage(bid), 'Cancel')).toBeUndefined();
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toHaveLength(1);
  });

  it('sends nothing after Cancel, by anyone who may bid, and says who did it', async () => {
    const { bid, world } = await beginWithWindow('60');
    await bid.open();
    await bid.submit();
    world.slack.addUser({ name: 'vic' });
    await pressHeld(bid, 'Cancel', 'vic');
    await world.pass(SECOND);
    expect(await bid.states()).toEqual(['held']);
    await pressHeld(bid, 'Cancel', 'ada');
    await world.pass(2 * SECOND);
    expect(await bid.states()).toEqual(['refused']);
    expect(heldWords(bid)).toContain(`<@${world.slack.user('ada').id}> canceled it`);
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toEqual([]);
    const audit = await world.gig('web', 'audit');
    expect(audit).toMatch(/canceled the bid/u);
  });

  it('can be tried again after Cancel, from the card', async () => {
    const { bid, world } = await beginWithWindow('10');
    await bid.open();
    await bid.submit();
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(2 * SECOND);
    await world.slack.closeView({ user: 'ben', all: true });
    await bid.press('Try Again');
    await world.pass(SECOND);
    await bid.submit();
    await world.pass(15 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it.each([0, 1, 2, 5, 9, 14, 20, 33])(
    'decides once when Cancel comes at the moment of sending (%i turns later)',
    async (turns) => {
      const { bid, world } = await beginWithWindow('10');
      await bid.open();
      await bid.submit();
      const message = heldMessage(bid);
      const books = await bid.books();
      const due = books.bids[0]?.hold?.dueAt ?? 0;
      await world.pass(Math.max(0, due - world.clock.now() - 1));
      const canceling = (async () => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        await pressAsSeen(world, message, 'Cancel', 'ben');
      })();
      await world.pass(2 * SECOND);
      await canceling;
      await world.pass(MINUTE);
      const [stored] = (await bid.books()).bids;
      const isCanceled = stored?.hold?.ended?.kind === 'canceled';
      expect(bid.creates()).toHaveLength(isCanceled ? 0 : 1);
      expect(stored?.state).toBe(isCanceled ? 'refused' : 'created');
    },
  );

  it('goes on after a kill, and sends the bid once', async () => {
    const { bid, world } = await beginWithWindow('60');
    await bid.open();
    await bid.submit();
    await world.pass(20 * SECOND);
    await world.crash();
    await world.restart();
    await world.pass(20 * SECOND);
    expect(bid.creates()).toEqual([]);
    expect(findPressable(heldMessage(bid), 'Cancel')).toBeDefined();
    await world.pass(30 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    await world.crash();
    await world.restart();
    await world.pass(10 * MINUTE);
    expect(bid.creates()).toHaveLength(1);
  });

  it('sends a little late after a short pause, and never after a long one', async () => {
    for (const [pause, sent] of [
      [10 * MINUTE, 1],
      [HOUR, 0],
    ] as const) {
      const { bid, world } = await beginWithWindow('60');
      await bid.open();
      await bid.submit();
      await world.crash();
      world.clock.moveBy(pause);
      await world.restart();
      await world.pass(MINUTE);
      expect(bid.creates(), String(pause)).toHaveLength(sent);
      expect(await bid.states()).toEqual([sent ? 'created' : 'refused']);
      await world.pass(HOUR, MINUTE);
      expect(bid.creates(), String(pause)).toHaveLength(sent);
    }
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])(
    'is never sent after Cancel if the process is killed meanwhile (%i turns later)',
    async (turns) => {
      const { bid, world } = await beginWithWindow('10');
      await bid.open();
      await bid.submit();
      const canceling = pressHeld(bid, 'Cancel', 'ben').catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await world.crash();
      await canceling;
      const isCanceled = (await bid.states())[0] === 'refused';
      await world.restart();
      await world.pass(5 * MINUTE);
      if (isCanceled) expect(bid.creates()).toEqual([]);
      expect(bid.creates().length).toBeLessThanOrEqual(1);
      const [stored] = (await bid.books()).bids;
      if (stored?.hold?.ended?.kind === 'canceled') expect(bid.creates()).toEqual([]);
    },
  );

  it('sends nothing for a person who lost the role meanwhile', async () => {
    const { bid, world } = await beginWithWindow('60');
    await bid.open();
    await bid.submit();
    await grant(world, []);
    await world.pass(2 * MINUTE);
    expect(bid.creates()).toEqual([]);
    expect(heldWords(bid)).toContain("can't bid here anymore");
  });

  it('sends nothing for a person who left the workspace meanwhile', async () => {
    const { bid, world } = await beginWithWindow('30');
    await bid.open();
    await bid.submit();
    world.slack.deactivate('ben');
    await world.pass(2 * MINUTE);
    expect(bid.creates()).toEqual([]);
    expect(heldWords(bid)).toContain("can't bid here anymore");
  });

  it('blocks other bids on the project that have not seen it', async () => {
    const { bid, world } = await beginWithWindow('300');
    await bid.open();
    await bid.open('ada');
    await bid.submit();
    await bid.submit('ada');
    await world.pass(2 * SECOND);
    expect((await bid.books()).bids).toHaveLength(1);
    expect((await bid.books()).bids[0]?.by).toBe(world.slack.user('ben').id);
  });
});

describe('the cancel window after Approve', () => {
  it('waits with Cancel in a message, then approves once; after Cancel never', async () => {
    const { bid, world } = await beginWithWindow('30', { reviews: true });
    await bid.open();
    await bid.submit();
    await world.pass(40 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toEqual([]);
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(MINUTE);
    expect(bid.approvals()).toEqual([]);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(10 * SECOND);
    await world.crash();
    await world.restart();
    expect(bid.approvals()).toEqual([]);
    await world.pass(30 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    await world.pass(HOUR, MINUTE);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('says what changed while it waited, and sends nothing', async () => {
    const { bid, world } = await beginWithWindow('60', { reviews: true });
    await bid.open();
    await bid.submit();
    await world.pass(65 * SECOND);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    world.marketplace.updateJob(bid.job().id, { scheduledAt: world.clock.now() + 9 * HOUR });
    await world.pass(2 * MINUTE);
    expect(bid.approvals()).toEqual([]);
    expect(heldWords(bid)).toMatch(/changed while it waited.*\n• Scheduled: <!date.* → <!date/u);
  });

  it('says that the job is gone, and sends nothing', async () => {
    const { bid, world } = await beginWithWindow('60', { reviews: true });
    await bid.open();
    await bid.submit();
    await world.pass(65 * SECOND);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    const gone = presetFaults.status(404, 'Job not found');
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/*/status' }, gone, Number.POSITIVE_INFINITY);
    await world.pass(5 * MINUTE);
    expect(bid.approvals()).toEqual([]);
    expect(heldWords(bid)).toContain('was deleted');
    expect(bid.thread().join('\n')).not.toContain('Try again');
    expect(wordsOf(bid.request())).toContain('no longer in the marketplace');
  });

  it('sends nothing once the job does not wait any more', async () => {
    const { bid, world } = await beginWithWindow('60', { reviews: true });
    await bid.open();
    await bid.submit();
    await world.pass(65 * SECOND);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    world.marketplace.updateJob(bid.job().id, { status: 'scheduled' });
    await world.pass(2 * MINUTE);
    expect(bid.approvals()).toEqual([]);
    const [job] = (await bid.books()).jobs;
    expect(job?.approval?.state).toBe('refused');
  });

  it('asks for the job ever more rarely while it cannot be read, and says why nothing was sent', async () => {
    const { bid, world } = await beginWithWindow('30', { reviews: true });
    await bid.open();
    await bid.submit();
    await world.pass(40 * SECOND);
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    const failing = { kind: 'answer', status: 403, json: { error: 'Not you' } } as const;
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/*/status' }, failing, Number.POSITIVE_INFINITY);
    const reads = () => world.marketplace.requests().filter(({ path }) => path.endsWith('/status')).length;
    const before = reads();
    await world.pass(20 * MINUTE, 5 * SECOND);
    expect(reads() - before).toBeLessThan(40);
    expect(bid.approvals()).toEqual([]);
    expect(await bid.approvalStates()).toEqual(['refused']);
    expect(heldWords(bid)).toContain('marketplace');
  });
});
