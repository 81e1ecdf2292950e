/** Any text after /gig: one clear answer, with a correct example. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { asRead, failureText } from './as-read.ts';
import { unsubscribe } from './buttons.ts';
import { FAST, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld(FAST);
  const names = new Map([
    [101, 'React work'],
    [102, 'Twins'],
    [103, 'twins'],
    [104, 'L'.repeat(300)],
  ]);
  for (const [id, name] of names) {
    world.marketplace.addFilter({ id, name });
    world.marketplace.addSetup({ filter: { id, name } });
  }
});
afterAll(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

/** The only answer to a command. */
async function ask(text: string, user = 'ada', channel = 'web'): Promise<string> {
  const shown = () => [...world.slack.ephemerals(user, channel), ...world.slack.messages(channel)];
  const before = shown().length;
  const { acked, failure } = await world.slack.runSlashCommand({ user, channel, text });
  await world.pass(2 * SECOND);
  expect({ acked, failure, answers: shown().length - before }).toEqual({
    acked: true,
    failure: undefined,
    answers: 1,
  });
  const answer = lastShown(user, channel);
  expect(answer).not.toMatch(/at .*\.ts:\d|undefined|NaN/u);
  return answer;
}

function lastShown(user: string, channel: string): string {
  const all = [...world.slack.ephemerals(user, channel), ...world.slack.messages(channel)];
  const last = all.toSorted((a, b) => Number(a.ts) - Number(b.ts)).at(-1);
  return last ? wordsOf(last) : '';
}

describe('nonsense', () => {
  it.each([
    [`x${'y'.repeat(39_999)}`, ['40,000', '12,000']],
    [`lookup ${'9'.repeat(40_000)}`, ['12,000']],
    ['help nonsense', ['`nonsense`', '/gig help']],
    ['__proto__', ['`__proto__`', '/gig help']],
    ['🦄', ['`🦄`', '/gig help']],
    ['<!channel>', ['`&lt;!channel&gt;`', '/gig help']],
    ['subscribe filter 0', ['`0`', '/gig subscribe filter']],
    ['subscribe filter -1', ['`-1`', '/gig subscribe filter']],
    ['subscribe filter __proto__', ['`__proto__`', '/gig subscribe filter']],
    ['subscribe filter 101 backfill 0', ['100', '/gig subscribe filter 101 backfill 20']],
    ['subscribe filter 101 backfill 101', ['100', '/gig subscribe filter 101 backfill 20']],
    ['subscribe filter 101 backfill -wordpress', ['100', '/gig subscribe filter 101 backfill 20']],
    ['subscribe filter 101 backfill 5 backfill 6', ['/gig subscribe filter 101 backfill 20']],
    ['subscribe filter Twins', ['102', '103', '/gig subscribe filter 102']],
    ['results twins', ['/gig results 102']],
    ['results 101 99999', ['1']],
    ['list filter 102', ['`102`']],
    ['list Tokyo drift', ['`Tokyo drift`']],
    ['unsubscribe 101', ['/gig list']],
    ['resume', ['/gig pause']],
    ['budget off off', ['`off off`', '/gig budget 500']],
    ['budget 1e6', ['`1e6`', '/gig budget 500']],
    ['pause 0m', ['`0m`', '/gig pause 2h']],
    ['pause 1e9d', ['`1e9d`', '/gig pause 2h']],
    ['pause until tomorrow', ['`until tomorrow`', '/gig pause 2h']],
  ])('%# is answered with what is wrong and what would be right', async (text, facts) => {
    const answer = await ask(text);
    for (const fact of facts) expect(answer).toContain(fact);
    expect(asRead(world, answer)).toMatchSnapshot();
  });

  it.each(['\u0000help', '\u202ehelp', 'he\u200blp', '/gig help', '/gig /gig help', '  help  '])(
    'characters that nobody sees and a doubled /gig are forgiven: %j',
    async (text) => {
      expect(await ask(text)).toContain('`lookup`');
    },
  );
});

it.each(['subscribe filter', 'results'])(
  '%s takes results that are not found for no proof that the filter is gone',
  async (command) => {
    await world.gig('data', 'subscribe filter 101');
    await world.gig('data', 'subscribe filter 102');
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(404));
    const answer = await ask(`${command} 101`);
    expect(answer).toContain('“React work” (101)');
    expect(asRead(world, answer)).toMatchSnapshot();
  },
);

describe('subscribing', () => {
  it('takes a name of several words without quotes, with what follows as rules', async () => {
    expect(await ask('subscribe filter react work -wordpress')).toMatch(
      /“React work” \(101\).*`-wordpress`/u,
    );
  });

  it.each(['-', ':', '(react OR vue)', 'rating:>6'])(
    'leaves the rules as they are where new ones say nothing: %s',
    async (rules) => {
      await world.gig('web', 'subscribe filter 101 -wordpress');
      const answer = await ask(`subscribe filter 101 ${rules}`);
      expect(answer).toMatch(/\^[\s\S]*`\/gig subscribe filter 101 /u);
      expect(asRead(world, answer)).toMatchSnapshot();
      expect(await world.gig('web', 'list')).toContain('-wordpress');
    },
  );

  it('says who changed the rules, not who subscribed first', async () => {
    expect(await ask('subscribe filter 101 type:fixed', 'ben')).toContain(world.slack.user('ben').id);
  });

  it('says so, to the person alone, when the same is asked for again', async () => {
    const before = world.slack.messages('web').length;
    expect(asRead(world, await ask('subscribe filter 101 type:fixed'))).toMatchSnapshot();
    expect(world.slack.messages('web')).toHaveLength(before);
  });

  it.each(['budget:>500 backfill 20', 'backfill=20 budget:>500', 'backfill:20 budget:>500'])(
    'finds the backfill wherever it stands: %s',
    async (options) => {
      await unsubscribe(world, 'data', '101');
      const answer = await world.gig('data', `subscribe filter 101 ${options}`);
      expect(answer).toMatch(/`budget:&gt;500`/u);
      expect(answer.replaceAll('`budget:&gt;500`', '')).toMatch(/\b20\b/u);
    },
  );

  it('leaves a quoted word backfill to the rules', async () => {
    expect(await world.gig('data', 'subscribe filter 101 "backfill 20"')).toContain('`"backfill 20"`');
  });
});

it('unsubscribing tells the channel once, with the name and the rules that ended', async () => {
  await world.gig('web', 'subscribe filter 101 budget:>700');
  const before = world.slack.messages('web').length;
  await unsubscribe(world, 'web', 'React work');
  const [said, ...more] = world.slack.messages('web').slice(before).map(wordsOf);
  expect(more).toEqual([]);
  for (const words of [`<@${world.slack.user('ada').id}>`, '“React work” (101)', 'budget:&gt;700'])
    expect(said).toContain(words);
  expect(await world.gig('web', 'list')).not.toContain('React work');
});

it('a pause may have hours and minutes', async () => {
  const at = world.clock.now();
  const answer = await world.gig('data', 'pause 1h 30m');
  await world.gig('data', 'pause off');
  expect(answer).toContain(`<!date^${(at + 90 * MINUTE) / SECOND}^`);
});

it('by a name while the marketplace is down, says so instead of denying the filter', async () => {
  const cold = await startWorld();
  try {
    cold.marketplace.injectFault(
      {},
      { kind: 'answer', status: 401, json: { error: 'no' } },
      Number.POSITIVE_INFINITY,
    );
    const refused = new MarketplaceError('unauthorised', 'none', 'no');
    expect(await cold.gig('web', 'subscribe filter "React work"')).toContain(failureText(refused));
  } finally {
    await cold.stop();
  }
});

describe('a channel that follows much', () => {
  it('is listed within the limits of Slack, long names and rules included', async () => {
    world.slack.setRateLimits('off');
    world.slack.addChannel({ name: 'busy' });
    for (let id = 201; id <= 260; id++) {
      world.marketplace.addFilter({ id, name: `${'&<>`*_~|'.repeat(8)}${'N'.repeat(200)}${id}` });
      await world.slack.runSlashCommand({
        user: 'ada',
        channel: 'busy',
        text: `subscribe filter ${id} ${'"&&&&&&&&& <<<<<< >>>>" '.repeat(18)}`,
      });
      await world.pass(SECOND);
    }
    for (const [text, right] of [
      ['list', '60'],
      ['status', 'feeds'],
      ['help', '/gig'],
    ] as const) {
      expect(await world.gig('busy', text)).toContain(right);
    }
  });
});
