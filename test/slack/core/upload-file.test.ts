/** Uploading a file, over the real client beside the simulated Slack. */
import type { FetchFunction, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom } from '../../../src/clock.ts';
import { createLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { createSlackClients } from '../../../src/slack/core/clients.ts';
import { uploadFile } from '../../../src/slack/core/slack-calls.ts';
import type { SimulatedSlack, SlackFaultEffect } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';

const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0x41, 0, 1, 2, 255]);
const file = { bytes, name: 'audit.csv', type: 'text/csv' };

let slack: SimulatedSlack;
let client: WebClient;
let logLines: string[];
/** Upload URLs, besides the SDK's calls, and the headers sent there. */
let sent: { readonly url: string; readonly headers: unknown }[];

const fetch: FetchFunction = async (url, init) => {
  sent.push({ url: String(url), headers: init?.headers });
  return globalThis.fetch(url, init);
};

beforeEach(async () => {
  slack = await startSimulatedSlack({
    clock: machineClock,
    peopleClock: machineClock,
    random: machineRandom,
  });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
  logLines = [];
  sent = [];
  client = createSlackClients({
    botToken: new Secret(slack.botToken),
    apiUrl: slack.apiUrl,
    clock: machineClock,
    log: createLog('debug', { write: (line) => logLines.push(line) }),
  }).withoutRetries;
});
afterEach(async () => {
  await slack.close();
});

it('brings it byte for byte, and nobody sees it before it is shared', async () => {
  const id = await uploadFile(client, fetch, file);
  expect(slack.messages('C1')).toEqual([]);
  await client.files.completeUploadExternal({ files: [{ id, title: 'Audit' }], channel_id: 'C1' });
  expect(slack.files()).toMatchObject([{ id, name: 'audit.csv', title: 'Audit', channel: 'C1' }]);
  expect(slack.files()[0]?.bytes.equals(bytes)).toBe(true);
});

it('sends no token with its bytes, and the address that takes them stands in no log', async () => {
  await uploadFile(client, fetch, file);
  expect(sent).toMatchObject([{ headers: undefined }]);
  expect(logLines.join('\n')).not.toContain(sent[0]?.url);
});

describe('trouble', () => {
  const steps: readonly [method: string, SlackFaultEffect, end: string][] = [
    ['files.getUploadURLExternal', { kind: 'ratelimited', retryAfterS: 20 }, 'rate-limited'],
    ['files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 'refused'],
    ['files.getUploadURLExternal', { kind: 'drop', when: 'before' }, 'unknown'],
    ['upload', { kind: 'status', status: 500, when: 'before' }, 'refused'],
    ['upload', { kind: 'drop', when: 'before' }, 'unknown'],
  ];
  it.each(steps)('%s %o is a %s upload', async (method, effect, end) => {
    slack.injectFault(method, effect);
    await expect(uploadFile(client, fetch, file)).rejects.toMatchObject({
      name: 'SlackCallError',
      failureKind: end,
    });
    expect(slack.files()).toEqual([]);
  });

  it.each([
    'http://upload.example/x',
    'ftp://127.0.0.1/x',
    'https://user:word@upload.example/x',
    'file:///etc/passwd',
    'http://127.0.0.1.evil.example/x',
    'nonsense',
  ])('bytes are not sent to %s, and no log or error names it', async (upload_url) => {
    const getUploadURLExternal = async () => ({ ok: true, upload_url, file_id: 'F1' });
    const careful = { files: { getUploadURLExternal } } as unknown as WebClient;
    const thrown = await uploadFile(careful, fetch, file).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'upload_address', failureKind: 'refused' });
    expect(sent).toEqual([]);
    expect(String(thrown)).not.toContain(upload_url);
  });
});
