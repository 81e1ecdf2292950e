/**
 * Odd marketplace answers about proposals, invitations and profiles: channels get true news once, or a clear
 * sentence.
 */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const appTest = appTestWith({
  empty: true,
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});

const PROFILE = 31;
const QUIET = { isViewed: false, isInterviewed: false, isHired: false, isWithdrawn: false };

const HOSTILE = [
  '<!channel> <https://evil.example|Hired>',
  '\u202Egnp\u0000\u200B',
  '😀'.repeat(255),
  '`*_~|"\\ \n\n&lt;!here&gt;',
  'x'.repeat(20_000),
  ' ',
] as const;

const STRANGE: readonly (readonly [string, MarketplaceFaultEffect])[] = [
  ['a page of HTML', presetFaults.html(200)],
  ['an error page', presetFaults.html(502)],
  ['a list', presetFaults.wrongJson()],
  ['null', presetFaults.wrongJson(null)],
  ['nothing but pages', presetFaults.wrongJson({ data: null, pagination: { pages: 99_999 } })],
  ['nonsense', presetFaults.wrongJson({ data: [null, 1, 'x', { title: 'Nobody' }, {}], pagination: 'many' })],
  ['a body cut off', { kind: 'break-body' }],
];

/** At the level “Everything”, where each update is a message. */
async function follow(desk: Desk): Promise<void> {
  const ada = desk.person('ada');
  for (const feed of ['outcomes', 'invitations']) await ada.type(`/gig subscribe ${feed} ${PROFILE}`);
  const settings = await ada.type('/gig settings');
  await (await settings.press('Updates')).send({ 'Updates in this channel': 'Everything' });
  await ada.close();
  await desk.pass(MINUTE);
}

const told = (by: Person, words: string) => by.reads('web').filter((it) => it.text.includes(words));

describe('lists of proposals and invitations', () => {
  appTest.for(STRANGE)(
    'that come as %s tell nothing untrue, and go on',
    async ([, effect], { desk, ada }) => {
      const { market } = desk;
      market.service.addProfile({ id: PROFILE, label: 'Ana Webb' });
      const early = market.fail({ path: /^\/(?:proposals|invitations|profiles)/u }, effect, 99);
      for (const wanted of ['outcomes 31', 'invitations 31', 'outcomes Nobody', 'invitations “Ana Webb”'])
        expect((await ada.type(`/gig subscribe ${wanted}`)).text, wanted).not.toBe('');
      early.cancel();
      await follow(desk);
      const list = (await ada.type('/gig list')).text;
      for (const feed of ['Invitations for', 'Proposal updates for']) expect(list).toContain(feed);
      const sent = market.service.addProposal({ profileId: PROFILE, jobTitle: 'Chairs', ...QUIET });
      await desk.pass(5 * MINUTE);
      const faulty = [PATHS.proposals, PATHS.invitations].map((path) => market.fail(path, effect, 9_999));
      await desk.pass(20 * MINUTE);
      expect((await ada.type('/gig proposals chairs')).text).toContain('Chairs');
      expect([...told(ada, 'Chairs'), ...told(ada, 'Nobody'), ...told(ada, 'Invitation:')]).toEqual([]);
      for (const fault of faulty) fault.cancel();
      market.service.updateProposal(sent.id, { isViewed: true });
      market.service.addInvitation({ profileId: PROFILE, title: 'Come again' });
      await desk.pass(70 * MINUTE);
      expect([told(ada, 'Chairs').length, told(ada, 'Invitation: Come again').length]).toEqual([1, 1]);
    },
  );

  appTest('with hostile texts show them as text, everywhere', async ({ desk, market, slack, ada, ben }) => {
    slack.setRateLimits('off');
    market.service.addProfile({ id: PROFILE, label: HOSTILE[0], type: '<!here>' as never });
    market.service.addOrganization({ id: 41, label: HOSTILE[3], type: 'agency' });
    await follow(desk);
    const all = HOSTILE.map((text, n) => {
      const whose = { profileId: PROFILE, organizationId: 41 };
      const person = { id: n, fullName: text };
      market.service.addInvitation({
        ...whose,
        title: text,
        invitationLetter: `${text} `.repeat(3),
        statusLabel: text,
        clientUid: text,
        jobPostingUid: text,
        contractor: person,
      });
      return market.service.addProposal({
        ...whose,
        jobTitle: text,
        coverLetter: text,
        answers: [{ question: text, answer: text }],
        freelancer: person,
        businessManager: person,
        biddingTemplate: { id: n, name: text },
        coverLetterVariant: text,
        occupationTitle: text,
        connects: Number.MAX_SAFE_INTEGER,
        submissionPosition: -1,
        ...QUIET,
      });
    });
    await desk.pass(10 * MINUTE);
    const before = ada.reads('web').length;
    for (const { id } of all) market.service.updateProposal(id, { isHired: true, isViewed: true });
    await desk.pass(10 * MINUTE);
    expect(ada.reads('web').length - before).toBe(all.length);
    for (const { id } of all) {
      const card = await ada.type(`/gig proposals ${id}`);
      if (card.offers('Read All')) expect((await card.press('Read All')).text).not.toBe('');
      await ada.close();
    }
    for (const text of ['proposals is:hired', 'list', 'status', 'audit', 'pause', 'pause off'])
      expect((await ada.type(`/gig ${text}`)).text).not.toBe('');
    const cards = ada.reads('web').filter((it) => it.offers('Claim'));
    expect(cards).toHaveLength(HOSTILE.length);
    for (const card of cards) await ben.press(card, 'Claim');
    for (const card of cards) expect(card.text).toContain('Claimed by @ben');
    for (const { text } of ada.reads('web')) expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object /u);
  });
});

appTest.for([
  ['refuses them for a while', { kind: 'error', error: 'internal_error' }, 6],
  ['limits them', { kind: 'ratelimited', retryAfterS: 30 }, 6],
  ['posts them and loses the answer', { kind: 'drop', when: 'after' }, 3],
] as const)(
  'a Slack that %s shows an invitation and outcomes once',
  async ([, effect, times], { desk, ada }) => {
    const { market } = desk;
    market.service.addProfile({ id: PROFILE, label: 'Ana Webb' });
    await follow(desk);
    const sent = market.service.addProposal({ profileId: PROFILE, jobTitle: 'Tables', ...QUIET });
    await desk.pass(5 * MINUTE);
    desk.slack.injectFault('chat.postMessage', effect, times);
    const invitationLetter = 'We sell. '.repeat(80);
    market.service.addInvitation({ profileId: PROFILE, title: 'Chairs', invitationLetter });
    market.service.updateProposal(sent.id, { isHired: true });
    await desk.pass(HOUR);
    const [card, ...more] = told(ada, 'Invitation: Chairs');
    expect(more).toEqual([]);
    expect(told(ada, 'Tables')).toHaveLength(1);
    expect(card?.replies()).toHaveLength(1);
  },
);
