/**
 * Nonsense arguments of template, profile, invitation and proposal commands, and forged presses and forms:
 * one clear answer, nothing is sent, and everyone keeps to their role.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { failureText, refusalFor } from './as-read.ts';
import { creates as bids, viewOf } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import { errorsInLog } from './healthy.ts';
import { closeAll, inviteOthers, isOutsider, NONSENSE, shownBy } from './strangers.ts';
import { creates, startTemplateWorld } from './template-play.ts';
import { FAST, posted, type World, wordsOf } from './world.ts';

const NOT_FOUND = failureText(new MarketplaceError('not-found', 'none', ''));
const PROFILE = 31;
const MEMBERS = ['ada', 'ben', 'cem'] as const;
const EVERYONE: readonly string[] = [...MEMBERS, 'gus', 'sam'];

let world: World;
beforeAll(async () => {
  world = await startTemplateWorld(FAST);
  const { slack, marketplace } = world;
  slack.setRateLimits('off');
  inviteOthers(world);
  slack.addChannel({ name: 'without', withBot: false });
  marketplace.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  await world.gig('web', `subscribe invitations ${PROFILE}`);
  await world.gig('web', `subscribe outcomes ${PROFILE}`);
  await world.pass(MINUTE);
  const project = marketplace.publishProject([], { title: 'Chairs' });
  marketplace.addInvitation({ profileId: PROFILE, title: 'Chairs', jobPostingUid: project.uid });
  await world.pass(4 * MINUTE);
  await world.gig('web', 'template new', 'ben');
  await world.pass(SECOND);
  await slack.closeView({ user: 'ben' });
});
afterAll(async () => {
  expect(creates(world)).toEqual([]);
  expect(bids(world)).toEqual([]);
  expect(world.marketplace.templates()).toEqual([]);
  // The bot can't post in channels without it.
  expect(world.slack.failedCalls().filter(({ error }) => error !== 'not_in_channel')).toEqual([]);
  expect(errorsInLog(world)).toEqual([]);
  await world.stop();
});

function card(): SlackMessage {
  const found = posted(world, 'invitation').find((it) => wordsOf(it).includes('Chairs'));
  return found ?? expect.fail('no invitation');
}

const ask = (text: string, user = 'ada') =>
  shownBy(world, user, () => world.slack.runSlashCommand({ user, channel: 'web', text }));

const BESIDES = ["'; DROP TABLE drafts; --", '{"draft":1}', '0', '9007199254740993', '“”', '"'] as const;

describe.each([
  'template',
  'template new',
  'template from',
  'template drafts',
  'subscribe invitations',
  'subscribe outcomes',
  `subscribe invitations ${PROFILE} organization`,
])('/gig %s', (command) => {
  it.each([...NONSENSE, ...BESIDES])('%# is answered once, with what would be right', async (nonsense) => {
    const { count, words } = await ask(`${command} ${nonsense}`);
    expect(count).toBe(1);
    expect(['`/gig ', NOT_FOUND].filter((told) => words.includes(told))).not.toEqual([]);
  });
});

/** A person's conversation with the bot: answers without another place go there. */
async function directWith(user: string): Promise<string> {
  world.slack.injectFault('response_url', { kind: 'status', status: 404 }, 1);
  await world.slack.runSlashCommand({ user, channel: 'without', text: 'help' });
  await world.pass(5 * SECOND);
  return world.slack.directMessages(user).at(-1)?.channel ?? expect.fail('no direct message');
}

describe('in a direct message with the bot', () => {
  it.each(EVERYONE)('%s is answered, or told where it works', async (user) => {
    world.slack.invite('without', user);
    const channel = await directWith(user);
    for (const text of [
      'template new',
      'template drafts',
      'list',
      'proposals',
      `subscribe outcomes ${PROFILE}`,
    ]) {
      const answers = () => [...world.slack.ephemerals(user), ...world.slack.directMessages(user)];
      const before = answers().length;
      await world.slack.runSlashCommand({ user, channel, text });
      await world.pass(2 * SECOND);
      const shown = answers().length - before + world.slack.viewStack(user).length;
      expect({ text, shown }).toEqual({ text, shown: 1 });
      await closeAll(world, user);
    }
  });
});

const PRESSES = Object.entries(actionIds)
  .filter(([name]) => /^(?:template|invitation|profileFeed|proposal)/u.test(name))
  .map(([, id]) => id);

const VALUES = [
  '',
  'null',
  '__proto__',
  'x'.repeat(2_000),
  'review',
  '!review',
  'up:0',
  'edit:99999999999999999999',
  'empty:ai.instructions',
  JSON.stringify({ feed: 'outcomes', profile: 99 }),
  JSON.stringify({ feed: 'outcomes', profile: -1, organization: '__proto__' }),
  JSON.stringify({ query: 'x'.repeat(1_500), page: 99_999_999 }),
  JSON.stringify({ query: '', page: -1 }),
] as const;

/** Every other value: the rest is pressed by somebody else with the same rights. */
function valuesFor(user: string): readonly string[] {
  const half = EVERYONE.indexOf(user) % 2;
  return VALUES.filter((_, place) => place % 2 === half);
}

describe.each(EVERYONE)('a forged press of %s', (user) => {
  it.each(PRESSES)('%s on a card ends in an answer', async (actionId) => {
    const message = card();
    for (const value of valuesFor(user)) {
      const press = () => world.slack.press({ message, user, actionId, value, force: true });
      const { count, words } = await shownBy(world, user, press);
      // Their results show on the card and in its thread; a list is also refreshed.
      const isShown = /^invitation_(?:claim|release|details)/u.test(actionId) && !isOutsider(user);
      expect({ value: value.slice(0, 40), said: count > 0 || isShown }).toMatchObject({ said: true });
      expect(count).toBeLessThanOrEqual(actionId === actionIds.profileFeedEnd ? 2 : 1);
      if (isOutsider(user)) expect(words).toContain(refusalFor('bidder', 'outsider'));
    }
  });
});

/** Opens a person's builder at its list of answers. */
async function builderOf(user: string): Promise<SlackView> {
  await world.gig('web', 'template new', user);
  await world.pass(SECOND);
  return viewOf(world, user);
}

describe.each(['ada', 'ben'])('within the builder of %s', (user) => {
  const inView = PRESSES.filter((id) => id.startsWith('template_'));

  it.each(inView)('a forged %s ends in an answer, and the draft is as it was', async (actionId) => {
    for (const value of valuesFor(user)) {
      const view = await builderOf(user);
      const { count } = await shownBy(world, user, () =>
        world.slack.press({ view, user, actionId, blockId: 'forged', value, force: true }),
      );
      expect({ value: value.slice(0, 40), said: count > 0 }).toMatchObject({ said: true });
      await discardAll(user);
    }
  });

  it.each([
    '',
    '[]',
    'null',
    '{"draft":"x","channel":"C1"}',
    'x'.repeat(3_000),
    'STEP',
    'CHANNEL',
    'REVISION',
    'INPUTS',
    'PROTO',
  ])('forged metadata (%#) sends nothing and is answered', async (kind) => {
    const view = await builderOf(user);
    const place = JSON.parse(view.privateMetadata) as Record<string, unknown>;
    const forged: Record<string, unknown> = {
      STEP: { ...place, step: 'review' },
      CHANNEL: { ...place, channel: world.slack.channel('data').id },
      REVISION: { ...place, revision: 99_999 },
      INPUTS: { ...place, inputs: ['ai.instructions', 'answers.answer'] },
      PROTO: { ...place, step: '__proto__' },
    };
    const forgedMetadata = kind in forged ? JSON.stringify(forged[kind]) : kind;
    const shown = await shownBy(world, user, () => world.slack.submitView({ user, forgedMetadata }));
    expect(shown.words).not.toBe('');
    await discardAll(user);
  });
});

/** Keeps the draft limit from interfering. */
async function discardAll(user: string): Promise<void> {
  for (let left = 25; left > 0; left--) {
    await world.gig('web', 'template drafts', user);
    const list = world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no list');
    const found = findPressable(list, 'Discard');
    if (found?.kind !== 'button') return;
    const { actionId, blockId, value } = found;
    await world.slack.press({ message: list, user, actionId, blockId, value });
    await world.pass(2 * SECOND);
  }
}

describe('what nobody may do', () => {
  it.each(['cem', 'gus', 'sam'])('%s builds no template, whatever is pressed or typed', async (user) => {
    for (const text of ['template', 'template new', 'template from 1', 'template drafts']) {
      const { isModal, words } = await ask(text, user);
      expect(isModal).toBe(false);
      expect(words).toContain(refusalFor('bidder', isOutsider(user) ? 'outsider' : 'viewer'));
    }
  });

  it.each(['gus', 'sam'])('%s follows and ends nothing', async (user) => {
    for (const text of [`subscribe outcomes ${PROFILE}`, 'proposals x'])
      expect((await ask(text, user)).words).toContain(refusalFor('viewer', 'outsider'));
    await world.gig('web', 'list');
    const list = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no list');
    const ends = buttonsOf(list, actionIds.profileFeedEnd).map(({ value }) => JSON.parse(value));
    expect(ends).toContainEqual(expect.objectContaining({ feed: 'outcomes', profile: PROFILE }));
  });
});
