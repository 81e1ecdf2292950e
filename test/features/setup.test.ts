/** From an invitation to the first card: the welcome, Home's next steps and the bot's answers. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { unsubscribe } from './buttons.ts';
import { expectDecentMessage, expectDecentView, expectHealthy } from './healthy.ts';
import { HomeAtHand } from './home-desk.ts';
import { inviteBot, startSetupWorld } from './setup-world.ts';
import { SubscriptionForm } from './subscription-form.ts';
import { posted, postOf, type World, wordsOf } from './world.ts';

let world: World;
let form: SubscriptionForm;
afterEach(() => world.stop());

async function begin(): Promise<void> {
  world = await startSetupWorld();
  form = new SubscriptionForm(world);
}

const channelWords = (channel: string) => world.slack.messages(channel).map(wordsOf).join('\n');
const credits = () => world.marketplace.consumedCredits().total;

describe('an invitation', () => {
  it('is welcomed once, in a few lines with one primary button, however often Slack sends it', async () => {
    await begin();
    const welcome = await inviteBot(world);
    expect(welcome.text.length).toBeGreaterThan(60);
    expect(welcome.text.length).toBeLessThan(1_500);
    expect(JSON.stringify(welcome.blocks).match(/"style":"primary"/gu)).toHaveLength(1);
    expectDecentMessage(welcome);
    const sent = world.slack.sentRequests().find(({ type }) => type === 'events_api');
    await world.crash();
    await world.restart();
    if (sent) await world.slack.resendRequest(sent);
    await world.pass(10 * SECOND);
    expect(posted(world, 'welcome', 'sales')).toHaveLength(1);
    world.slack.removeBot('sales');
    await inviteBot(world);
    expect(posted(world, 'welcome', 'sales')).toHaveLength(2);
    expectHealthy(world);
  });

  it('shows what is set up afterwards, with buttons that edit it', async () => {
    await begin();
    await form.openWith(await inviteBot(world), 'Set Up This Channel');
    await form.submit({ filter: '101', without: 'php' });
    await form.submit({});
    const now = () => posted(world, 'welcome', 'sales').at(-1) ?? expect.fail('no welcome');
    expect(wordsOf(now())).toMatch(/set up.*React work.*-php/su);
    expect(JSON.stringify(now().blocks)).not.toContain('"style":"primary"');
    expectDecentMessage(now());
    await form.openWith(now(), 'Edit', 'ben');
    expect(form.words('ben')).toContain('"php"');
    await form.submit({ without: 'wordpress' }, 'ben');
    await world.pass(5 * SECOND);
    expect(wordsOf(now())).toContain('-wordpress');
    await form.close('ben');
    await form.openWith(now(), 'Add Subscription', 'ben');
    await form.submit({ 'filter-id': '102' }, 'ben');
    await form.submit({}, 'ben');
    await form.close('ben');
    await form.openWith(now(), 'Edit', 'ben');
    expect(world.slack.view('ben')).toBeUndefined();
    const list = world.slack.ephemerals('ben', 'sales').at(-1) ?? expect.fail('no list');
    expect(wordsOf(list)).toContain('2 subscriptions');
    for (const id of [101, 102]) await unsubscribe(world, 'sales', String(id));
    await world.pass(5 * SECOND);
    expect(findPressable(now(), 'Set Up This Channel')).toBeDefined();
    expectHealthy(world);
  });

  it('has a button that edits what others set up, if Slack still shows it', async () => {
    await begin();
    const welcome = await inviteBot(world);
    world.slack.injectFault('chat.update', { kind: 'ratelimited', retryAfterS: 600 }, 9);
    await world.gig('sales', 'subscribe 101 -php', 'ben');
    await form.openWith(welcome, 'Set Up This Channel');
    expect(form.view().title).toBe('Edit Subscription');
    expect(form.words()).toContain('"php"');
  });

  it('of somebody else is none of its business', async () => {
    await begin();
    await world.slack.joinChannel({ user: 'ben', channel: 'web', by: 'ada' });
    await world.pass(2 * SECOND);
    expect(world.slack.messages('web')).toHaveLength(0);
  });

  it('leads to a card without an ID, at no cost', async () => {
    await begin();
    await form.openWith(await inviteBot(world), 'Set Up This Channel');
    expectDecentView(form.view());
    expect(form.filterOptions()).toContain('101');
    expect((await form.submit({ filter: '101', 'min-budget': '500' })).action).toBe('update');
    expect(credits()).toBe(0);
    await form.submit({ feeds: null, digest: 'weekdays' });
    expect(form.words()).toContain('Saved');
    const told = channelWords('sales');
    expect(told).toContain('budget:&gt;=500');
    expect(told).toMatch(/digest/iu);
    expect(told.match(/<@U\w+>/gu)).toHaveLength(1);
    const example = posted(world, 'example-card', 'sales').at(0) ?? expect.fail('no example');
    expect(wordsOf(example)).toMatch(/example/iu);
    expect(form.words()).toContain('/gig settings');
    world.marketplace.publishProject(101, {
      title: 'A cheap one',
      budget: { type: 'fixed', fixedAmount: 50 },
    });
    world.marketplace.publishProject(101, {
      title: 'A rich one',
      budget: { type: 'fixed', fixedAmount: 900 },
    });
    await world.until('the card', () => world.cards('sales').length > 0);
    await world.pass(10 * SECOND);
    expect(world.cards('sales').map(({ text }) => text)).toEqual([expect.stringContaining('A rich one')]);
    expectHealthy(world);
  });

  it('ends with a real first card where a project is known', async () => {
    await begin();
    await world.gig('web', 'subscribe 101');
    world.marketplace.publishProject(101, { title: 'Known already' });
    await world.until('the card', () => world.cards('web').length > 0);
    await form.openWith(await inviteBot(world), 'Set Up');
    await form.press('Preview', { filter: '101' });
    expect(form.words()).toMatch(/1 project of this filter.*1 would be posted/u);
    await form.press('Preview', { filter: '101', without: 'known' });
    expect(form.words()).toMatch(/1 project of this filter.*0 would be posted/u);
    const before = credits();
    await form.submit({ filter: '101', without: null });
    await form.submit({});
    expect(credits()).toBe(before);
    const card = world.cards('sales').at(0) ?? expect.fail('no card');
    expect(wordsOf(card)).toContain('Known already');
    expect(posted(world, 'example-card', 'sales')).toHaveLength(0);
    await form.openWith(card, 'Claim', 'ada');
    expect(channelWords('sales')).toContain(`<@${world.slack.user('ada').id}>`);
    expectHealthy(world);
  });
});

describe('Home', () => {
  it('shows one next step after the other, until all is set up', async () => {
    await begin();
    world.marketplace.addProfile({ id: 301, label: 'Ana' });
    const home = new HomeAtHand(world);
    await world.end();
    for (const channel of ['web', 'data']) world.slack.removeBot(channel);
    await world.restart();
    await world.pass(SECOND);
    expect(await home.open('ada')).toContain('/invite @gigdesk');
    await inviteBot(world);
    expect(await home.open('ada')).toMatch(/Next step.*posts nothing yet/u);
    await home.press('ada', 'Set Up');
    await form.submit({ filter: '101' });
    await form.submit({});
    expect(await home.open('ada')).toMatch(/Next step.*invitations and proposal updates/u);
    await form.close();
    await home.press('ada', 'Set Up');
    expect(form.view().title).toBe('Edit Subscription');
    await world.gig('sales', 'subscribe invitations 301');
    expect(await home.open('ada')).toMatch(/Next step.*daily digest/u);
    await world.gig('sales', 'digest at 09:00');
    expect(await home.open('ada')).not.toContain('Next step');
    expectHealthy(world);
  });

  it('opens the rules of a subscription, unless it ended meanwhile', async () => {
    await begin();
    await world.gig('web', 'subscribe 101 react');
    const home = new HomeAtHand(world);
    await home.open('ben');
    const before = home.view('ben');
    await home.press('ben', 'Edit');
    expect(form.words('ben')).toContain('"react"');
    await form.submit({ 'more-rules': 'vue' }, 'ben');
    expect(await world.gig('web', 'list')).toContain('`vue`');
    await form.close('ben');
    await unsubscribe(world, 'web', '101');
    await home.pressOn(before, 'ben', 'Edit');
    expect(world.slack.view('ben')).toBeUndefined();
    expectHealthy(world);
  });
});

describe('questions to the bot', () => {
  it('are answered with the menu, whose buttons do what they say', async () => {
    await begin();
    await world.slack.mentionApp({ user: 'ada', channel: 'web', text: 'what can you do?' });
    await world.pass(2 * SECOND);
    const menu = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no menu');
    expectDecentMessage(menu);
    await form.openWith(menu, 'All Commands');
    expect(world.slack.ephemerals('ada', 'web').map(wordsOf).join('\n')).toContain('`lookup`');
    await form.openWith(menu, 'Set Up');
    expect(form.filterOptions()).toContain('101');
    expect(await world.gig('web', '')).toContain(menu.text);
    expectHealthy(world);
  });

  it('in direct messages are answered there, and its own messages are not', async () => {
    await begin();
    await world.slack.messageApp({ user: 'ben', text: 'hello' });
    await world.pass(2 * SECOND);
    const answers = world.slack.directMessages('ben').filter(({ byBot }) => byBot);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.text).toContain('/invite @gigdesk');
    const channel = answers[0]?.channel ?? '';
    const own = {
      channel,
      channel_type: 'im',
      user: world.slack.bot.userId,
      bot_id: 'B1',
      ts: '1.1',
      text: 'hi',
    };
    await world.slack.sendEvent('message', own);
    await world.slack.sendEvent('message', {
      ...own,
      user: world.slack.user('ben').id,
      subtype: 'message_changed',
    });
    await world.pass(2 * SECOND);
    expect(world.slack.directMessages('ben').filter(({ byBot }) => byBot)).toHaveLength(1);
    expect(world.slack.messages('web').map(postOf)).toEqual([]);
    expectHealthy(world);
  });
});
