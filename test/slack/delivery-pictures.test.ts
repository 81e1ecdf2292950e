/** Pictures into threads, over the real client beside the simulated Slack. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom } from '../../src/clock.ts';
import type { PicturePort } from '../../src/digests/digests.ts';
import { ChannelId, MessageTs } from '../../src/ids.ts';
import { createLog, silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { createClients } from '../../src/slack/clients.ts';
import { createPicturePort } from '../../src/slack/delivery/picture-port.ts';
import type { FaultEffect, SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSlack } from '../../src/workbench/slack/start.ts';

const channel = ChannelId.parse('C1');
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
const picture = { png, name: 'credits.png', alt: 'Credits: 312 of 500 spent' };

let slack: SimulatedSlack;
let port: PicturePort;
let place: { channel: ChannelId; thread: MessageTs };
let logLines: string[];
/** Where bytes were sent, beside what the SDK's calls did. */
let sent: string[];

beforeEach(async () => {
  slack = await startSlack({ clock: machineClock, peopleClock: machineClock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
  logLines = [];
  sent = [];
  const { posting } = createClients({
    botToken: new Secret(slack.botToken),
    apiUrl: slack.apiUrl,
    log: createLog('debug', { write: (line) => logLines.push(line) }),
  });
  port = createPicturePort(posting, async (url, init) => {
    sent.push(String(url));
    return globalThis.fetch(url, init);
  });
  const { ts } = await posting.chat.postMessage({ channel, text: 'the digest' });
  place = { channel, thread: MessageTs.parse(ts) };
});
afterEach(async () => {
  await slack.close();
});

const inThread = () => slack.thread('general', place.thread).slice(1);

describe('a picture', () => {
  it('arrives byte for byte, with what it says in words, and nobody sees it before it is shared', async () => {
    const id = await port.upload(picture);
    expect(inThread()).toEqual([]);
    await port.share([{ id, title: 'Credits' }], place, 'Credits and funnel');
    expect(slack.files()).toMatchObject([
      { id, name: 'credits.png', title: 'Credits', altText: 'Credits: 312 of 500 spent', channel: 'C1' },
    ]);
    expect(slack.files()[0]?.bytes.equals(png)).toBe(true);
    expect(inThread().map((it) => it.text)).toEqual(['Credits and funnel']);
  });

  it('says its words as they are: none of them is a mention or a link', async () => {
    const id = await port.upload(picture);
    await port.share([{ id, title: '<1% spent' }], place, '<1% spent · <!channel> & all');
    expect(inThread().map((it) => it.text)).toEqual(['&lt;1% spent · &lt;!channel&gt; &amp; all']);
  });

  it('goes with the others in one message', async () => {
    const files = [];
    for (const title of ['a', 'b', 'c']) files.push({ id: await port.upload(picture), title });
    await port.share(files, place, '');
    expect(inThread()).toHaveLength(1);
    expect(slack.files().map((it) => it.title)).toEqual(['a', 'b', 'c']);
  });

  it('has words of 1,000 characters at the most, on one line', async () => {
    const id = await port.upload({ ...picture, alt: 'line\n'.repeat(1_000) });
    await port.share([{ id, title: 't' }], place, '');
    const words = slack.files()[0]?.altText ?? '';
    expect(words).toMatch(/^line line .*…$/u);
    expect(words.length).toBeLessThanOrEqual(1_000);
  });

  it('sends no token with its bytes', async () => {
    let headers: unknown = 'none';
    const { posting } = createClients({
      botToken: new Secret(slack.botToken),
      apiUrl: slack.apiUrl,
      log: silentLog,
    });
    const watched = createPicturePort(posting, async (url, init) => {
      headers = init?.headers;
      return globalThis.fetch(url, init);
    });
    await watched.upload(picture);
    expect(headers).toBeUndefined();
  });
});

describe('whether pictures stand in a thread', () => {
  it('is seen by any one of their files', async () => {
    const id = await port.upload(picture);
    expect(await port.isShared([id], place)).toBe(false);
    await port.share([{ id, title: 'Credits' }], place, '');
    expect(await port.isShared([id], place)).toBe(true);
    expect(await port.isShared(['F0NOTHING', id], place)).toBe(true);
    expect(await port.isShared(['F0NOTHING'], place)).toBe(false);
    expect(await port.isShared([], place)).toBe(false);
  });

  it('of a thread that is gone is refused', async () => {
    const gone = { channel, thread: MessageTs.parse('1700000000.000001') };
    await expect(port.isShared(['F1'], gone)).rejects.toMatchObject({
      code: 'thread_not_found',
      end: 'refused',
    });
  });
});

describe('trouble', () => {
  const steps: readonly [method: string, FaultEffect, end: string][] = [
    ['files.getUploadURLExternal', { kind: 'ratelimited', retryAfterS: 20 }, 'rate-limited'],
    ['files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 'refused'],
    ['files.getUploadURLExternal', { kind: 'drop', when: 'before' }, 'unknown'],
    ['upload', { kind: 'status', status: 500, when: 'before' }, 'refused'],
    ['upload', { kind: 'drop', when: 'before' }, 'unknown'],
  ];
  it.each(steps)('%s %o is a %s upload', async (method, effect, end) => {
    slack.fault(method, effect);
    await expect(port.upload(picture)).rejects.toMatchObject({ name: 'SlackCallError', end });
    expect(slack.files()).toEqual([]);
  });

  it.each<[FaultEffect, string, number]>([
    [{ kind: 'drop', when: 'after' }, 'unknown', 1],
    [{ kind: 'status', status: 503, when: 'after' }, 'unknown', 1],
    [{ kind: 'drop', when: 'before' }, 'unknown', 0],
    [{ kind: 'error', error: 'channel_not_found' }, 'refused', 0],
    [{ kind: 'ratelimited', retryAfterS: 5 }, 'rate-limited', 0],
  ])('a share that meets %o ends %s, and is not asked for again', async (effect, end, standing) => {
    const id = await port.upload(picture);
    slack.fault('files.completeUploadExternal', effect);
    await expect(port.share([{ id, title: 't' }], place, '')).rejects.toMatchObject({ end });
    expect(inThread()).toHaveLength(standing);
  });

  it('of a file whose bytes never came is a refusal', async () => {
    await expect(port.share([{ id: 'F404', title: 't' }], place, '')).rejects.toMatchObject({
      code: 'file_not_found',
      end: 'refused',
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
    const thrown = await careful.upload(picture).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'upload_address', end: 'refused' });
    expect(sent).toEqual([]);
    expect(String(thrown)).not.toContain(upload_url);
  });

  it('the address that takes bytes stands in no log', async () => {
    await port.upload(picture);
    expect(sent).toHaveLength(1);
    expect(logLines.join('\n')).not.toContain(sent[0]);
  });
});
