import { beforeEach, describe, expect, it } from 'vitest';
import { MonitoringResultId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { parseProjectReference } from '../../../src/marketplace/project-key.ts';
import { commandRoutes } from '../../../src/slack/all-routes.ts';
import { channelUnreachableMessage } from '../../../src/slack/core/failures.ts';
import { resultProjectsValueCodec } from '../../../src/slack/kit/button-values.ts';
import { inputErrorMessage } from '../../../src/slack/kit/command-text.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { referencedProjectNotFoundMessage } from '../../../src/slack/kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { CHANNEL_NOT_PAUSED_MESSAGE } from '../../../src/slack/subscriptions/pause-command.ts';
import { offers, valuesOf } from '../buttons.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { ANA, BEN, NOW, REACT } from '../samples.ts';

/** The start of every corrected example. */
const [EXAMPLE_FOLLOWS = ''] = inputErrorMessage('', 'x').text.split('`');

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

/** Types `/gig …` and returns the answer. */
async function gig(text: string, role: 'viewer' | 'admin' = 'viewer') {
  const [word = '', ...rest] = text.split(' ');
  const route = commandRoutes.find((each) => each.word === word) ?? expect.fail(`no command ${word}`);
  const before = desk.shown.length;
  await route.run(desk.command(rest.join(' '), BEN, role));
  const shown = desk.shown.slice(before);
  const to = shown.at(-1)?.to;
  const messages = shown.map(({ message }) => message);
  return { to, words: JSON.stringify(messages), read: messages.map(asText).join('\n'), messages, shown };
}

describe('every command', () => {
  it.each(commandRoutes.flatMap((route) => route.examples))(
    'the example “%s” is understood',
    async (example) => {
      desk.state.known = [
        { ...REACT, id: REACT.id },
        { id: MonitoringResultId.parse(123) as never, name: 'Node jobs' },
      ];
      await gig('subscribe filter 123');
      const { shown, words } = await gig(example, 'admin');
      const opened = desk.views.filter(({ how }) => how === 'open');
      expect([...shown, ...opened]).toHaveLength(1);
      expect(words).not.toContain(EXAMPLE_FOLLOWS);
    },
  );

  it.each(commandRoutes.map((route) => route.word))(
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
    const { to, read } = await gig('subscribe filter 101 backfill 20 budget:>500');
    expect(to).toBe('channel');
    for (const fact of ['<@U0BEN>', '“React work” (101)', '`budget:&gt;500`', '20 past projects'])
      expect(read).toContain(fact);
    expect(read).toMatchSnapshot();
    expect(desk.state.subscriptions).toMatchObject([
      { filter: 101, rules: 'budget:>500', backfill: { left: 20 } },
    ]);
  });

  it('says which country it does not know, and follows the filter as it was written', async () => {
    const { to, read } = await gig('subscribe filter 101 country:Germny,US,Atlantis');
    expect(to).toBe('channel');
    for (const country of ['`Germny`', '`Germany`', '`Atlantis`']) expect(read).toContain(country);
    expect(read).toMatchSnapshot();
    expect(desk.state.subscriptions).toMatchObject([{ rules: 'country:Germny,US,Atlantis' }]);
    expect((await gig('subscribe filter 102 country:Germany')).read).not.toContain('`Germany`');
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

  it.each(['direct_message', 'missing_scope'])(
    'where Slack answers %s says where subscriptions work, and changes nothing',
    async (error) => {
      expect(channelUnreachableMessage(error).text).toMatchSnapshot();
      desk.state.reach = { kind: 'unreachable', error };
      for (const text of ['subscribe filter 101', 'subscribe outcomes 301', 'digest at 9:00 UTC']) {
        const { to, messages } = await gig(text);
        expect(to).toBe('person');
        expect(messages).toEqual([channelUnreachableMessage(error)]);
      }
      expect(desk.state.subscriptions).toEqual([]);
    },
  );

  it('of an unknown name shows those that come closest first', async () => {
    desk.state.known = [
      { id: MonitoringResultId.parse(1) as never, name: 'Angular' },
      { id: MonitoringResultId.parse(2) as never, name: 'Node jobs' },
    ];
    const { words, read } = await gig('subscribe filter nodee');
    expect(words).toContain('“Node jobs” (2)');
    expect(read).toMatchSnapshot();
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
    const [mistake, ...rest] = (shown[0]?.message.text ?? '').split('\n');
    expect(mistake).toBe('Not a number: “lots”.');
    expect(rest.join('\n')).toContain('```x budget:&gt;lots\n          ^^^^```');
    expect(rest.at(-1)).toContain('`/gig subscribe filter 101 budget:&gt;500`');
  });

  it.each([
    ['subscribe sandwiches 101', /`sandwiches`/u],
    ['subscribe filter', /`\/gig subscribe filter /u],
    ['subscribe filter 0', /`0`/u],
    ['subscribe filter 101 backfill many', /\b1\b.*\b100\b/u],
  ])('%s is answered with what would be right', async (text, right) => {
    const { to, read } = await gig(text);
    expect(to).toBe('person');
    expect(read).toMatch(right);
    expect(read).toContain('`/gig subscribe ');
    expect(read).toMatchSnapshot();
    expect(desk.state.subscriptions).toEqual([]);
  });

  it('to a filter that nothing confirms says so, since no results prove nothing', async () => {
    const { to, read } = await gig('subscribe filter 999');
    expect(to).toBe('channel');
    for (const fact of ['<@U0BEN>', 'filter 999', '`/gig list 999`']) expect(read).toContain(fact);
    expect(read).toMatchSnapshot();
    expect(desk.state.subscriptions).toMatchObject([{ filter: 999 }]);
  });

  it('leaves a failure to the boundary, which gives it a reference', async () => {
    const error = new MarketplaceError('network', 'unknown', 'no answer');
    desk.state.refuse = { kind: 'failed', error };
    await expect(gig('subscribe filter 101')).rejects.toBe(error);
  });
});

describe('list', () => {
  it.each(['101', '#101', 'filter 101', 'react', '"react WORK"', '“Work”'])(
    '%s shows only what matches, with its buttons',
    async (words) => {
      await gig('subscribe filter 101');
      await gig('subscribe filter 102');
      const { to, read, messages } = await gig(`list ${words}`);
      expect(to).toBe('person');
      expect(read).toContain('“React work” (101)');
      expect(read).not.toContain('102');
      expect(valuesOf(messages, actionIds.unsubscribe)).toHaveLength(1);
    },
  );

  it.each(['77', 'react work today', '"'])(
    '%s, which matches nothing, leads to the whole list',
    async (words) => {
      await gig('subscribe filter 101');
      const { messages, read } = await gig(`list ${words}`);
      expect(offers(messages, actionIds.unsubscribe)).toBe(false);
      expect(offers(messages, actionIds.runList)).toBe(true);
      expect(read).toMatchSnapshot();
    },
  );
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
    expect(words).toContain(chargedCreditsText({ charged: 1 }));
    expect(desk.state.lookups).toEqual([{ ciphertext: '~0123456789' }]);
  });

  it('says why nothing could be bought, and what to do', async () => {
    desk.state.lookup = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW };
    expect((await gig('lookup ~0123456789')).words).toContain('`/gig budget &lt;credits&gt;`');
    const spent = { kind: 'account-spent', remaining: 0, until: NOW } as const;
    desk.state.lookup = spent;
    const { read } = await gig('lookup ~0123456789');
    expect(read).toContain(insufficientCreditsText(spent));
    expect(read).toMatchSnapshot();
  });

  it('of no such project says so', async () => {
    const error = new MarketplaceError('not-found', 'none', 'gone');
    desk.state.lookup = { kind: 'failed', error };
    const { messages } = await gig('lookup ~0123456789');
    const asked = parseProjectReference('~0123456789') ?? expect.fail('no project');
    expect(messages).toEqual([referencedProjectNotFoundMessage(asked)]);
    expect(messages[0]?.text).toContain('`~0123456789`');
  });

  it('of no link asks nothing of the marketplace', async () => {
    for (const words of ['nothing', 'https://example.com/nothing']) {
      const { to, read } = await gig(`lookup ${words}`);
      expect(to).toBe('person');
      expect(read).toContain('`/gig lookup ');
      expect(read).toMatchSnapshot();
    }
    expect(desk.state.lookups).toEqual([]);
  });
});

describe('results', () => {
  it('of a filter known by name', async () => {
    const items = [{ id: MonitoringResultId.parse(9), totalProjects: 3 }];
    desk.state.results = { kind: 'found', page: { items, unreadable: 0, paging: { pages: 1 } } };
    const [value = ''] = valuesOf((await gig('results "React work"')).messages, actionIds.resultProjects);
    expect(resultProjectsValueCodec.read(value)?.result).toBe(9);
  });

  it('of an unknown filter names those that are known', async () => {
    const unknown = await gig('results nine');
    expect(unknown.read).toContain('`nine`');
    expect(unknown.read).toContain('“React work” (101)');
    expect(unknown.read).toMatchSnapshot();
    desk.state.results = { kind: 'failed', error: new MarketplaceError('not-found', 'none', 'gone') };
    const { read } = await gig('results 999');
    expect(read).toContain('filter 999');
    expect(read).toContain('“React work” (101)');
    expect(read).toMatchSnapshot();
  });
});

describe('budget', () => {
  it('is shown to everyone and set by admins alone', async () => {
    expect((await gig('budget')).words).toMatch(/\b0 of 500\b/u);
    expect(valuesOf((await gig('budget 700')).messages, actionIds.accessAsk)).toEqual(['admin']);
    expect(desk.state.limit).toBe(500);
    const { to, read } = await gig('budget 1,700 credits', 'admin');
    expect(to).toBe('channel');
    for (const fact of ['<@U0BEN>', '1,700 credits']) expect(read).toContain(fact);
    expect(read).toMatchSnapshot();
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
    const { to, read } = await gig(`budget ${text}`, 'admin');
    expect(to).toBe('person');
    expect(read).toContain(`\`${text}\``);
    expect(read).toMatchSnapshot();
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
    expect(await gig('pause off', 'admin')).toMatchObject({ to: 'channel' });
    expect(desk.state.settings.paused).toBeUndefined();
    expect((await gig('pause off', 'admin')).messages).toEqual([CHANNEL_NOT_PAUSED_MESSAGE]);
  });

  it.each(['forever and ever', '0m', '91d', '2', 'h'])('%s is no length of time', async (text) => {
    const { to, read } = await gig(`pause ${text}`, 'admin');
    expect(to).toBe('person');
    expect(read).toContain(`\`${text}\``);
    expect(read).toMatchSnapshot();
    expect(desk.state.settings.paused).toBeUndefined();
  });
});

describe('roles', () => {
  it('admins get pausing, access, and the audit log; guests help and the list; members the rest', () => {
    expect(commandRoutes.filter((route) => route.needs === 'admin').map((route) => route.word)).toEqual([
      'pause',
      'access',
      'audit',
    ]);
    expect(commandRoutes.filter((route) => route.needs === 'outsider').map((route) => route.word)).toEqual([
      'list',
      'help',
    ]);
  });
});

describe('help', () => {
  it('knows commands and topics, and says so where there is none of that name', async () => {
    expect((await gig('help subscribe')).words).toContain('backfill 20');
    expect((await gig('help credits')).words).toContain('/gig budget');
    expect((await gig('help')).words).toContain('`lookup`');
  });

  it.each([
    ['me', '`me`', []],
    ['nonsense', 'feed, projects, bidding, reports, credits, about', []],
    ['statsu', '`statsu`', ['stats', 'status']],
    ['propsals', '`propsals`', ['proposals']],
    ['bidnig', '`bidnig`', ['bidding']],
    ['<!channel>', '`&lt;!channel&gt;`', []],
  ])('of %s, which is neither, names what there is', async (word, fact, meant) => {
    const { read } = await gig(`help ${word}`);
    expect(read).toContain(fact);
    expect([...read.matchAll(/`\/gig help (\w+)`/gu)].map(([, near]) => near)).toEqual(meant);
    expect(read).toMatchSnapshot();
  });

  it('of the search names every value of its choices', async () => {
    const { words, read } = await gig('help proposals');
    const states = ['viewed', 'interviewed', 'hired', 'withdrawn', 'archived', 'invitation', 'outbid'];
    const orders = ['newest', 'oldest', 'connects', 'boost', 'position', 'relevance'];
    for (const choice of [...states, ...orders]) expect(words).toMatch(new RegExp(`\\b${choice}\\b`, 'u'));
    expect(read).toMatchSnapshot();
  });
});
