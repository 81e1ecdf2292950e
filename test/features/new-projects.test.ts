import type { KnownBlock } from '@slack/types';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import { expectHarmless } from '../slack/harmless.ts';
import { buttonsOf } from './buttons.ts';
import { startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

async function begin(options?: WorldOptions): Promise<World> {
  world = await startWorld(options);
  for (const [id, name] of [
    [101, 'React work'],
    [102, 'Node work'],
  ] as const) {
    world.marketplace.addFilter({ id, name });
    world.marketplace.addSetup({ filter: { id, name } });
  }
  return world;
}

describe('new projects of a filter', () => {
  it('arrive as cards within one poll', async () => {
    const { marketplace, slack } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const project = marketplace.publishProject(101, { title: 'Rebuild our checkout' });
    await world.until('the card', () => world.told('web').length > 0, 15 * SECOND);
    expect(world.told('web')).toEqual([project.ciphertext]);
    const words = wordsOf(world.cards('web')[0] ?? expect.fail('no card'));
    expect(words).toContain('Rebuild our checkout');
    expect(words).toContain('React work');
    expect(slack.failedCalls()).toEqual([]);
  });

  it('are not those of the past, and the past is not bought', async () => {
    const { marketplace } = await begin();
    for (let i = 0; i < 30; i++) marketplace.publishProject(101);
    await world.pass(10 * MINUTE);
    await world.gig('web', 'subscribe filter 101');
    await world.pass(5 * MINUTE);
    expect(world.told('web')).toEqual([]);
    expect(marketplace.consumedCredits().total).toBe(0);
  });

  it.each<readonly [string, Partial<MarketplaceModes>]>([
    ['counts milliseconds', { milliseconds: true }],
    ['counts milliseconds and sends the oldest first', { milliseconds: true, oldestFirst: true }],
    ['counts milliseconds, and says so on no empty page', { milliseconds: true, silentMarks: true }],
    ['counts seconds, and says so on no empty page', { silentMarks: true }],
    ['says so on no empty page, and sends the oldest first', { silentMarks: true, oldestFirst: true }],
    ['takes no time far ahead', { refuseFarMarks: true, silentMarks: true }],
    ['takes no time far ahead and no `limit`', { refuseFarMarks: true, refuseLimit: true }],
  ])('are told, every one, and none of the past is bought, where the server %s', async (_, modes) => {
    const { marketplace } = await begin();
    marketplace.setModes(modes);
    for (let i = 0; i < 30; i++) marketplace.publishProject(101);
    await world.pass(10 * MINUTE);
    await world.gig('web', 'subscribe filter 101');
    const published: string[] = [];
    for (let each = 0; each < 8; each++) {
      await world.pass(SECOND);
      published.push(marketplace.publishProject(101).ciphertext);
      await world.pass(6 * SECOND);
    }
    await world.pass(2 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(published.toSorted());
    expect(marketplace.consumedCredits().total).toBe(published.length);
    expect(world.slack.messages('web')).toHaveLength(1 + published.length);
  });

  it('come on one card that names both filters when both found them', async () => {
    const { marketplace } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.gig('web', 'subscribe filter 102');
    await world.pass(20 * SECOND);
    const project = marketplace.publishProject([101, 102]);
    await world.pass(MINUTE);
    expect(world.told('web')).toEqual([project.ciphertext]);
    const words = wordsOf(world.cards('web')[0] ?? expect.fail('no card'));
    expect(words).toContain('React work');
    expect(words).toContain('Node work');
    expect(marketplace.consumedCredits().total).toBe(1);
  });

  it('are told only where the rules match', async () => {
    const { marketplace } = await begin();
    await world.gig('web', 'subscribe filter 101 -wordpress rating:>=4');
    await world.pass(20 * SECOND);
    const good = marketplace.publishProject(101, { title: 'A dashboard', client: { rating: 4.8 } });
    marketplace.publishProject(101, { title: 'A WordPress theme', client: { rating: 4.9 } });
    marketplace.publishProject(101, { title: 'A shop', client: { rating: 2.1 } });
    await world.pass(MINUTE);
    expect(world.told('web')).toEqual([good.ciphertext]);
  });

  it('cost one fetch and a shared bill when two channels follow the filter', async () => {
    const { marketplace } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.gig('data', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    const before = marketplace.requests().length;
    for (let i = 0; i < 6; i++) marketplace.publishProject(101);
    await world.pass(25 * SECOND);
    expect(world.told('web')).toHaveLength(6);
    expect(world.told('data')).toHaveLength(6);
    const fetches = marketplace
      .requests()
      .slice(before)
      .filter((it) => it.path === '/filters/101/projects');
    expect(fetches.length).toBeLessThanOrEqual(3);
    expect(marketplace.consumedCredits().total).toBe(6);
    expect(await world.gig('web', 'budget')).toMatch(/\b3\b/);
    expect(await world.gig('data', 'budget')).toMatch(/\b3\b/);
  });

  it('get their verdict on the card when it is decided later', async () => {
    const { marketplace } = await begin();
    marketplace.addFilter({ id: 103, name: 'Qualified', qualifier: true });
    await world.gig('web', 'subscribe filter 103');
    await world.pass(20 * SECOND);
    const project = marketplace.publishProject(103);
    await world.pass(30 * SECOND);
    expect(world.told('web')).toEqual([project.ciphertext]);
    marketplace.setVerdict(project.id, { decision: 'qualified', reason: 'Fits the portfolio well' });
    await world.pass(20 * MINUTE);
    expect(wordsOf(world.cards('web')[0] ?? expect.fail('no card'))).toContain('Fits the portfolio well');
    expect(world.told('web')).toHaveLength(1);
    expect(marketplace.consumedCredits().total).toBe(1);
  });

  it('keep the verdict of the filters of their channel, where two filters decide differently', async () => {
    const { marketplace, slack } = await begin();
    marketplace.setModes({ ignoreLatestPublishedTs: true });
    for (const id of [103, 104]) marketplace.addFilter({ id, qualifier: true });
    await world.gig('web', 'subscribe filter 103');
    await world.gig('data', 'subscribe filter 104 qualified:no');
    await world.pass(20 * SECOND);
    const { id } = marketplace.publishProject([103, 104]);
    marketplace.setVerdict(id, { decision: 'qualified', reason: 'Fits us' }, [103]);
    marketplace.setVerdict(id, { decision: 'disqualified', reason: 'Pays too little' }, [104]);
    await world.pass(2 * MINUTE);
    const before = slack.apiCalls('chat.update').length;
    await world.pass(10 * MINUTE);
    expect(slack.apiCalls('chat.update').length - before).toBe(0);
    const cards = ['web', 'data'].map((it) => world.cards(it).map(wordsOf).join(''));
    expect(cards[0]).toContain('Fits us');
    expect(cards[1]).toContain('Pays too little');
  });

  it('of the past come on request, as many as were asked for', async () => {
    const { marketplace } = await begin();
    for (let i = 0; i < 40; i++) {
      marketplace.publishProject(101);
      world.clock.moveBy(MINUTE);
    }
    await world.gig('web', 'subscribe filter 101 backfill 10');
    await world.pass(2 * MINUTE);
    const newest = marketplace
      .projects()
      .slice(-10)
      .map((it) => it.ciphertext);
    expect(world.told('web').toSorted()).toEqual(newest.toSorted());
    expect(marketplace.consumedCredits().total).toBe(10);
  });

  it('of the past come only after a question where they are many, and once', async () => {
    const { marketplace, slack } = await begin();
    for (let i = 0; i < 60; i++) {
      marketplace.publishProject(101);
      world.clock.moveBy(MINUTE);
    }
    const asked = await world.gig('web', 'subscribe filter 101 backfill 40 type:fixed', 'ben');
    for (const words of ['40 past projects', '49 credits', 'type:fixed']) expect(asked).toContain(words);
    await world.pass(2 * MINUTE);
    expect(slack.messages('web')).toEqual([]);
    expect(await world.gig('web', 'list', 'ben')).toContain('gets nothing');
    expect(marketplace.consumedCredits().total).toBe(0);
    const message = slack.ephemerals('ben', 'web').at(-2) ?? expect.fail('no question');
    const [button] = buttonsOf(message, actionIds.backfillConfirm);
    const { actionId, blockId, value } = button ?? expect.fail('no button');
    const press = (user: string) => slack.press({ user, message, actionId, blockId, value });
    await press('ada');
    await Promise.all([press('ben'), press('ben')]);
    await world.pass(20 * MINUTE);
    const said = slack.messages('web').filter((it) => wordsOf(it).includes('subscribed this channel'));
    expect(said.map(wordsOf)).toEqual([expect.stringContaining('40 past projects')]);
    const spent = marketplace.consumedCredits().total;
    expect(spent).toBeGreaterThan(20);
    expect(spent).toBeLessThanOrEqual(49);
  });

  it('that flood in become one summary, and more on request', async () => {
    const { marketplace, slack } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    for (let i = 0; i < 40; i++) marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    expect(world.told('web').length).toBeLessThanOrEqual(10);
    const summary =
      slack.messages('web').find((it) => JSON.stringify(it.blocks).includes('flood_show_more')) ??
      expect.fail('no summary');
    const before = world.told('web').length;
    await slack.press({ user: 'ada', message: summary, actionId: 'flood_show_more' });
    await world.pass(MINUTE);
    expect(world.told('web')).toHaveLength(before + 10);
    expect(new Set(world.told('web')).size).toBe(before + 10);
  });

  it('stand harmless on the card whatever their text', async () => {
    const { marketplace, slack } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    marketplace.publishProject(101, {
      title: `<!channel> <https://evil.example|Pay here> \u202Egnp.exe\u0000 ${'x'.repeat(100_000)}`,
      description: `<!here> & <@U123> ${'y'.repeat(100_000)}`,
      skills: ['<!everyone>', '*bold*'],
    });
    await world.pass(MINUTE);
    expect(slack.failedCalls()).toEqual([]);
    const card = world.cards('web')[0] ?? expect.fail('no card');
    expectHarmless({ text: card.text, blocks: card.blocks as unknown as KnownBlock[] });
  });
});

describe('catching up', () => {
  it('brings what was published while the bot was away, once', async () => {
    const { marketplace } = await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    await world.crash();
    const missed = [1, 2, 3].map(() => {
      world.clock.moveBy(20 * MINUTE);
      return marketplace.publishProject(101).ciphertext;
    });
    await world.restart();
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual(missed);
    expect(marketplace.consumedCredits().total).toBe(3);
  });
});
