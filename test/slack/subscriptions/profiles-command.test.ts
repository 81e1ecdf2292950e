import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryEntryKind } from '../../../src/directory/directory.ts';
import { OrganizationId, ProfileId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { profileFeeds } from '../../../src/profiles/records.ts';
import { actionRoutes, commandRoutes } from '../../../src/slack/all-routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { profileFeedValueCodec } from '../../../src/slack/subscriptions/profile-feeds.ts';
import { valuesOf } from '../buttons.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, NOW, TEAM } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

/** Types `/gig …`. @returns the texts, and who saw them */
async function gig(text: string) {
  const [word = '', ...rest] = text.split(' ');
  const route = commandRoutes.find((each) => each.word === word) ?? expect.fail(`no command ${word}`);
  const before = desk.shown.length;
  await route.run(desk.command(rest.join(' '), BEN));
  const shown = desk.shown.slice(before);
  expect(shown).toHaveLength(1);
  return { to: shown[0]?.to, text: shown[0]?.message.text ?? '', message: shown[0]?.message };
}

function know(kind: DirectoryEntryKind, id: number, name: string): Promise<void> {
  return desk.services.store.transact((tx) =>
    desk.services.directory.recordNames(tx, [{ kind, id, name }], NOW),
  );
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
    const outcomes = await gig('subscribe outcomes 301');
    for (const fact of ['<@U0BEN>', '“Ana &amp; Co” (301)']) {
      expect(text).toContain(fact);
      expect(outcomes.text).toContain(fact);
    }
    expect([text, outcomes.text]).toMatchSnapshot();
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
    expect(to).toBe('person');
    expect(text).toContain('profile 301');
    expect(text).toMatchSnapshot();
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
    for (const fact of ['`Anna Larson`', '“Ana Larsen” (301)', '`/gig subscribe invitations 301`'])
      expect(text).toContain(fact);
    expect(text).not.toContain('Bo Berg');
    const far = (await gig('subscribe invitations Zzzz')).text;
    expect(far).toContain('“Ana Larsen” (301), “Bo Berg” (302)');
    const nowhere = (await gig('subscribe invitations 301 organization Nowhere')).text;
    expect(nowhere).toContain('`/gig subscribe invitations 301 organization 401`');
    expect([text, far, nowhere]).toMatchSnapshot();
    expect(await followed()).toEqual([]);
  });

  it.each(['"No Body"', '“No Body”', '«No Body»'])(
    'repeats a name that nobody bears without its quotes: %s',
    async (words) => {
      expect((await gig(`subscribe outcomes ${words}`)).text).toContain('`No Body`');
      const { text } = await gig(`subscribe invitations 301 organization ${words}`);
      expect(text).toContain('`No Body`');
    },
  );

  it('of a name that several bear lists them with their ids', async () => {
    await know('profile', 301, 'Ana');
    await know('profile', 302, 'ana');
    const { text } = await gig('subscribe outcomes Ana');
    for (const fact of ['`Ana`', '“Ana” (301), “ana” (302)', '`/gig subscribe outcomes 301`'])
      expect(text).toContain(fact);
    expect(text).toMatchSnapshot();
  });

  it('of a profile that the marketplace denies says so', async () => {
    await know('profile', 301, 'Ana');
    const { to, text } = await gig('subscribe invitations 999');
    expect(to).toBe('person');
    expect(text).toContain('profile 999');
    expect(text).toContain('“Ana” (301)');
    expect(text).toMatchSnapshot();
  });

  it('leaves a failure to the boundary, which gives it a reference', async () => {
    const error = new MarketplaceError('unauthorised', 'none', 'no');
    desk.state.profileFails = error;
    await expect(gig('subscribe invitations 301')).rejects.toBe(error);
    expect(await followed()).toEqual([]);
  });

  it.each([
    ['subscribe invitations', 'subscribe invitations 301'],
    ['subscribe outcomes  ', 'subscribe outcomes 301'],
    ['subscribe invitations 0', 'subscribe invitations 301'],
    ['subscribe invitations 301 budget:>5', 'subscribe invitations 301'],
    ['subscribe invitations 301 organization', 'subscribe invitations 301 organization 401'],
    ['subscribe invitations 301 organization 0', 'subscribe invitations 301'],
    ['subscribe outcomes 301 organization 401', 'subscribe outcomes 301'],
    ['subscribe sandwiches 301', 'subscribe filter 123'],
  ])('%s is answered with what would be right', async (typed, example) => {
    const { to, text } = await gig(typed);
    expect(to).toBe('person');
    expect(text).toContain(`\`/gig ${example}\``);
    expect(text).toMatchSnapshot();
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
    ['301', ['invitations']],
    ['bo', ['invitations', 'outcomes']],
    ['"Bo Berg"', ['invitations', 'outcomes']],
    ['77', []],
  ])('begins with the list of those that match: %s', async (words, feeds) => {
    const { to, message } = await gig(`list ${words}`);
    expect(to).toBe('person');
    const values = message ? valuesOf([message], actionIds.profileFeedEnd) : [];
    expect(values.map((it) => profileFeedValueCodec.read(it)?.feed)).toEqual(feeds);
  });

  it('with a button of the list tells the channel, and draws the rest again', async () => {
    const { message } = await gig('list');
    const organization = OrganizationId.parse(401);
    const value = profileFeedValueCodec.write({
      feed: 'invitations',
      profile: ProfileId.parse(302),
      organization,
    });
    expect(JSON.stringify(message)).toContain(JSON.stringify(value));
    const before = desk.shown.length;
    const route = actionRoutes.find(({ id }) => id === actionIds.profileFeedEnd) ?? expect.fail('no action');
    await route.run(desk.press(value, undefined, ANA));
    await desk.deliver();
    const [redrawn, told] = desk.shown.slice(before);
    expect(redrawn?.to).toBe('replaced');
    expect(JSON.stringify(redrawn?.message)).not.toContain('Web team');
    expect(told).toMatchObject({
      to: 'channel',
      message: { text: expect.stringContaining('<@U0ANA>') },
    });
    expect(await followed()).toEqual(['invitations 301', 'outcomes 302']);
    await route.run(desk.press(value, undefined, ANA));
    expect(desk.shown.slice(before + 2).map(({ to }) => to)).toEqual(['replaced', 'person']);
    expect(JSON.stringify(desk.shown.at(-1)?.message.blocks)).toContain('Subscriptions');
    expect([told?.message.text, desk.shown.at(-1)?.message.text]).toMatchSnapshot();
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
      'list 302',
      'list 9',
      'list channel',
    ])
      expectHarmless((await gig(text)).message ?? expect.fail('no answer'));
  });
});
