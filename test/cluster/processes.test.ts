/** Replicas as processes: one is killed, ends, hangs, has a wrong clock, or is of another version. */
import { MINUTE } from '../../src/clock.ts';
import { KNOWN_MIGRATIONS } from '../../src/storage/postgres/migrations.ts';
import type { Replica } from '../processes/fleet.ts';
import { expectWithinLimit } from '../processes/judge.ts';
import { type Play, playTest, readinessOf, SIDE_BY_SIDE } from './play.ts';

async function takeoversOf({ url }: Replica): Promise<number> {
  const metrics = await (await globalThis.fetch(`${url}/metrics`)).text();
  return Number(/^gigdesk_takeovers_total (\d+)$/mu.exec(metrics)?.[1]);
}

/** Two replicas. Requests reach the one that doesn't own the workspace. */
async function startTwo(play: Play): Promise<{ readonly owner: Replica; readonly other: Replica }> {
  const [a, b] = [await play.start(), await play.start()];
  const owner = await play.untilOwned([a, b]);
  const other = owner === a ? b : a;
  play.receiveAt(other);
  await play.subscribe();
  await play.publishAndAwait(2);
  return { owner, other };
}

playTest(
  'a replica takes over from one that is killed or ends, and passes on what is not its own',
  SIDE_BY_SIDE,
  async ({ begin, expect }) => {
    const play = await begin();
    const { owner: first, other: second } = await startTwo(play);

    await first.app.end('SIGKILL');
    await play.untilOwned([second]);
    expect(await takeoversOf(second)).toBeGreaterThan(0);
    expect(await readinessOf(second)).toContain('owns 1 workspace; since its start: takeovers 1,');
    await play.publishAndAwait(2);

    const third = await play.start();
    const owner = await play.untilOwned([second, third]);
    const other = owner === second ? third : second;
    play.receiveAt(other);
    await play.publishAndAwait(1);
    expect(await owner.app.end('SIGTERM')).toBe(0);
    await play.untilOwned([other]);
    await play.publishAndAwait(2);
    await play.expectEachOnce();
  },
);

playTest(
  'a replica that hangs loses its workspace, and does nothing more for it when it wakes up',
  SIDE_BY_SIDE,
  async ({ begin }) => {
    const play = await begin();
    const { owner, other } = await startTwo(play);
    owner.app.send('SIGSTOP');
    await play.untilOwned([other]);
    await play.publishAndAwait(2);
    owner.app.send('SIGCONT');
    await owner.app.logged(({ msg }) => msg === 'No longer owns a workspace');
    await play.publishAndAwait(2);
    await play.expectEachOnce();
  },
);

playTest.for([10 * MINUTE, -10 * MINUTE])(
  'a replica whose clock is %i ms off serves people, and does no harm',
  SIDE_BY_SIDE,
  async (aheadMs, { begin, expect }) => {
    // Slack's clock and the database's are the same, as in real life.
    const play = await begin(1);
    const first = await play.settleIn();
    await first.app.end('SIGKILL');
    const wrong = await play.start({ CLOCK_AHEAD: String(aheadMs) });
    await play.untilOwned([wrong]);
    play.receiveAt(wrong);
    await play.untilAnswered('budget', /credits spent/u);
    const right = await play.start();
    await play.untilOwned([wrong, right]);
    for (const receiver of [wrong, right]) {
      play.receiveAt(receiver);
      // It may just be moving between them.
      await play.untilAnswered('budget', /credits spent/u);
    }
    const lines = play.apps.flatMap(({ log }) => log.map(({ msg }) => msg));
    expect(lines.filter((msg) => /refused a request|rejected it/u.test(msg))).toEqual([]);

    play.workspace.publish();
    await wrong.app.end('SIGKILL');
    await play.untilOwned([right]);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
    expectWithinLimit(play.workspace);
  },
);

async function lastMigration({ database }: Play): Promise<number | undefined> {
  const [row] = await database<{ last: number }[]>`select max(number) as last from migrations`;
  return row?.last;
}

playTest(
  'an older replica serves on beside a newer one, and refuses to start again',
  SIDE_BY_SIDE,
  async ({ begin, expect }) => {
    const newerVersion = { VERSION: 'newer' };
    const play = await begin();
    const older = await play.settleIn();
    expect(await lastMigration(play)).toBe(KNOWN_MIGRATIONS);

    // Until its tables are newer and it runs, projects keep coming.
    for (let made = 0; made < 3; made++) play.workspace.publish();
    const newer = await play.start(newerVersion);
    expect(await lastMigration(play)).toBe(KNOWN_MIGRATIONS + 1);
    await play.workspace.untilPosted();

    // Whoever owns the workspace: requests of people reach it through the other one, too.
    const owner = await play.untilOwned([older, newer]);
    play.receiveAt(owner === older ? newer : older);
    await play.expectEachOnce();
    await play.publishAndAwait(1);

    // The older one takes over from the newer one, and stores on newer tables.
    await newer.app.end('SIGKILL');
    await play.untilOwned([older]);
    play.receiveAt(older);
    await play.publishAndAwait(2);
    await play.expectEachOnce();

    const upgraded = await play.start(newerVersion);
    expect(await older.app.end('SIGTERM')).toBe(0);
    await play.untilOwned([upgraded]);
    play.receiveAt(upgraded);
    await play.publishAndAwait(2);

    const refused = await play.launch();
    expect(await refused.app.ended).toBe(1);
    const told = refused.app.log.find(({ msg }) => msg === 'told')?.['sentence'];
    expect(told).toMatch(/can't start: A newer version of Gigdesk uses this database/u);
    expect(await lastMigration(play)).toBe(KNOWN_MIGRATIONS + 1);
    expect(upgraded.app.owned.size).toBe(1);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);
