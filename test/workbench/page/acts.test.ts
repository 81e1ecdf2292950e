/** User actions in the page, with the real app: it gets every event as from Slack. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import type { PageAction, ShownMessage, ShownView } from '../../../src/workbench/page/protocol.ts';
import { type BidWorld, onlyJob, startBidWorld } from '../../features/bidder.ts';
import { buttonOf, elementsOf, htmlOf, openPage, type PageWorld } from './page-world.ts';

let bid: BidWorld;
let page: PageWorld;

beforeEach(async () => {
  bid = await startBidWorld();
  page = await openPage(bid.world);
});

afterEach(async () => {
  const errors = bid.world.slack.failedCalls();
  await page.stop();
  expect(errors.filter(({ method }) => method !== 'apps.connections.open')).toEqual([]);
});

const web = () => bid.world.slack.channel('web').id;

async function card(user = 'ben'): Promise<ShownMessage> {
  const messages = await page.channel(user, 'web');
  return messages.findLast((it) => htmlOf(it).includes('Rebuild our checkout')) ?? expect.fail('no card');
}

async function press(user: string, on: ShownMessage | ShownView, label: string, values = {}) {
  const { actionId, blockId } = buttonOf(on, label);
  const place = 'ts' in on ? { channel: on.channel, ts: on.ts } : { view: on.id };
  return page.act({ as: page.id(user), kind: 'press', on: place, actionId, blockId, values });
}

async function modal(user = 'ben'): Promise<ShownView> {
  return (await page.views(user)).at(-1) ?? expect.fail('no window is open');
}

describe('messages', () => {
  it('a command is answered to the person alone', async () => {
    const typed = { as: page.id('ben'), kind: 'command', channel: web(), text: '/gig status' } as const;
    expect(await page.act(typed)).toEqual({ ok: true });
    const answer = (await page.channel('ben', 'web')).at(-1);
    expect(answer).toMatchObject({ onlyMe: true, byBot: true, author: 'gigdesk' });
    expect((await page.channel('ada', 'web')).map(({ ts }) => ts)).not.toContain(answer?.ts);
    expect(bid.world.slack.sentRequests().at(-1)).toMatchObject({ via: 'socket', type: 'slash_commands' });
  });

  it('people and channels that are typed arrive as ids', async () => {
    await page.act({
      as: page.id('ben'),
      kind: 'command',
      channel: web(),
      text: '/gig lookup @ada <b> #web https://x.example/a?b=1&c=2.',
    });
    expect(bid.world.slack.sentRequests().at(-1)?.payload['text']).toBe(
      `lookup <@${page.id('ada')}|ada> &lt;b&gt; <#${web()}|web> <https://x.example/a?b=1&amp;c=2>.`,
    );
  });

  it('Claim changes the card for everyone, and shows by whom', async () => {
    expect(await press('ben', await card(), 'Claim')).toEqual({ ok: true });
    const shown = await card('ada');
    expect(htmlOf(shown)).toMatch(/<span class="mention">@ben<\/span>/u);
    expect(elementsOf(shown).map(({ actionId }) => actionId)).toContain(actionIds.release);
  });

  it('an option of the menu is chosen, and opens a window', async () => {
    const shown = await card();
    const menu = elementsOf(shown).find(({ type }) => type === 'overflow') ?? expect.fail('no menu');
    const { actionId, blockId } = menu;
    const on = { channel: shown.channel, ts: shown.ts };
    const skip = { as: page.id('ben'), kind: 'choose', on, actionId, blockId, option: 'skip' } as const;
    expect(await page.act(skip)).toEqual({ ok: true });
    await bid.world.slack.submitView({ user: 'ben', values: { reason: 'client' } });
    await bid.world.pass(SECOND);
    const skipped = await card();
    expect(htmlOf(skipped)).toMatch(/<span class="mention">@ben<\/span>/u);
    expect(elementsOf(skipped).map(({ actionId: id }) => id)).toEqual([actionIds.unskip]);
  });

  it('a link that somebody posts is unfurled below it', async () => {
    const text = `Look: ${bid.project.url} & more`;
    await page.act({ as: page.id('ben'), kind: 'say', channel: web(), text });
    const said = (await page.channel('ada', 'web')).at(-1);
    expect(said?.html).toBe(
      `<p>Look: <a class="link" href="${bid.project.url}" target="_blank" ` +
        `rel="noopener noreferrer">${bid.project.url}</a> &amp; more</p>`,
    );
    expect(said?.unfurls.map(({ url }) => url)).toEqual([bid.project.url]);
    expect(htmlOf({ blocks: said?.unfurls[0]?.blocks ?? [] })).toContain('Rebuild our checkout');
  });

  it('a shortcut works on a message', async () => {
    await page.act({ as: page.id('ben'), kind: 'say', channel: web(), text: `See ${bid.project.url}` });
    const { ts } = (await page.channel('ben', 'web')).at(-1) ?? expect.fail();
    const shortcut = {
      as: page.id('ben'),
      kind: 'shortcut',
      callbackId: 'look_up_project',
      channel: web(),
      ts,
    } as const;
    expect(await page.act(shortcut)).toEqual({ ok: true });
    expect((await page.channel('ben', 'web')).at(-1)).toMatchObject({ onlyMe: true });
  });
});

describe('windows', () => {
  it('a form opens, tells mistakes at its fields, is sent, and closes', async () => {
    await press('ben', await card(), 'Bid');
    const form = await modal();
    expect(form).toMatchObject({ type: 'modal', title: expect.any(String), submit: expect.any(String) });
    const amount =
      form.blocks.find((block) => block.kind === 'input' && block.blockId === 'bid_amount') ??
      expect.fail('no amount');
    // The page may still show a field that the app has just removed.
    const typed = (value: string) => ({ [amount.blockId]: value, 'removed:2.choice': 'b' });
    const send = (value: string) =>
      page.act({ as: page.id('ben'), kind: 'submit', view: form.id, values: typed(value) });
    expect(await send('3')).toEqual({ ok: true, errors: { [amount.blockId]: expect.stringContaining('5') } });
    expect(await send('500')).toEqual({ ok: true });
    expect(htmlOf(await modal())).toContain(`#${onlyJob(bid.world).id}`);
    expect(await page.act({ as: page.id('ben'), kind: 'close', all: true })).toEqual({ ok: true });
    expect(await page.views('ben')).toEqual([]);
    const again = await page.act({ as: page.id('ben'), kind: 'close' });
    expect(again).toMatchObject({ ok: false });
    expect(again).toMatchSnapshot();
  });

  it('a choice that the app hears of at once changes the form', async () => {
    await press('ben', await card(), 'Bid');
    const form = await modal();
    const when = elementsOf(form).find(({ blockId: id }) => id === 'when') ?? expect.fail('no menu');
    const option = when.options?.find(({ value }) => value === 'at')?.value ?? '';
    const { actionId, blockId } = when;
    const values = { 'removed:2.choice': 'b' };
    const choice = { kind: 'choose', on: { view: form.id }, actionId, blockId, option, values } as const;
    expect(await page.act({ as: page.id('ben'), ...choice })).toEqual({ ok: true });
    const changed = await modal();
    expect(changed.hash).not.toBe(form.hash);
    expect(elementsOf(changed).map(({ type }) => type)).toContain('date-time');
  });

  it('the Home is published when it is opened', async () => {
    expect(await page.get(`/api/home?as=${page.id('ben')}`)).toBeNull();
    expect(await page.act({ as: page.id('ben'), kind: 'open-home' })).toEqual({ ok: true });
    expect(await page.get(`/api/home?as=${page.id('ben')}`)).toMatchObject({ type: 'home' });
  });
});

describe('what can’t be done is said in a sentence', () => {
  it.each([['press'], ['submit'], ['elsewhere'], ['no slash']] as const)('%s', async (what) => {
    const as = page.id('ben');
    const on = { channel: web(), ts: '1.000001' };
    const acts: Readonly<Record<typeof what, PageAction>> = {
      press: { as, kind: 'press', on, actionId: 'x', blockId: 'y' },
      submit: { as, kind: 'submit', view: 'V1', values: {} },
      elsewhere: { as, kind: 'command', channel: 'C1', text: '/gig' },
      'no slash': { as, kind: 'command', channel: web(), text: 'gig' },
    };
    const answer = await page.act(acts[what]);
    expect(answer).toMatchObject({ ok: false, problem: expect.any(String) });
    expect(answer).toMatchSnapshot();
  });

  it('what no app offers is no option of it', async () => {
    const { channel, ts, blocks } = await card();
    const menu = elementsOf({ blocks }).find(({ type }) => type === 'overflow') ?? expect.fail('no menu');
    const { actionId, blockId } = menu;
    const as = page.id('ben');
    const answer = await page.act({
      as,
      kind: 'choose',
      on: { channel, ts },
      actionId,
      blockId,
      option: 'no',
    });
    expect(answer).toMatchObject({ ok: false, problem: expect.stringMatching(/"no"/u) });
    const asked = await page.act({
      as,
      kind: 'suggest',
      on: { channel, ts },
      actionId: 'no',
      blockId,
      query: 'abc',
    });
    expect(asked).toMatchObject({ ok: false, problem: expect.stringMatching(/"no"/u) });
  });

  it('an app that does not answer is told as Slack tells it', async () => {
    bid.world.slack.cutSockets();
    bid.world.slack.refuseSockets('internal_error');
    const typed = { as: page.id('ben'), kind: 'command', channel: web(), text: '/gig status' } as const;
    expect(await page.act(typed)).toEqual({ ok: true, notice: expect.stringContaining('dispatch_failed') });
    expect(await press('ben', await card(), 'Claim')).toMatchObject({
      ok: true,
      notice: expect.stringContaining('gigdesk'),
    });
    bid.world.slack.refuseSockets(undefined);
    await bid.world.until('it is back', () => bid.world.slack.sockets > 0);
    await bid.world.pass(SECOND);
  });
});
