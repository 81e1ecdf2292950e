/** The room of subscriptions: setup, lists, profiles, invitations, what people follow, nudges and hints. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ChannelId, ProjectKey, UserId } from '../../src/ids.ts';
import { cardPostId } from '../../src/outbox/outbox.ts';
import type { ResponseItem } from '../../src/outbox/posts.ts';
import { type ResponseContent, responseMessage } from '../../src/slack/response/response-message.ts';
import { describeProfileFailure } from '../../src/slack/subscriptions/profile-feeds.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { FILTER, PATHS } from '../kit/start-desk.ts';

const emptyTest = appTestWith({ empty: true });
const LETTER = `Dear Ana, please help us. ${'We sell chairs. '.repeat(30)}`;

/** What a person is told after each of these commands. */
async function answersTo(by: Person, commands: readonly string[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const typed of commands) {
    answers[typed] = (await by.type(`/gig ${typed}`)).text;
    await by.close();
  }
  return answers;
}

describe('subscribing', () => {
  emptyTest('with the form, from the welcome on', async ({ desk, market, slack, ada }) => {
    market.service.addFilter(FILTER);
    market.service.addSetup({ filter: FILTER });
    slack.addChannel({ name: 'sales', withBot: false });
    slack.invite('sales', 'ada');
    await desk.settleAfter(slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' }));
    const welcome = ada.reads('sales').at(-1) ?? expect.fail('no welcome');
    expect(welcome.text).toMatchSnapshot('welcome');
    const form = await ada.press(welcome, 'Set Up This Channel');
    expect(form.text).toMatchSnapshot('first step');
    const offer = await form.press('Preview Rules', { Filter: FILTER.name });
    expect(offer.text.split('\n').slice(-8)).toMatchSnapshot('preview at a price');
    const second = await form.send({ Filter: FILTER.name, 'More rules': 'react country:Mars' });
    expect(second.text).toMatchSnapshot('second step');
    expect((await second.send({ 'Daily digest': 'Every day' })).text).toMatchSnapshot('saved');
    await ada.close();
    const said = ada.reads('sales').slice(1);
    expect(said.map((it) => it.text).join('\n\n')).toMatchSnapshot('what the channel reads');
    expect(welcome.text).toMatchSnapshot('welcome, once set up');
    const edited = await ada.press(welcome, 'Edit');
    expect(edited.text.split('\n').slice(0, 4)).toMatchSnapshot('editing');
    const done = await edited.send({ 'More rules': 'vue' });
    expect(done.text).toMatchSnapshot('edited');
  });

  appTest('with commands, and trying rules', async ({ desk, market, ada, ben }) => {
    for (const title of ['A WordPress shop', 'A React shop', 'An office'])
      await market.publish({ title }).cardIn('web');
    const card = ada.reads('web').find((it) => it.text.includes('WordPress')) ?? expect.fail('no card');
    await ben.press(card, 'Claim');
    expect(
      await answersTo(ada, [
        'subscribe filter 101',
        'subscribe filter 101 react country:Mars',
        'subscribe filter 999',
        'subscribe filter Reakt',
        'subscribe filter 101 budget:lots',
        'subscribe filter 101 backfill 900',
        'subscribe sandwiches 301',
        'try 101 -wordpress -office',
        'try 101 react country:mars',
        'try 999',
        'list',
        'list nothing',
        'pause 2h',
      ]),
    ).toMatchSnapshot();
    await desk.pass(MINUTE);
    expect((await ben.type('/gig list')).text).toMatchSnapshot('list, paused');
  });

  emptyTest('to profiles', async ({ desk, market, ada }) => {
    market.service.addProfile({ id: 301, label: 'Ana Larsen' });
    market.service.addProfile({ id: 302, label: 'ana larsen' });
    market.service.addOrganization({ id: 401, label: 'Web team' });
    for (const profileId of [301, 302]) market.service.addInvitation({ profileId, organizationId: 401 });
    expect(
      await answersTo(ada, [
        'list',
        'subscribe invitations 301',
        'subscribe invitations 302 organization web team',
        'subscribe outcomes 301',
        'subscribe outcome 301',
        'subscribe outcomes Ana Larsen',
        'subscribe outcomes Anna',
        'subscribe outcomes Zzzz',
        'subscribe outcomes 999',
        'subscribe invitations',
        'subscribe invitations 0',
        'subscribe invitations 301 budget:>5',
        'subscribe invitations 301 organization',
        'subscribe outcomes 301 organization 401',
      ]),
    ).toMatchSnapshot();
    await desk.pass(3 * MINUTE);
    market.fail(PATHS.invitations, presetFaults.status(404, 'Profile not found'), 3);
    await desk.pass(5 * MINUTE);
    expect(ada.reads('web').at(-1)?.text).toMatchSnapshot('a notice');
    const list = await ada.type('/gig list');
    expect(list.text).toMatchSnapshot('list');
    const old = { ...list, shown: list.shown };
    await list.press('Unsubscribe');
    expect(ada.reads('web').at(-1)?.text).toMatchSnapshot('unsubscribed');
    await ada.press(old, 'Unsubscribe');
    expect(ada.notes('web').at(-1)?.text).toMatchSnapshot('unsubscribed before');
  });

  it.each(['not-found', 'forbidden', 'subscription-inactive', 'server'])(
    'and a profile that fails: %s',
    (code) => {
      const profile = { id: 301, name: 'Ana Larsen' };
      const { what, next } = describeProfileFailure({ feed: 'invitations', profile, code } as never);
      expect(`${what}. ${next}`).toMatchSnapshot();
    },
  );
});

appTest('invitations', async ({ desk, market, ada, ben }) => {
  market.service.addProfile({ id: 301, label: 'Ana Larsen' });
  market.service.addOrganization({ id: 401, label: 'Web team' });
  await ada.type('/gig subscribe invitations 301');
  await desk.pass(MINUTE);
  const { project } = market.publish({ title: 'Chairs' });
  const all = { profileId: 301, organizationId: 401, statusLabel: 'Pending' };
  const { id } = market.service.addInvitation({
    ...all,
    title: 'Chairs',
    jobPostingUid: project.uid,
    invitationLetter: LETTER,
  });
  market.service.addInvitation({
    ...all,
    title: '',
    jobPostingUid: '',
    invitationLetter: '',
    statusLabel: '',
  });
  await desk.pass(3 * MINUTE);
  const invitations = ada.reads('web').filter((it) => it.text.startsWith('Invitation'));
  const card = invitations.find((it) => it.offers('Bid')) ?? expect.fail('no invitation');
  for (const { text } of invitations) expect(text).toMatchSnapshot('a card');
  market.service.updateInvitation(id, { statusLabel: 'Declined' });
  await ben.press(card, 'Claim');
  await desk.pass(3 * MINUTE);
  expect(card.text).toMatchSnapshot('claimed and changed');
  expect(card.replies().map((it) => it.text)).toMatchSnapshot('its thread');
  const window = await ada.press(card, 'Details');
  expect(window.text).toMatchSnapshot('its window');
});

appTest('what people follow', async ({ desk, market, ada, ben }) => {
  market.service.addFilter({ id: 102, name: 'Design' });
  expect(
    await answersTo(ben, [
      'follow',
      'follow 102',
      'follow filter',
      'follow 101 budget:lots',
      'follow react budget:>2000 country:mars',
      'follow 101',
      'follow 101',
    ]),
  ).toMatchSnapshot();
  const list = await ben.type('/gig follow');
  expect((await list.press('Mute Until Tomorrow')).text).toMatchSnapshot('muted');
  await list.press('Unmute');
  await market.publish({ title: 'A React shop' }).cardIn('web');
  await desk.pass(MINUTE);
  const one = ben.inbox().at(-1) ?? expect.fail('no message');
  expect(one.text).toMatchSnapshot('a project');
  await ben.press(one, 'Claim');
  expect(one.text).toMatchSnapshot('a project, claimed');
  await ada.type('/gig subscribe filter 101 -chair');
  for (let count = 0; count < 6; count++)
    market.publish({ title: `Chair ${count}`, budget: { type: 'fixed', fixedAmount: 100 } });
  await desk.pass(2 * MINUTE);
  expect(ben.inbox().at(-1)?.text).toMatchSnapshot('many projects');
});

describe('response times', () => {
  appTest('are set, announced and counted', async ({ desk, market, ada, ben }) => {
    const form = await (await ada.type('/gig settings')).press('Response Times');
    expect(form.text).toMatchSnapshot('form');
    const wrong = { 'Claim target': 0, 'Bid target': 99_999, 'Claims without a bid': 2, 'Working days': [] };
    expect((await form.send(wrong)).text.split('\n').slice(-4)).toMatchSnapshot('mistakes');
    await form.send({
      'Targets and nudges': ['Show targets'],
      'Claim target': 7,
      'Bid target': 30,
      'Claims without a bid': 60,
      'Working days': ['Monday', 'Tuesday', 'Sunday'],
    });
    await ada.close();
    expect(ada.reads('web').at(-1)?.text).toMatchSnapshot('announced');
    const card = await market.publish({ title: 'A shop' }).cardIn('web');
    await ben.press(card, 'Claim');
    await desk.pass(MINUTE);
    expect((await ada.type('/gig stats response')).text).toMatchSnapshot('counted');
    expect((await ada.type('/gig stats response', 'data')).text).toMatchSnapshot('nothing counted');
  });

  const NOW = Date.parse('2026-11-20T09:00:00Z');
  const [ana, ben] = [UserId.parse('U0ANA'), UserId.parse('U0BEN')];
  const post = cardPostId(ChannelId.parse('C0WEB'), ProjectKey.parse('~01'));
  const item = (stage: ResponseItem['stage'], more: Partial<ResponseItem> = {}): ResponseItem => ({
    stage,
    of: 'project',
    card: post,
    title: 'Rebuild our <checkout> & more',
    since: NOW,
    ...(stage === 'warning' || stage === 'expiry' ? { claimedBy: ben } : {}),
    ...(stage === 'warning' ? { expiresAt: NOW + 10 * MINUTE } : {}),
    ...more,
  });
  /** Its texts, without date tokens. */
  const textsOf = (items: readonly ResponseItem[], more = 0, link?: string) => {
    const mention = { users: [ana], groups: ['S1', '<!here>'] };
    const content: ResponseContent = { kind: 'response', items: [...items], more, mention };
    const { blocks } = responseMessage(content, new Map(link ? [[post, link]] : []));
    const texts = JSON.stringify(blocks).match(/"text":"[^"]*"/gu) ?? [];
    return texts.map((it) => it.slice(8, -1).replaceAll(/<!date[^|]*\|([^>]*)>/gu, '$1')).join(' | ');
  };

  it('nudge and warn', () => {
    const stages = ['nudge', 'lead', 'warning', 'expiry'] as const;
    expect(stages.map((stage) => textsOf([item(stage)]))).toMatchSnapshot('open');
    const until = NOW + 30 * MINUTE;
    const done = (['snoozed', 'claimed', 'extended'] as const).map((what) => ({ by: ana, what, until }));
    expect(done.map((it) => textsOf([item('nudge', { done: it })]))).toMatchSnapshot(
      'with what a person did',
    );
    const several = [item('nudge'), item('expiry')];
    expect(textsOf(several, 3, 'https://a.example/p1').split(' | ')).toMatchSnapshot('several');
  });

  it('say what happened elsewhere', () => {
    const ends = [
      'claimed',
      'assigned',
      'released',
      'expired',
      'skipped',
      'muted',
      'bidding',
      'bid',
      'again',
      'off',
    ] as const;
    const endOf = (stage: 'nudge' | 'warning') =>
      ends.map((what) => textsOf([item(stage, { over: { what, by: ana } })]).split('\\n')[1]);
    expect([...endOf('nudge'), endOf('warning').at(-1)]).toMatchSnapshot();
  });
});

appTest('hints', async ({ ada }) => {
  const form = await (await ada.type('/gig settings')).press('Hints');
  const shown = ({ text }: { readonly text: string }) => text.replaceAll(/hooks\/T[\w-]+/gu, 'hooks/…');
  expect(shown(form)).toMatchSnapshot('form');
  const rotated = await form.press('Rotate Secret');
  expect(shown(rotated).split('\n')[1]).toMatchSnapshot('rotated');
});
