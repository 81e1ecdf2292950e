/** The room of the workspace: Home, help, roles, settings, the marketplace account, and failed calls. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { ClockOffError } from '../../src/clock-watch.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';
import { channelUnreachableMessage, failureMessage } from '../../src/slack/core/failures.ts';
import { StorageError } from '../../src/storage/store.ts';
import { installedApp, type StoredAccount } from '../features/account-app.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Screen } from '../kit/read-screen.ts';
import { type Desk, FILTER, PATHS, SHOP, sendBid, startDesk } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const emptyTest = appTestWith({ empty: true });
const always = Number.POSITIVE_INFINITY;
const SLACK_IS_OUT = { kind: 'error', error: 'fatal_error' } as const;

/** A screen's lines from the first that begins so; to the line before the one that begins as `end`. */
function from({ text }: Screen, start: string, end?: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.replace(/^[│┌ #*]+/u, '').startsWith(start));
  const rest = lines.slice(Math.max(0, first));
  const last = rest.findIndex((line, at) => at > 0 && end !== undefined && line.includes(end));
  return rest.slice(0, last < 0 ? undefined : last).join('\n');
}

const ODD = `${'&<>`*_~|'.repeat(8)}${'N'.repeat(200)}`;

/** More channels than a Home shows, three of them with more subscriptions than it shows. */
async function followMuch({ slack, market, pass }: Desk): Promise<void> {
  slack.setRateLimits('off');
  for (let id = 201; id <= 204; id++) market.service.addFilter({ id, name: `${ODD}${id}` });
  for (let at = 0; at < 27; at++) {
    const channel = `a-${at}`;
    slack.addChannel({ name: channel, members: ['ada', 'ben'] });
    for (let id = 201; id <= (at < 3 ? 204 : 201); id++) {
      const text = `subscribe filter ${id} "${'<&>'.repeat(100)}"`;
      await slack.runSlashCommand({ user: 'ada', channel, text });
    }
    await pass(SECOND);
  }
}

describe('Home', () => {
  reviewed('with work', async ({ market, ada, ben, cem }) => {
    await ada.type('/gig digest at 09:00 Europe/Berlin daily');
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    await form.send({ 'Bidding setup': 'Fast setup', 'Cover letter': 'Dear client' });
    await ben.close();
    market.service.updateJob(market.jobs[0]?.id ?? 0, { reason: 'Disqualified: wrong stack' });
    const other = await market.publish({ title: 'A lake house' }).cardIn('web');
    await ben.press(other, 'Claim');
    await (await ben.press(other, 'Bid')).send({ 'Fixed-price': '3', 'Cover letter': 'Dear' });
    await ben.close();
    const settings = await ada.type('/gig settings');
    const quiet = await settings.press('Quiet Hours');
    await quiet.send({ 'Quiet hours': ['Every day', 'All day Saturday and Sunday'] });
    await ada.close();
    await ada.type('/gig pause 2h');
    expect((await ben.home()).text).toMatchSnapshot('of a bidder');
    expect(from(await ada.home(), 'Your channels', '# Auto')).toMatchSnapshot('channels of an admin');
    expect(from(await cem.home(), 'Project credits', '# Your')).toMatchSnapshot('of a member');
  });

  emptyTest('without anything', async ({ desk, slack, ada }) => {
    expect((await ada.home()).text).toMatchSnapshot('of an admin');
    slack.addChannel({ name: 'sales', withBot: false });
    await slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' });
    expect(from(await ada.home(), ':point_right:', '# Your')).toMatchSnapshot('invited');
    expect((await desk.person('gus', { guest: 'multi' }).home()).text).toMatchSnapshot('of a guest');
    slack.injectFault('users.info', SLACK_IS_OUT, always);
    expect((await desk.person('new').home()).text.split('\n').at(-1)).toMatchSnapshot('of nobody known');
  });

  appTest('in trouble', async ({ desk, market, slack, ada, ben, pass }) => {
    market.service.addFilter({ id: 102 });
    await ada.type('/gig subscribe filter 102', 'data');
    await ada.type('/gig budget 3', 'data');
    expect(from(await ben.home(), 'Project credits', '[Set Up]')).toMatchSnapshot('of a budget');
    expect(from(await ben.home(), 'Your channels', '[Edit]')).toMatchSnapshot('first');
    market.fail(PATHS.projects, { kind: 'answer', status: 401, json: { error: 'no' } }, always);
    await pass(5 * MINUTE);
    expect(from(await ben.home(), 'Project credits', ':point_right:')).toMatchSnapshot('of all feeds');
    const silence = slack.injectFault('users.conversations', { kind: 'hold' }, always);
    await slack.openHome({ user: 'ben' });
    await pass(SECOND);
    const shown = JSON.stringify(slack.home('ben')?.blocks);
    expect(/:warning: Slack hasn't[^"]*/u.exec(shown)?.[0]).toMatchSnapshot('from memory');
    silence.cancel();
    await pass(MINUTE);
    slack.injectFault('users.conversations', SLACK_IS_OUT, always);
    expect(from(await desk.person('new').home(), 'Your channels', '# Auto')).toMatchSnapshot('unconfirmed');
  });
  reviewed(
    'that is crowded fits, whatever the names, and counts the rest',
    async ({ desk, market, slack, ada, ben }) => {
      await followMuch(desk);
      const publish = (at: number) => market.publish({ ...SHOP, title: `${ODD} ${at}` }).cardIn('web');
      for (let at = 0; at < 8; at++) await sendBid(ben, await publish(at), { 'Cover letter': 'Dear client' });
      for (let at = 8; at < 15; at++) {
        const card = await publish(at);
        await ben.press(card, 'Claim');
        if (at < 13) await sendBid(ben, card, { 'Fixed-price': '3', 'Cover letter': 'Dear client' });
      }
      const { text } = await ben.home();
      const more = text.split('\n').filter((line) => line.startsWith('…and'));
      expect(more.join('\n')).toMatchSnapshot('what more there is');
      expect((await ada.home()).text).toContain('…and 3 more. See `/gig list` and');
      expect(slack.failedCalls()).toEqual([]);
    },
  );
});

describe('help', () => {
  emptyTest('and the answers to what is no command', async ({ ada }) => {
    expect((await ada.type('/gig help')).text).toMatchSnapshot('overview');
    expect((await ada.type('/gig help credits')).text).toMatchSnapshot('a topic');
    expect((await ada.type('/gig help budget')).text).toMatchSnapshot('a command');
    const mistakes = ['help nonsense', 'sttaus', `x${'y'.repeat(39_999)}`, 'access now', 'budget lots'];
    const answers: string[] = [];
    for (const words of mistakes) answers.push((await ada.type(`/gig ${words}`)).text);
    expect(answers.join('\n')).toMatchSnapshot('mistakes');
    expect((await ada.type('/gig')).text).toMatchSnapshot('the menu');
  });
});

describe('access', () => {
  emptyTest('in its form, and what is told of it', async ({ desk, slack, ada, ben }) => {
    slack.addUserGroup({ handle: 'leads', users: ['ben'] });
    const dan = desk.person('dan', { admin: true });
    const late = await dan.type('/gig access');
    const form = await ada.type('/gig access');
    expect(form.text).toMatchSnapshot('as it opens');
    expect(from(await form.press('Everywhere'), 'Roles', 'Bidders')).toMatchSnapshot('everywhere');
    await (await ada.form().press('In this channel')).send({
      'Admins: user groups': ['@leads'],
      Bidders: ['dan'],
    });
    expect(ada.notes('web').at(-1)?.text).toMatchSnapshot('saved');
    expect((await (await ada.type('/gig access')).send()).text).toMatchSnapshot('the same');
    expect(from(await late.send({ Bidders: [] }), '!', 'Roles')).toMatchSnapshot('changed by another');
    const channelForm = await ben.type('/gig access');
    expect(from(channelForm, 'Access', 'Bidders')).toMatchSnapshot('of a channel’s admin');
    slack.injectFault('usergroups.*', { kind: 'error', error: 'missing_scope' }, always);
    expect(from(await ada.type('/gig access', 'data'), '!', 'Roles granted')).toMatchSnapshot(
      'without groups',
    );
  });

  emptyTest('that is asked for', async ({ desk, ada, ben }) => {
    const cem = desk.person('cem');
    const refusal = await ben.type('/gig pause');
    expect(refusal.text).toMatchSnapshot('refused');
    expect((await refusal.press('Request Access')).text).toMatchSnapshot('asked');
    expect((await (await ben.type('/gig pause')).press('Request Access')).text).toMatchSnapshot(
      'asked again',
    );
    const post = ben.reads('web').at(-1) ?? expect.fail('no post');
    expect(post.text).toMatchSnapshot('open');
    await ada.press(post, 'Grant');
    expect([post, ...ben.inbox()].map(({ text }) => text).join('\n\n')).toMatchSnapshot('granted');
    const has = await cem.type('/gig pause');
    await has.press('Request Access');
    await ada.press(ben.reads('web').at(-1) ?? post, 'Decline');
    const declined = [ben.reads('web').at(-1), ...cem.inbox()];
    expect(declined.map((it) => it?.text).join('\n\n')).toMatchSnapshot('declined');
  });
});

describe('settings', () => {
  appTest('in their window and forms', async ({ desk, ada, ben, slack }) => {
    slack.addUserGroup({ handle: 'leads', users: ['ben'] });
    const window = await ada.type('/gig settings');
    for (const part of ['Updates', 'Quiet Hours', 'Mentions', 'Cards and Approvals', 'Budget']) {
      const form = await window.press(part);
      expect(form.text).toMatchSnapshot(part);
      await slack.closeView({ user: 'ada' });
    }
    const last = () => ben.reads('web').at(-1)?.text ?? '';
    const said: string[] = [];
    const change = async (part: string, input: Record<string, string | readonly string[]>) => {
      await (await ada.form().press(part)).send(input);
      said.push(last());
    };
    await change('Updates', { 'Updates in': 'Quiet', 'Card layout': 'Compact' });
    await change('Quiet Hours', { 'Quiet hours': ['Every day'], 'Time zone': 'Tokyo' });
    const country = {
      'Mention 1: matching projects': 'country:Germny',
      'Mention 1: user groups': ['@leads'],
    };
    await change('Mentions', country);
    await change('Cards and Approvals', {
      Threads: ['Move'],
      'Buttons on': ['Claim'],
      'Requests for': 'Open until',
    });
    expect(said.join('\n\n')).toMatchSnapshot('changes');
    const seen = await ben.type('/gig settings');
    expect(seen.text).toMatchSnapshot('of a member');
    const dan = desk.person('dan', { admin: true });
    const late = await (await dan.type('/gig settings')).press('Quiet Hours');
    await change('Quiet Hours', { 'Quiet hours': [], 'Time zone': '' });
    await late.send({ 'Time zone': 'Berlin' });
    await (await dan.form().press('Updates')).send();
    expect(
      dan
        .notes('web')
        .map(({ text }) => text)
        .join('\n'),
    ).toMatchSnapshot('overwritten, then the same');
  });
});

it('the marketplace account', async () => {
  const account: StoredAccount = { installedBy: 'U00000001' as StoredAccount['installedBy'] };
  const desk = await startDesk({ createApp: installedApp(account), empty: true });
  const { market, pass } = desk;
  const ada = desk.person('ada');
  market.service.addFilter(FILTER);
  await pass(5 * SECOND);
  const shown: Record<string, string> = { request: ada.inbox()[0]?.text ?? '' };
  const home = await ada.home();
  shown['Home'] = from(home, 'Connect your', '# Your');
  shown['Home of a member'] = from(await desk.person('ben').home(), ':information_source:', '# Your');
  shown['a command'] = (await ada.type('/gig setups')).text.split('\n')[0] ?? '';
  const form = await home.press('Connect Your');
  shown['form'] = form.text;
  shown['no token'] = (await form.send({ 'API token': 'abc def' })).text.split('\n').at(-1) ?? '';
  const wait = market.fail('/auto-bidding/setups', { kind: 'hold-headers' });
  shown['checking'] = (await form.send({ 'API token': 'another' })).text;
  wait.release();
  await pass(10 * SECOND);
  shown['refused'] = ada.form().text.split('\n').slice(0, 4).join('\n');
  await ada.form().send({ 'API token': market.service.token });
  do await pass(5 * SECOND);
  while (account.isReopening);
  shown['connected'] = ada.form().text;
  await ada.close();
  shown['request, then'] = ada.inbox()[0]?.text ?? '';
  shown['Home, then'] = from(home, 'Marketplace account', '`/gig help`');
  await home.press('Remove');
  do await pass(5 * SECOND);
  while (account.isReopening);
  shown['removed'] = home.text.split('\n')[0] ?? '';
  await desk.stop();
  const lines = Object.entries(shown).map(([name, text]) => `# ${name}\n${text}`);
  expect(lines.join('\n\n')).toMatchSnapshot();
});

describe('a failed call', () => {
  const at = Date.UTC(2026, 0, 5, 9);
  const told = (error: unknown) => failureMessage(error, '7F3K2', at).text.replace('\n_ref 7F3K2_', '');
  const cause = (code: string) => ({ cause: Object.assign(new Error('no'), { code }) });
  const marketplace: readonly (readonly [MarketplaceErrorCode, object?])[] = [
    ['unauthorised'],
    ['subscription-inactive'],
    ['credits-depleted', { creditsNeeded: 20, creditsRemaining: 1_234, creditsResetAt: at }],
    ['credits-depleted'],
    ['forbidden', { serverMessage: 'no <!here>' }],
    ['not-found'],
    ['not-connected'],
    ['rate-limited', { retryAfterMs: 40_000 }],
    ['server'],
    ['network'],
    ['network', cause('ENOTFOUND')],
    ['network', cause('SELF_SIGNED_CERT_IN_CHAIN')],
    ['timeout'],
    ['unreadable'],
    ['gate-timeout', { retryAfterMs: 20_000 }],
    ['bad-request', { fields: { 'hourly_rate.rate': '<3 to 999>' } }],
  ];

  it('of the marketplace', () => {
    const texts = marketplace.map(([code, details = {}]) =>
      told(new MarketplaceError(code, 'none', 'inner words', details)),
    );
    for (const text of texts) expect(text).not.toContain('inner words');
    expect(texts.join('\n')).toMatchSnapshot();
  });

  it('of Slack, the disk, the clock, or anything else', () => {
    const codes = [
      'expired_trigger_id',
      'not_found',
      'hash_conflict',
      'push_limit_reached',
      'missing_scope',
      'odd',
    ];
    const errors = [
      ...codes.map((code) => new SlackCallError(code, 'refused')),
      new SlackCallError('timeout', 'unknown'),
      new StorageError('full', 'inner words'),
      new ClockOffError(-2 * HOUR),
      new Error('inner words'),
    ];
    const places = ['not_in_channel', 'direct_message', 'missing_scope', 'is_archived'];
    const texts = [...errors.map(told), ...places.map((code) => channelUnreachableMessage(code).text)];
    for (const text of texts) expect(text).not.toContain('inner words');
    expect(texts.join('\n')).toMatchSnapshot();
  });
});
