/**
 * Odd marketplace answers about proposals, invitations and profiles: channels get true news once, or a clear
 * sentence.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead } from './as-read.ts';
import { press, viewOf } from './bidder.ts';
import { buttonsOf, unsubscribe } from './buttons.ts';
import { allShown, errorsInLog, expectDecent, expectDecentMessage, expectDecentView } from './healthy.ts';
import { noticesIn } from './notices.ts';
import { QUIET } from './quiet-proposal.ts';
import { changeSettings } from './settings-form.ts';
import { FAST, posted, postOf, startWorld, type World, wordsOf } from './world.ts';

const PROFILE = 31;

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
  [
    'nonsense',
    presetFaults.wrongJson({ data: [null, 1, 'x', { title: 'Nobody knows' }, {}], pagination: 'many' }),
  ],
  ['a body cut off', { kind: 'break-body' }],
];

let world: World;
async function begin(): Promise<void> {
  world = await startWorld(FAST);
  world.slack.setRateLimits('off');
  world.marketplace.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
}
afterEach(async () => {
  allShown(world).forEach(expectDecentMessage);
  expect(world.slack.failedCalls()).toEqual([]);
  // Errors shown to people have a reference; there are no others.
  expect(errorsInLog(world).filter((line) => !line.includes('"ref"'))).toEqual([]);
  await world.stop();
});

function standing(words: string | RegExp, channel = 'web') {
  return world.slack.messages(channel).filter((it) => wordsOf(it).match(words));
}

/** A proposal's updates, in order. */
function outcomesOf(proposal: number): readonly string[] {
  return posted(world, 'outcome').flatMap((it) => {
    const [, , about, outcomes = ''] = postOf(it).split(':');
    return about === String(proposal) ? [outcomes] : [];
  });
}

/** The invitations that show the person as their claimer. */
function claimed(user: string) {
  return posted(world, 'invitation').filter((it) => wordsOf(it).includes(`<@${world.slack.user(user).id}>`));
}

/** At the level “everything”, where each update is a message. */
async function follow(): Promise<void> {
  await world.gig('web', `subscribe outcomes ${PROFILE}`);
  await world.gig('web', `subscribe invitations ${PROFILE}`);
  await changeSettings(world, 'web', { level: 'everything' });
  await world.pass(MINUTE);
}

it.each(['missingFields', 'nullFields'] as const)(
  'what a proposal is called is known while the list lacks it (%s)',
  async (mode) => {
    await begin();
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs', ...QUIET });
    await world.pass(5 * MINUTE);
    world.marketplace.setModes({ [mode]: ['applicationUid', 'submittedAt', 'jobDetails', 'freelancer'] });
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(5 * MINUTE);
    expect(outcomesOf(sent.id)).toHaveLength(1);
    expect(standing('Chairs')).toHaveLength(1);
  },
);

describe('lists of proposals and invitations', () => {
  it.each(STRANGE)('that come as %s tell nothing untrue, and go on afterwards', async (_, effect) => {
    await begin();
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs', ...QUIET });
    await world.pass(5 * MINUTE);
    const faulty = ['/proposals', '/invitations'].map((path) =>
      world.marketplace.injectFault({ path }, effect, 9_999),
    );
    await world.pass(30 * MINUTE);
    const found = await world.gig('web', `proposals chairs`);
    expect(found).toContain('Chairs');
    expectDecent(await world.gig('web', 'status'));
    expect([...posted(world, 'outcome'), ...posted(world, 'invitation')]).toEqual([]);
    for (const fault of faulty) fault.cancel();
    world.marketplace.updateProposal(sent.id, { isViewed: true });
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Come again' });
    await world.pass(70 * MINUTE);
    expect(outcomesOf(sent.id)).toEqual(['viewed']);
    expect(standing('Come again')).toHaveLength(1);
  });

  it.each(STRANGE)('that come as %s at the first look leave nothing half followed', async (_, effect) => {
    await begin();
    const fault = world.marketplace.injectFault(
      { path: /^\/(?:proposals|invitations|profiles)/u },
      effect,
      99,
    );
    const shown = () => world.slack.ephemerals('ada').length + world.slack.messages('web').length;
    for (const text of ['outcomes 31', 'invitations 31', 'outcomes Nobody', 'invitations “Ana Webb”']) {
      const before = shown();
      await world.gig('web', `subscribe ${text}`);
      await world.pass(30 * SECOND);
      expect({ text, shown: shown() - before }).toEqual({ text, shown: 1 });
    }
    fault.cancel();
    await world.pass(MINUTE);
    await follow();
    const list = await world.gig('web', 'list');
    expect(list).toContain('31');
    const shownList = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no list');
    const ends = buttonsOf(shownList, actionIds.profileFeedEnd).map(({ value }) => JSON.parse(value));
    expect(ends).toHaveLength(2);
    for (const feed of ['outcomes', 'invitations'])
      expect(ends).toContainEqual(expect.objectContaining({ feed }));
  });

  it('with hostile texts show them as text in cards, outcomes, searches, and full views', async () => {
    await begin();
    const [label] = HOSTILE;
    world.marketplace.addProfile({ id: PROFILE, label, type: '<!here>' as never });
    world.marketplace.addOrganization({ id: 41, label: HOSTILE[3], type: 'agency' });
    await follow();
    const all = HOSTILE.map((text, n) => {
      const person = { id: n, fullName: text };
      world.marketplace.addInvitation({
        profileId: PROFILE,
        organizationId: 41,
        title: text,
        invitationLetter: `${text} `.repeat(3),
        statusLabel: text,
        clientUid: text,
        jobPostingUid: text,
        contractor: person,
      });
      return world.marketplace.addProposal({
        profileId: PROFILE,
        organizationId: 41,
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
    await world.pass(10 * MINUTE);
    for (const { id } of all) world.marketplace.updateProposal(id, { isHired: true, isViewed: true });
    await world.pass(10 * MINUTE);
    for (const { id } of all) expect(outcomesOf(id)).toHaveLength(1);
    expect(posted(world, 'invitation')).toHaveLength(HOSTILE.length);
    for (const { id } of all) {
      await world.gig('web', `proposals ${id}`);
      const card = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('nothing');
      if (findPressable(card, 'Read All')) {
        await press(world, 'Read All', { message: card }, 'ada');
        await world.pass(2 * SECOND);
        expectDecentView(viewOf(world, 'ada'));
        await world.slack.closeView({ user: 'ada' });
      }
    }
    await world.gig('web', 'proposals is:hired');
    for (const text of ['list', 'status', 'audit', 'pause', 'pause off']) await world.gig('web', text);
    await unsubscribe(world, 'web', String(PROFILE));
    for (const card of posted(world, 'invitation')) {
      await press(world, 'Claim', { message: card }, 'ben');
      await world.pass(2 * SECOND);
    }
    expect(claimed('ben')).toHaveLength(HOSTILE.length);
  });

  it('that name the same proposal twice, or ever others on the same page, tell each once', async () => {
    await begin();
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs', ...QUIET });
    await world.pass(5 * MINUTE);
    for (let round = 0; round < 6; round++) {
      world.marketplace.updateProposal(sent.id, { isViewed: round % 2 === 0, boostOutbid: round % 3 === 0 });
      await world.pass(5 * MINUTE);
    }
    for (const outcome of ['viewed', 'outbid'])
      expect(outcomesOf(sent.id).filter((it) => it.split('+').includes(outcome))).toHaveLength(1);
  });
});

describe('a profile', () => {
  it('without a single proposal is followed, searched, and says so', async () => {
    await begin();
    const followed = await world.gig('web', `subscribe outcomes ${PROFILE}`);
    expect(asRead(world, followed)).toMatchSnapshot();
    await world.pass(10 * MINUTE);
    for (const text of ['proposals', 'proposals is:hired'])
      expect(asRead(world, await world.gig('web', text))).toMatchSnapshot();
    expect(await world.gig('web', 'status')).toMatch(/\b0\b/u);
  });

  it('that disconnects in the first copy is reported once and resumes, by command at once', async () => {
    await begin();
    for (let n = 0; n < 450; n++)
      world.marketplace.addProposal({
        profileId: PROFILE,
        jobTitle: `Job ${n}`,
        submittedAt: world.clock.now() - (n + 1) * HOUR,
        isHired: true,
      });
    world.marketplace.setRequestsPerMinute(5);
    await world.gig('web', `subscribe outcomes ${PROFILE}`);
    await world.pass(MINUTE);
    const held = () => world.gig('web', 'list');
    expect(await held()).toContain(':hourglass_flowing_sand:');
    const gone = world.marketplace.injectFault(
      { path: '/proposals' },
      presetFaults.status(404, 'Profile not found'),
      Number.POSITIVE_INFINITY,
    );
    await world.pass(HOUR);
    expect(await noticesIn(world, 'profile-failing')).toHaveLength(1);
    const unknown = await world.gig('web', `subscribe outcomes ${PROFILE}`);
    expect(unknown).toContain('“Ana Webb” (31)');
    expect(asRead(world, unknown)).toMatchSnapshot();
    await world.crash();
    await world.restart();
    gone.cancel();
    await world.pass(MINUTE);
    const again = await world.gig('web', `subscribe outcomes ${PROFILE}`);
    expect(again).toContain('“Ana Webb” (31)');
    expect(again).not.toBe(unknown);
    world.marketplace.setRequestsPerMinute(500);
    await world.pass(20 * MINUTE);
    expect(await world.gig('web', 'proposals')).toMatch(/\b450\b/u);
    expect(posted(world, 'outcome')).toEqual([]);
    expect(await noticesIn(world, 'profile-recovered')).toHaveLength(1);
  });

  it('with news of 300 proposals posts the weightiest, sums up the rest, and repeats nothing', async () => {
    await begin();
    await follow();
    const all = Array.from({ length: 300 }, (_, n) =>
      world.marketplace.addProposal({
        profileId: PROFILE,
        jobTitle: `Job ${n}`,
        submittedAt: world.clock.now() - n * MINUTE,
        ...QUIET,
      }),
    );
    await world.pass(20 * MINUTE);
    for (const [n, { id }] of all.entries())
      world.marketplace.updateProposal(id, { isViewed: true, isHired: n % 100 === 7 });
    // The newest page at once, the rest with the daily sweep.
    for (let hours = 0; hours < 50; hours += 5) {
      world.clock.moveBy(5 * HOUR);
      await world.pass(10 * MINUTE);
    }
    const sums = posted(world, 'outcomes-rest').map(wordsOf);
    const single = posted(world, 'outcome');
    const hired = single.filter((it) => postOf(it).includes('hired')).map(wordsOf);
    expect(hired.filter((it) => /Job (?:7|107|207)\b/u.test(it))).toHaveLength(3);
    // The first number of a sum counts its proposals.
    const summed = sums.reduce((sum, words) => sum + Number(/\d+/u.exec(words)?.[0] ?? 0), 0);
    expect(single.length + summed).toBe(300);
    expect(single.length).toBeLessThanOrEqual(40);
    await world.crash();
    await world.restart();
    await world.pass(HOUR);
    expect(posted(world, 'outcome')).toHaveLength(single.length);
  });
});

describe('a Slack that refuses or loses messages', () => {
  it.each([
    ['refuses them for a while', { kind: 'error', error: 'internal_error' }, 6],
    ['limits them', { kind: 'ratelimited', retryAfterS: 30 }, 6],
    ['posts them and loses the answer', { kind: 'drop', when: 'after' }, 3],
  ] as const)('%s: an invitation and outcomes stand there once', async (_, effect, times) => {
    await begin();
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Tables', ...QUIET });
    await world.pass(5 * MINUTE);
    world.slack.injectFault('chat.postMessage', effect, times);
    world.marketplace.addInvitation({
      profileId: PROFILE,
      title: 'Chairs',
      invitationLetter: 'We sell. '.repeat(80),
    });
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(2 * HOUR);
    const [card, ...more] = posted(world, 'invitation').filter((it) => wordsOf(it).includes('Chairs'));
    expect(more).toEqual([]);
    expect(outcomesOf(sent.id)).toEqual(['hired']);
    expect(world.slack.thread('web', card?.ts ?? '')).toHaveLength(2);
  });
});

it('presses on an invitation from before a crash, and two at once, claim it once', async () => {
  await begin();
  await follow();
  world.marketplace.addInvitation({ profileId: PROFILE, title: 'Chairs' });
  await world.pass(5 * MINUTE);
  const [card] = standing('Chairs');
  if (!card) return expect.fail('no card');
  await world.crash();
  await world.restart();
  await Promise.all(['ada', 'ben'].map((user) => press(world, 'Claim', { message: card }, user)));
  await world.pass(5 * SECOND);
  const [first, ...others] = ['ada', 'ben'].filter((user) => claimed(user).length > 0);
  expect(others).toEqual([]);
  const answers = ['ada', 'ben'].flatMap((user) => world.slack.ephemerals(user, 'web').map(wordsOf));
  const claimer = `<@${world.slack.user(first ?? expect.fail('nobody')).id}>`;
  expect(answers.filter((words) => words.includes(claimer))).toHaveLength(1);
});
