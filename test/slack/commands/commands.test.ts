import { beforeEach, describe, expect, it } from 'vitest';
import { ResultId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { commands } from '../../../src/slack/table.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, NOW, REACT } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

/** Types `/gig …` and returns what was shown for it. */
async function gig(text: string, role: 'viewer' | 'admin' = 'viewer') {
  const [word = '', ...rest] = text.split(' ');
  const route = commands.find((each) => each.word === word) ?? expect.fail(`no command ${word}`);
  const before = desk.shown.length;
  await route.run(desk.command(rest.join(' '), BEN, role));
  const shown = desk.shown.slice(before);
  const to = shown.at(-1)?.to;
  return { to, words: shown.map((each) => JSON.stringify(each.message)).join('\n'), shown };
}

describe('every command', () => {
  it.each(commands.flatMap((route) => route.examples))('the example “%s” is understood', async (example) => {
    desk.state.known = [
      { ...REACT, id: REACT.id },
      { id: ResultId.parse(123) as never, name: 'Node jobs' },
    ];
    await gig('subscribe filter 123');
    if (example.startsWith('unsubscribe')) await gig('subscribe invitations 301');
    const { shown, words } = await gig(example, 'admin');
    const opened = desk.views.filter(({ how }) => how === 'open');
    expect([...shown, ...opened]).toHaveLength(1);
    expect(words).not.toContain('For example:');
  });

  it.each(commands.map((route) => route.word))(
    '%s is understood without harm whatever follows',
    async (word) => {
      for (const args of [
        '<!channel> `x` <@U0ANA>',
        '"',
        '“',
        '\u202E\u0000',
        'x'.repeat(5_000),
        'filter filter',
        '-1',
      ]) {
        for (const { message } of (await gig(`${word} ${args}`)).shown)
          expectHarmless(JSON.parse(JSON.stringify(message).replaceAll(ANA, 'U0CAY')));
      }
    },
  );
});

describe('subscribe', () => {
  it('tells the channel who subscribed it to what', async () => {
    const { to, words } = await gig('subscribe filter 101 backfill 20 budget:>500');
    expect(to).toBe('channel');
    expect(words).toContain(
      '<@U0BEN> subscribed this channel to new projects of “React work” (101) that match `budget:&gt;500`.',
    );
    expect(words).toContain('Up to 20 past projects come first');
    expect(desk.state.subscriptions).toMatchObject([{ filter: 101, rules: 'budget:>500', backfillLeft: 20 }]);
  });

  it('says which country it does not know, and follows the filter as it was written', async () => {
    const { to, words } = await gig('subscribe filter 101 country:Germny,US,Atlantis');
    expect(to).toBe('channel');
    expect(words).toContain(
      'I know no country `Germny`; did you mean `Germany`? I know no country `Atlantis`. It counts only where the marketplace writes it so.',
    );
    expect(desk.state.subscriptions).toMatchObject([{ rules: 'country:Germny,US,Atlantis' }]);
    expect((await gig('subscribe filter 102 country:Germany')).words).not.toContain('know no country');
  });

  it('takes a name in straight or curly quotes', async () => {
    await gig('subscribe filter "React work"');
    await gig('subscribe filter “React work” rating:>4');
    expect(desk.state.subscriptions.map((each) => each.rules)).toEqual(['', 'rating:>4']);
  });

  it('says how to invite the bot where it is not in the channel, and changes nothing', async () => {
    desk.state.reach = { kind: 'unreachable', error: 'not_in_channel' };
    const { to, words } = await gig('subscribe filter 101');
    expect(to).toBe('person');
    expect(words).toContain('/invite @gigdesk');
    expect(desk.state.subscriptions).toEqual([]);
  });

  it.each([
    ['direct_message', /not in direct messages.*\/invite @gigdesk/u],
    ['missing_scope', /group message.*in a channel/u],
  ])('where Slack answers %s says where subscriptions work, and changes nothing', async (error, right) => {
    desk.state.reach = { kind: 'unreachable', error };
    for (const text of ['subscribe filter 101', 'subscribe outcomes 301', 'digest at 9:00 UTC']) {
      const { to, words } = await gig(text);
      expect(to).toBe('person');
      expect(words).toMatch(right);
    }
    expect(desk.state.subscriptions).toEqual([]);
  });

  it('of an unknown name shows those that come closest first', async () => {
    desk.state.known = [
      { id: ResultId.parse(1) as never, name: 'Angular' },
      { id: ResultId.parse(2) as never, name: 'Node jobs' },
    ];
    const { words } = await gig('subscribe filter nodee');
    expect(words).toContain('Closest matches: “Node jobs” (2)');
    expect(words).toContain('/gig subscribe filter 2');
    expect(words).not.toContain('Angular');
  });

  it('shows the place of a mistake in the rules', async () => {
    desk.state.refuse = {
      kind: 'wrong-rules',
      mistake: {
        kind: 'mistake',
        at: 10,
        length: 4,
        message: 'Not a number: “lots”.',
        example: 'budget:>500',
      },
    };
    const { shown } = await gig('subscribe filter 101 x budget:>lots');
    expect(shown[0]?.message.text).toBe(
      [
        'Not a number: “lots”.',
        '```x budget:&gt;lots\n          ^^^^```',
        'For example: `/gig subscribe filter 101 budget:&gt;500`',
      ].join('\n'),
    );
  });

  it.each([
    ['subscribe', 'For example: `/gig subscribe filter 123`'],
    ['subscribe 101 rating:>4', 'For example: `/gig subscribe filter 101 rating:&gt;4`'],
    ['subscribe sandwiches 101', '`sandwiches`'],
    ['subscribe filter', 'id or name is missing'],
    ['subscribe filter 0', '`0` is no filter'],
    ['subscribe filter 101 backfill many', 'from 1 to 100'],
  ])('%s is answered with what would be right', async (text, right) => {
    const { to, words } = await gig(text);
    expect(to).toBe('person');
    expect(words).toContain(right);
    expect(desk.state.subscriptions).toEqual([]);
  });

  it('to a filter that nothing confirms says so, since no results prove nothing', async () => {
    const { to, words } = await gig('subscribe filter 999');
    expect(to).toBe('channel');
    expect(words).toContain('subscribed this channel to all new projects of filter 999.');
    expect(words).toContain('shows no results for filter 999 yet.');
    expect(desk.state.subscriptions).toMatchObject([{ filter: 999 }]);
  });

  it('leaves a failure to the boundary, which gives it a reference', async () => {
    const error = new MarketplaceError('network', 'unknown', 'no answer');
    desk.state.refuse = { kind: 'failed', error };
    await expect(gig('subscribe filter 101')).rejects.toBe(error);
  });
});

describe('unsubscribe', () => {
  it('ends a subscription by id or name, and tells the channel', async () => {
    await gig('subscribe filter 101');
    expect(await gig('unsubscribe filter react WORK today')).toMatchObject({ to: 'person' });
    expect(await gig('unsubscribe filter react WORK')).toMatchObject({ to: 'channel' });
    expect(desk.state.subscriptions).toEqual([]);
    await gig('subscribe filter 101');
    expect(await gig('unsubscribe filter "react WORK"')).toMatchObject({ to: 'channel' });
    expect(desk.state.subscriptions).toEqual([]);
  });

  it('of what is not subscribed names what is', async () => {
    await gig('subscribe filter 101');
    expect((await gig('unsubscribe filter 77')).words).toContain('It follows: “React work” (101)');
  });

  it('alone shows the list with buttons', async () => {
    await gig('subscribe filter 101');
    expect((await gig('unsubscribe')).words).toContain('"Unsubscribe"');
  });
});

describe('lookup', () => {
  it.each([
    'https://www.marketplace.example/jobs/~0123456789?x=1',
    '<https://www.marketplace.example/jobs/~0123456789|the project>',
    '~0123456789',
  ])('takes %s', async (text) => {
    const { to, words } = await gig(`lookup ${text}`);
    expect(to).toBe('person');
    expect(words).toContain('Rebuild our checkout');
    expect(words).toContain('Cost this channel 1 credit.');
    expect(desk.state.lookups).toEqual([{ ciphertext: '~0123456789' }]);
  });

  it('says why nothing could be bought, and what to do', async () => {
    desk.state.lookup = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW };
    expect((await gig('lookup ~0123456789')).words).toContain('`/gig budget &lt;credits&gt;`');
    desk.state.lookup = { kind: 'account-spent', remaining: 0, until: NOW };
    expect((await gig('lookup ~0123456789')).words).toContain('top up in the dashboard');
  });

  it('of no such project says so', async () => {
    const error = new MarketplaceError('not-found', 'none', 'gone');
    desk.state.lookup = { kind: 'failed', error };
    expect((await gig('lookup ~0123456789')).words).toContain('knows no project `~0123456789`');
  });

  it('of no link asks nothing of the marketplace', async () => {
    expect((await gig('lookup nothing')).words).toContain('is no project');
    expect((await gig('lookup https://example.com/nothing')).words).toMatch(/no `~ID`/u);
    expect(desk.state.lookups).toEqual([]);
  });
});

describe('results', () => {
  it('of a filter known by name', async () => {
    const items = [{ id: ResultId.parse(9), totalProjects: 3 }];
    desk.state.results = { kind: 'found', page: { items, unreadable: 0, paging: { pages: 1 } } };
    expect((await gig('results "React work"')).words).toContain('Result 9');
  });

  it('of an unknown filter names those that are known', async () => {
    expect((await gig('results nine')).words).toContain('I know no filter `nine`');
    desk.state.results = { kind: 'failed', error: new MarketplaceError('not-found', 'none', 'gone') };
    const { words } = await gig('results 999');
    expect(words).toContain('shows no results for filter 999 yet');
    expect(words).toContain('I know: “React work” (101)');
  });
});

describe('budget', () => {
  it('is shown to everyone and set by admins alone', async () => {
    expect((await gig('budget')).words).toContain('0 of 500 credits spent');
    expect((await gig('budget 700')).words).toContain('admin');
    expect(desk.state.limit).toBe(500);
    const { to, words } = await gig('budget 1,700 credits', 'admin');
    expect(to).toBe('channel');
    expect(words).toContain("<@U0BEN> set this channel's budget to 1,700 credits");
    expect(desk.state.limit).toBe(1_700);
  });

  it('that was raised lets the feed look again at once', async () => {
    await gig('budget 700', 'admin');
    expect(desk.state.woken).toBe(1);
  });

  it('off leaves only the account as the bound', async () => {
    await gig('budget off', 'admin');
    expect(desk.state.limit).toBe('unlimited');
  });

  it.each(['lots', '-5', '1.5', '99999999'])('%s is no budget', async (text) => {
    expect((await gig(`budget ${text}`, 'admin')).words).toContain(`\`${text}\` is no budget`);
    expect(desk.state.limit).toBe(500);
  });
});

describe('pause', () => {
  it.each([
    ['30m', 30 * 60_000],
    ['2h', 7_200_000],
    ['2 hours', 7_200_000],
    ['for 1.5 hours', 5_400_000],
    ['1d', 86_400_000],
  ])('%s ends by itself', async (text, ms) => {
    expect(await gig(`pause ${text}`, 'admin')).toMatchObject({ to: 'channel' });
    expect(desk.state.settings.paused?.until).toBe(NOW + ms);
  });

  it('alone lasts until it is resumed', async () => {
    await gig('pause', 'admin');
    expect(desk.state.settings.paused).toEqual({ by: BEN, at: NOW });
    expect(await gig('resume', 'admin')).toMatchObject({ to: 'channel' });
    expect(desk.state.settings.paused).toBeUndefined();
    expect((await gig('resume', 'admin')).words).toContain('was not paused');
  });

  it.each(['forever and ever', '0m', '91d', '2', 'h'])('%s is no length of time', async (text) => {
    expect((await gig(`pause ${text}`, 'admin')).words).toContain(`\`${text}\` is no length of time`);
    expect(desk.state.settings.paused).toBeUndefined();
  });
});

describe('roles', () => {
  it('pausing, access and the audit log are for admins, guests may read help and the list, everything else is for members', () => {
    expect(commands.filter((route) => route.needs === 'admin').map((route) => route.word)).toEqual([
      'pause',
      'resume',
      'access',
      'audit',
    ]);
    expect(commands.filter((route) => route.needs === 'outsider').map((route) => route.word)).toEqual([
      'list',
      'help',
    ]);
  });
});

describe('help', () => {
  it('knows commands and topics, and says so where there is none of that name', async () => {
    expect((await gig('help subscribe')).words).toContain('backfill 20');
    expect((await gig('help credits')).words).toContain('/gig budget');
    expect((await gig('help')).words).toContain('/gig lookup');
  });

  it.each([
    ['me', 'I know neither a command nor a topic “me”.'],
    ['nonsense', 'The topics are feed, projects, bidding, proposals, reports, credits, about;'],
    ['statsu', 'Did you mean `/gig help stats` or `/gig help status`?'],
    ['propsals', 'Did you mean `/gig help proposals`?'],
    ['bidnig', 'Did you mean `/gig help bidding`?'],
    ['<!channel>', '“&lt;!channel&gt;”'],
  ])('of %s, which is neither, names what there is', async (word, answer) => {
    expect((await gig(`help ${word}`)).words).toContain(answer);
  });

  it('of the search names every value of its choices', async () => {
    const { words } = await gig('help proposals');
    expect(words).toContain('viewed, interviewed, hired, withdrawn, archived, invitation or outbid');
    expect(words).toContain('newest, oldest, connects, boost, position or relevance');
  });
});
