/** A channel's settings: everyone sees all that is set, admins change one part after the other. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Input, Person } from '../kit/person.ts';
import { setRules } from '../kit/start-desk.ts';

const TITLE = 'Channel Settings';
const PARTS = [
  'Updates',
  'Quiet Hours',
  'Mentions',
  'Budget',
  'Response Times',
  'Spending Rules',
  'Cards and Approvals',
  'Hints',
];
/** Nothing arrives, so that hours pass quickly. */
const idleTest = appTestWith({ empty: true });
const COMPACT = { 'Card layout': 'Compact: two lines and buttons' };
const NIGHT = { 'Quiet hours': ['Every day'], 'Quiet from': '20:00' };

/** Saves one part as an admin, who then closes the window. @returns what the channel reads then */
async function change(admin: Person, part: string, input: Input): Promise<string> {
  const form = await (await admin.type('/gig settings')).press(part);
  await form.send(input);
  await admin.close();
  return admin.reads('web').at(-1)?.text ?? '';
}

describe('the window', () => {
  appTest('shows everyone what is set, with buttons only for admins', async ({ ada, ben }) => {
    const window = await ada.type('/gig settings');
    for (const part of PARTS) expect(window.offers(part), part).toBe(true);
    await (await window.press('Quiet Hours')).send({ 'Time zone': 'Tokyo' });
    await (await ada.form().press('Mentions')).send({ 'Mention 1: people': ['ben'] });
    const seen = await ben.type('/gig settings');
    for (const words of ['Asia/Tokyo', 'Card layout: full', 'All cards mention @ben', '500 credits'])
      expect(seen.text).toContain(words);
    for (const part of PARTS) {
      expect(seen.text).toContain(part);
      expect(seen.offers(part), part).toBe(false);
    }
    expect(seen.text).toContain('Only admins');
  });

  appTest('shows each change at once, and the channel reads who made it', async ({ ada, ben }) => {
    const last = () => ben.reads('web').at(-1)?.text;
    const notes = ada.notes('web').length;
    const window = await ada.type('/gig settings');
    const compact = await (await window.press('Updates')).send(COMPACT);
    expect(compact.text).toMatch(/Channel Settings[\s\S]*Card layout: compact/u);
    expect(last()).toMatch(/@ada changed[\s\S]*Card layout: compact/u);
    const budget = await (await compact.press('Budget')).send({ 'Credits per billing period': '70' });
    expect(budget.text).toMatch(/Channel Settings[\s\S]*70 credits/u);
    expect(last()).toMatch(/@ada.*70 credits/su);
    const rules = await budget.press('Spending Rules');
    const strict = await rules.send({ 'Second approval above this amount': '432' });
    expect(strict.text).toMatch(/Channel Settings[\s\S]*432/u);
    expect(last()).toMatch(/@ada.*432/su);
    const times = await strict.press('Response Times');
    const fast = await times.send({ 'Targets and nudges': ['Show targets on cards and send nudges'] });
    expect(fast.text).toContain(TITLE);
    expect(fast.text).not.toContain('Targets and nudges: off');
    expect(ada.notes('web')).toHaveLength(notes);
  });

  idleTest('that is a day old says so, and opens and changes nothing', async ({ desk, pass, ada }) => {
    const [dan, eve] = [desk.person('dan', { admin: true }), desk.person('eve', { admin: true })];
    await dan.type('/gig settings');
    await (await eve.type('/gig settings')).press('Updates');
    await pass(25 * HOUR);
    await ada.type('/gig settings');
    for (const part of ['Updates', 'Budget', 'Response Times', 'Spending Rules']) {
      const before = dan.inbox().length;
      await dan.form().press(part);
      expect(dan.form().text).toContain(TITLE);
      const told = dan.inbox().slice(before);
      expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('out of date')]);
    }
    expect((await eve.form().send(COMPACT)).text).toContain('out of date');
    expect((await ada.type('/gig settings')).text).toContain('Card layout: full');
  });
});

describe('a form', () => {
  appTest('tells each mistake at its field, and saves nothing', async ({ ada }) => {
    const window = await ada.type('/gig settings');
    const quiet = await window.press('Quiet Hours');
    const wrong = await quiet.send({ ...NIGHT, 'Quiet until': '20:00', 'Time zone': 'Berln' });
    expect(wrong.text).toContain("can't start and end at the same time");
    expect(wrong.text).toMatch(/“Berln”.*Europe\/Berlin/u);
    await wrong.send({ ...NIGHT, 'Quiet until': '08:00', 'Time zone': 'Berlin' });
    const mentions = await ada.form().press('Mentions');
    const rule = { 'Mention 1: matching projects': 'react budget:>lots', 'Mention 1: people': ['ben'] };
    const mistaken = await mentions.send(rule);
    expect(mistaken.text).toMatch(/“lots”.*react budget:>500/u);
    await ada.close();
    const { text } = await ada.type('/gig list');
    expect(text).toMatch(/8:00 PM.*8:00 AM.*Europe\/Berlin/u);
    expect(text).not.toContain('@ben');
  });

  appTest('keeps what is filled in while a mention is added, five at the most', async ({ ada }) => {
    const first = { 'Mention 1: matching projects': 'react', 'Mention 1: people': ['ben'] };
    let form = await (await ada.type('/gig settings')).press('Mentions');
    form = await form.press('Add Mention', first);
    for (let rows = 2; rows < 5; rows++) form = await form.press('Add Mention');
    expect(form.offers('Add Mention')).toBe(false);
    await form.send({ ...first, 'Mention 5: matching projects': 'vue', 'Mention 5: people': ['ben'] });
    const { text } = await ada.type('/gig list');
    for (const rules of ['react', 'vue']) expect(text).toMatch(new RegExp(`\`${rules}\`.*@ben`, 'u'));
  });

  appTest('of a person who has lost the role meanwhile changes nothing', async ({ ada, ben }) => {
    await (await ada.type('/gig access')).send({ Admins: ['ben'] });
    const form = await (await ben.type('/gig settings')).press('Updates');
    await (await ada.type('/gig access')).send({ Admins: [] });
    expect((await form.send(COMPACT)).text).toContain(TITLE);
    expect(ben.notes('web').at(-1)?.text).toMatch(/only admins/iu);
    expect((await ada.type('/gig list')).text).not.toContain('Card layout: compact');
  });

  appTest('of two admins changes what each changed, and tells who comes last', async ({ desk, ada }) => {
    const dan = desk.person('dan', { admin: true });
    const hers = await (await ada.type('/gig settings')).press('Quiet Hours');
    const his = await (await dan.type('/gig settings')).press('Quiet Hours');
    const after = await hers.send({ 'Time zone': 'Tokyo', 'Quiet hours': ['All day Saturday and Sunday'] });
    await (await after.press('Cards and Approvals')).send({ 'Requests for approval': 'Open for 4 hours' });
    const last = await his.send({ 'Time zone': 'Berlin' });
    for (const words of ['open for 4 hours', 'Saturday and Sunday', 'Europe/Berlin'])
      expect(last.text).toContain(words);
    expect(dan.notes('web').at(-1)?.text).toMatch(/someone else also changed: time zone/u);
    await ada.close();
    const { text } = await ada.type('/gig audit');
    for (const words of ['approval time', 'quiet hours, time zone', 'settings: time zone'])
      expect(text).toContain(words);
  });

  appTest('suggests the country that a rule may mean, once', async ({ ada }) => {
    const rule = { 'Mention 1: matching projects': 'country:Germny', 'Mention 1: people': ['ben'] };
    expect(await change(ada, 'Mentions', rule)).toMatch(/`Germny`.*`Germany`/u);
    expect(await change(ada, 'Quiet Hours', { 'Time zone': 'Paris' })).not.toContain('Germny');
  });

  appTest('saved as it was says so, to the person alone', async ({ ada }) => {
    const before = ada.reads('web').length;
    await change(ada, 'Quiet Hours', {});
    expect(ada.notes('web').at(-1)?.text).toContain('Nothing was changed');
    expect(ada.reads('web')).toHaveLength(before);
  });

  appTest('says when nobody can give what it asks for', async ({ desk, ada }) => {
    const alone = { 'Second approval above this amount': '500' };
    await (await ada.type('/gig access')).send({ Bidders: [] });
    await setRules(ada, alone);
    expect(ada.reads('web').at(-1)?.text).toMatch(/only @ada may approve here/u);
    desk.person('cem');
    await (await ada.type('/gig access')).send({ Bidders: ['ben', 'cem'] });
    await setRules(ada, { 'Second approval above this amount': '600' });
    expect(ada.reads('web').at(-1)?.text).not.toMatch(/may approve here/u);
    const nudges = { 'Targets and nudges': ['Show targets'] };
    expect(await change(ada, 'Response Times', nudges)).toMatch(/nudges mention nobody/u);
  });
});

describe('a card', () => {
  appTest(
    'mentions whom the rules name, once, whatever becomes of it',
    async ({ slack, market, ada, ben }) => {
      const { id: group } = slack.addUserGroup({ handle: 'leads', users: ['ben'] });
      const called = `@ben @${group}`;
      const rule = {
        'Mention 1: matching projects': 'react',
        'Mention 1: people': ['ben'],
        'Mention 1: user groups': ['@leads'],
      };
      await change(ada, 'Mentions', rule);
      const card = await market.publish({ title: `A React shop <@${ada.id}> <!channel>` }).cardIn('web');
      const other = await market.publish({ title: 'A Vue shop' }).cardIn('web');
      expect(card.text.split('\n')[0]).toMatch(new RegExp(`A React shop.*${called}$`, 'u'));
      expect(other.text).not.toContain('@ben');
      await change(ada, 'Mentions', {
        'Mention 1: matching projects': null,
        'Mention 1: people': [],
        'Mention 1: user groups': [],
      });
      await ada.press(card, 'Claim');
      expect(card.text).toContain(called);
      expect(card.text).toContain('Claimed by @ada');
      expect((await market.publish({ title: 'React again' }).cardIn('web')).text).not.toContain('@ben');
      expect(ben.inbox()).toEqual([]);
    },
  );

  appTest('has the layout, thread and buttons that the channel wants', async ({ market, ada, pass }) => {
    const description = 'We sell garden furniture and lose every third customer at the checkout.';
    const publish = (title: string) => market.publish({ title, description }).cardIn('web');
    const full = await publish('A shop');
    expect(full.text).toContain(description);
    await change(ada, 'Cards and Approvals', { Threads: ['Move description'], 'Buttons on': [] });
    market.publish({ title: 'Another shop', description });
    await pass(MINUTE);
    const bare = ada.reads('web').find(({ text }) => text.includes('Another shop')) ?? expect.fail('no card');
    expect(bare.text).not.toContain('garden furniture');
    expect(
      bare
        .replies()
        .map(({ text }) => text)
        .join('\n'),
    ).toContain(description);
    for (const label of ['Bid', 'Details', 'Claim', 'Skip']) expect(bare.offers(label)).toBe(false);
    await ada.press(full, 'Claim');
    expect(full.offers('Release')).toBe(true);
    expect(full.offers('Claim')).toBe(false);
    await change(ada, 'Updates', COMPACT);
    market.publish({ title: 'A third shop', description });
    await pass(MINUTE);
    const compact = ada.reads('web').at(-1) ?? expect.fail('no card');
    expect(compact.text).toContain('A third shop');
    expect(compact.text.split('\n').length).toBeLessThan(full.text.split('\n').length);
  });
});
