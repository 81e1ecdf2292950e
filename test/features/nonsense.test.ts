/** Any text after /gig: one clear answer, with what is wrong and what would be right. */
import { describe, expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

const emptyTest = appTestWith({
  empty: true,
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});

/** The only answer to a command. */
async function ask(person: Person, words: string, channel = 'web'): Promise<string> {
  const shown = () => person.notes(channel).length + person.reads(channel).length;
  const before = shown();
  const { text } = await person.type(`/gig ${words}`, channel);
  expect(shown() - before, words.slice(0, 100)).toBe(1);
  expect(text).not.toMatch(/at .*\.ts:\d|undefined|NaN/u);
  return text;
}

function addFilters({ market }: Desk): void {
  const names = ['React work', 'Twins', 'twins', 'L'.repeat(300)];
  for (const [at, name] of names.entries()) {
    const filter = market.service.addFilter({ id: 101 + at, name });
    // The app knows names from setups.
    market.service.addSetup({ filter: { id: filter.id, name } });
  }
}

const MISTAKES: readonly (readonly [words: string, facts: readonly string[]])[] = [
  [`x${'y'.repeat(39_999)}`, ['40,000', '12,000']],
  [`lookup ${'9'.repeat(40_000)}`, ['12,000']],
  ['lookup', ['starts with `~`', '/gig lookup']],
  ['lookup https://example.com/nothing', ['/gig lookup']],
  ['help nonsense', ['nonsense', '/gig help']],
  ['__proto__', ['__proto__', '/gig help']],
  ['🦄', ['🦄', '/gig help']],
  ['<!channel>', ['<!channel>', '/gig help']],
  ['sttaus', ['sttaus', '/gig status']],
  ['subscribe sandwiches 101', ['sandwiches', '/gig subscribe filter']],
  ['subscribe filter 0', ['0', '/gig subscribe filter']],
  ['subscribe filter -1', ['-1', '/gig subscribe filter']],
  ['subscribe filter __proto__', ['__proto__', '/gig subscribe filter']],
  ['subscribe filter 101 budget:>lots', ['lots', 'budget:', '/gig subscribe filter 101']],
  ['subscribe filter 101 colour:red', ['colour', '/gig subscribe filter 101']],
  ['subscribe filter 101 -', ['^', '/gig subscribe filter 101']],
  ['subscribe filter 101 :', ['^', '/gig subscribe filter 101']],
  ['subscribe filter 101 (react OR vue)', ['^', 'Parentheses', '/gig subscribe filter 101']],
  ['subscribe filter 101 rating:>6', ['^', 'from 0 to 5', '/gig subscribe filter 101']],
  ['subscribe filter 101 backfill 0', ['from 1 to 100', '/gig subscribe filter 101 backfill 20']],
  ['subscribe filter 101 backfill 101', ['from 1 to 100', '/gig subscribe filter 101 backfill 20']],
  ['subscribe filter 101 backfill -wordpress', ['100', '/gig subscribe filter 101 backfill 20']],
  ['subscribe filter 101 backfill 5 backfill 6', ['only once', '/gig subscribe filter 101 backfill 20']],
  ['subscribe filter Twins', ['102', '103', '/gig subscribe filter 102']],
  ['results twins', ['/gig results 102']],
  ['results nine', ['nine', '/gig results']],
  ['results 101 99999', ['99,999', 'The last page is 1']],
  ['list filter 102', ['no subscription', '102']],
  ['list Tokyo drift', ['no subscription', 'Tokyo drift']],
  ['unsubscribe 101', ['Unknown command', '/gig list']],
  ['resume', ['Unknown command', '/gig pause']],
  ['budget lots', ['lots', '/gig budget 500']],
  ['budget off off', ['off off', '/gig budget 500']],
  ['budget 1e6', ['1e6', '/gig budget 500']],
  ['pause 0m', ['0m', '/gig pause 2h']],
  ['pause 1e9d', ['1e9d', '/gig pause 2h']],
  ['pause until tomorrow', ['until tomorrow', '/gig pause 2h']],
];

describe('a command', () => {
  emptyTest(
    'with a mistake names it, shows what would be right, and changes nothing',
    async ({ desk, ada }) => {
      addFilters(desk);
      await ada.type('/gig subscribe filter 101 -wordpress');
      for (const [words, facts] of MISTAKES) {
        const answer = await ask(ada, words);
        for (const fact of facts) expect(answer, words.slice(0, 100)).toContain(fact);
      }
      const list = await ask(ada, 'list');
      expect(list).toContain('-wordpress');
      expect(list).not.toMatch(/102|:double_vertical_bar:/u);
    },
  );

  emptyTest('is read in spite of characters that nobody sees, and of a doubled /gig', async ({ ada }) => {
    const odd = ['\u0000help', '\u202ehelp', 'he\u200blp', '/gig help', '/gig /gig help', '  help  '];
    for (const words of odd) expect(await ask(ada, words), JSON.stringify(words)).toContain('`lookup`');
  });
});

describe('subscribing', () => {
  emptyTest('takes a name without quotes, with rules behind it', async ({ desk, ada, ben }) => {
    addFilters(desk);
    expect(await ask(ada, 'subscribe filter react work -wordpress')).toMatch(
      /“React work” \(101\).*-wordpress/u,
    );
    expect(await ask(ben, 'subscribe filter 101 type:fixed')).toContain('@ben');
    const before = ada.reads('web').length;
    expect(await ask(ada, 'subscribe filter 101 type:fixed')).toMatch(/already gets.*Nothing was changed/u);
    expect(ada.reads('web')).toHaveLength(before);
    expect(await ask(ada, 'subscribe filter 101 "backfill 20"')).toContain('"backfill 20"');
  });

  emptyTest('finds the backfill wherever it stands', async ({ desk, ada }) => {
    addFilters(desk);
    for (const options of ['budget:>500 backfill 20', 'backfill=20 budget:>500', 'backfill:20 budget:>500']) {
      await ada.type(`/gig subscribe filter 101 ${options}`);
      const told = ada.reads('web').findLast((it) => it.text.includes('@ada subscribed'));
      const answer = told?.text ?? '';
      expect(answer, options).toContain('`budget:>500`');
      expect(answer.replaceAll('`budget:>500`', ''), options).toMatch(/\b20\b/u);
      await (await ada.type('/gig list')).press('Unsubscribe');
    }
  });

  emptyTest('takes no missing results for proof that a filter is gone', async ({ desk, market, ada }) => {
    addFilters(desk);
    await ada.type('/gig subscribe filter 999', 'data');
    const unknown = ada.reads('data')[0]?.text;
    expect(unknown).toMatch(/no results for filter 999.*may be wrong/u);
    expect(unknown).toContain('/gig subscribe filter');
    market.fail('/filters/101/results', presetFaults.status(404));
    expect(await ask(ada, 'subscribe filter 101', 'data')).toContain('@ada subscribed');
    market.fail('/filters/101/results', presetFaults.status(404));
    expect(await ask(ada, 'results 101', 'data')).toContain('shows no results for “React work” (101)');
  });
});

emptyTest('a name is not denied while the marketplace can’t be asked', async ({ market, ada }) => {
  market.fail({}, presetFaults.status(401), Number.POSITIVE_INFINITY);
  expect(await ask(ada, 'subscribe filter "React work"')).toContain('rejected the API token');
});

emptyTest(
  'a channel that follows much is listed within the limits of Slack',
  async ({ market, slack, ada, pass }) => {
    slack.setRateLimits('off');
    for (let id = 201; id <= 260; id++) {
      market.service.addFilter({ id, name: `${'&<>`*_~|'.repeat(8)}${'N'.repeat(200)}${id}` });
      const rules = '"&&&&&&&&& <<<<<< >>>>" '.repeat(18);
      await slack.runSlashCommand({ user: 'ada', channel: 'web', text: `subscribe filter ${id} ${rules}` });
      await pass(SECOND);
    }
    for (const [words, right] of [
      ['list', '60'],
      ['status', 'feeds'],
      ['help', '/gig'],
    ] as const)
      expect((await ada.type(`/gig ${words}`)).text).toContain(right);
    expect(slack.failedCalls()).toEqual([]);
  },
);
