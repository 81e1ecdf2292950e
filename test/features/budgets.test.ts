/** A channel's budget: what may be spent, who may change it, and what its charges were for. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Desk } from '../kit/start-desk.ts';

const FIELD = 'Credits per billing period';

/** Half a second apart. */
function publishMany({ app, market }: Desk, count: number): void {
  for (let left = count; left > 0; left--) {
    market.publish({});
    app.clock.moveBy(SECOND / 2);
  }
}

const charged = ({ market }: Desk) => market.service.consumedCredits().total;

describe('a budget', () => {
  appTest(
    'is never exceeded, says so once, and is raised on its notice by an admin',
    async ({ desk, ada, ben }) => {
      await ada.type('/gig budget 25');
      publishMany(desk, 60);
      await desk.pass(10 * MINUTE);
      expect(charged(desk)).toBeLessThanOrEqual(25);
      expect(charged(desk)).toBeGreaterThan(15);
      const [notice, ...more] = ben
        .reads('web')
        .filter(({ text }) => text.includes('New projects are on hold'));
      expect(more).toEqual([]);
      if (!notice) return expect.fail('no notice');
      expect(notice.text).toMatch(/\b25 credits/u);
      const refused = await ben.press(notice, 'Set Budget');
      expect(refused.text).toMatch(/only admins/iu);
      expect(ben.form().text).toBe('');
      const form = await ada.press(notice, 'Set Budget');
      expect((await form.send({ [FIELD]: 'lots' })).text).toContain('whole number of credits');
      await form.send({ [FIELD]: '300' });
      expect(ben.reads('web').at(-1)?.text).toMatch(/@ada.*300 credits/u);
      await desk.pass(10 * MINUTE);
      expect(charged(desk)).toBe(60);
      expect((await ben.type('/gig budget')).text).toContain('60 of 300 credits spent');
    },
  );

  appTest('is set by admins alone, who read when it already was so', async ({ ada, ben }) => {
    expect((await ben.type('/gig budget 5')).text).toMatch(/only admins/iu);
    const changes = () => ben.reads('web').filter(({ text }) => text.includes("this channel's budget"));
    const before = changes().length;
    await ada.type('/gig budget 40');
    expect((await ada.type('/gig budget 40')).text).toMatch(/already has a budget of 40.*Nothing changed/u);
    await ada.type('/gig budget off');
    expect((await ada.type('/gig budget off')).text).toMatch(/already has no credit limit/u);
    expect(changes()).toHaveLength(before + 2);
    expect((await ben.type('/gig budget')).text).toContain('no limit');
  });

  appTest('covers lookups, for which the last credits are kept', async ({ desk, market, ada }) => {
    const [known, unknown] = [market.publish({ title: 'A pricing engine' }, []), market.publish({}, [])];
    await ada.type('/gig budget 1');
    const lookup = async ({ project }: typeof known) =>
      (await ada.type(`/gig lookup ${project.ciphertext}`)).text;
    expect(await lookup(known)).toContain('A pricing engine');
    expect(await lookup(unknown)).toMatch(/may cost 1 credit, but this channel has no credits left.*resets/u);
    expect(await lookup(known)).toContain('A pricing engine');
    expect(charged(desk)).toBe(1);
  });

  appTest(
    'has each charge in a list: what for, by whom, and what is left',
    async ({ desk, market, ada, ben }) => {
      for (let count = 0; count < 12; count++) market.publish({});
      await desk.pass(2 * MINUTE);
      const looked = market.publish({}, []).project;
      await ben.type(`/gig lookup ${looked.ciphertext}`);
      const charges = await (await ben.type('/gig budget')).press('Show Charges');
      expect(charges.text).toContain('New projects: “React work” (101)');
      expect(charges.text).toMatch(new RegExp(`${looked.ciphertext} +\\| @ben +\\| 1 +\\| 9,987`, 'u'));
      market.service.addFilter({ id: 102 });
      for (let count = 0; count < 12; count++) market.publish({}, 102);
      desk.app.clock.moveBy(3 * HOUR);
      await ada.type('/gig subscribe filter 102', 'data');
      await ben.type('/gig subscribe filter 102 backfill 12', 'data');
      await desk.pass(10 * MINUTE);
      const others = await (await ada.type('/gig budget', 'data')).press('Show Charges');
      expect(others.text).toMatch(/Backfill: .*102 +\| @ben +\| \d/u);
      expect(others.text).not.toContain(looked.ciphertext);
      desk.slack.addChannel({ name: 'secret', private: true, members: [ada.id] });
      await ada.type(`/gig lookup ${market.publish({}, []).project.ciphertext}`, 'secret');
      const secret = await ada.type('/gig budget', 'secret');
      expect((await secret.press('Show Charges')).text).toMatch(/@ada +\| 1/u);
      expect((await ben.press(secret, 'Show Charges')).text).not.toMatch(/@ada +\| 1/u);
    },
  );
});
