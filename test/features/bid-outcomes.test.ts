/** Each result of a bid ends in a clear sentence; nothing is sent twice, no typed text is lost. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead } from './as-read.ts';
import { begin } from './begin-bid.ts';
import { CREATE, SETUP } from './bidder.ts';
import { unsubscribe } from './buttons.ts';

describe('four outcomes', () => {
  it('skipped: the reason is told, and another try is a press away', async () => {
    const { bid, world } = await begin();
    world.marketplace.updateSetup(SETUP, { exhausted: 'monthly limit' });
    await bid.open();
    await bid.submit();
    expect(bid.screen()).toMatch(/monthly limit/u);
    expect(await bid.states()).toEqual(['skipped']);
    expect(bid.cardWords()).toMatch(/monthly limit/u);
    expect([bid.cardLines(), bid.threadAsRead()]).toMatchSnapshot();
    world.marketplace.updateSetup(SETUP, { exhausted: undefined } as object);
    expect(findPressable(bid.card(), 'Try Again')).toBeDefined();
  });

  it.each([200, 400] as const)(
    'skipped, as success: false with HTTP %i: the job is kept and followed, and the message shown',
    async (status) => {
      const { bid, world } = await begin();
      world.marketplace.setModes({ skippedIsNoSuccess: status });
      world.marketplace.updateSetup(SETUP, { exhausted: 'monthly limit <!channel>' as 'monthly limit' });
      await bid.open();
      await bid.submit();
      const { id } = bid.job();
      expect(await bid.states()).toEqual(['skipped']);
      expect(bid.screenAsRead()).toMatchSnapshot();
      expect(bid.screen()).toContain(`#${id}`);
      expect(bid.screen()).toContain('monthly limit');
      expect(bid.screen()).not.toContain('<!channel>');
      await world.pass(MINUTE);
      expect(bid.cardLines()).toMatchSnapshot();
      expect(bid.cardLines()).toMatch(new RegExp(`monthly limit.*#${id}`, 'u'));
      const audit = await world.gig('web', 'audit');
      expect(audit).toContain(`#${id}`);
      expect(asRead(world, audit)).toMatchSnapshot();
      world.marketplace.updateSetup(SETUP, { exhausted: undefined } as object);
      await bid.press('Try Again');
      await world.pass(2 * SECOND);
      await bid.submit();
      expect(await bid.states()).toEqual(['created']);
      expect(bid.screenAsRead()).toMatchSnapshot();
      expect(bid.creates()).toHaveLength(2);
    },
  );

  it('created: what the marketplace says of it is shown', async () => {
    const { bid, world } = await begin();
    const said = { kind: 'answer', status: 200, carriedOut: true } as const;
    const job = { id: 1, marketplace_job_id: bid.project.ciphertext, status: 'scheduled' };
    const message = `Low on <!channel> connects ${'x'.repeat(5_000)}`;
    world.marketplace.injectFault(CREATE, { ...said, json: { success: true, message, job } });
    await bid.open();
    await bid.submit();
    expect(bid.screen()).toContain('Low on &lt;!channel&gt; connects');
    expect(bid.screen().length).toBeLessThan(3_000);
  });

  it('refused: the words of the API, and the form opens again with all that was typed', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client blocks agencies <!channel>'));
    await bid.open();
    await bid.submit('ben', { cover_letter: 'My long letter', bid_amount: '250' });
    const told = bid.screen();
    expect(told).toContain('This client blocks agencies');
    expect(told).not.toContain('<!channel>');
    await bid.pressOnScreen('Open Again');
    await world.pass(2 * SECOND);
    const again = bid.screen();
    expect(again).toContain('My long letter');
    expect(again).toContain('250');
    await bid.submit();
    expect(world.marketplace.jobs()).toHaveLength(1);
    expect(bid.creates()).toHaveLength(2);
    expect(bid.job()).toMatchObject({ coverLetter: 'My long letter', bidAmount: 250 });
  });

  it('refused with a job: that job is shown and followed', async () => {
    const { bid, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'scheduled',
    });
    await bid.open();
    await bid.submit();
    expect(bid.screen()).toContain(String(id));
    expect(bid.screen()).toContain('already exists');
    await world.pass(MINUTE);
    world.marketplace.updateJob(id, { status: 'failed', errorMessage: 'The client closed the job' });
    await world.pass(2 * HOUR);
    expect(bid.thread().join('\n')).toContain('The client closed the job');
  });

  it.each([
    ['the connection broke after the job was made', { kind: 'drop', when: 'after' }, 1],
    ['the connection broke before', { kind: 'drop', when: 'before' }, 0],
    ['a 500', presetFaults.status(500), 0],
  ] as const)(
    'unknown, %s: said so, checked without effects, tried again only by a person',
    async (_, effect, made) => {
      const { bid, world } = await begin();
      world.marketplace.injectFault(CREATE, effect);
      await bid.open();
      await bid.submit('ben', { cover_letter: 'My long letter' });
      expect(world.marketplace.jobs()).toHaveLength(made);
      expect(await bid.states()).toEqual(['unknown']);
      expect([bid.screenAsRead(), bid.cardLines()]).toMatchSnapshot();
      await world.pass(10 * MINUTE);
      expect(bid.creates()).toHaveLength(1);
      await bid.press('Check');
      await world.pass(2 * SECOND);
      expect(bid.told()).toMatch(/\/gig job/u);
      expect(bid.creates()).toHaveLength(1);
      await bid.press('Try Again');
      await world.pass(2 * SECOND);
      expect(bid.screen()).toContain('My long letter');
      await bid.submit();
      expect(bid.creates()).toHaveLength(2);
      const job = bid.job();
      await world.pass(MINUTE);
      expect(bid.cardWords()).toContain(`#${job.id}`);
    },
  );

  it('unknown: the id that the dashboard shows settles it', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'after' });
    await bid.open();
    await bid.submit();
    const job = bid.job();
    expect(await world.gig('web', `job ${job.id}`, 'ben')).toContain(String(job.id));
    await world.pass(10 * SECOND);
    expect(bid.cardWords()).toContain(`#${job.id}`);
    expect(await bid.states()).toEqual(['created']);
    for (const offer of ['Check', 'Try Again']) expect(findPressable(bid.card(), offer)).toBeUndefined();
  });
});

describe('a try that is refused after one without an answer', () => {
  /** The first try created a job without our knowledge. */
  async function inDoubt() {
    const { bid, world } = await begin();
    await bid.open();
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'after' });
    await bid.submit();
    await bid.press('Try Again');
    await world.pass(2 * SECOND);
    world.marketplace.injectFault(CREATE, presetFaults.status(403, 'Not on your plan'));
    await bid.submit();
    await world.pass(MINUTE);
    return { bid, world, job: bid.job() };
  }

  it('leaves it said that the job may exist, everywhere where the refusal is told', async () => {
    const { bid, world } = await inDoubt();
    for (const words of [bid.cardLines(), bid.thread().at(-1), bid.screen()])
      expect(words).toContain('Not on your plan');
    expect([bid.cardLines(), bid.threadAsRead(), bid.screenAsRead()]).toMatchSnapshot();
    for (const on of [bid.card(), bid.view()]) expect(findPressable(on, 'Check')).toBeDefined();
    await bid.press('Check');
    await world.pass(2 * SECOND);
    expect(bid.toldAsRead()).toMatchSnapshot();
    expect(bid.told()).toMatch(/`\/gig job /u);
    expect(bid.creates()).toHaveLength(2);
  });

  it('is warned of before the third', async () => {
    const { bid, world } = await inDoubt();
    await bid.press('Try Again');
    await world.pass(2 * SECOND);
    expect(bid.screenAsRead()).toMatchSnapshot();
    expect(findPressable(bid.view(), 'Check')).toBeDefined();
  });

  it('is settled by the id that the dashboard shows, and the log says which try it was', async () => {
    const { bid, world, job } = await inDoubt();
    // The bidder is named for a job with a known bid.
    expect(await world.gig('web', `job ${job.id}`, 'ben')).toContain(`<@${world.slack.user('ben').id}>`);
    await world.pass(10 * SECOND);
    expect(bid.thread().at(-1)).toContain(`#${job.id}`);
    expect(bid.cardWords()).toContain(`#${job.id}`);
    expect([bid.threadAsRead(), bid.cardLines()]).toMatchSnapshot();
    for (const offer of ['Check', 'Try Again']) expect(findPressable(bid.card(), offer)).toBeUndefined();
    const { audit } = await bid.books();
    expect(
      audit.flatMap(({ act, answer }) => (act.kind === 'bid' ? [[act.attempt, answer?.kind]] : [])),
    ).toEqual([
      [1, 'created'],
      [2, 'refused'],
    ]);
    expect(asRead(world, await world.gig('web', 'audit'))).toMatchSnapshot();
  });

  it('and names the job that stands in its way: that is the one', async () => {
    const { bid, world } = await begin();
    await bid.open();
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'after' });
    await bid.submit();
    await bid.press('Try Again');
    await world.pass(2 * SECOND);
    await bid.submit();
    expect(bid.screen()).toContain(`#${bid.job().id}`);
    expect(await bid.states()).toEqual(['created']);
    expect(bid.creates()).toHaveLength(2);
    expect([bid.screenAsRead(), bid.cardLines()]).toMatchSnapshot();
  });
});

describe('following', () => {
  it('a state that nobody documented is shown as it is', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await bid.submit();
    world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/*/status' },
      presetFaults.wrongJson({
        success: true,
        job: { id: bid.job().id, status: 'on_the_moon', status_title: '' },
      }),
    );
    await world.pass(5 * MINUTE);
    expect(bid.thread().join('\n')).toContain('on_the_moon');
  });

  it('ends after 48 h; Refresh asks anew', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await bid.submit();
    await unsubscribe(world, 'web', '101');
    await world.pass(50 * HOUR);
    const asked = world.marketplace.requests().length;
    await world.pass(5 * HOUR);
    expect(world.marketplace.requests().length).toBe(asked);
    await bid.press('Refresh');
    await world.pass(5 * SECOND);
    expect(world.marketplace.requests().length).toBe(asked + 1);
    world.marketplace.updateJob(bid.job().id, { status: 'failed', errorMessage: 'Too late' });
    await world.pass(HOUR);
    expect(bid.thread().join('\n')).toContain('Too late');
  });
});
