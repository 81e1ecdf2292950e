/** The sandbox with replicas, through its page. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineClock, machineRandom, machineRandomBytes } from '../../src/clock.ts';
import { type ClusterPage, startClusterPage } from '../../src/workbench/cluster/cluster-page.ts';
import { runCluster } from '../../src/workbench/cluster/run-cluster.ts';
import { type Cluster, startCluster } from '../../src/workbench/cluster/start-cluster.ts';

let cluster: Cluster;
let page: ClusterPage;

beforeAll(async () => {
  const parts = { clock: machineClock, random: machineRandom, randomBytes: machineRandomBytes };
  cluster = await startCluster({ replicas: 2, ...parts, onEvent: () => undefined });
  page = await startClusterPage(cluster, 0);
}, 60_000);
afterAll(async () => {
  await page.close();
  await cluster.close();
});

const read = async (path: string) => (await globalThis.fetch(`${page.origin}${path}`)).text();

async function press(action: string, target: string, headers = {}): Promise<Response> {
  return globalThis.fetch(`${page.origin}/do`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ action, target }),
  });
}

const ownerOf = (team: string) => cluster.replicas.find(({ owned }) => owned.has(team));
const soon = { timeout: 30_000, interval: 50 };

/** The workspace named North. */
function north() {
  return cluster.teams[0] ?? expect.fail('no workspace');
}

async function otherOwner(than: string): Promise<string> {
  await expect.poll(() => ownerOf(north().id)?.name ?? than, soon).not.toBe(than);
  return ownerOf(north().id)?.name ?? '';
}

async function expectEachCardOnce(): Promise<void> {
  await press('publish', north().id);
  const { published } = north();
  await expect.poll(() => north().cards.length, soon).toBeGreaterThanOrEqual(published);
  const projects = north().cards.map(({ metadata }) => metadata?.event_payload['post']);
  expect(new Set(projects).size).toBe(projects.length);
}

it('shows who owns what, and a killed or paused owner loses it to the other replica', async () => {
  const first = ownerOf(north().id)?.name ?? expect.fail('no owner');
  expect(await read('/')).toContain('Publish a Project');
  await expectEachCardOnce();

  expect((await press('kill', first)).status).toBe(200);
  const second = await otherOwner(first);
  expect(await read('/state')).toMatch(new RegExp(`${second} owns North, \\d+ ms without an owner`, 'u'));
  await expectEachCardOnce();

  await press('start', first);
  await expect.poll(() => cluster.replicas.every(({ state }) => state === 'running'), soon).toBe(true);
  const owner = ownerOf(north().id)?.name ?? second;
  await press('pause', owner);
  expect(await read('/state')).toContain('Paused');
  await expect
    .poll(
      () => cluster.replicas.filter(({ name, owned }) => name !== owner && owned.has(north().id)).length,
      soon,
    )
    .toBe(1);
  await press('resume', owner);
  await press('cut', owner);
  await press('slow', owner);
  await expectEachCardOnce();
}, 120_000);

it('refuses other sites, and what is no button', async () => {
  const foreign = await press('kill', 'Replica 1', { origin: 'https://elsewhere.example' });
  expect(foreign.status).toBe(403);
  expect((await press('explode', 'Replica 1')).status).toBe(400);
  expect((await press('kill', 'Replica 9')).status).toBe(400);
  expect((await press('toString', 'Replica 1')).status).toBe(400);
});

it.each(['1', '6', 'many', '2.5'])('doesn’t start with %s replicas', async (replicas) => {
  expect(await runCluster({ replicas }, () => undefined)).toContain('2 to 5');
});
