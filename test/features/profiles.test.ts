/** Channels that follow profiles: by ID or name, in the list, while the marketplace or Slack refuses. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });

const GONE = presetFaults.status(404, 'Profile not found');
const QUIET = { isViewed: false, isInterviewed: false, isHired: false, isWithdrawn: false };

/** Ana with an invitation of the past at a web team, Bo with a proposal there. */
function addPeople({ app, market: { service } }: Desk): void {
  service.addProfile({ id: 301, label: 'Ana Larsen', type: 'agency' });
  service.addProfile({ id: 302, label: 'Bo Berg' });
  service.addOrganization({ id: 401, label: 'Web team' });
  service.addInvitation({
    profileId: 301,
    organizationId: 401,
    title: 'Of the past',
    invitedAt: app.clock.now() - HOUR,
  });
  service.addProposal({ profileId: 302, organizationId: 401 });
}

const said = (by: Person, words: string | RegExp, channel = 'web') =>
  by.reads(channel).filter((it) => it.text.match(words));

const inList = async (by: Person, words = '') => (await by.type(`/gig list ${words}`.trim())).text;

const count = (text: string, sign: string) => text.split(sign).length - 1;

describe('following profiles', () => {
  appTest('begins by ID, goes on by learned names, is listed, and ends', async ({ desk, ada, ben }) => {
    addPeople(desk);
    await ada.type('/gig subscribe invitations 301');
    expect(said(ada, /@ada subscribed this channel to invitations for “Ana Larsen” \(301\)/u)).toHaveLength(
      1,
    );
    expect((await ben.type('/gig subscribe outcomes ana larsen')).text).toMatch(
      /@ben subscribed.*proposal updates for “Ana Larsen” \(301\)/u,
    );
    const team = await ada.type('/gig subscribe invitations “Ana Larsen” organization web team');
    expect(team.text).toContain('at “Web team” (401)');
    await desk.restart();
    const before = ada.reads('web').length;
    expect((await ada.type('/gig subscribe outcome 301')).text).toContain('Nothing changed');
    expect(ada.reads('web')).toHaveLength(before);
    expect(await inList(ada)).toMatch(/Invitations for “Ana.*Invitations for.*Web team.*Proposal updates/su);
    const some = await ada.type('/gig list 301');
    expect(some.text.match(/ for “/gu)).toHaveLength(3);
    const old = { ...some, shown: some.shown };
    const rest = await some.press('Unsubscribe');
    expect(rest.text.match(/ for “/gu)).toHaveLength(2);
    expect(said(ada, /@ada unsubscribed.*invitations for “Ana Larsen” \(301\)\./u)).toHaveLength(1);
    await ada.press(old, 'Unsubscribe');
    expect(ada.notes('web').at(-1)?.text).toMatch(/already gone/u);
    const audit = (await ada.type('/gig audit')).text;
    expect([count(audit, ' subscribed to'), count(audit, 'unsubscribed from')]).toEqual([3, 1]);
    expect((await rest.press('Unsubscribe')).text).not.toContain('Web team');
    expect(said(ada, /@ada unsubscribed.*at “Web team”/u)).toHaveLength(1);
    expect((await ada.type('/gig list', 'data')).offers('Set Up Channel')).toBe(true);
    expect(desk.market.service.consumedCredits().total).toBe(0);
  });

  appTest('of an unknown one stores nothing and shows what comes near', async ({ desk, market, ada }) => {
    addPeople(desk);
    await ada.type('/gig subscribe invitations 301');
    await ada.type('/gig subscribe outcomes 302');
    await ada.type('/gig list').then((it) => it.press('Unsubscribe'));
    const answer = async (typed: string) => (await ada.type(`/gig subscribe ${typed}`)).text;
    expect(await answer('outcomes 999')).toMatch(/profile 999.*“Ana Larsen” \(301\)/su);
    const near = await answer('outcomes Anna Larson');
    expect(near).toMatch(/`?Anna Larson`?.*“Ana Larsen” \(301\)/su);
    expect(near).toContain('/gig subscribe outcomes 301');
    expect(near).not.toContain('Bo Berg');
    expect(await answer('invitations 301 organization Nowhere')).toContain('organization 401');
    market.fail(PATHS.invitations, presetFaults.status(403, 'No'));
    expect(await answer('invitations 301')).toMatch(/ref /u);
    // Outcomes ask for proposals.
    const refused = market.fail(PATHS.proposals, presetFaults.status(403, 'No'), 9);
    expect(await answer('outcomes 301')).toMatch(/ref /u);
    refused.cancel();
    desk.slack.addChannel({ name: 'closed', withBot: false });
    const asked = market.requests(PATHS.invitations).length;
    const closed = await ada.type('/gig subscribe invitations 301', 'closed');
    expect(closed.text).toContain('/invite @gigdesk');
    expect(market.requests(PATHS.invitations)).toHaveLength(asked);
    expect(await inList(ada)).toContain('1 subscription');
    // The lists of names, which aren't documented, were asked for once.
    expect(market.requests('/profiles')).toHaveLength(1);
  });

  appTest.for(['data', 'plural', 'bare'] as const)(
    'reads the names of lists that are not documented: %s',
    async (lists, { desk, market, ada }) => {
      addPeople(desk);
      market.service.setModes({ lists });
      await ada.type('/gig subscribe invitations Ana Larsen organization “web team”');
      market.service.addFilter({ id: 101, name: 'React work' });
      await ada.type('/gig subscribe filter react work');
      for (const name of ['“Ana Larsen” (301)', '“Web team” (401)', '“React work” (101)'])
        expect(ada.reads('web').filter((it) => it.text.includes(name))).toHaveLength(1);
      for (const path of ['/profiles', '/organizations', '/filters'])
        expect(market.requests(path)).toHaveLength(1);
    },
  );
});

appTest('a profile that is disconnected is told once, rests, and goes on', async ({ desk, market, ada }) => {
  addPeople(desk);
  for (const id of [301, 302]) await ada.type(`/gig subscribe invitations ${id}`);
  await ada.type('/gig subscribe invitations 302', 'data');
  await ada.type('/gig subscribe invitations 301 organization 401', 'data');
  await ada.type('/gig subscribe outcomes 302');
  await desk.pass(5 * MINUTE);
  // A hiccup is told nobody.
  market.fail(PATHS.invitations, presetFaults.status(500), 2);
  await desk.pass(5 * MINUTE);
  const gone = market.fail(PATHS.invitations, GONE, 1_000);
  const proposals = market.requests(PATHS.proposals).length;
  await desk.pass(2 * HOUR);
  expect(market.requests(PATHS.proposals).length - proposals).toBeGreaterThan(20);
  expect(gone.hits()).toBeLessThan(15);
  const told = (words: RegExp, channel = 'web') => said(ada, words, channel).length;
  for (const name of ['Ana Larsen', 'Bo Berg'])
    expect(told(new RegExp(`Invitations for “${name}”.*stopped arriving`, 'u'))).toBe(1);
  expect([told(/stopped arriving/u), told(/stopped arriving/u, 'data')]).toEqual([2, 2]);
  const failing = await inList(ada);
  expect(failing).toMatch(/“Ana Larsen”.*\n.*failing since/u);
  expect(failing).toMatch(/Proposal updates.*\n.*live/u);
  await desk.restart();
  market.service.addInvitation({ profileId: 302, title: 'Meanwhile' });
  await desk.pass(30 * MINUTE);
  expect(told(/stopped arriving/u)).toBe(2);
  gone.cancel();
  // Whoever subscribes anew has it read at once.
  await (await ada.type('/gig list 302', 'data')).press('Unsubscribe');
  await ada.type('/gig subscribe invitations 302', 'data');
  await desk.pass(MINUTE);
  expect(told(/“Bo Berg”.*are back/u)).toBe(1);
  await desk.pass(2 * HOUR);
  for (const name of ['Ana Larsen', 'Bo Berg']) expect(told(new RegExp(`“${name}”.*are back`, 'u'))).toBe(1);
  expect([told(/Meanwhile/u), told(/Meanwhile/u, 'data'), told(/Of the past/u)]).toEqual([1, 0, 0]);
  expect(await inList(ada)).not.toContain('failing');
});

appTest('trouble with the account is told a channel once, not by profile', async ({ desk, market, ada }) => {
  addPeople(desk);
  for (const id of [301, 302]) await ada.type(`/gig subscribe invitations ${id}`);
  await ada.type('/gig subscribe invitations 302', 'data');
  desk.slack.addChannel({ name: 'ops', members: ['ada'] });
  for (const id of [301, 302]) await ada.type(`/gig subscribe invitations ${id}`, 'ops');
  await ada.type('/gig pause', 'ops');
  await desk.pass(5 * MINUTE);
  const refused = market.fail(PATHS.invitations, presetFaults.status(401), 1_000);
  await desk.pass(HOUR);
  const told = (channel: string) => said(ada, /stopped arriving/u, channel).length;
  expect([told('web'), told('data')]).toEqual([1, 1]);
  expect(refused.hits()).toBeLessThan(45);
  refused.cancel();
  await desk.pass(20 * MINUTE);
  expect(said(ada, 'are back')).toHaveLength(1);
  expect(said(ada, /stopped arriving|are back/u, 'ops')).toEqual([]);
});

describe('a channel that Slack refuses', () => {
  /** Ana's invitations, which ben asked for, and outcomes; the next post finds the channel archived. */
  async function shut(desk: Desk) {
    addPeople(desk);
    await desk.person('ben').type('/gig subscribe invitations 301');
    await desk.person('ada').type('/gig subscribe outcomes 301');
    const level = await (await desk.person('ada').type('/gig settings')).press('Updates');
    await level.send({ 'Updates in this channel': 'Everything' });
    await desk.person('ada').close();
    await desk.pass(5 * MINUTE);
    const proposals = ['Chairs in Vue', 'Tables'].map((jobTitle) =>
      desk.market.service.addProposal({ profileId: 301, jobTitle, ...QUIET }),
    );
    await desk.pass(5 * MINUTE);
    desk.slack.archive('web');
    desk.market.service.addInvitation({ profileId: 301, title: 'Found it out' });
    await desk.pass(5 * MINUTE);
    return proposals;
  }

  appTest('stops, is told to whoever made it, and has all after a resume', async ({ desk, ada, ben }) => {
    const { market, app, slack } = desk;
    const [sent, other] = await shut(desk);
    if (!sent || !other) return expect.fail();
    const notices = (of: Person) => of.inbox().filter((it) => /no longer post in #web/u.test(it.text));
    const asked = market.requests(PATHS.invitations).length;
    market.service.addInvitation({ profileId: 301, title: 'Meanwhile' });
    market.service.updateProposal(sent.id, { isViewed: true });
    await desk.pass(5 * MINUTE);
    market.service.updateProposal(sent.id, { isInterviewed: true });
    market.service.updateProposal(other.id, { isViewed: true });
    const gone = market.fail(PATHS.proposals, GONE, 1);
    await desk.pass(HOUR);
    expect(market.requests(PATHS.invitations)).toHaveLength(asked);
    for (const person of [ada, ben]) expect(notices(person)).toHaveLength(1);
    expect(gone.hits()).toBeLessThanOrEqual(1);
    await app.kill();
    slack.unarchive('web');
    await app.start();
    expect(await inList(ada)).toContain('stopped: the channel is archived');
    await ada.type('/gig pause off');
    expect(said(ada, '@ada resumed')).toHaveLength(1);
    await desk.pass(2 * HOUR);
    for (const title of ['Found it out', 'Meanwhile'])
      expect(said(ada, `Invitation: ${title}`)).toHaveLength(1);
    expect(said(ada, 'Of the past')).toEqual([]);
    const [summary, ...more] = said(ada, "while Gigdesk couldn't post here");
    expect(summary?.text).toMatch(/2 viewed, 1 interviewed/u);
    expect([...more, ...said(ada, 'Chairs in Vue'), ...said(ada, /stopped arriving/u)]).toEqual([]);
    market.service.updateProposal(sent.id, { isHired: true });
    await desk.pass(5 * MINUTE);
    expect(said(ada, 'Chairs in Vue')).toHaveLength(1);
    expect(await inList(ada)).not.toContain('stopped');
  });

  appTest('begins again with a subscription made anew', async ({ desk, slack, ada }) => {
    await shut(desk);
    slack.unarchive('web');
    await ada.type('/gig subscribe invitations 301');
    expect(said(ada, '@ada subscribed this channel to invitations')).toHaveLength(1);
    await desk.pass(HOUR);
    expect(said(ada, 'Invitation: Found it out')).toHaveLength(1);
    const list = await inList(ada);
    expect([count(list, 'live'), count(list, 'stopped')]).toEqual([1, 1]);
  });
});

appTest('a pause keeps invitations back and tells outcomes on', async ({ desk, market, ada }) => {
  addPeople(desk);
  for (const feed of ['invitations', 'outcomes']) await ada.type(`/gig subscribe ${feed} 301`);
  const sent = market.service.addProposal({ profileId: 301, jobTitle: 'Chairs in Vue', ...QUIET });
  await desk.pass(5 * MINUTE);
  expect((await ada.type('/gig pause 2h')).text).toMatch(/@ada paused.*invitations.*Proposal updates/su);
  const list = await inList(ada);
  expect([count(list, 'paused by @ada'), count(list, 'live')]).toEqual([1, 1]);
  market.service.addInvitation({ profileId: 301, title: 'Meanwhile' });
  market.service.updateProposal(sent.id, { isHired: true });
  await desk.pass(HOUR);
  expect(said(ada, 'Meanwhile')).toEqual([]);
  expect(said(ada, 'Chairs in Vue')).toHaveLength(1);
  await desk.pass(70 * MINUTE);
  expect(said(ada, 'Meanwhile')).toHaveLength(1);
});
