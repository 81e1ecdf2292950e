/** Roles: asked for and granted by button, given in the form, for people and user groups. */
import { describe, expect } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';

const quietTest = appTestWith({ empty: true });
const ADMINS_ONLY = /only admins/iu;
const always = Number.POSITIVE_INFINITY;

/** Asks for the admin role by the button of a refusal. @returns the channel's post */
async function ask(person: Person, channel = 'web') {
  const refusal = await person.type('/gig pause 1h', channel);
  expect(refusal.text).toMatch(ADMINS_ONLY);
  const answer = await refusal.press('Request Access');
  return { answer, post: person.reads(channel).findLast((it) => it.offers('Grant')) };
}

describe('a role that is asked for', () => {
  appTest(
    'is granted once, holds at once, there alone, and over a kill',
    async ({ desk, app, ada, ben, cem }) => {
      const dan = desk.person('dan', { admin: true });
      const eve = desk.person('eve');
      await (await ada.type('/gig access')).send({ Admins: ['eve'] });
      const { answer, post } = await ask(ben);
      expect(answer.text).toContain('You requested to be an admin in #web');
      if (!post) return expect.fail('no request');
      expect(post.text).toContain('@ben wants to be an admin');
      expect((await (await ben.type('/gig pause 1h')).press('Request Access')).text).toContain(
        'already requested',
      );
      expect((await cem.press(post, 'Grant')).text).toMatch(ADMINS_ONLY);
      expect((await ben.press(post, 'Grant')).text).toMatch(ADMINS_ONLY);
      const late = post.shown ?? expect.fail('it is gone');
      await ada.press(post, 'Grant');
      await desk.pass(MINUTE);
      expect(post.text).toMatch(/@ada made @ben an admin in #web/u);
      expect(post.offers('Grant')).toBe(false);
      expect(ben.inbox().at(-1)?.text).toMatch(/@ada made you an admin/u);
      const again = { ...post, shown: late, offers: () => true };
      expect((await dan.press(again, 'Decline')).text).toMatch(
        /@ada granted this request .*Nothing changed/u,
      );
      await app.kill();
      await app.start();
      expect((await ben.type('/gig pause 1h')).text).toContain('@ben paused');
      expect((await eve.type('/gig pause 2h')).text).toContain('@eve paused');
      expect((await ben.type('/gig pause 1h', 'data')).text).toMatch(ADMINS_ONLY);
      const log = (await ben.type('/gig audit')).text;
      for (const words of ["granted @ben's request to be an admin", 'requested to be an admin'])
        expect(log).toContain(words);
      expect((await cem.type('/gig audit')).text).toMatch(ADMINS_ONLY);
    },
  );

  appTest('that is declined changes nothing, and can be asked for again', async ({ ada, cem }) => {
    const { post } = await ask(cem);
    await ada.press(post ?? expect.fail('no request'), 'Decline');
    expect(post?.text).toMatch(/@ada declined @cem's request/u);
    expect(cem.inbox().at(-1)?.text).toContain('declined your request');
    const { answer, post: next } = await ask(cem);
    expect(answer.text).toContain('You requested');
    expect(next?.ts).not.toBe(post?.ts);
  });

  quietTest(
    'in a direct message is asked of admins of everywhere, who grant it everywhere',
    async ({ desk, slack, ada, ben }) => {
      const dm = slack.messageApp({ user: 'ben', text: 'hello' });
      await desk.settleAfter(dm);
      const channel = slack.directMessages('ben')[0]?.channel ?? expect.fail('no conversation');
      expect((await (await ben.type('/gig pause', channel)).press('Request Access')).text).toMatch(
        /no admin to send/iu,
      );
      await (await ada.type('/gig access')).send({ Admins: ['ada'] });
      expect((await (await ben.type('/gig pause', channel)).press('Request Access')).text).toMatch(
        /no admin to send/iu,
      );
      const form = await ada.type('/gig access');
      const everywhere = await form.press('Everywhere');
      expect(everywhere.text).toContain('Roles everywhere');
      await everywhere.send({ Admins: ['ada'] });
      await (await ben.type('/gig pause', channel)).press('Request Access');
      const request = ada.inbox().at(-1) ?? expect.fail('nobody was asked');
      await ada.press(request, 'Grant');
      for (const place of ['web', 'data'])
        expect((await ben.type('/gig pause', place)).text).toContain('@ben paused');
    },
  );

  quietTest(
    'is asked of ten people at most, the channel’s first, and for 90 days',
    async ({ desk, app, ada, ben }) => {
      const many = Array.from({ length: 12 }, (_, at) => desk.person(`admin-${at}`));
      const last = desk.person('zoe');
      const form = await (await ada.type('/gig access')).press('Everywhere');
      await form.send({ Admins: many.map(({ name }) => name) });
      await (await ada.type('/gig access')).send({ Admins: ['zoe'] });
      const { post } = await ask(ben);
      const told = () => [...many, last].filter((it) => it.inbox().length > 0);
      expect(told()).toHaveLength(10);
      expect(told()).toContain(last);
      app.clock.moveBy(91 * DAY);
      const { answer, post: anew } = await ask(ben);
      expect(answer.text).toContain('You requested');
      expect(anew?.ts).not.toBe(post?.ts);
    },
  );
});

describe('the form', () => {
  appTest('gives roles to people and groups, and takes them away', async ({ desk, slack, ada, ben, cem }) => {
    const gus = desk.person('gus', { guest: 'multi' });
    slack.addUserGroup({ handle: 'leads', users: ['cem', 'gus'] });
    const saved = await (await ada.type('/gig access', 'data')).send({
      Bidders: ['ben'],
      'Admins: user groups': ['@leads'],
    });
    expect(saved.text).toMatch(/Now bidders in #data: @ben[\s\S]*Now admins in #data: .*@leads/u);
    expect((await cem.type('/gig pause', 'data')).text).toContain('@cem paused');
    expect((await gus.type('/gig pause off', 'data')).text).toMatch(/guests/iu);
    expect((await cem.type('/gig pause off')).text).toMatch(ADMINS_ONLY);
    const same = await (await ada.type('/gig access', 'data')).send();
    expect(same.text).toContain('Nothing changed');
    const taken = await (await ada.type('/gig access', 'data')).send({
      Bidders: [],
      'Admins: user groups': [],
    });
    expect(taken.text).toMatch(/No longer bidders in #data: @ben[\s\S]*No longer admins in #data: .*@leads/u);
    expect((await cem.type('/gig pause off', 'data')).text).toMatch(ADMINS_ONLY);
    const log = (await ada.type('/gig audit')).text;
    expect(log).toContain('made the group @leads admins');
    expect(log).toContain('removed the admin role from the group @leads');
    expect(ben.inbox()).toEqual([]);
  });

  appTest('of an admin of one channel is about that channel alone', async ({ ada, ben, cem }) => {
    await (await ada.type('/gig access')).send({ Admins: ['ben'] });
    const form = await ben.type('/gig access');
    expect(form.offers('Everywhere')).toBe(false);
    expect((await form.send({ Admins: ['ben', 'cem'] })).text).toContain('Now admins in #web: @cem');
    expect((await cem.type('/gig pause')).text).toContain('@cem paused');
    expect((await cem.type('/gig pause', 'data')).text).toMatch(ADMINS_ONLY);
    const both = await (await ada.type('/gig access', 'data')).press('Everywhere');
    expect(both.text).not.toContain('@ben');
    await both.send({ Bidders: ['cem'] });
    expect((await ada.type('/gig access', 'data')).text).not.toContain('@cem');
    await (await ada.form().press('Everywhere')).send({ Admins: ['ben'] });
    const everywhere = await (await ben.type('/gig access')).press('Everywhere');
    await (await (await ada.type('/gig access')).press('Everywhere')).send({ Admins: [] });
    const refused = await everywhere.send({ Bidders: ['ben'] });
    expect(refused.text).toContain("you can only change that channel's roles");
  });

  appTest('over somebody else’s change saves nothing, and shows theirs', async ({ desk, ada, ben, cem }) => {
    const dan = desk.person('dan', { admin: true });
    const hers = await ada.type('/gig access');
    await (await dan.type('/gig access')).send({ Admins: ['cem'] });
    const newest = await hers.send({ Bidders: [] });
    expect(newest.text).toMatch(/@dan changed this list/u);
    expect((await ben.type('/gig template new')).text).not.toMatch(/bidders/iu);
    await ben.close();
    await newest.send({ Bidders: [] });
    expect((await ben.type('/gig template new')).text).toMatch(/bidders/iu);
    expect((await cem.type('/gig pause')).text).toContain('@cem paused');
    const [first, second] = [await ada.type('/gig access'), await dan.type('/gig access')];
    await Promise.all([first.send({ Bidders: ['ben'] }), second.send({ Admins: ['cem', 'ben'] })]);
    const told = [ada, dan].map((it) => it.notes('web').at(-1)?.text);
    expect(told.filter((text) => text?.includes("weren't saved"))).toHaveLength(1);
  });

  appTest(
    'keeps groups that Slack doesn’t list, and grants nothing by them',
    async ({ slack, ada, ben, cem, pass }) => {
      slack.addUserGroup({ handle: 'leads', users: ['cem'] });
      await (await ada.type('/gig access')).send({ 'Admins: user groups': ['@leads'] });
      const outage = slack.injectFault('usergroups.*', { kind: 'error', error: 'missing_scope' }, always);
      const refused = await cem.type('/gig pause');
      expect(refused.text).toMatch(/Slack/u);
      expect(refused.offers('Request Access')).toBe(false);
      expect((await ben.type('/gig template new')).text).not.toMatch(/Slack/u);
      await ben.close();
      const form = await ada.type('/gig access');
      expect(form.text).toContain('usergroups:read');
      await form.send({ Bidders: ['cem'] });
      outage.cancel();
      await pass(6 * MINUTE);
      expect((await cem.type('/gig pause')).text).toContain('@cem paused');
    },
  );
});
