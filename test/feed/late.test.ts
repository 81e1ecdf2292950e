/** Facts learned after a page was read: verdicts, changes, projects indexed late. */
import { describe, expect, it } from 'vitest';
import { keysFrom, openFeed } from './feed-world.ts';

describe('a late verdict', () => {
  it('is looked for, at no cost, and the card shows it', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(5);
    it.market.publish(7, 'one');
    await it.pass(20);
    const [before] = await it.posts('C1');
    it.market.change('one', { verdict: { decision: 'qualified', reason: 'Fits.', other: {} } });
    await it.pass(15 * 60);
    const [after] = await it.posts('C1');
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
    const view = await it.disk.read((tx) => it.feed.readCardData(tx, 'C1' as never, 'one' as never));
    expect(view?.seen.project.verdict?.reason).toBe('Fits.');
    expect(it.market.totalCharged).toBe(1);
  });

  it('lets a project through whose rules waited for it', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7, { rules: 'qualified:yes' });
    await it.pass(5);
    it.market.publish(7, 'one');
    await it.pass(30);
    expect(await it.posted('C1')).toEqual([]);
    it.market.change('one', { verdict: { decision: 'qualified', reason: 'Fits.', other: {} } });
    await it.pass(15 * 60);
    expect(await it.posted('C1')).toEqual(['one']);
  });
});

describe('a verdict that comes after an hour', () => {
  it.each([20])('is found at the last look, with %i projects an hour', async (perHour) => {
    const it = await openFeed();
    await it.subscribe('C1', 7, { rules: 'qualified:yes' });
    await it.pass(60);
    const verdict = { verdict: { decision: 'qualified', reason: 'Fits.', other: {} } } as const;
    it.market.publish(7, 'first', verdict);
    let published = 0;
    const hours = async (count: number) => {
      for (let each = 0; each < count * perHour; each++) {
        it.market.publish(7, `x${published++}`);
        await it.pass(3_600 / perHour);
      }
    };
    await hours(3);
    it.market.publish(7, 'one');
    await hours(1);
    it.market.change('one', verdict);
    await hours(2);
    expect(await it.posted('C1')).toEqual(['first', 'one']);
  });
});

describe('a change that one filter shows first', () => {
  const budget = (amount: string) => ({ budget: { type: 'fixed' as const, amount } });

  // Which of two filters is read first depends on the second.
  const waits = [60, 62, 64, 66, 68, 70];

  it.each(waits)('counts for those who follow another, too (after %i s)', async (wait) => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.subscribe('C2', 8, { rules: 'budget:>=500' });
    await it.pass(60);
    it.market.publish([7, 8], 'one', budget('$300'));
    await it.pass(wait);
    it.market.change('one', budget('$600'));
    await it.pass(30 * 60);
    expect(await it.posted('C1')).toEqual(['one']);
    expect(await it.posted('C2')).toEqual(['one']);
  });

  it.each(waits)(
    'counts for each filter of a channel; other rules alone do not (after %i s)',
    async (wait) => {
      const it = await openFeed();
      await it.subscribe('C1', 7, { rules: 'budget:>=5000' });
      await it.subscribe('C1', 8, { rules: 'budget:>=500' });
      await it.pass(60);
      for (const key of ['one', 'two']) it.market.publish([7, 8], key, budget('$300'));
      await it.pass(wait);
      it.market.change('one', budget('$600'));
      await it.pass(60);
      await it.subscribe('C1', 8);
      await it.pass(30 * 60);
      expect(await it.posted('C1')).toEqual(['one']);
    },
  );
});

describe('late-indexed projects', () => {
  it('are found although newer ones were read before', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(60);
    const early = it.clock.now();
    await it.pass(30);
    it.market.publish(7, 'newer');
    await it.pass(20);
    it.market.publish(7, 'late', { publishedAt: early });
    await it.pass(40);
    expect(await it.cards('C1')).toEqual(['late', 'newer']);
  });

  it.each([15, 40, 70])('are found behind a burst of %i in a filter that was quiet', async (burst) => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(3_600);
    const early = it.clock.now();
    await it.pass(20);
    for (const key of keysFrom(1, burst)) {
      it.market.publish(7, key);
      await it.pass(2);
    }
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(1, burst));
    it.market.publish(7, 'late', { publishedAt: early });
    await it.pass(60);
    expect(await it.cards('C1')).toContain('late');
    expect(it.market.totalCharged).toBe(burst + 1);
  });
});
