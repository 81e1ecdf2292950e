/** Personal follow: own rules on what the channels' filters find, each project once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { directChannel, follow, followed, followedWords, pressOn, showFollowList } from './follow-desk.ts';
import { changeSettings } from './settings-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ start: Date.parse('2027-01-20T12:00:00Z') });
  world.slack.addUser({ name: 'cem', tz: 'Europe/Berlin' });
  world.slack.addUser({ name: 'gus', guest: 'multi' });
  world.slack.invite('web', 'cem');
  world.slack.invite('web', 'gus');
  world.marketplace.addFilter({ id: 7, name: 'React work' });
  world.marketplace.addFilter({ id: 8, name: 'Data work' });
  await world.gig('web', 'subscribe filter 7');
  await world.pass(20 * SECOND);
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

async function publish(title: string, more: object = {}, filter = 7): Promise<void> {
  world.marketplace.publishProject(filter, { title, ...more });
  await world.pass(MINUTE);
}

const mention = (user: string) => `<@${world.slack.user(user).id}>`;

describe('/gig follow', () => {
  it.each(['7', 'filter 7 budget:>2000', 'react budget:>2000'])(
    '%s works in a direct message, and says that it costs no extra credits',
    async (text) => {
      const answer = await follow(world, 'ben', text);
      expect(answer).toContain('no extra credits');
      expect(await follow(world, 'ben', '')).toMatch(/Unfollow/u);
    },
  );

  it('works in a channel, where only the person sees the answer, for that person alone', async () => {
    const before = world.slack.messages('web').length;
    expect(await world.gig('web', 'follow 7', 'ben')).toContain('no extra credits');
    await publish('Rebuild our checkout');
    expect(followed(world, 'ben')).toHaveLength(1);
    expect([...followed(world, 'ada'), ...followed(world, 'cem')]).toEqual([]);
    expect(world.slack.messages('web')).toHaveLength(before + 1);
  });

  it('says where rules are wrong, and saves nothing', async () => {
    expect(await follow(world, 'ben', 'filter 7 budget:lots')).toMatch(/lots[\s\S]*\^/u);
    expect(await follow(world, 'ben', '')).not.toMatch(/Unfollow/u);
  });

  it('refuses a filter that no channel of theirs has, and names those that they can follow', async () => {
    world.slack.addChannel({ name: 'den', private: true, members: ['ada'] });
    await world.gig('den', 'subscribe filter 8');
    const answer = await follow(world, 'ben', '8');
    expect(answer).toMatch(/follow: filter 7\.$/mu);
    expect(await follow(world, 'ben', '')).not.toMatch(/Unfollow/u);
    expect(await follow(world, 'ada', '8')).toContain('no extra credits');
  });

  it('is refused to guests', async () => {
    expect(await world.gig('web', 'follow 7', 'gus')).toContain(':lock:');
    await publish('Rebuild our checkout');
    expect(followed(world, 'gus')).toEqual([]);
  });

  it('ends one rule, or all of them, with buttons', async () => {
    for (const text of ['7', 'react', 'checkout']) await follow(world, 'ben', text);
    await pressOn(world, 'ben', await showFollowList(world, 'ben'), 'Unfollow');
    const left = await showFollowList(world, 'ben');
    expect(wordsOf(left)).not.toContain('React work');
    expect(wordsOf(left)).toMatch(/react[\s\S]*checkout/u);
    await publish('Paint a house');
    expect(followed(world, 'ben')).toEqual([]);
    await pressOn(world, 'ben', left, 'Unfollow All');
    expect(wordsOf(await showFollowList(world, 'ben'))).toMatch(/don't follow anything/u);
    await publish('Rebuild our checkout');
    expect(followed(world, 'ben')).toEqual([]);
  });

  it('is a button of the menu, in a channel and in a direct message', async () => {
    await follow(world, 'ben', 'checkout');
    for (const channel of ['web', directChannel(world, 'ben')]) {
      await world.gig(channel, '', 'ben');
      const menu = world.slack.ephemerals('ben', channel).at(-1) ?? expect.fail('no menu');
      await pressOn(world, 'ben', menu, 'Followed Projects');
      const list = world.slack.ephemerals('ben', channel).at(-1) ?? expect.fail('no list');
      expect(wordsOf(list)).toMatch(/You follow:[\s\S]*checkout/u);
    }
  });
});

describe('a followed project', () => {
  it('comes once, however many rules and channels match, with a link to the card', async () => {
    await world.gig('data', 'subscribe filter 7');
    await world.gig('data', 'subscribe filter 8');
    await world.pass(20 * SECOND);
    for (const text of ['7', 'checkout', 'budget:>10', 'filter 8 checkout']) await follow(world, 'ben', text);
    world.marketplace.publishProject([7, 8], { title: 'Rebuild our checkout' });

    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
    expect(followedWords(world, 'ben')).toContain('Rebuild our checkout');
    const [message] = followed(world, 'ben');
    expect(JSON.stringify(message?.blocks)).toMatch(/archives\/C\w+\/p\d+/u);
  });

  it("comes although the channel's own rules hide it, and only if the person's rules match", async () => {
    await world.gig('web', 'subscribe filter 7 -checkout');
    await follow(world, 'ben', 'checkout');
    await publish('Rebuild our checkout');
    await publish('Paint a house');
    expect(world.told('web')).toHaveLength(1);
    expect(followed(world, 'ben')).toHaveLength(1);
    expect(followedWords(world, 'ben')).toContain('Rebuild our checkout');
  });

  it('comes when the AI qualifies it later, if the person follows qualified projects', async () => {
    world.marketplace.addFilter({ id: 9, name: 'Judged work', qualifier: true });
    await world.gig('web', 'subscribe filter 9 qualified:yes');
    await world.pass(20 * SECOND);
    await follow(world, 'ben', 'qualified:yes');
    const { id } = world.marketplace.publishProject(9, { title: 'Rebuild our checkout' });
    world.marketplace.setVerdict(id, 'pending');
    await world.pass(MINUTE);
    expect(followed(world, 'ben')).toEqual([]);
    world.marketplace.setVerdict(id, 'qualified');
    await world.until('its card', () => world.told('web').length === 1, 30 * MINUTE);
    await world.pass(MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
  });

  it('waits while Slack does not say who is in a channel', async () => {
    await follow(world, 'ben', '7');
    await world.pass(10 * MINUTE);
    const fault = world.slack.injectFault(
      'users.conversations',
      { kind: 'error', error: 'internal_error' },
      Number.POSITIVE_INFINITY,
    );
    await publish('Rebuild our checkout');
    await world.pass(2 * MINUTE);
    expect(followed(world, 'ben')).toEqual([]);
    fault.cancel();
    await world.pass(2 * MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
  });

  it('is not what was found before the person followed', async () => {
    await publish('Rebuild our checkout');
    await follow(world, 'ben', '7');
    await world.pass(10 * MINUTE);
    expect(followed(world, 'ben')).toEqual([]);
  });

  it('comes from no channel that the person left, or is not in', async () => {
    world.slack.addChannel({ name: 'den', private: true, members: ['ada', 'ben'] });
    await world.gig('den', 'subscribe filter 8', 'ada');
    await world.pass(20 * SECOND);
    await follow(world, 'ben', 'checkout');
    await follow(world, 'ben', '8');
    await follow(world, 'cem', 'checkout');
    await publish('A checkout for the den', {}, 8);
    expect(followed(world, 'ben')).toHaveLength(1);
    expect(followed(world, 'cem')).toEqual([]);
    world.slack.remove('den', 'ben');
    await world.pass(6 * MINUTE);
    await publish('Another checkout for the den', {}, 8);
    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
  });

  it('comes to nobody who was deactivated', async () => {
    await follow(world, 'ben', '7');
    world.slack.deactivate('ben');
    await world.pass(6 * MINUTE);
    await publish('Rebuild our checkout');
    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toEqual([]);
  });

  it('can be claimed once and opened from the message, by the rights in its channel', async () => {
    await follow(world, 'ben', '7');
    await publish('Rebuild our checkout');
    const [message] = followed(world, 'ben');
    if (!message) return expect.fail('no message');
    await pressOn(world, 'ben', message, 'Details');
    expect(JSON.stringify(world.slack.view('ben')?.blocks)).toContain('Rebuild our checkout');
    await world.slack.closeView({ user: 'ben', all: true });
    await pressOn(world, 'ben', message, 'Claim');
    await world.pass(5 * SECOND);
    const [card] = world.cards('web');
    const [claimed] = followed(world, 'ben');
    if (!card || !claimed) return expect.fail('the card or the message is gone');
    for (const shown of [card, claimed]) expect(wordsOf(shown)).toContain(mention('ben'));
    expect(findPressable(claimed, 'Claim')).toBeUndefined();
    world.slack.remove('web', 'ben');
    await world.pass(2 * MINUTE);
    await pressOn(world, 'ben', claimed, 'Details');
    expect(world.slack.view('ben')).toBeUndefined();
  });

  it('costs no request and no credit more than without', async () => {
    const requests = async (isFollowed: boolean) => {
      const other = await startWorld({ start: Date.parse('2027-01-20T12:00:00Z') });
      other.marketplace.addFilter({ id: 7, name: 'React work' });
      await other.gig('web', 'subscribe filter 7');
      await other.pass(20 * SECOND);
      await other.gig('web', isFollowed ? 'follow 7' : 'help', 'ben');
      await other.gig('web', isFollowed ? 'follow filter React checkout' : 'help', 'ben');
      for (const title of ['One checkout', 'Two', 'Three']) {
        other.marketplace.publishProject(7, { title });
        await other.pass(2 * MINUTE);
      }
      expect(followed(other, 'ben')).toHaveLength(isFollowed ? 3 : 0);
      const made = other.marketplace.requests().map(({ path }) => path);
      const credits = await other.gig('web', 'budget');
      await other.stop();
      return { made, credits };
    };
    expect(await requests(true)).toEqual(await requests(false));
  }, 60_000);

  it('comes exactly once, also if the app dies between card and message', async () => {
    await follow(world, 'ben', '7');
    world.marketplace.publishProject(7, { title: 'Rebuild our checkout' });
    await world.until('the card', () => world.told('web').length === 1, MINUTE);
    for (let crashes = 0; crashes < 6; crashes++) {
      world.clock.moveBy(900);
      await new Promise((resolve) => setImmediate(resolve));
      await world.crash();
      await world.restart();
    }
    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
    expect(world.told('web')).toHaveLength(1);
  }, 30_000);

  it('that comes with many others is in a list', async () => {
    await follow(world, 'ben', '7');
    for (let count = 0; count < 14; count++) world.marketplace.publishProject(7, { title: `Chair ${count}` });
    await world.pass(3 * MINUTE);
    const words = followedWords(world, 'ben');
    for (let count = 0; count < 14; count++) expect(words.split(`Chair ${count}`).length).toBeGreaterThan(1);
    expect(followed(world, 'ben').length).toBeLessThanOrEqual(6);
  });
});

describe('a person that the channel mentions, too,', () => {
  it('gets a message about each project if the cards become a summary', async () => {
    await follow(world, 'ben', '7');
    const { id } = world.slack.user('ben');
    await changeSettings(world, 'web', { 'mention-rules-0': 'chair', 'mention-users-0': [id] });
    await world.pass(2 * MINUTE);
    const titles = Array.from({ length: 14 }, (_, place) => `Chair number ${place}.`);
    for (const title of titles) world.marketplace.publishProject(7, { title });
    await world.pass(3 * MINUTE);
    expect(world.told('web')).toEqual([]);
    const words = followed(world, 'ben')
      .flatMap(({ blocks }) => JSON.stringify(blocks))
      .join();
    for (const title of titles) expect(words.split(title)).toHaveLength(2);
    const summary = world.slack
      .messages('web')
      .map(wordsOf)
      .find((it) => it.includes('at once'));
    expect(summary).toContain(mention('ben'));
  });
});

describe('mute', () => {
  it('drops what is found meanwhile, also for later', async () => {
    await follow(world, 'ben', '7');
    await pressOn(world, 'ben', await showFollowList(world, 'ben'), 'Mute Until Tomorrow');
    await publish('While muted');
    world.clock.moveTo(Date.parse('2027-01-21T09:01:00Z'));
    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toEqual([]);
    await publish('The next day');
    expect(followed(world, 'ben')).toHaveLength(1);
    await pressOn(world, 'ben', await showFollowList(world, 'ben'), 'Mute');
    const list = world.slack.ephemerals('ben').at(-1) ?? expect.fail('no list');
    expect(findPressable(list, 'Unmute')).toBeDefined();
    await publish('Muted for good');
    await pressOn(world, 'ben', list, 'Unmute');
    await world.pass(5 * MINUTE);
    expect(followed(world, 'ben')).toHaveLength(1);
    await publish('Unmuted');
    expect(followed(world, 'ben')).toHaveLength(2);
  }, 30_000);
});
