/** Personal follow: own rules on what the channels' filters find, each project once. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Answer, Person } from '../kit/person.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, FILTER } from '../kit/start-desk.ts';

const DATA = { id: 102, name: 'Data work' };

/** What a person follows, as their list says. */
const listOf = (by: Person): Promise<Answer> => by.type('/gig follow');

/** The messages about followed projects that a person got. */
const followed = (by: Person): readonly Message[] =>
  by.inbox().filter((it) => it.text.includes('you follow'));

async function publish(desk: Desk, title = 'Rebuild our checkout', filters: number | number[] = FILTER.id) {
  desk.market.publish({ title }, filters);
  await desk.pass(MINUTE);
}

/** A private channel of these people, where ada follows the second filter. */
async function openDen(desk: Desk, members: readonly string[]): Promise<void> {
  desk.market.service.addFilter(DATA);
  desk.slack.addChannel({ name: 'den', private: true, members });
  await desk.person('ada').type(`/gig subscribe filter ${DATA.id}`, 'den');
}

describe('/gig follow', () => {
  appTest(
    'works in a channel and in a direct message, for that person alone',
    async ({ desk, slack, ben, cem }) => {
      slack.directMessages('ben');
      const direct = slack.channels().find((it) => it.kind === 'im' && it.members.includes(ben.id))?.id ?? '';
      const before = ben.reads('web').length;
      for (const [typed, channel] of [
        [`${FILTER.id}`, 'web'],
        [`filter ${FILTER.id} budget:>2000`, direct],
        ['react budget:>2000', direct],
      ] as const)
        expect((await ben.type(`/gig follow ${typed}`, channel)).text).toContain('no extra credits');
      await publish(desk);
      expect(followed(ben)).toHaveLength(1);
      expect(followed(cem)).toEqual([]);
      expect(ben.reads('web')).toHaveLength(before + 1);
      for (const channel of ['web', direct]) {
        const list = await (await ben.type('/gig', channel)).press('Followed Projects');
        expect(list.text).toMatch(/You follow:[\s\S]*react budget/u);
      }
    },
  );

  appTest('refuses a filter that no channel of theirs has, and guests', async ({ desk, ada, ben }) => {
    await openDen(desk, ['ada']);
    const gus = desk.person('gus', { guest: 'multi' });
    const refused = await ben.type(`/gig follow ${DATA.id}`);
    expect(refused.text).toMatch(/You can follow: .*101/u);
    expect(refused.text).not.toContain('Data work');
    expect((await listOf(ben)).offers('Unfollow')).toBe(false);
    expect((await ada.type(`/gig follow ${DATA.id}`)).text).toContain('no extra credits');
    expect((await gus.type(`/gig follow ${FILTER.id}`)).text).not.toContain('You follow');
    await publish(desk);
    expect(followed(gus)).toEqual([]);
  });

  appTest('ends one rule, or all of them, with buttons', async ({ desk, ben }) => {
    for (const rule of [String(FILTER.id), 'react', 'checkout']) await ben.type(`/gig follow ${rule}`);
    const left = await (await listOf(ben)).press('Unfollow');
    expect(left.text).not.toContain(FILTER.name);
    expect(left.text).toMatch(/react[\s\S]*checkout/u);
    await publish(desk, 'Paint a house');
    expect(followed(ben)).toEqual([]);
    await left.press('Unfollow All');
    expect((await listOf(ben)).text).toContain("don't follow anything");
    await publish(desk);
    expect(followed(ben)).toEqual([]);
  });
});

describe('a followed project', () => {
  appTest('comes once, however many rules and channels match, with a link', async ({ desk, ada, ben }) => {
    desk.market.service.addFilter(DATA);
    await publish(desk, 'Found before');
    for (const filter of [FILTER.id, DATA.id]) await ada.type(`/gig subscribe filter ${filter}`, 'data');
    // The channel's own rules hide it; it comes all the same.
    await ada.type(`/gig subscribe filter ${FILTER.id} -checkout`);
    for (const rule of ['checkout', 'budget:>10 checkout', `filter ${DATA.id} checkout`])
      await ben.type(`/gig follow ${rule}`);
    await publish(desk, 'Rebuild our checkout', [FILTER.id, DATA.id]);
    await publish(desk, 'Paint a house');
    await desk.pass(4 * MINUTE);
    expect(followed(ben)).toHaveLength(1);
    expect(followed(ben)[0]?.text).toContain('Rebuild our checkout');
    expect(followed(ben)[0]?.text).toMatch(/archives\/C\w+\/p\d+|Open Card/u);
  });

  appTest(
    'comes when the AI qualifies it later, for whoever wants that',
    async ({ desk, market, ada, ben }) => {
      market.service.addFilter({ id: 9, name: 'Judged work', qualifier: true });
      await ada.type('/gig subscribe filter 9 qualified:yes');
      await desk.pass(MINUTE / 3);
      await ben.type('/gig follow qualified:yes');
      const published = market.publish({ title: 'Rebuild our checkout' }, 9);
      market.service.setVerdict(published.project.id, 'pending');
      await desk.pass(MINUTE);
      expect(followed(ben)).toEqual([]);
      market.service.setVerdict(published.project.id, 'qualified');
      await published.cardIn('web');
      await desk.pass(MINUTE);
      expect(followed(ben)).toHaveLength(1);
    },
  );

  appTest('waits while Slack does not say who is in a channel', async ({ desk, slack, ben }) => {
    await ben.type(`/gig follow ${FILTER.id}`);
    await desk.pass(6 * MINUTE);
    const silent = slack.injectFault(
      'users.conversations',
      { kind: 'error', error: 'internal_error' },
      1_000,
    );
    await publish(desk);
    expect((await ben.type('/gig follow react')).text).toContain("Couldn't check with Slack");
    await desk.pass(2 * MINUTE);
    expect(followed(ben)).toEqual([]);
    silent.cancel();
    await desk.pass(2 * MINUTE);
    expect(followed(ben)).toHaveLength(1);
  });

  appTest('comes from no channel that the person left, or is not in', async ({ desk, slack, ben, cem }) => {
    const eve = desk.person('eve');
    await openDen(desk, ['ada', 'ben', 'eve']);
    slack.remove('web', 'eve');
    for (const person of [ben, cem]) await person.type('/gig follow checkout');
    await eve.type('/gig follow checkout', 'den');
    await publish(desk, 'A checkout for the den', DATA.id);
    expect([followed(ben).length, followed(cem).length]).toEqual([1, 0]);
    expect(followed(ben)[0]?.text).toContain('#den');
    // Found twice at once: each gets it from the channel that they are in.
    await publish(desk, 'A checkout in two places', [FILTER.id, DATA.id]);
    expect(followed(eve).at(-1)?.text).toMatch(/two places[\s\S]*#den/u);
    expect(followed(cem).at(-1)?.text).toMatch(/two places[\s\S]*#web/u);
    slack.remove('den', 'ben');
    slack.deactivate('cem');
    await desk.pass(6 * MINUTE);
    await publish(desk, 'Another checkout for the den', DATA.id);
    await publish(desk, 'A checkout for all');
    await desk.pass(2 * MINUTE);
    expect([followed(ben).length, followed(cem).length]).toEqual([3, 1]);
    // What deactivated people follow is kept for 30 days.
    for (let week = 0; week < 5; week++) {
      desk.app.clock.moveBy(7 * DAY);
      await desk.pass(3 * MINUTE);
    }
    await publish(desk, 'A late checkout');
    expect(followed(ben).at(-1)?.text).toContain('A late checkout');
  });

  appTest(
    'is opened and claimed from its message, by the rights in its channel',
    async ({ desk, slack, ada, ben }) => {
      await ben.type(`/gig follow ${FILTER.id}`);
      await publish(desk);
      const [message] = followed(ben);
      if (!message) return expect.fail('no message');
      expect((await ben.press(message, 'Details')).text).toContain('Rebuild our checkout');
      await ben.close();
      await ben.press(message, 'Claim');
      expect(ada.reads('web').at(-1)?.text).toContain('Claimed by @ben');
      expect(message.text).toContain('claimed by @ben');
      expect(message.offers('Claim')).toBe(false);
      slack.remove('web', 'ben');
      await desk.pass(2 * MINUTE);
      await ben.press(message, 'Details');
      expect(ben.form().text).toBe('');
    },
  );

  appTest(
    'costs no request and no credit, and comes exactly once over kills',
    async ({ desk, market, ada, ben }) => {
      const spent = () => market.service.consumedCredits().total;
      const reads = () => market.service.requests().length;
      const costOf = async (title: string) => {
        const before = [reads(), spent()] as const;
        await publish(desk, title);
        return [reads() - before[0], spent() - before[1]];
      };
      const without = await costOf('First');
      await ben.type(`/gig follow ${FILTER.id}`);
      await ben.type('/gig follow checkout');
      expect(await costOf('Second')).toEqual(without);
      expect(followed(ben)).toHaveLength(1);
      const published = market.publish({ title: 'Third' });
      await published.cardIn('web');
      for (let kills = 0; kills < 6; kills++) {
        desk.app.clock.moveBy(900);
        await setImmediate();
        await desk.app.kill();
        await desk.app.start();
      }
      await desk.pass(3 * MINUTE);
      expect(followed(ben)).toHaveLength(2);
      expect(ada.reads('web').filter((it) => it.text.includes('Third'))).toHaveLength(1);
    },
  );

  appTest(
    'that comes with many others is in a list, also if the channel gets a summary',
    async ({ desk, ada, ben }) => {
      await ben.type(`/gig follow ${FILTER.id}`);
      const settings = await ada.type('/gig settings');
      const form = await settings.press('Mentions');
      await form.send({ 'Mention 1: matching': 'chair', 'Mention 1: people': ['ben'] });
      await ada.close();
      const titles = Array.from({ length: 14 }, (_, place) => `Chair number ${place}.`);
      for (const title of titles) desk.market.publish({ title });
      await desk.pass(3 * MINUTE);
      const words = followed(ben)
        .map((it) => it.text)
        .join('\n');
      for (const title of titles) expect(words).toContain(title);
      expect(followed(ben).length).toBeLessThanOrEqual(6);
      expect(ada.reads('web').find((it) => it.text.includes('grouped here'))?.text).toContain('@ben');
    },
  );
});

appTestWith({ start: Date.parse('2027-01-20T12:00:00Z') })(
  'mute drops what is found meanwhile, also for later',
  async ({ desk, app, ben }) => {
    await ben.type(`/gig follow ${FILTER.id}`);
    const muted = await (await listOf(ben)).press('Mute Until Tomorrow');
    expect(muted.text).toMatch(/You're muted until/u);
    await publish(desk, 'While muted');
    app.clock.moveTo(Date.parse('2027-01-21T09:01:00Z'));
    await desk.pass(3 * MINUTE);
    expect(followed(ben)).toEqual([]);
    await publish(desk, 'The next day');
    expect(followed(ben)).toHaveLength(1);
    const forGood = await (await listOf(ben)).press('Mute');
    await publish(desk, 'Muted for good');
    await forGood.press('Unmute');
    await desk.pass(3 * MINUTE);
    expect(followed(ben)).toHaveLength(1);
    await publish(desk, 'Unmuted');
    expect(followed(ben)).toHaveLength(2);
  },
);
