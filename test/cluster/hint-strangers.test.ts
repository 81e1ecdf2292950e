/** Hints that reach a replica without the workspace: those of a tool, and those of strangers. */
import { machineClock, SECOND } from '../../src/clock.ts';
import { makeHintSecret } from '../../src/hints/hints.ts';
import { TeamId } from '../../src/ids.ts';
import type { Replica } from '../processes/fleet.ts';
import { until } from '../processes/until.ts';
import { type Play, playTest, readinessOf, SIDE_BY_SIDE, untilReadiness } from './play.ts';

/** The first serves the workspace, and gets Slack's requests. */
async function startTwo(play: Play): Promise<{ readonly first: Replica; readonly second: Replica }> {
  const [a, b] = [await play.start(), await play.start()];
  // The second may take it over from the first as soon as both know each other.
  let since = { owner: a, at: machineClock.monotonicNow() };
  await until('an owner for some seconds', async () => {
    const owner = await play.untilOwned([a, b]);
    const at = machineClock.monotonicNow();
    if (owner !== since.owner) since = { owner, at };
    return at - since.at > 3 * SECOND;
  });
  const first = since.owner;
  play.receiveAt(first);
  return { first, second: first === a ? b : a };
}

async function sendHint({ url }: Replica, secret: string): Promise<number> {
  const answer = await globalThis.fetch(`${url}/hooks/${secret}`, {
    method: 'POST',
    body: '{"filter":1001}',
  });
  await answer.arrayBuffer();
  return answer.status;
}

playTest('strangers who keep the database busy stop no replica', SIDE_BY_SIDE, async ({ begin, expect }) => {
  const play = await begin(1);
  const { first, second } = await startTwo(play);
  const seen = new Set<string>();
  await play.database.begin(async (sql) => {
    await sql`lock table workspaces in access exclusive mode`;
    const made = ['TMADEUP1', 'TMADEUP2', play.workspace.slack.team.id].map((it) =>
      makeHintSecret(TeamId.parse(it), (length) => Buffer.alloc(length, 1)),
    );
    const answers = Promise.all(made.map((secret) => sendHint(second, secret)));
    const end = machineClock.monotonicNow() + 6.5 * SECOND;
    while (machineClock.monotonicNow() < end) {
      seen.add((await readinessOf(second)).slice(0, 5));
      await machineClock.sleep(100);
    }
    expect([...seen]).toEqual(['ready']);
    expect(await answers).toEqual([404, 404, 202]);
  });
  await untilReadiness(first, /owns 1 /u);
});

playTest('the first hint that reaches another replica counts', SIDE_BY_SIDE, async ({ begin, expect }) => {
  const play = await begin(1);
  const { second } = await startTwo(play);
  const settings = await play.workspace.person('ada').type('/gig settings');
  const hints = await settings.press('Hints');
  const shown = () => /\/hooks\/(T[\w-]+)/u.exec(hints.text)?.[1];
  expect(await sendHint(second, await until('the address', shown))).toBe(200);
});
