/** The edge to Slack: acknowledgements, slow answers, what nobody handles, failures and the end. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { objectOrEmpty } from '../../src/workbench/slack/json-reading.ts';
import type { Block } from '../../src/workbench/slack/objects.ts';
import type { SentAppRequest } from '../../src/workbench/slack/simulated-slack.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, FAST_SETUP, FILTER, PATHS, SHOP, setRules } from '../kit/start-desk.ts';

const HELD = { kind: 'hold-headers' } as const;
const INPUT = { 'Bidding setup': FAST_SETUP.name, 'Cover letter': 'Our letter' };
const always = Number.POSITIVE_INFINITY;

/** What this person alone was told since the desk opened. */
const notesOf = (person: Person) =>
  person
    .notes('web')
    .map((it) => it.text)
    .filter((it) => !it.startsWith('Access saved'));

/** Makes the disk hang. @returns what lets it go on */
function holdDisk({ app }: Desk): () => void {
  let goOn = () => {};
  app.room.until = new Promise((resolve) => {
    goOn = resolve;
  });
  return goOn;
}

/** Starts a lookup that the marketplace doesn't answer until `release`. */
function lookUpSlowly({ market, slack }: Desk) {
  const { ciphertext } = market.publish(SHOP, []).project;
  const fault = market.fail(PATHS.lookup, HELD);
  const sent = slack.runSlashCommand({ user: 'cem', channel: 'web', text: `lookup ${ciphertext}` });
  return { ciphertext, release: () => fault.release(), sent };
}

/** The request that Slack sent last, with other fields. */
function lastRequest({ slack }: Desk, fields: object): SentAppRequest {
  const sent = slack.sentRequests().at(-1) ?? expect.fail('Slack sent nothing');
  return { ...sent, payload: { ...sent.payload, trigger_id: 'another', ...fields } };
}

describe('while the disk hangs', () => {
  const onDisk = appTestWith({ realDisk: true });

  onDisk('commands and presses are acknowledged at once', async ({ desk, app, market, slack }) => {
    const card = await market.publish().cardIn('web');
    const { shown } = card;
    if (!shown || !('message' in shown)) return expect.fail('no card');
    const goOn = holdDisk(desk);
    const at = app.clock.now();
    const sent = await Promise.all([
      slack.runSlashCommand({ user: 'ben', channel: 'web', text: 'help' }),
      slack.press({ user: 'ben', ...shown, actionId: 'card_claim', force: true }),
      slack.messageShortcut({ user: 'ben', ...shown, callbackId: 'look_up_project' }),
      slack.mentionApp({ user: 'ben', channel: 'web', text: 'help' }),
    ]);
    expect(sent.map(({ acked }) => acked)).toEqual([true, true, true, true]);
    expect(app.clock.now()).toBe(at);
    expect(card.text).not.toContain('@ben');
    goOn();
    await desk.pass(MINUTE);
    expect(card.text).toContain('@ben');
  });

  onDisk(
    'a form that can’t be saved within 2 s stays open, and nothing comes of it later',
    async ({ desk, app, market, slack, ben }) => {
      const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
      const goOn = holdDisk(desk);
      const at = app.clock.now();
      const open = slack.view('ben') ?? expect.fail('no form');
      const sent = slack.submitView({ user: 'ben', view: open });
      await app.pass(1_900);
      expect(slack.sentRequests().at(-1)?.acked).toBe(false);
      await app.pass(100);
      const { action, errors } = await sent;
      expect([action, app.clock.now() - at]).toEqual(['errors', 2_000]);
      const [, ref = 'none'] = /ref (\w{5})/u.exec(Object.values(errors).join()) ?? [];
      expect(app.logLines.filter((it) => it.includes(`"ref":"${ref}"`))).toHaveLength(1);
      goOn();
      await desk.pass(MINUTE);
      expect(market.requests(PATHS.bid)).toEqual([]);
      expect(slack.view('ben')?.id).toBe(open.id);
      await form.send(INPUT);
      expect(market.jobs).toHaveLength(1);
    },
  );
});

describe('an answer that takes long', () => {
  appTest(
    'is announced to the person alone after 2 s, and says what it answers',
    async ({ desk, cem, ben }) => {
      const { ciphertext, release } = lookUpSlowly(desk);
      await desk.app.pass(1_900);
      expect(notesOf(cem)).toEqual([]);
      await desk.app.pass(200);
      expect(notesOf(cem)).toEqual([expect.stringContaining(ciphertext)]);
      release();
      await desk.pass(5 * SECOND);
      const [, answer, ...more] = notesOf(cem);
      expect(answer?.split('\n')[0]).toContain(`lookup ${ciphertext}`);
      expect([more, notesOf(ben)]).toEqual([[], []]);
    },
  );

  appTest(
    'of a failure says what was asked, and has a reference in the log',
    async ({ desk, market, cem }) => {
      market.fail(PATHS.lookup, HELD, always);
      const { ciphertext } = lookUpSlowly(desk);
      await desk.pass(30 * SECOND);
      const answer = notesOf(cem).at(-1) ?? '';
      expect(answer).toContain(`lookup ${ciphertext}`);
      expect(answer).not.toMatch(/hold|fetch|socket/u);
      const [, ref = 'none'] = /ref (\w{5})/u.exec(answer) ?? [];
      expect(desk.app.logLines.filter((it) => it.includes(`"ref":"${ref}"`))).toHaveLength(1);
    },
  );

  appTest('replaces the pressed list, unless it was announced', async ({ desk, market, ada }) => {
    for (let count = 0; count < 25; count++) market.service.addResult({ filterId: FILTER.id });
    const list = await ada.type(`/gig results ${FILTER.id}`);
    await list.press('Next');
    expect(notesOf(ada)).toEqual([expect.stringContaining('page 2')]);
    market.fail('/filters/*/results', { kind: 'hold-headers', ms: 3_000 });
    await list.press('Previous');
    await desk.pass(5 * SECOND);
    const [before, announced, late, ...more] = notesOf(ada);
    expect(before).toContain('page 2');
    expect(announced).toContain('“Previous”');
    expect(late).toMatch(/“Previous”[\s\S]*page 1/u);
    expect(more).toEqual([]);
  });
});

describe('an answer finds its person', () => {
  appTest.for([404, 500])('where Slack answers %i at its address', async (status, { slack, cem }) => {
    slack.injectFault('response_url', { kind: 'status', status });
    expect((await cem.type('/gig help')).text).toContain('subscribe');
    expect(notesOf(cem)).toHaveLength(1);
  });

  appTest('once in a channel, where Slack loses what it answered', async ({ slack, ada }) => {
    slack.injectFault('response_url', { kind: 'status', status: 500, when: 'after' });
    await ada.type('/gig budget 321');
    expect(ada.reads('web').filter((it) => it.text.includes('321'))).toHaveLength(1);
  });

  appTest('after the half hour of its address', async ({ desk, cem }) => {
    const { ciphertext, release } = lookUpSlowly(desk);
    await desk.app.settle();
    desk.app.clock.moveInOneStep(desk.app.clock.now() + 31 * MINUTE);
    release();
    await desk.pass(MINUTE);
    expect(notesOf(cem).at(-1)).toMatch(new RegExp(`^Answer to .*${ciphertext}`, 'u'));
  });
});

describe('what nobody handles is answered', () => {
  appTest('a button, a shortcut and a form of an older version', async ({ desk, market, slack, ben }) => {
    const card = await market.publish().cardIn('web');
    const { shown } = card;
    if (!shown || !('message' in shown)) return expect.fail('no card');
    const before = notesOf(ben).length;
    await desk.settleAfter(slack.press({ user: 'ben', ...shown, actionId: 'gone', force: true }));
    await desk.settleAfter(slack.messageShortcut({ user: 'ben', ...shown, callbackId: 'gone' }));
    expect(notesOf(ben).slice(before)).toEqual([
      expect.stringContaining('no longer works'),
      expect.stringContaining('no longer works'),
    ]);
    await (await ben.press(card, 'Bid')).send(INPUT);
    const view = { ...(lastRequest(desk, {}).payload['view'] as object), callback_id: 'gone' };
    expect(await slack.resendRequest(lastRequest(desk, { view }))).toMatchObject({
      acked: true,
      body: undefined,
    });
    await desk.pass(5 * SECOND);
    expect(ben.inbox().at(-1)?.text).toContain('older version');
  });

  appTest('a command of another workspace, which the log names', async ({ desk, slack, cem }) => {
    await cem.type('/gig help');
    await slack.resendRequest(lastRequest(desk, { team_id: 'T0OTHER' }));
    await desk.pass(SECOND);
    expect(notesOf(cem).slice(1)).toEqual([expect.stringContaining('another workspace')]);
    expect(desk.app.logLines.some((it) => it.includes('T0OTHER'))).toBe(true);
  });

  appTest('a form of another workspace, which stays open', async ({ desk, market, slack, ben }) => {
    const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
    await form.send(INPUT);
    const { payload } = lastRequest(desk, {});
    const view = { ...(payload['view'] as object), app_installed_team_id: 'T0OTHER' };
    const { body } = await slack.resendRequest(lastRequest(desk, { view }));
    expect(body).toMatchObject({ response_action: 'errors' });
    expect(JSON.stringify(body)).toContain("isn't set up for this workspace");
    await desk.pass(MINUTE);
    expect(market.jobs).toHaveLength(1);
  });

  appTest('a form of somebody whose role is gone, which says so', async ({ desk, market, ada, ben }) => {
    const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
    await (await ada.type('/gig access')).send({ Bidders: [] });
    expect((await form.send(INPUT)).text).toMatch(/only bidders/iu);
    expect(ben.form().text).toMatch(/only bidders/iu);
    await desk.pass(MINUTE);
    expect(market.requests(PATHS.bid)).toEqual([]);
  });

  appTest('a person whom Slack can’t tell about, who is asked to try again', async ({ desk, slack }) => {
    const dan = desk.person('dan');
    slack.injectFault('users.info', { kind: 'drop', when: 'before' }, always);
    const { text } = await dan.type('/gig status');
    await desk.pass(10 * SECOND);
    expect(notesOf(dan).at(-1)).toMatch(/again/u);
    expect(text).not.toMatch(/guest/iu);
  });
});

appTest(
  'a link that is still being typed, and one of elsewhere, shows nothing',
  async ({ desk, slack, ada }) => {
    await ada.type('/gig budget 100');
    const { url } = desk.market.publish(SHOP, []).project;
    const message = slack.postAsUser({ user: 'ben', channel: 'web', text: url });
    const links = [{ url, domain: new URL(url).hostname }, { url: 7 }, null];
    const ids = { channel: slack.channel('web').id, user: slack.user('ben').id, message_ts: message.ts };
    await slack.sendEvent('link_shared', { ...ids, links, source: 'composer' });
    await desk.pass(MINUTE);
    const sent = slack.sentRequests().at(-1) ?? expect.fail('no event');
    const event = { ...(sent.payload['event'] as object), source: 'conversations_history' };
    const other = { event, event_id: 'Ev0OTHER', team_id: 'T0OTHER', authorizations: [] };
    await slack.resendRequest({ ...sent, payload: { ...sent.payload, ...other } });
    await desk.pass(MINUTE);
    expect(slack.apiCalls('chat.unfurl')).toEqual([]);
    const authorizations = [{ team_id: slack.team.id }];
    await slack.resendRequest({
      ...sent,
      payload: { ...sent.payload, ...other, event_id: 'Ev0SHARED', authorizations },
    });
    await desk.pass(MINUTE);
    expect(slack.apiCalls('chat.unfurl')).toHaveLength(1);
  },
);

/** The form that was sent last. */
function lastForm({ slack }: Desk): SentAppRequest {
  const isForm = ({ payload }: SentAppRequest) => payload['type'] === 'view_submission';
  return slack.sentRequests().findLast(isForm) ?? expect.fail('no form');
}

appTest('a form that Slack sends again is answered once', async ({ desk, slack, ada }) => {
  await setRules(ada, { 'Cancel window': '1 minute' });
  const before = notesOf(ada).length;
  await slack.resendRequest(lastForm(desk));
  await desk.pass(MINUTE);
  expect(notesOf(ada)).toHaveLength(before);
});

appTest('errors stand at inputs that the form has', async ({ desk, slack, market, ben }) => {
  const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
  await form.send({ ...INPUT, 'Fixed-price bid': 'much' });
  const { payload, ...rest } = lastForm(desk);
  const view = payload['view'] as { readonly blocks: readonly Block[] };
  const [first] = view.blocks.filter((it) => it.type === 'input');
  const fewer = { ...view, blocks: [first ?? expect.fail('no input')] };
  const { body } = await slack.resendRequest({
    ...rest,
    payload: { ...payload, trigger_id: 'another', view: fewer },
  });
  expect(Object.keys(objectOrEmpty(objectOrEmpty(body)['errors']))).toEqual([first?.block_id]);
});

appTest('what bots write, and what people edit, is no request', async ({ desk, slack, ben }) => {
  await desk.settleAfter(slack.mentionApp({ user: 'ben', channel: 'web', text: 'help' }));
  const sent = slack.sentRequests().at(-1) ?? expect.fail('no mention');
  const told = () => ben.reads('web').length + ben.notes('web').length;
  const before = told();
  const event = sent.payload['event'] as object;
  for (const [event_id, more] of Object.entries({
    EvBOT: { bot_id: 'B0OTHER' },
    EvOWN: { user: slack.bot.userId },
    EvEDIT: { subtype: 'message_changed' },
  }))
    await slack.resendRequest({
      ...sent,
      payload: { ...sent.payload, event_id, event: { ...event, ...more } },
    });
  await desk.pass(MINUTE);
  expect(told()).toBe(before);
});

describe('when the app ends', () => {
  const MODES = ['socket', 'http'] as const;

  for (const mode of MODES)
    appTestWith({ mode })(
      `people are told to try again, and events are left to the next, in ${mode} mode`,
      async ({ desk, app, market, slack, ben, cem }) => {
        const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
        const open = slack.view('ben') ?? expect.fail('no form');
        const { release } = lookUpSlowly(desk);
        await app.settle();
        const ended = app.end();
        const late = await slack.runSlashCommand({ user: 'ben', channel: 'web', text: 'help' });
        const link = { channel: slack.channel('web').id, user: slack.user('ben').id, message_ts: '1.5' };
        const event = await slack.sendEvent('link_shared', { ...link, links: [] });
        const { action } = await slack.submitView({ user: 'ben', view: open });
        release();
        await ended;
        expect([late.acked, event.acked, action]).toEqual([true, false, 'errors']);
        expect(notesOf(ben).at(-1)).toMatch(/restarting/u);
        expect(notesOf(cem).at(-1)).toContain(SHOP.title);
        await app.start();
        await form.send(INPUT);
        expect(market.jobs).toHaveLength(1);
      },
    );
});

appTest('a lost socket is connected again, and commands are answered', async ({ desk, slack, cem }) => {
  for (const lose of [() => slack.cutSockets(), () => slack.refreshSockets()]) {
    lose();
    await desk.pass(10 * SECOND);
    expect(slack.sockets).toBe(1);
    expect((await cem.type('/gig help')).text).toContain('subscribe');
  }
});
