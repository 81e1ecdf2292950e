/**
 * A replica whose database becomes read-only, lets nobody in, is full, or is silent: it says so, and then
 * goes on.
 */
import { type Refusal, refuseDatabase } from '../processes/refuse-database.ts';
import { until } from '../processes/until.ts';
import { type Play, playTest, SIDE_BY_SIDE, untilReadiness } from './play.ts';

const refuse = ({ ground, databaseUrl }: Play, what: Refusal) =>
  refuseDatabase(ground.server.adminUrl, databaseUrl, what);

playTest.for(['read-only', 'no connections'] as const)(
  'while its database is %s, as after a failover, it owns nothing, says so, and comes back',
  SIDE_BY_SIDE,
  async (what, { begin, expect }) => {
    const play = await begin();
    const replica = await play.settleIn();
    const accept = await refuse(play, what);
    await untilReadiness(replica, /database is not reached.*owns 0 /u);
    expect(await play.ask('budget')).toMatch(/moving/iu);
    play.workspace.publish();
    if (what === 'no connections')
      await replica.app.logged((line) => JSON.stringify(line).includes('too many connections'));
    await accept();
    await untilReadiness(replica, /^ready.*owns 1 /u);
    await play.workspace.untilPosted();
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);

playTest(
  'a full disk fails what would be stored, with a reference, and nothing is half done',
  SIDE_BY_SIDE,
  async ({ begin }) => {
    const play = await begin();
    const replica = await play.settleIn();
    const accept = await refuse(play, 'full disk');
    // Until then, the workspace may be moving.
    await play.untilAnswered('budget 300', /is full.*ref \w+/isu);
    await replica.app.logged((line) => JSON.stringify(line).includes('the database has no room left'));
    play.workspace.publish();
    await accept();
    await play.workspace.untilPosted();
    await play.expectEachOnce();
    await play.untilAnswered('budget 300', /300/u);
  },
);

playTest(
  'a network that is gone, without a closed connection: it gives all up, says so, and comes back',
  SIDE_BY_SIDE,
  async ({ begin, expect }) => {
    const play = await begin();
    const cutOff = await play.settleIn();
    cutOff.proxy.silence();
    await untilReadiness(cutOff, /^not ready: the database is not reached.*owns 0 /u);
    await until('its word that it owns nothing', () => cutOff.app.owned.size === 0);
    expect(await play.ask('budget')).toMatch(/moving/iu);

    const other = await play.start();
    await play.untilOwned([other]);
    play.receiveAt(other);
    await play.publishAndAwait(2);

    // Connections from before stay silent.
    cutOff.proxy.letNewPass();
    await untilReadiness(cutOff, /^ready/u);
    await other.app.end('SIGKILL');
    await play.untilOwned([cutOff]);
    play.receiveAt(cutOff);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
  },
);
