import { describe, expect, it } from 'vitest';
import { ChannelId } from '../../../src/ids.ts';
import { type ActiveUnfurl, UnfurlQueue } from '../../../src/slack/core/home-cache.ts';

const channel = (name: string | number) => ChannelId.parse(`C${name}`);

/** Starts one, and records its result. */
function begin(turns: UnfurlQueue, name: string | number) {
  const entry: { state: 'waits' | 'runs' | 'given up'; turn?: ActiveUnfurl } = { state: 'waits' };
  void turns.waitForTurn(channel(name)).then((turn) => {
    entry.state = turn ? 'runs' : 'given up';
    if (turn) entry.turn = turn;
  });
  return entry;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('messages with links', () => {
  it('take turns in a channel, and the newest takes the place of those that wait', async () => {
    const turns = new UnfurlQueue();
    const [first, second, third] = [begin(turns, 1), begin(turns, 1), begin(turns, 1)];
    await settle();
    expect([first.state, second.state, third.state]).toEqual(['runs', 'given up', 'waits']);
    expect(first.turn?.isOvertaken()).toBe(true);
    first.turn?.end();
    await settle();
    expect(third.state).toBe('runs');
    expect(third.turn?.isOvertaken()).toBe(false);
  });

  it('of three channels run at once, and the others follow in their order', async () => {
    const turns = new UnfurlQueue();
    const all = [1, 2, 3, 4, 5].map((name) => begin(turns, name));
    await settle();
    expect(all.map(({ state }) => state)).toEqual(['runs', 'runs', 'runs', 'waits', 'waits']);
    all[1]?.turn?.end();
    await settle();
    expect(all.map(({ state }) => state)).toEqual(['runs', 'runs', 'runs', 'runs', 'waits']);
  });

  it('of more than twenty waiting channels: the one that waited longest is given up', async () => {
    const turns = new UnfurlQueue();
    const all = Array.from({ length: 3 + 21 }, (_, name) => begin(turns, name));
    await settle();
    expect(all.filter(({ state }) => state === 'waits')).toHaveLength(20);
    expect(all[3]?.state).toBe('given up');
  });
});
