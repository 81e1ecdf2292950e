/** A marketplace that rejects `limit`: everything works at once, and costs at most the reserved credits. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { FILTER } from '../kit/start-desk.ts';

describe.each([
  ['names the parameter', false],
  ['does not say what is wrong', true],
])('a marketplace that refuses `limit` and %s', (_, vagueRefusals) => {
  const modes = { refuseLimit: true, vagueRefusals };

  appTest(
    'is subscribed to and read from the start; nobody hears of trouble',
    async ({ market, ada, pass }) => {
      market.service.setModes(modes);
      await ada.type(`/gig subscribe filter ${FILTER.id}`, 'data');
      await market.publish({ title: 'Shop 0' }).cardIn('data');
      for (let each = 1; each < 4; each++) market.publish({ title: `Shop ${each}` });
      await pass(2 * MINUTE);
      for (const channel of ['web', 'data']) {
        const cards = ada.reads(channel).filter((it) => it.offers('Details'));
        expect(cards.flatMap(({ text }) => /Shop \d/u.exec(text) ?? []).toSorted()).toEqual(
          [0, 1, 2, 3].map((at) => `Shop ${at}`),
        );
        expect(ada.reads(channel).some(({ text }) => text.includes(':warning:'))).toBe(false);
      }
      const refused = market.service.requests().filter(({ status }) => status === 400);
      expect(refused.length).toBeLessThanOrEqual(2);
    },
  );

  appTest(
    'is asked for 20 credits or nothing: what a page may cost is reserved',
    async ({ market, ada, pass }) => {
      market.service.setModes(modes);
      await ada.type('/gig budget 15');
      for (let each = 0; each < 18; each++) market.publish({});
      await pass(3 * MINUTE);
      expect(market.service.consumedCredits().total).toBe(0);
      await ada.type('/gig budget 40');
      await pass(3 * MINUTE);
      expect(market.service.consumedCredits().total).toBe(18);
    },
  );

  appTest(
    'lets profiles be followed and results be read, all of them',
    async ({ app, market, ada, pass }) => {
      market.service.setModes(modes);
      market.service.addProfile({ id: 31, label: 'Ada Webb' });
      for (let each = 0; each < 45; each++) {
        app.clock.moveBy(MINUTE);
        market.service.addProposal({ profileId: 31, jobTitle: `Chairs ${each}` });
      }
      for (const feed of ['outcomes', 'invitations']) await ada.type(`/gig subscribe ${feed} 31`, 'data');
      await pass(5 * MINUTE);
      for (let each = 0; each < 45; each++) {
        app.clock.moveBy(SECOND);
        market.service.addInvitation({ profileId: 31, title: `Job no. ${each}.` });
      }
      await pass(10 * MINUTE);
      const invited = ada.reads('data').map(({ text }) => text);
      // The first three are cards of their own.
      expect(invited.filter((text) => text.includes('Job no.')).length).toBeGreaterThanOrEqual(3);
      expect(invited.join('\n')).toMatch(/\b42\b/u);
      expect((await ada.type('/gig proposals chairs', 'data')).text).toContain('45');
      market.service.addFilter({ id: 102 });
      for (let each = 0; each < 25; each++) market.publish({ title: `Project no. ${each}.` }, 102);
      market.service.addResult({ filterId: 102 });
      const results = await ada.type('/gig results 102');
      expect(results.text).toContain('25');
      const page = await results.press('Projects');
      expect(page.text).toContain('Project no. 24.');
      expect(market.service.consumedCredits().total).toBe(20);
      expect((await page.press('Next')).text).toContain('Project no. 0.');
      expect(market.service.consumedCredits().total).toBe(25);
    },
  );
});
