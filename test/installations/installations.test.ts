/** Installed workspaces and their tokens, on a real server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE, machineRandomBytes } from '../../src/clock.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { forgetRemovedTeam, forgetTeam, forgetUnusedAccounts } from '../../src/installations/forget-team.ts';
import { Installations, type NewInstallation } from '../../src/installations/installations.ts';
import { rotateKeys } from '../../src/installations/rotate-keys.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { allNotes, putNote, team } from '../storage/collections.ts';
import { Replica } from '../storage/database-replica.ts';
import { dumpDatabase, tablesOfTeams } from './dump-database.ts';
import { keysNamed } from './keys.ts';

let server: LocalDatabase;
let url: string;
let database: Database;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  url = await server.createDatabase();
  database = connectDatabase({ url: new Secret(url) });
  await migrateDatabase(database);
});
afterEach(() => database.end({ timeout: 0 }));

const other = TeamId.parse('T2');
const botToken = new Secret('xoxb-very-secret');
const marketplaceToken = new Secret('market-very-secret');
const open = (...ids: readonly string[]) =>
  new Installations({ database, keys: keysNamed(...ids), randomBytes: machineRandomBytes });
const installed = (extra: Partial<NewInstallation> = {}): NewInstallation => ({
  team,
  teamName: 'Bright Agency',
  botToken,
  botUser: UserId.parse('U0BOT'),
  installedBy: UserId.parse('U1'),
  scopes: ['chat:write', 'commands'],
  ...extra,
});
const tokensOf = async (installations: Installations, of = team) => {
  const found = await installations.find(of);
  return [found?.botToken.reveal(), found?.marketplaceToken?.reveal()];
};
const moveRemoval = (ms: number) =>
  database`update installations set removed_at = removed_at - ${`${ms} ms`}::interval`;

describe('an installation', () => {
  it('comes back with its tokens, which a dump of the database does not show', async () => {
    const installations = open('2026');
    expect(await installations.find(team)).toBeUndefined();
    await installations.save(installed({ enterprise: 'E1' }));
    expect(await installations.setMarketplaceToken(team, marketplaceToken)).toBe(true);
    const found = await installations.find(team);
    expect(found).toMatchObject({ ...installed({ enterprise: 'E1' }), allowedAt: expect.any(Number) });
    expect(await tokensOf(installations)).toEqual(['xoxb-very-secret', 'market-very-secret']);
    const dump = await dumpDatabase(database);
    expect(dump).toContain('Bright Agency');
    for (const secret of [botToken, marketplaceToken]) expect(dump).not.toContain(secret.reveal());
  });

  it("never opens another team's tokens", async () => {
    const installations = open('2026');
    await installations.save(installed());
    await installations.save(installed({ team: other, botToken: new Secret('xoxb-other') }));
    await database`
      update installations set bot_token = (select bot_token from installations where team = ${team})
      where team = ${other}`;
    await expect(installations.find(other)).rejects.toMatchObject({ code: 'changed' });
    expect(await tokensOf(installations)).toEqual(['xoxb-very-secret', undefined]);
  });

  it('made again replaces the token and keeps the marketplace account', async () => {
    const installations = open('2026');
    await installations.save(installed({ enterprise: 'E1' }));
    await installations.setMarketplaceToken(team, marketplaceToken);
    const again = installed({
      botToken: new Secret('xoxb-second'),
      installedBy: UserId.parse('U2'),
      scopes: ['commands'],
    });
    await installations.save(again);
    const found = await installations.find(team);
    expect(found).toMatchObject({ installedBy: 'U1', allowedBy: 'U2', scopes: ['commands'] });
    expect(found?.enterprise).toBeUndefined();
    expect(await tokensOf(installations)).toEqual(['xoxb-second', 'market-very-secret']);
    expect(await installations.setMarketplaceToken(team, undefined)).toBe(true);
    expect(await tokensOf(installations)).toEqual(['xoxb-second', undefined]);
  });

  it('that was removed has no tokens in the database, and its records for a day', async () => {
    const installations = open('2026');
    await installations.save(installed());
    await installations.save(installed({ team: other }));
    await installations.setMarketplaceToken(team, marketplaceToken);
    expect(await installations.removeTokens(team)).toBe(true);
    expect(await installations.removeTokens(team)).toBe(false);
    const rows = await database`
      select bot_token, marketplace_token from installations where team = ${team}`;
    expect([...rows]).toEqual([{ bot_token: null, marketplace_token: null }]);
    expect(await installations.find(team)).toBeUndefined();
    expect(await installations.setMarketplaceToken(team, marketplaceToken)).toBe(false);
    expect([...(await installations.listLive()).keys()]).toEqual([other]);
    await moveRemoval(DAY - MINUTE);
    expect(await installations.listRemovedForADay()).toEqual([]);
    expect(await forgetRemovedTeam(database, team)).toBeUndefined();
    await moveRemoval(2 * MINUTE);
    expect(await installations.listRemovedForADay()).toEqual([team]);
  });

  it('made again within the day, or just before its data is deleted, keeps the data', async () => {
    const installations = open('2026');
    const replica = new Replica(url);
    await installations.save(installed());
    await putNote(await replica.open(), 'a', 'kept');
    await installations.removeTokens(team);
    await moveRemoval(2 * DAY);
    expect(await installations.listRemovedForADay()).toEqual([team]);
    await installations.save(installed({ botToken: new Secret('xoxb-second') }));
    expect(await forgetRemovedTeam(database, team)).toBeUndefined();
    expect([...(await installations.listLive()).keys()]).toEqual([team]);
    expect(await tokensOf(installations)).toEqual(['xoxb-second', undefined]);
    expect(await dumpDatabase(database)).toContain('kept');
    await replica.end();
  });
});

describe('forgetting a team', () => {
  const fill = async (of: TeamId) => {
    await open('2026').save(installed({ team: of }));
    await database`insert into workspaces (team) values (${of})`;
    await database`insert into records values (${of}, 'notes', '[]', '{}'), (${of}, 'notes', '[1]', '{}')`;
    await database`insert into cached_items values (${of}, 'a', 1, 0, '{}')`;
  };

  it('leaves nothing of it in any table, and all of the others', async () => {
    await fill(team);
    await fill(other);
    const others = await tablesOfTeams(database, other);
    expect(Object.values(await tablesOfTeams(database, team))).not.toContain(0);
    expect(await forgetTeam(database, team)).toEqual({ records: 2, cachedItems: 1, wasInstalled: true });
    expect(new Set(Object.values(await tablesOfTeams(database, team)))).toEqual(new Set([0]));
    expect(await tablesOfTeams(database, other)).toEqual(others);
    expect(await forgetTeam(database, team)).toEqual({ records: 0, cachedItems: 0, wasInstalled: false });
  });

  it('leaves no trace of its marketplace account, unless another team uses it', async () => {
    const installations = open('2026');
    for (const each of [team, other]) {
      await installations.save(installed({ team: each }));
      await installations.setMarketplaceToken(each, marketplaceToken);
    }
    const account = (await installations.find(team))?.account ?? expect.fail('no account');
    await database`insert into accounts (id) values (${account})`;
    await forgetTeam(database, team);
    expect(await dumpDatabase(database)).toContain(`accounts: (${account}`);
    await forgetTeam(database, other);
    expect(await dumpDatabase(database)).not.toContain(account);
  });

  it('leaves accounts alone that someone uses, or used within the day', async () => {
    await open('2026').save(installed());
    await open('2026').setMarketplaceToken(team, marketplaceToken);
    const account = (await open('2026').find(team))?.account ?? expect.fail('no account');
    await database`
      insert into accounts (id, opened_at) values
        (${account}, now() - interval '2 days'), ('replaced', now() - interval '2 days'), ('new', now())`;
    await forgetUnusedAccounts(database);
    const left = await database<{ id: string }[]>`select id from accounts`;
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([account, 'new']));
  });

  it('keeps a replica that was about to open its workspace from doing so', async () => {
    await fill(team);
    expect(await open('2026').find(team)).toBeDefined();
    await forgetTeam(database, team);
    const replica = new Replica(url);
    await expect(replica.open({ mustBeInstalled: true })).rejects.toMatchObject({ code: 'lost' });
    expect(new Set(Object.values(await tablesOfTeams(database, team)))).toEqual(new Set([0]));
    await open('2026').save(installed());
    await putNote(await replica.open({ mustBeInstalled: true }), 'a', 'of the second time');
    await replica.end();
  });

  it('ends the writing of its owner, even after the team comes back with as many changes', async () => {
    const proxy = await startCuttingProxy(url);
    const [owner, next] = [new Replica(proxy.url), new Replica(url)];
    const store = await owner.open();
    await putNote(store, 'a', 'of the first time');
    proxy.cut();
    await expect.poll(() => owner.isLost).toBe(true);
    await forgetTeam(database, team);
    const again = await next.open();
    await putNote(again, 'b', 'of the second time');
    await expect(putNote(store, 'c', 'late')).rejects.toMatchObject({ code: 'lost' });
    await putNote(again, 'd', 'goes on');
    expect((await allNotes(again)).map(([, { text }]) => text)).toEqual(['of the second time', 'goes on']);
    await Promise.all([owner.end(), next.end()]);
    await proxy.close();
  });
});

describe('rotating keys', () => {
  it('seals every token with the first key, after which the others can go', async () => {
    await open('old').save(installed());
    await open('old').setMarketplaceToken(team, marketplaceToken);
    await open('new').save(installed({ team: other }));
    const keys = keysNamed('new', 'old');
    const rotate = () => rotateKeys({ database, keys, randomBytes: machineRandomBytes });
    expect(await rotate()).toEqual({ resealed: 2, unchanged: 1, problems: [] });
    expect(await rotate()).toEqual({ resealed: 0, unchanged: 3, problems: [] });
    expect(await tokensOf(open('new'))).toEqual(['xoxb-very-secret', 'market-very-secret']);
    await expect(open('old').find(team)).rejects.toMatchObject({ code: 'unknown-key' });
  });

  it('seals again what an earlier key sealed under the ID of the first one', async () => {
    const [main] = keysNamed('main');
    const [other] = keysNamed('other');
    await open('main').save(installed());
    const keys = [
      { ...other, id: 'main' },
      { ...main, id: 'old' },
    ] as const;
    const rotated = await rotateKeys({ database, keys, randomBytes: machineRandomBytes });
    expect(rotated).toEqual({ resealed: 1, unchanged: 0, problems: [] });
    const withoutOld = new Installations({ database, keys: [keys[0]], randomBytes: machineRandomBytes });
    expect(await tokensOf(withoutOld)).toEqual(['xoxb-very-secret', undefined]);
  });

  it('leaves what no key opens, and names the team but no token', async () => {
    await open('lost').save(installed());
    await open('old').save(installed({ team: other }));
    const keys = keysNamed('new', 'old');
    const done = await rotateKeys({ database, keys, randomBytes: machineRandomBytes });
    expect(done).toMatchObject({ resealed: 1, unchanged: 0, problems: [expect.stringContaining(team)] });
    expect(JSON.stringify(done)).not.toContain('xoxb');
    expect(await tokensOf(open('lost'))).toEqual(['xoxb-very-secret', undefined]);
    expect(await tokensOf(open('new'), other)).toEqual(['xoxb-very-secret', undefined]);
  });
});

it('says what it was doing when the database is gone, and no token', async () => {
  await database.end({ timeout: 0 });
  const thrown = await open('2026')
    .save(installed())
    .catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'io' });
  expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain('xoxb');
});
