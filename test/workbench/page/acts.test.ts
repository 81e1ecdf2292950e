/** User actions in the page, with the real app: it gets every event as from Slack. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import type {
  PageAction,
  ShownElement,
  ShownMessage,
  ShownView,
} from '../../../src/workbench/page/protocol.ts';
import { type Desk, startDesk } from '../../kit/start-desk.ts';
import { openPage, type PageWorld } from './page-world.ts';

function elementsOf({ blocks }: Pick<ShownMessage | ShownView, 'blocks'>): readonly ShownElement[] {
  return blocks.flatMap((block): readonly ShownElement[] => {
    if (block.kind === 'actions') return block.elements;
    if (block.kind === 'input') return [block.element];
    return block.kind === 'section' && block.accessory ? [block.accessory] : [];
  });
}

function buttonOf(on: Pick<ShownMessage | ShownView, 'blocks'>, label: string): ShownElement {
  return elementsOf(on).find((each) => each.label === label) ?? expect.fail(`no button ${label}`);
}

/** All drawn content without the controls. */
function htmlOf(shown: Pick<ShownMessage, 'blocks' | 'html'>): string {
  return [shown.html ?? '', ...shown.blocks.map((block) => ('html' in block ? block.html : ''))].join('');
}

let page: PageWorld;
let project: ReturnType<Desk['market']['publish']>['project'];

beforeEach(async () => {
  const desk = await startDesk({});
  const published = desk.market.publish();
  project = published.project;
  await published.cardIn('web');
  page = await openPage(desk);
});

afterEach(async () => {
  const errors = page.slack.failedCalls();
  await page.stop();
  expect(errors.filter(({ method }) => method !== 'apps.connections.open')).toEqual([]);
});

const web = () => page.slack.channel('web').id;

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
    expect(page.slack.sentRequests().at(-1)).toMatchObject({ via: 'socket', type: 'slash_commands' });
  });

  it('Claim changes the card for everyone, and shows by whom', async () => {
    expect(await press('ben', await card(), 'Claim')).toEqual({ ok: true });
    const shown = await card('ada');
    expect(htmlOf(shown)).toMatch(/<span class="mention">@ben<\/span>/u);
    expect(elementsOf(shown).map(({ actionId }) => actionId)).toContain(actionIds.release);
  });

  it('a link that somebody posts is unfurled below it', async () => {
    const text = `Look: ${project.url} & more`;
    await page.act({ as: page.id('ben'), kind: 'say', channel: web(), text });
    const said = (await page.channel('ada', 'web')).at(-1);
    expect(said?.html).toBe(
      `<p>Look: <a class="link" href="${project.url}" target="_blank" ` +
        `rel="noopener noreferrer">${project.url}</a> &amp; more</p>`,
    );
    expect(said?.unfurls.map(({ url }) => url)).toEqual([project.url]);
    expect(htmlOf({ blocks: said?.unfurls[0]?.blocks ?? [] })).toContain('Rebuild our checkout');
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
    expect(htmlOf(await modal())).toContain(`#${page.marketplace.jobs()[0]?.id}`);
    expect(await page.act({ as: page.id('ben'), kind: 'close', all: true })).toEqual({ ok: true });
    expect(await page.views('ben')).toEqual([]);
    expect(await page.act({ as: page.id('ben'), kind: 'close' })).toMatchObject({ ok: false });
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
    page.slack.cutSockets();
    page.slack.refuseSockets('internal_error');
    const typed = { as: page.id('ben'), kind: 'command', channel: web(), text: '/gig status' } as const;
    expect(await page.act(typed)).toEqual({ ok: true, notice: expect.stringContaining('dispatch_failed') });
    expect(await press('ben', await card(), 'Claim')).toMatchObject({
      ok: true,
      notice: expect.stringContaining('gigdesk'),
    });
    page.slack.refuseSockets(undefined);
    await page.desk.app.until('it is back', () => page.slack.sockets > 0);
    await page.desk.pass(SECOND);
  });
});
