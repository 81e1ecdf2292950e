/** Commands, pauses and the message shortcut, and what guests may do with them. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

describe('/gig', () => {
  appTest('help lists every command, and explains one', async ({ ada }) => {
    const help = await ada.type('/gig help');
    for (const word of ['subscribe', 'list', 'lookup', 'results', 'budget', 'pause', 'status'])
      expect(help.text).toContain(`\`${word}\``);
    expect((await ada.type('/gig help budget')).text).toContain('/gig budget');
    expect((await ada.type('/gig')).offers('Add Subscription')).toBe(true);
  });

  appTest('lookup takes a link, a ~ID and Slack’s own form of a link', async ({ market, ada }) => {
    const { url, ciphertext } = market.publish().project;
    for (const words of [url, ciphertext, `<${url}>`, `<${url}|the project>`])
      expect((await ada.type(`/gig lookup ${words}`)).text).toContain(SHOP.title);
    expect(market.service.consumedCredits().total).toBe(1);
  });

  appTest('list shows a subscription, Unsubscribe ends it', async ({ market, ada, ben, pass }) => {
    const list = await ada.type('/gig list');
    expect(list.text).toContain('“React work” (101)');
    await list.press('Unsubscribe');
    expect(ben.reads('web').at(-1)?.text).toContain('@ada unsubscribed this channel from “React work”');
    expect((await ada.type('/gig list')).text).not.toContain('React work');
    const before = ben.reads('web').length;
    market.publish();
    await pass(2 * MINUTE);
    expect(ben.reads('web')).toHaveLength(before);
  });

  appTest('the message shortcut looks a linked project up', async ({ desk, market, slack, ben }) => {
    const { url } = market.publish().project;
    const message = slack.postAsUser({ user: 'ben', channel: 'web', text: `Shall we? ${url}` });
    await desk.settleAfter(slack.messageShortcut({ user: 'ben', message, callbackId: 'look_up_project' }));
    const shown = [...ben.notes('web'), ben.form()].map(({ text }) => text).join('\n');
    expect(shown).toContain(SHOP.title);
  });
});

describe('a pause', () => {
  appTest('holds new projects back until it ends or an admin resumes', async ({ market, ada, ben, pass }) => {
    await ada.type('/gig pause 2h');
    const pause = ben.reads('web').at(-1) ?? expect.fail('no message');
    market.publish();
    await pass(30 * MINUTE);
    expect(ben.reads('web').at(-1)?.ts).toBe(pause.ts);
    expect((await ada.type('/gig list')).text).toContain(':double_vertical_bar:');
    expect((await ben.press(pause, 'Resume')).text).toMatch(/only admins/iu);
    await ada.press(pause, 'Resume');
    const news = () => ben.reads('web').filter(({ text }) => text.includes('@ada resumed'));
    expect(news()).toHaveLength(1);
    await pass(2 * MINUTE);
    expect(ben.reads('web').at(-1)?.text).toContain(SHOP.title);
    await ada.type('/gig pause 1h 30m');
    expect(ben.reads('web').at(-1)?.text).toMatch(/until Jan 5, 2026, 11:0\d AM UTC/u);
    const missed = market.publish({ ...SHOP, title: 'A lake house' });
    await pass(90 * MINUTE + MINUTE);
    await missed.cardIn('web');
    expect(news()).toHaveLength(1);
  });

  appTest(
    'of an archived channel is told its admin, who ends it from there',
    async ({ slack, market, ada, pass }) => {
      slack.archive('web');
      market.publish();
      await pass(2 * MINUTE);
      const notice = ada.inbox().at(-1) ?? expect.fail('no notice');
      expect(notice.text).toContain('#web');
      slack.unarchive('web');
      expect((await ada.press(notice, 'Resume')).text).toContain('#web');
      await pass(2 * MINUTE);
      expect(ada.reads('web').some(({ text }) => text.includes(String(SHOP.title)))).toBe(true);
    },
  );
});

describe('who is no full member', () => {
  appTest.for([
    ['a guest', { guest: 'multi' }],
    ['a stranger', { stranger: true }],
  ] as const)(
    '%s reads, spends nothing and changes nothing',
    async ([, more], { desk, market, slack, ada }) => {
      const gus = desk.person('gus', more);
      const known = market.publish();
      const card = await known.cardIn('web');
      market.service.addFilter({ id: 102, name: 'Other work' });
      const unknown = market.publish({ ...SHOP, title: 'A secret garden' }, 102).project;
      const consumed = market.service.consumedCredits().total;
      expect((await gus.type('/gig help')).text).toContain('`subscribe`');
      expect((await gus.type('/gig list')).text).toContain('React work');
      const lookup = `lookup ${unknown.ciphertext}`;
      for (const words of [
        lookup,
        'subscribe filter 102',
        'pause',
        'results 101',
        'budget',
        'budget 9000',
        'status',
      ])
        expect((await gus.type(`/gig ${words}`)).text, words).toMatch(/guests/iu);
      for (const label of ['Details', 'Claim', 'Skip', 'Mute', 'Assign']) {
        const before = gus.notes('web').length;
        const refusal = await gus.press(card, label);
        expect(refusal.text, label).toMatch(/guests/iu);
        // Ada set up the channel, so she can help.
        expect(refusal.text).toContain('@ada');
        expect(gus.notes('web')).toHaveLength(before + 1);
      }
      const message = slack.postAsUser({ user: 'gus', channel: 'web', text: unknown.url });
      await desk.settleAfter(slack.messageShortcut({ user: 'gus', message, callbackId: 'look_up_project' }));
      await desk.settleAfter(
        slack.postLinks({ user: 'gus', channel: 'web', urls: [unknown.url, known.project.url] }),
      );
      expect(market.service.consumedCredits().total).toBe(consumed);
      expect(slack.unfurls()).toEqual([]);
      expect(card.replies()).toEqual([]);
      expect(card.offers('Claim')).toBe(true);
      const { text } = await ada.type('/gig list');
      expect(text).not.toMatch(/102|:double_vertical_bar:/u);
    },
  );
});

const overHttp = appTestWith({ mode: 'http' });

overHttp('signed HTTP requests work, forged ones do nothing', async ({ slack, ada }) => {
  const before = ada.notes('web').length;
  expect((await ada.type('/gig help')).text).toContain('`lookup`');
  for (const forgery of ['wrong-signature', 'future'] as const) {
    slack.setForgery(forgery);
    await ada.type('/gig help');
  }
  expect(ada.notes('web')).toHaveLength(before + 1);
});
