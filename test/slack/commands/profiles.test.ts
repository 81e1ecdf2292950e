import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryKind } from '../../../src/directory/directory.ts';
import { OrganizationId, ProfileId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { profileFeeds } from '../../../src/profiles/records.ts';
import { actionIds } from '../../../src/slack/blocks/ids.ts';
import { profileFeedValue } from '../../../src/slack/messages/profile-values.ts';
import { actions, commands } from '../../../src/slack/table.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, NOW, TEAM } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

/** Types `/gig …`. @returns the texts that were shown, and to whom. */
async function gig(text: string) {
  const [word = '', ...rest] = text.split(' ');
  const route = commands.find((each) => each.word === word) ?? expect.fail(`no command ${word}`);
  const before = desk.shown.length;
  await route.run(desk.command(rest.join(' '), BEN));
  const shown = desk.shown.slice(before);
  expect(shown).toHaveLength(1);
  return { to: shown[0]?.to, text: shown[0]?.message.text ?? '', message: shown[0]?.message };
}

function know(kind: DirectoryKind, id: number, name: string): Promise<void> {
  return desk.services.store.transact((tx) => desk.services.directory.learn(tx, [{ kind, id, name }], NOW));
}

/** `invitations 301`, `invitations 301 at 401`. */
async function followed(): Promise<string[]> {
  const entries = await desk.services.store.read((tx) =>
    tx.list(profileFeeds, { prefix: [TEAM], limit: 50 }),
  );
  return entries.map(({ value: { kind, profile, organization } }) =>
    [kind, profile, ...(organization === undefined ? [] : ['at', organization])].join(' '),
  );
}

describe('subscribing to a profile', () => {
  it('tells the channel who did it, to what, and that it costs nothing', async () => {
    await know('profile', 301, 'Ana & Co');
    const { to, text } = await gig('subscribe invitations 301');
    expect(to).toBe('channel');
    expect(text).toContain('<@U0BEN> subscribed this channel to the invitations of “Ana &amp; Co” (301).');
    expect(text).toContain('no credits are spent');
    expect(text).toContain('has no invitations there so far');
    expect((await gig('subscribe outcomes 301')).text).toContain('the outcomes of “Ana &amp; Co” (301)');
    expect(await followed()).toEqual(['invitations 301', 'outcomes 301']);
  });

  it.each([
    ['ana co', 'invitations 301'],
    ['"Ana Co"', 'invitations 301'],
    ['“ána  CO”', 'invitations 301'],
    ['#301', 'invitations 301'],
    ['Ben', 'invitations 302'],
    ['ana organization web team', 'invitations 301 at 401'],
    ['"Ana Co" organization: “Web team”', 'invitations 301 at 401'],
    ['301 org 401', 'invitations 301 at 401'],
    ['301 organisation 402', 'invitations 301 at 402'],
    ['“organization 7”', 'invitations 303'],
  ])('takes names of several words, in quotes or without: %s', async (words, what) => {
    desk.state.profiles.push(ProfileId.parse(303));
    await know('profile', 301, 'Ána Co');
    await know('profile', 302, 'Ben');
    await know('profile', 303, 'Organization 7');
    await know('organization', 401, 'Web team');
    expect(await gig(`subscribe invitations ${words}`)).toMatchObject({ to: 'channel' });
    expect(await followed()).toEqual([what]);
  });

  it('again tells the person alone that it is there already', async () => {
    await gig('subscribe outcomes 301');
    const { to, text } = await gig('subscribe outcome 301');
    expect([to, text]).toEqual([
      'person',
      'This channel gets the outcomes of profile 301 already; nothing was changed.',
    ]);
  });

  it('where the bot is not a member says how to invite it, and asks nothing', async () => {
    desk.state.reach = { kind: 'unreachable', error: 'not_in_channel' };
    expect((await gig('subscribe invitations 301')).text).toContain('/invite @gigdesk');
    expect(await followed()).toEqual([]);
  });

  it('of a name that nobody bears shows the nearest, with an example', async () => {
    await know('profile', 301, 'Ana Larsen');
    await know('profile', 302, 'Bo Berg');
    const { to, text } = await gig('subscribe invitations Anna Larson');
    expect(to).toBe('person');
    expect(text).toContain('I know no profile by the name `Anna Larson`');
    expect(text).toContain('The nearest that I know: “Ana Larsen” (301)');
    expect(text).toContain('For example: `/gig subscribe invitations 301`');
    expect((await gig('subscribe invitations Zzzz')).text).toContain(
      'I know: “Ana Larsen” (301), “Bo Berg” (302)',
    );
    expect((await gig('subscribe invitations 301 organization Nowhere')).text).toContain(
      'For example: `/gig subscribe invitations 301 organization 401`',
    );
    expect(await followed()).toEqual([]);
  });

  it.each(['"No Body"', '“No Body”', '«No Body»'])(
    'repeats a name that nobody bears without its quotes: %s',
    async (words) => {
      for (const command of ['subscribe outcomes', 'unsubscribe outcomes']) {
        const { text } = await gig(`${command} ${words}`);
        expect(text).toContain('`No Body`');
      }
      const { text } = await gig(`subscribe invitations 301 organization ${words}`);
      expect(text).toContain('I know no organization by the name `No Body`');
    },
  );

  it('of a name that several bear lists them with their ids', async () => {
    await know('profile', 301, 'Ana');
    await know('profile', 302, 'ana');
    expect((await gig('subscribe outcomes Ana')).text).toBe(
      '`Ana` fits 2 profiles: “Ana” (301), “ana” (302). Say which by its id.\nFor example: `/gig subscribe outcomes 301`',
    );
  });

  it('of a profile that the marketplace denies says so', async () => {
    await know('profile', 301, 'Ana');
    const { to, text } = await gig('subscribe invitations 999');
    expect(to).toBe('person');
    expect(text).toContain('The marketplace knows no profile 999');
    expect(text).toContain('I know: “Ana” (301)');
  });

  it('leaves a failure to the boundary, which gives it a reference', async () => {
    const error = new MarketplaceError('server', 'unknown', 'down');
    desk.state.profileFails = error;
    await expect(gig('subscribe invitations 301')).rejects.toBe(error);
    expect(await followed()).toEqual([]);
  });

  it.each([
    ['subscribe invitations', "The profile's id or name is missing.", 'subscribe invitations 301'],
    ['subscribe outcomes  ', "The profile's id or name is missing.", 'subscribe outcomes 301'],
    ['subscribe invitations 0', "`0` is no profile's id", 'subscribe invitations 301'],
    ['subscribe invitations 301 budget:>5', "`budget:&gt;5` can't stand behind", 'subscribe invitations 301'],
    [
      'subscribe invitations 301 organization',
      "organization's id or name is missing",
      '301 organization 401',
    ],
    ['subscribe invitations 301 organization 0', "`0` is no organization's id", 'subscribe invitations 301'],
    ['subscribe outcomes 301 organization 401', 'whole profile', 'subscribe outcomes 301'],
    ['subscribe sandwiches 301', '`invitations` or `outcomes`', 'subscribe filter 123'],
  ])('%s is answered with what would be right', async (typed, wrong, example) => {
    const { to, text } = await gig(typed);
    expect(to).toBe('person');
    expect(text).toContain(wrong);
    expect(text).toMatch(/For example: `\/gig /);
    expect(text).toContain(`${example}\``);
    expect(await followed()).toEqual([]);
  });
});

describe('ending it', () => {
  beforeEach(async () => {
    await know('profile', 301, 'Ana');
    await know('profile', 302, 'Bo Berg');
    await know('organization', 401, 'Web team');
    for (const what of ['invitations 301', 'invitations 302 organization 401', 'outcomes 302'])
      await gig(`subscribe ${what}`);
  });

  it.each([
    ['invitations 301', 'invitations of “Ana” (301)'],
    ['invitations ana', 'invitations of “Ana” (301)'],
    ['outcomes "bo berg"', 'outcomes of “Bo Berg” (302)'],
    ['invitations bo', 'invitations of “Bo Berg” (302) at “Web team” (401)'],
    ['invitations 302 organization web', 'invitations of “Bo Berg” (302) at “Web team” (401)'],
  ])('by id or name, and the channel is told: %s', async (asked, what) => {
    const { to, text } = await gig(`unsubscribe ${asked}`);
    expect([to, text]).toEqual([
      'channel',
      `<@U0BEN> ended the subscription to the ${what}. What stands here stays.`,
    ]);
    expect(await followed()).toHaveLength(2);
  });

  it('of what is not followed names what is, with an example', async () => {
    const { to, text } = await gig('unsubscribe outcomes Ana');
    expect(to).toBe('person');
    expect(text).toContain(
      'This channel does not get the outcomes of `Ana`. It gets: invitations of “Ana” (301)',
    );
    expect(text).toContain('For example: `/gig unsubscribe invitations 301`');
    expect((await gig('unsubscribe filter 77')).text).toContain('It follows: invitations of “Ana” (301)');
    expect((await gig('unsubscribe invitations 301 organization 401')).text).toContain('does not get');
    expect(await followed()).toHaveLength(3);
  });

  it('of a profile with several organizations asks which', async () => {
    await gig('subscribe invitations 302 organization 402');
    expect((await gig('unsubscribe invitations 302')).text).toContain(
      'For example: `/gig unsubscribe invitations 302 organization 401`',
    );
    expect(await followed()).toHaveLength(4);
    await gig('subscribe invitations 302');
    await gig('unsubscribe invitations 302');
    expect(await followed()).toContain('invitations 302 at 402');
    expect(await followed()).not.toContain('invitations 302');
  });

  it('alone shows the list, where a button ends one and the rest is drawn again', async () => {
    const { message } = await gig('unsubscribe');
    const organization = OrganizationId.parse(401);
    const value = profileFeedValue.write({
      feed: 'invitations',
      profile: ProfileId.parse(302),
      organization,
    });
    expect(JSON.stringify(message)).toContain(JSON.stringify(value));
    const before = desk.shown.length;
    const route = actions.find(({ id }) => id === actionIds.profileFeedEnd) ?? expect.fail('no action');
    await route.run(desk.press(value, undefined, ANA));
    const [redrawn, told] = desk.shown.slice(before);
    expect(redrawn?.to).toBe('replaced');
    expect(JSON.stringify(redrawn?.message)).not.toContain('Web team');
    expect(told).toMatchObject({
      to: 'channel',
      message: { text: expect.stringContaining('<@U0ANA> ended') },
    });
    expect(await followed()).toEqual(['invitations 301', 'outcomes 302']);
    await route.run(desk.press(value, undefined, ANA));
    expect(desk.shown.at(-1)?.message.text).toContain('not there any more');
  });
});

describe('names of strangers', () => {
  it('stay words in every answer', async () => {
    const name = '<!channel> `x` <@U0ANA> \u202E<https://evil.example|ok>';
    await know('profile', 301, name);
    await know('profile', 302, name);
    await know('organization', 401, name);
    for (const text of [
      'subscribe invitations 301 organization 401',
      'subscribe invitations 301 organization 401',
      'subscribe outcomes channel',
      `subscribe outcomes ${name}`,
      'subscribe outcomes 999',
      'list',
      'unsubscribe outcomes 302',
      'unsubscribe filter 9',
      'unsubscribe invitations 301',
    ])
      expectHarmless((await gig(text)).message ?? expect.fail('no answer'));
  });
});
