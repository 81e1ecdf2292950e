/** From an invitation to the first card: the welcome, the form, Home's next steps and the bot's answers. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer, Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });

/** Filters 101 and 102, of which a setup names the first; the bot isn't in #sales. */
function prepare({ market: { service }, slack }: Desk): void {
  service.addFilter({ id: 101, name: 'React work' });
  service.addFilter({ id: 102, name: 'Design' });
  service.addSetup({ filter: { id: 101, name: 'React work' } });
  slack.addChannel({ name: 'sales', withBot: false });
  for (const name of ['ada', 'ben']) slack.invite('sales', name);
}

const welcomes = (by: Person) => by.reads('sales').filter((it) => /Hi, I'm Gigdesk|is set up/u.test(it.text));

/** Ada invites the bot to #sales. @returns the welcome there */
async function inviteBot(desk: Desk) {
  await desk.settleAfter(desk.slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' }));
  return welcomes(desk.person('ada')).at(-1) ?? expect.fail('no welcome');
}

/** Both steps of the form. */
async function save(form: Answer, ...[first, second]: Parameters<Answer['send']>[0][]): Promise<Answer> {
  return (await form.send(first)).send(second);
}

const list = async (by: Person, channel = 'web') => (await by.type('/gig list', channel)).text;
const spent = ({ market }: Desk) => market.service.consumedCredits().total;

describe('an invitation', () => {
  appTest(
    'is welcomed once, however often Slack sends it, and again after a removal',
    async ({ desk, slack, ada }) => {
      prepare(desk);
      const welcome = await inviteBot(desk);
      expect(welcome.text.length).toBeLessThan(1_500);
      const sent = slack.sentRequests().find(({ type }) => type === 'events_api');
      await desk.restart();
      if (sent) await slack.resendRequest(sent);
      await desk.pass(10 * SECOND);
      expect(welcomes(ada)).toHaveLength(1);
      slack.removeBot('sales');
      await inviteBot(desk);
      expect(welcomes(ada)).toHaveLength(2);
      // Somebody else's is none of its business.
      await desk.settleAfter(slack.joinChannel({ user: 'ben', channel: 'web', by: 'ada' }));
      expect(ada.reads('web')).toEqual([]);
    },
  );

  appTest('shows what is set up afterwards, with buttons that edit it', async ({ desk, slack, ada, ben }) => {
    prepare(desk);
    const welcome = await inviteBot(desk);
    // While Slack still shows the old button, it edits what others set up.
    const late = slack.injectFault('chat.update', { kind: 'ratelimited', retryAfterS: 60 }, 9);
    await ben.type('/gig subscribe 101 -php', 'sales');
    const early = await ada.press(welcome, 'Set Up This Channel');
    expect(early.text).toMatch(/Edit Subscription[\s\S]*php/u);
    await ada.close();
    late.cancel();
    await desk.pass(3 * MINUTE);
    expect(welcome.text).toMatch(/set up[\s\S]*React work[\s\S]*-php/u);
    await (await ben.press(welcome, 'Edit')).send({ 'Hide projects with these words': 'wordpress' });
    await ben.close();
    expect(welcome.text).toContain('-wordpress');
    await save(await ben.press(welcome, 'Add Subscription'), { 'Filter ID': '102' });
    await ben.close();
    const both = await ben.press(welcome, 'Edit');
    expect(both.text).toContain('2 subscriptions');
    for (const _ of [101, 102]) await (await ada.type('/gig list', 'sales')).press('Unsubscribe');
    expect(welcome.offers('Set Up This Channel')).toBe(true);
  });

  appTest('leads to a card without an ID, at no cost', async ({ desk, market, ada }) => {
    prepare(desk);
    const form = await ada.press(await inviteBot(desk), 'Set Up This Channel');
    const more = await form.send({ Filter: 'React work', 'Project budget of at least': '500' });
    const saved = await more.send({ 'Daily digest': 'Monday to Friday' });
    expect(saved.text).toMatch(/Saved[\s\S]*\/gig settings/u);
    expect(spent(desk)).toBe(0);
    const told = ada
      .reads('sales')
      .map((it) => it.text)
      .join('\n');
    expect(told).toMatch(/@ada[\s\S]*budget:>=500[\s\S]*digest/iu);
    expect(told.match(/@ada/gu)).toHaveLength(1);
    expect(told).toMatch(/example/iu);
    market.publish({ title: 'A cheap one', budget: { type: 'fixed', fixedAmount: 50 } });
    await market
      .publish({ title: 'A rich one', budget: { type: 'fixed', fixedAmount: 900 } })
      .cardIn('sales');
    await desk.pass(10 * SECOND);
    expect(ada.reads('sales').filter((it) => it.text.includes('A cheap one'))).toEqual([]);
  });

  appTest('ends with a real first card where a project is known', async ({ desk, market, ada }) => {
    prepare(desk);
    await ada.type('/gig subscribe 101');
    await market.publish({ title: 'Known already' }).cardIn('web');
    const form = await ada.press(await inviteBot(desk), 'Set Up');
    const shown = await form.press('Preview', { Filter: 'React work' });
    expect(shown.text).toMatch(/1 project of this filter.*1 would be posted/u);
    const hidden = await form.press('Preview', { 'Hide projects with these words': 'known' });
    expect(hidden.text).toMatch(/1 project of this filter.*0 would be posted/u);
    const before = spent(desk);
    await save(form, { Filter: 'React work', 'Hide projects with these words': null });
    expect(spent(desk)).toBe(before);
    const card = ada.reads('sales').find((it) => it.text.includes('Known already')) ?? expect.fail('none');
    await ada.press(card, 'Claim');
    expect(card.text).toContain('Claimed by @ada');
  });
});

describe('the form', () => {
  appTest(
    'previews at a price that the button names, and only after the press',
    async ({ desk, market, ada }) => {
      prepare(desk);
      for (let number = 1; number <= 4; number++)
        market.publish(
          { title: `Poster ${number}`, budget: { type: 'fixed', fixedAmount: number * 100 } },
          102,
        );
      market.service.addResult({ filterId: 102 });
      const form = await ada.type('/gig subscribe');
      const offer = await form.press('Preview Rules', {
        'Filter ID': '102',
        'Project budget of at least': '300',
      });
      expect(spent(desk)).toBe(0);
      expect(offer.offers('Preview (10 Credits)')).toBe(true);
      expect((await offer.press('Preview (10')).text).toMatch(
        /4 projects of this filter.*2 would be posted/u,
      );
      const price = spent(desk);
      expect(price).toBeGreaterThan(0);
      const again = await form.press('Preview Rules', { 'Project budget of at least': '400' });
      expect(again.text).toContain('1 would be posted');
      expect(spent(desk)).toBe(price);
    },
  );

  appTest('says each mistake and each failure, and keeps what was typed', async ({ desk, market, ada }) => {
    prepare(desk);
    const form = await ada.type('/gig subscribe');
    const wrong = { 'Filter ID': 'React', 'Project budget of at least': 'lots', 'More rules': 'rating:>9' };
    const mistakes = await form.send(wrong);
    for (const mistake of ["isn't a filter ID", 'an amount of dollars', 'rating:'])
      expect(mistakes.text).toContain(mistake);
    const nothing = { 'Filter ID': null, 'Project budget of at least': '5k', 'More rules': null };
    await form.send(nothing);
    const second = await form.send({ 'Filter ID': '101', 'Only clients in these countries': 'Germany' });
    expect((await second.send({ 'Also post': ['Invitations'] })).text).toMatch(/profile/iu);
    const back = await second.press('Back');
    expect(back.text).toContain('5k');
    expect(ada.reads('web')).toEqual([]);
    const refused = market.fail('/filters/101/results', presetFaults.status(401), 10);
    const failed = await save(back, {}, { 'Also post': null });
    await desk.pass(MINUTE);
    expect(ada.form().text).toContain('Nothing changed');
    expect(await list(ada)).not.toContain('Germany');
    refused.cancel();
    await save(await failed.press('Back'));
    expect(await list(ada)).toContain('country:Germany');
  });

  appTest(
    'says what is unknown of a filter that was deleted meanwhile, at no cost',
    async ({ desk, market, ada }) => {
      prepare(desk);
      const form = await ada.type('/gig subscribe');
      market.fail('/filters/101/results', presetFaults.status(404), 99);
      const offer = await form.press('Preview Rules', { Filter: 'React work' });
      expect((await offer.press('Preview (10')).text).toContain('no projects of filter 101 yet');
      expect((await save(form)).text).toContain('Saved');
      expect(spent(desk)).toBe(0);
      expect(ada.reads('web').filter((it) => /example/iu.test(it.text))).not.toEqual([]);
    },
  );

  appTest(
    'takes profiles from a list, also of two people over a restart',
    async ({ desk, market, ada, ben }) => {
      prepare(desk);
      market.service.addProfile({ id: 301, label: 'Ana' });
      market.service.addProposal({ profileId: 301 });
      await ada.type('/gig subscribe outcomes 301', 'data');
      const [hers, his] = [await ada.type('/gig subscribe'), await ben.type('/gig subscribe')];
      const next = await hers.send({ Filter: 'React work', 'Hide projects with these words': 'wordpress' });
      const last = await his.send({ Filter: 'React work', 'Hide projects with these words': 'php' });
      expect(last.fields()).toContain('Profiles');
      await desk.restart();
      await next.send({});
      const replaced = await last.send({
        'Also post': ['Invitations', 'Proposal updates'],
        Profiles: ['Ana'],
      });
      expect(replaced.text).toMatch(/-wordpress.*yours replaced them/u);
      expect(await list(ada)).toMatch(/React work[\s\S]*-php[\s\S]*Invitations[\s\S]*Proposal updates/u);
      expect(ada.reads('web').filter((it) => /example/iu.test(it.text))).toHaveLength(1);
      const gil = desk.person('gil', { guest: 'multi' });
      expect((await gil.type('/gig subscribe')).text).toContain('@ada');
      expect(gil.form().text).toBe('');
    },
  );

  appTest(
    'opens with 200 filters of hostile names, and where it is not invited',
    async ({ desk, market, slack, ada }) => {
      const none = await ada.type('/gig subscribe');
      expect(none.fields()).not.toContain('Filter');
      await ada.close();
      for (let id = 1; id <= 200; id++) {
        const name = `${'<!channel> <https://evil.example|x> '.repeat(5)}${'n'.repeat(100)}${id}`;
        market.service.addFilter({ id, name });
        market.service.addSetup({ filter: { id, name } });
      }
      slack.addChannel({ name: 'sales', withBot: false });
      slack.invite('sales', 'ada');
      await desk.pass(10 * MINUTE);
      const form = await ada.type('/gig subscribe', 'sales');
      expect(form.text).toContain('/invite @gigdesk');
      const known = await form.send({ Filter: '<!channel' });
      expect(known.text).toContain('will be posted in');
      expect((await known.send({})).text).toContain('/invite @gigdesk');
    },
  );
});

describe('Home', () => {
  appTest(
    'shows one next step after the other, until all is set up',
    async ({ desk, app, slack, market, ada }) => {
      prepare(desk);
      market.service.addProfile({ id: 301, label: 'Ana' });
      await app.end();
      for (const channel of ['web', 'data']) slack.removeBot(channel);
      await app.start();
      await desk.pass(SECOND);
      expect((await ada.home()).text).toContain('/invite @gigdesk');
      await inviteBot(desk);
      const home = await ada.home();
      expect(home.text).toMatch(/Next step.*posts nothing yet/u);
      await save(await ada.press(home, 'Set Up'), { Filter: 'React work' });
      await ada.close();
      expect((await ada.home()).text).toMatch(/Next step.*invitations and proposal updates/u);
      expect((await ada.press(await ada.home(), 'Set Up')).text).toContain('Edit Subscription');
      await ada.close();
      await ada.type('/gig subscribe invitations 301', 'sales');
      expect((await ada.home()).text).toMatch(/Next step.*daily digest/u);
      await ada.type('/gig digest at 09:00', 'sales');
      expect((await ada.home()).text).not.toContain('Next step');
    },
  );

  appTest('opens the rules of a subscription, unless it ended meanwhile', async ({ desk, ada, ben }) => {
    prepare(desk);
    await ada.type('/gig subscribe 101 react');
    const home = await ben.home();
    const form = await ben.press(home, 'Edit');
    expect(form.text).toContain('react');
    await form.send({ 'More rules': 'vue' });
    await ben.close();
    expect(await list(ada)).toContain('vue');
    const before = home.shown;
    await (await ada.type('/gig list')).press('Unsubscribe');
    await ben.press({ ...home, shown: before }, 'Edit');
    expect(ben.form().text).toBe('');
  });
});

appTest(
  'questions to the bot are answered with the menu, its own messages are not',
  async ({ desk, slack, ada, ben }) => {
    prepare(desk);
    await desk.settleAfter(slack.mentionApp({ user: 'ada', channel: 'web', text: 'what can you do?' }));
    const menu = ada.notes('web').at(-1) ?? expect.fail('no menu');
    expect((await ada.press(menu, 'All Commands')).text).toContain('lookup');
    expect((await ada.press(menu, 'Set Up')).fields()).toContain('Filter');
    await ada.close();
    await desk.settleAfter(slack.messageApp({ user: 'ben', text: 'hello' }));
    const answers = () => slack.directMessages('ben').filter((it) => it.byBot);
    expect(
      answers()
        .map((it) => it.text)
        .join(),
    ).toContain('/invite @gigdesk');
    const own = { channel: answers()[0]?.channel, channel_type: 'im', bot_id: 'B1', ts: '1.1', text: 'hi' };
    await desk.settleAfter(slack.sendEvent('message', { ...own, user: slack.bot.userId }));
    const changed = { ...own, user: ben.id, subtype: 'message_changed' };
    await desk.settleAfter(slack.sendEvent('message', changed));
    expect(answers()).toHaveLength(1);
    // Her question alone.
    expect(ada.reads('web')).toHaveLength(1);
  },
);
