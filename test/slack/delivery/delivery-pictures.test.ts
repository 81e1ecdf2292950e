/** Charts in threads, over the real client beside the simulated Slack. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom } from '../../../src/clock.ts';
import type { ChartUploadPort } from '../../../src/digests/digests.ts';
import { ChannelId, MessageTs } from '../../../src/ids.ts';
import { createLog, silentLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { createSlackClients } from '../../../src/slack/core/clients.ts';
import { createPicturePort } from '../../../src/slack/delivery/picture-port.ts';
import type { SimulatedSlack, SlackFaultEffect } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';

const channel = ChannelId.parse('C1');
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
const picture = { png, name: 'credits.png', alt: 'Credits: 312 of 500 spent' };

let slack: SimulatedSlack;
let port: ChartUploadPort;
let place: { channel: ChannelId; thread: MessageTs };
let logLines: string[];
/** Upload URLs, besides the SDK's calls. */
let sent: string[];

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
  const { withoutRetries } = createSlackClients({
    botToken: new Secret(slack.botToken),
    apiUrl: slack.apiUrl,
    clock: machineClock,
    log: createLog('debug', { write: (line) => logLines.push(line) }),
  });
  port = createPicturePort(withoutRetries, async (url, init) => {
    sent.push(String(url));
    return globalThis.fetch(url, init);
  });
  const { ts } = await withoutRetries.chat.postMessage({ channel, text: 'the digest' });
  place = { channel, thread: MessageTs.parse(ts) };
});
afterEach(async () => {
  await slack.close();
});

const inThread = () => slack.thread('general', place.thread).slice(1);

describe('a picture', () => {
  it('arrives byte for byte with alt text, and nobody sees it before it is shared', async () => {
    const id = await port.uploadChart(picture);
    expect(inThread()).toEqual([]);
    await port.shareCharts([{ id, title: 'Credits' }], place, 'Credits and funnel');
    expect(slack.files()).toMatchObject([
      { id, name: 'credits.png', title: 'Credits', altText: 'Credits: 312 of 500 spent', channel: 'C1' },
    ]);
    expect(slack.files()[0]?.bytes.equals(png)).toBe(true);
    expect(inThread().map((it) => it.text)).toEqual(['Credits and funnel']);
  });

  it('says its words as they are: none of them is a mention or a link', async () => {
    const id = await port.uploadChart(picture);
    await port.shareCharts([{ id, title: '<1% spent' }], place, '<1% spent · <!channel> & all');
    expect(inThread().map((it) => it.text)).toEqual(['&lt;1% spent · &lt;!channel&gt; &amp; all']);
  });

  it('goes with the others in one message', async () => {
    const files = [];
    for (const title of ['a', 'b', 'c']) files.push({ id: await port.uploadChart(picture), title });
    await port.shareCharts(files, place, '');
    expect(inThread()).toHaveLength(1);
    expect(slack.files().map((it) => it.title)).toEqual(['a', 'b', 'c']);
  });

  it('has words of 1,000 characters at the most, on one line', async () => {
    const id = await port.uploadChart({ ...picture, alt: 'line\n'.repeat(1_000) });
    await port.shareCharts([{ id, title: 't' }], place, '');
    const words = slack.files()[0]?.altText ?? '';
    expect(words).toMatch(/^line line .*…$/u);
    expect(words.length).toBeLessThanOrEqual(1_000);
  });

  it('sends no token with its bytes', async () => {
    let headers: unknown = 'none';
    const { withoutRetries } = createSlackClients({
      botToken: new Secret(slack.botToken),
      apiUrl: slack.apiUrl,
      clock: machineClock,
      log: silentLog,
    });
    const watched = createPicturePort(withoutRetries, async (url, init) => {
      headers = init?.headers;
      return globalThis.fetch(url, init);
    });
    await watched.uploadChart(picture);
    expect(headers).toBeUndefined();
  });
});

describe('whether pictures stand in a thread', () => {
  it('is seen by any one of their files', async () => {
    const id = await port.uploadChart(picture);
    expect(await port.isAnyChartShared([id], place)).toBe(false);
    await port.shareCharts([{ id, title: 'Credits' }], place, '');
    expect(await port.isAnyChartShared([id], place)).toBe(true);
    expect(await port.isAnyChartShared(['F0NOTHING', id], place)).toBe(true);
    expect(await port.isAnyChartShared(['F0NOTHING'], place)).toBe(false);
    expect(await port.isAnyChartShared([], place)).toBe(false);
  });

  it('of a thread that is gone is refused', async () => {
    const gone = { channel, thread: MessageTs.parse('1700000000.000001') };
    await expect(port.isAnyChartShared(['F1'], gone)).rejects.toMatchObject({
      code: 'thread_not_found',
      failureKind: 'refused',
    });
  });
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
    await expect(port.uploadChart(picture)).rejects.toMatchObject({
      name: 'SlackCallError',
      failureKind: end,
    });
    expect(slack.files()).toEqual([]);
  });

  it.each<[SlackFaultEffect, string, number]>([
    [{ kind: 'drop', when: 'after' }, 'unknown', 1],
    [{ kind: 'status', status: 503, when: 'after' }, 'unknown', 1],
    [{ kind: 'drop', when: 'before' }, 'unknown', 0],
    [{ kind: 'error', error: 'channel_not_found' }, 'refused', 0],
    [{ kind: 'ratelimited', retryAfterS: 5 }, 'rate-limited', 0],
  ])('a share that meets %o ends %s, and is not asked for again', async (effect, end, standing) => {
    const id = await port.uploadChart(picture);
    slack.injectFault('files.completeUploadExternal', effect);
    await expect(port.shareCharts([{ id, title: 't' }], place, '')).rejects.toMatchObject({
      failureKind: end,
    });
    expect(inThread()).toHaveLength(standing);
  });

  it('of a file whose bytes never came is a refusal', async () => {
    await expect(port.shareCharts([{ id: 'F404', title: 't' }], place, '')).rejects.toMatchObject({
      code: 'file_not_found',
      failureKind: 'refused',
    });
  });

  it.each([
    'http://upload.example/x',
    'ftp://127.0.0.1/x',
    'https://user:word@upload.example/x',
    'file:///etc/passwd',
    'http://127.0.0.1.evil.example/x',
    'nonsense',
  ])('bytes are not sent to %s, and no log or error names it', async (upload_url) => {
    const client = {
      apiCall: async () => ({ ok: true, upload_url, file_id: 'F1' }),
    } as unknown as Parameters<typeof createPicturePort>[0];
    const careful = createPicturePort(client, async (url) => {
      sent.push(String(url));
      throw new Error('never');
    });
    const thrown = await careful.uploadChart(picture).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'upload_address', failureKind: 'refused' });
    expect(sent).toEqual([]);
    expect(String(thrown)).not.toContain(upload_url);
  });

  it('the address that takes bytes stands in no log', async () => {
    await port.uploadChart(picture);
    expect(sent).toHaveLength(1);
    expect(logLines.join('\n')).not.toContain(sent[0]);
  });
});
