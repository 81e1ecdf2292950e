import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { type ForwardClaim, writeForwardHeaders } from '../../src/cluster/forwarding.ts';
import { Secret } from '../../src/secret.ts';
import { movingText } from '../../src/slack/core/request-errors.ts';
import type { RouteTable } from '../../src/slack/core/routes.ts';
import { type Replicas, SECRET, signCommand, startReplicas } from './replicas.ts';

const words = { topic: 'about', usage: [], summary: '', examples: [] } as const;
const table: RouteTable = {
  commands: [{ ...words, word: 'help', needs: 'viewer', run: (call) => call.answer({ text: 'the help' }) }],
  actions: [],
  views: [],
  shortcuts: [],
  events: {},
};
const CONTENT = 'precious';

let replicas: Replicas;
afterEach(() => replicas.close());

interface Forged {
  readonly claim?: Partial<ForwardClaim>;
  readonly secret?: string;
  /** Sent instead of what was signed. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Passes a command on to the owner, as a replica does, but for what is given. @returns the status */
async function forward({ claim = {}, secret = SECRET, body, headers = {} }: Forged = {}): Promise<number> {
  const { clock, owner } = replicas;
  const command = signCommand(replicas, CONTENT);
  const contentType = command.headers['content-type'];
  const whole: ForwardClaim = { kind: 'http', sentAt: clock.now(), waitedMs: 5, contentType, ...claim };
  const proof = writeForwardHeaders(whole, command.body, new Secret(secret));
  const sent = { ...command.headers, ...proof, ...headers };
  const present = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const address = `${owner.url}/replica/requests`;
  const answer = await globalThis.fetch(address, {
    method: 'POST',
    headers: Object.fromEntries(present),
    body: body ?? command.body,
  });
  return answer.status;
}

async function expectNothingDone(): Promise<void> {
  await replicas.slack.waitUntilQuiet();
  expect(replicas.slack.ephemerals('ann')).toEqual([]);
  expect(replicas.owner.logged.some(({ level }) => level === 'warn')).toBe(true);
  expect(JSON.stringify(replicas.owner.logged)).not.toContain(CONTENT);
}

describe('a forward', () => {
  beforeEach(async () => {
    replicas = await startReplicas({ mode: 'http', table });
  });

  it('with the secret, and signed by Slack, is handled', async () => {
    expect(await forward()).toBe(200);
    await replicas.slack.waitForCondition(() => replicas.slack.ephemerals('ann').length === 1);
  });

  it.each<[string, number, Forged]>([
    ['with another secret', 401, { secret: 'another secret here' }],
    ['without a proof', 401, { headers: { 'x-gigdesk-proof': undefined } }],
    ['with a proof of another length', 401, { headers: { 'x-gigdesk-proof': 'ab' } }],
    ['whose body was changed', 401, { body: 'command=%2Fgig&text=help' }],
    ['whose waiting time was changed', 401, { headers: { 'x-gigdesk-waited': '0' } }],
    ['whose content type was changed', 401, { headers: { 'content-type': 'application/json' } }],
    [
      "that says it's a payload of a socket, to skip Slack's signature",
      401,
      { headers: { 'x-gigdesk-kind': 'socket' } },
    ],
    ['of a replica in the other mode', 400, { claim: { kind: 'socket' } }],
    ["without Slack's signature", 401, { headers: { 'x-slack-signature': undefined } }],
    ["with a wrong signature of Slack's", 401, { headers: { 'x-slack-signature': `v0=${'0'.repeat(64)}` } }],
    ['that is too large', 413, { body: 'x'.repeat(1_100_000) }],
  ])('%s is refused with %i and does nothing', async (_, status, forged) => {
    expect(await forward(forged)).toBe(status);
    await expectNothingDone();
  });

  it.each([-2, 2])(
    'dated %i minutes from now is refused, so nobody can send an old one again',
    async (minutes) => {
      expect(await forward({ claim: { sentAt: replicas.clock.now() + minutes * MINUTE } })).toBe(401);
      await expectNothingDone();
    },
  );

  it('that someone sends again within its minute is handled once', async () => {
    expect([await forward(), await forward()]).toEqual([200, 200]);
    await replicas.slack.waitForCondition(() => replicas.slack.ephemerals('ann').length === 1);
    expect(await forward()).toBe(200);
    await replicas.slack.waitUntilQuiet();
    expect(replicas.slack.ephemerals('ann')).toHaveLength(1);
  });

  it('for a workspace that is served elsewhere is answered 421', async () => {
    replicas.owner.places.place = { kind: 'nowhere' };
    expect(await forward()).toBe(421);
  });

  it('is only accepted as a POST', async () => {
    const { status } = await globalThis.fetch(`${replicas.owner.url}/replica/requests`);
    expect(status).toBe(404);
  });
});

it('a replica without REPLICA_SECRET refuses every forward', async () => {
  replicas = await startReplicas({ mode: 'http', table, hasOwnerSecret: false });
  expect(await forward()).toBe(403);
  await expectNothingDone();
});

it('people get a sentence while replicas have different secrets', async () => {
  replicas = await startReplicas({ mode: 'http', table, secret: 'a wrong secret of one' });
  const answer = await replicas.slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'help' });
  expect(answer).toMatchObject({ acked: true, body: { text: movingText() } });
  expect(replicas.receiver.outcomes).toEqual(['not-done']);
});
