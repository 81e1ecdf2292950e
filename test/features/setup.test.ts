/** From an invitation to the first card: the welcome and the setup form. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { expectDecentMessage, expectDecentView, expectHealthy } from './healthy.ts';
import { HomeAtHand } from './home-desk.ts';
import { type FilledForm, openedForm } from './settings-form.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

async function begin(): Promise<World> {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addFilter({ id: 102, name: 'Design' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  world.slack.addChannel({ name: 'sales', withBot: false });
  return world;
}

async function invite(channel = 'sales', by = 'ada'): Promise<SlackMessage> {
  await world.slack.joinChannel({ user: 'bot', channel, by });
  await world.pass(2 * SECOND);
  return posted(world, 'welcome', channel).at(-1) ?? expect.fail('no welcome');
}

async function pressOn(on: { message: SlackMessage } | { view: SlackView }, label: string, user = 'ada') {
  const found = findPressable('message' in on ? on.message : on.view, label) ?? expect.fail(`no ${label}`);
  if (found.kind !== 'button') return expect.fail('no button');
  const { actionId, blockId, value } = found;
  await world.slack.press({ ...on, user, actionId, blockId, value });
  await world.pass(5 * SECOND);
}

async function pressWith(label: string, values: FilledForm, user = 'ada'): Promise<void> {
  const view = openedForm(world, user);
  const found = findPressable(view, label) ?? expect.fail(`no ${label}`);
  if (found.kind !== 'button') return expect.fail('no button');
  const { actionId, blockId, value } = found;
  await world.slack.press({ view, user, actionId, blockId, value, values });
  await world.pass(5 * SECOND);
}

async function submit(values: FilledForm, user = 'ada') {
  const answer = await world.slack.submitView({ user, view: openedForm(world, user), values });
  await world.pass(5 * SECOND);
  return answer;
}

const viewWords = (user = 'ada') => JSON.stringify(openedForm(world, user).blocks);
const channelWords = (channel: string) => world.slack.messages(channel).map(wordsOf).join('\n');
const credits = () => world.marketplace.consumedCredits().total;

function filterOptions(user = 'ada'): readonly string[] {
  const block = openedForm(world, user).blocks.find(({ block_id }) => block_id === 'filter');
  return [...JSON.stringify(block ?? {}).matchAll(/"value":"(\d+)"/gu)].map(([, id]) => id ?? '');
}

describe('an invitation', () => {
  it('is welcomed once, in a few lines with one primary button, however often Slack sends it', async () => {
    await begin();
    const welcome = await invite();
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
    await invite();
    expect(posted(world, 'welcome', 'sales')).toHaveLength(2);
    expectHealthy(world);
  });

  it('shows what is set up afterwards, with buttons that edit it', async () => {
    await begin();
    await pressOn({ message: await invite() }, 'Set Up This Channel');
    await submit({ filter: '101', without: 'php' });
    await submit({});
    const now = () => posted(world, 'welcome', 'sales').at(-1) ?? expect.fail('no welcome');
    expect(wordsOf(now())).toMatch(/set up.*React work.*-php/su);
    expect(JSON.stringify(now().blocks)).not.toContain('"style":"primary"');
    expectDecentMessage(now());
    await pressOn({ message: now() }, 'Edit', 'ben');
    expect(viewWords('ben')).toContain('"php"');
    await submit({ without: 'wordpress' }, 'ben');
    await world.pass(5 * SECOND);
    expect(wordsOf(now())).toContain('-wordpress');
    await world.slack.closeView({ user: 'ben', all: true });
    await pressOn({ message: now() }, 'Add Subscription', 'ben');
    await submit({ 'filter-id': '102' }, 'ben');
    await submit({}, 'ben');
    await world.slack.closeView({ user: 'ben', all: true });
    await pressOn({ message: now() }, 'Edit', 'ben');
    expect(world.slack.view('ben')).toBeUndefined();
    const list = world.slack.ephemerals('ben', 'sales').at(-1) ?? expect.fail('no list');
    expect(wordsOf(list)).toContain('2 subscriptions');
    for (const id of [101, 102]) await world.gig('sales', `unsubscribe ${id}`);
    await world.pass(5 * SECOND);
    expect(findPressable(now(), 'Set Up This Channel')).toBeDefined();
    expectHealthy(world);
  });

  it('has a button that edits what others set up, if Slack still shows it', async () => {
    await begin();
    const welcome = await invite();
    world.slack.injectFault('chat.update', { kind: 'ratelimited', retryAfterS: 600 }, 9);
    await world.gig('sales', 'subscribe 101 -php', 'ben');
    await pressOn({ message: welcome }, 'Set Up This Channel');
    expect(openedForm(world).title).toBe('Edit Subscription');
    expect(viewWords()).toContain('"php"');
  });

  it('of somebody else is none of its business', async () => {
    await begin();
    await world.slack.joinChannel({ user: 'ben', channel: 'web', by: 'ada' });
    await world.pass(2 * SECOND);
    expect(world.slack.messages('web')).toHaveLength(0);
  });

  it('leads to a card without an ID, at no cost', async () => {
    await begin();
    await pressOn({ message: await invite() }, 'Set Up This Channel');
    expectDecentView(openedForm(world));
    expect(filterOptions()).toContain('101');
    expect((await submit({ filter: '101', 'min-budget': '500' })).action).toBe('update');
    expect(credits()).toBe(0);
    await submit({ feeds: null, digest: 'weekdays', level: 'quiet', budget: '50' });
    expect(viewWords()).toContain('Saved');
    const told = channelWords('sales');
    expect(told).toContain('budget:&gt;=500');
    expect(told).toMatch(/digest/iu);
    expect(told.match(/<@U\w+>/gu)).toHaveLength(1);
    const example = posted(world, 'example-card', 'sales').at(0) ?? expect.fail('no example');
    expect(wordsOf(example)).toMatch(/example/iu);
    expect(await world.gig('sales', 'budget')).toContain('50');
    expect(await world.gig('sales', 'list')).toMatch(/Updates: quiet/u);
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
    await pressOn({ message: await invite() }, 'Set Up');
    await pressWith('Preview', { filter: '101' });
    expect(viewWords()).toMatch(/1 project of this filter.*1 would be posted/u);
    await pressWith('Preview', { filter: '101', without: 'known' });
    expect(viewWords()).toMatch(/1 project of this filter.*0 would be posted/u);
    const before = credits();
    await submit({ filter: '101', without: null });
    await submit({});
    expect(credits()).toBe(before);
    const card = world.cards('sales').at(0) ?? expect.fail('no card');
    expect(wordsOf(card)).toContain('Known already');
    expect(posted(world, 'example-card', 'sales')).toHaveLength(0);
    await pressOn({ message: card }, 'Claim', 'ada');
    expect(channelWords('sales')).toContain(`<@${world.slack.user('ada').id}>`);
    expectHealthy(world);
  });
});

describe('the form', () => {
  it('previews at a price that the button names, and only after the press', async () => {
    await begin();
    for (let number = 1; number <= 4; number++)
      world.marketplace.publishProject(102, {
        title: `Poster ${number}`,
        budget: { type: 'fixed', fixedAmount: number * 100 },
      });
    world.marketplace.addResult({ filterId: 102 });
    await world.gig('web', 'subscribe');
    await pressWith('Preview Rules', { 'filter-id': '102', 'min-budget': '300' });
    expect(credits()).toBe(0);
    expect(findPressable(openedForm(world), 'Preview 10 Credits')).toBeDefined();
    await pressWith('Preview 10 Credits', {});
    const spent = credits();
    expect(spent).toBeGreaterThan(0);
    expect(viewWords()).toMatch(/4 projects of this filter.*2 would be posted/u);
    await pressWith('Preview Rules', { 'min-budget': '400' });
    expect(viewWords()).toMatch(/1 would be posted/u);
    expect(credits()).toBe(spent);
    expectHealthy(world);
  });

  it('says each mistake at its field, and keeps what was typed', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    const answer = await submit({ 'filter-id': 'React', 'min-budget': 'lots', 'more-rules': 'rating:>9' });
    expect(answer.action).toBe('errors');
    expect(Object.keys(answer.errors).toSorted()).toEqual(['filter-id', 'min-budget', 'more-rules']);
    expect(
      (await submit({ 'filter-id': null, 'min-budget': '5k', 'more-rules': null })).errors,
    ).toHaveProperty('filter-id');
    await submit({ 'filter-id': '101' });
    expect((await submit({ feeds: ['invitations'] })).errors).toHaveProperty('profile-ids');
    await pressWith('Back', {});
    expect(viewWords()).toContain('5k');
    expect(world.slack.messages('web')).toHaveLength(0);
  });

  it('takes profiles from a list, and offers no administration to others', async () => {
    await begin();
    world.marketplace.addProfile({ id: 301, label: 'Ana' });
    world.marketplace.addProposal({ profileId: 301 });
    await world.gig('data', 'subscribe outcomes 301');
    await world.gig('web', 'subscribe', 'ben');
    await world.pass(5 * SECOND);
    await submit({ filter: '101' }, 'ben');
    expect(viewWords('ben')).toContain('Ana (301)');
    expect(viewWords('ben')).not.toContain('"block_id":"budget"');
    await submit({ feeds: ['invitations', 'outcomes'], profiles: ['301'] }, 'ben');
    const list = await world.gig('web', 'list');
    for (const words of ['React work', 'nvitations', 'roposal updates']) expect(list).toContain(words);
    expectHealthy(world);
  });

  it('survives two people, a restart in the middle, and a person who gives up', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await world.gig('web', 'subscribe', 'ben');
    await submit({ filter: '101', without: 'wordpress' });
    await submit({ filter: '101' }, 'ben');
    await world.crash();
    await world.restart();
    await submit({ budget: '70' });
    await world.slack.closeView({ user: 'ben', all: true });
    await world.pass(5 * SECOND);
    expect(await world.gig('web', 'list')).toContain('-wordpress');
    expect(posted(world, 'example-card')).toHaveLength(1);
    expectHealthy(world);
  });

  it('tells the second of two people whose rules theirs replaced', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await world.gig('web', 'subscribe', 'ben');
    await submit({ filter: '101', without: 'wordpress' });
    await submit({});
    await submit({ filter: '101', without: 'php' }, 'ben');
    await submit({}, 'ben');
    expect(viewWords('ben')).toMatch(/-wordpress.*yours replaced them/u);
    expect(await world.gig('web', 'list')).toContain('-php');
  });

  it('says what is unknown of a filter that was deleted meanwhile, at no cost', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(404), 99);
    await pressWith('Preview Rules', { filter: '101' });
    await pressWith('Preview 10 Credits', {});
    expect(viewWords()).toMatch(/no projects of filter 101 yet/u);
    await submit({});
    await submit({});
    expect(viewWords()).toContain('Saved');
    expect(credits()).toBe(0);
    expect(posted(world, 'example-card')).toHaveLength(1);
    expectHealthy(world);
  });

  it('says what failed, and goes back to the answers', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await submit({ filter: '101', countries: 'Germany' });
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(500), 10);
    await submit({});
    await world.pass(60 * SECOND);
    expect(viewWords()).toContain('Nothing changed');
    expect(await world.gig('web', 'list')).not.toContain('Germany');
    world.marketplace.clearFaults();
    await pressWith('Back', {});
    await submit({});
    await submit({});
    await world.pass(10 * SECOND);
    expect(await world.gig('web', 'list')).toContain('country:Germany');
  });

  it('opens with 200 filters of hostile names, with none at all, and where it is not invited', async () => {
    world = await startWorld();
    await world.gig('web', 'subscribe');
    await world.pass(5 * SECOND);
    expect(filterOptions()).toEqual([]);
    expectDecentView(openedForm(world));
    await world.slack.closeView({ user: 'ada', all: true });
    for (let id = 1; id <= 200; id++) {
      const name = `${'<!channel> <https://evil.example|x> '.repeat(5)}${'n'.repeat(100)}${id}`;
      world.marketplace.addFilter({ id, name });
      world.marketplace.addSetup({ filter: { id, name } });
    }
    world.slack.addChannel({ name: 'sales', withBot: false });
    await world.pass(600 * SECOND);
    await world.gig('sales', 'subscribe');
    await world.pass(10 * SECOND);
    expect(filterOptions()).toHaveLength(200);
    expectDecentView(openedForm(world));
    expect(viewWords()).toContain('/invite @gigdesk');
    await submit({ filter: '7' });
    await submit({});
    expect(viewWords()).toContain('/invite @gigdesk');
    expect(world.slack.failedCalls()).toEqual([]);
  });

  it('is refused to guests, who read who can', async () => {
    await begin();
    world.slack.addUser({ name: 'gil', guest: 'multi' });
    world.slack.invite('sales', 'gil');
    await pressOn({ message: await invite() }, 'Set Up', 'gil');
    expect(world.slack.view('gil')).toBeUndefined();
    const refusal = world.slack.ephemerals('gil', 'sales').map(wordsOf).join('\n');
    expect(refusal).toContain(`<@${world.slack.user('ada').id}>`);
  });
});

describe('Home', () => {
  it('shows one next step after the other, until all is set up', async () => {
    await begin();
    world.marketplace.addProfile({ id: 301, label: 'Ana' });
    const home = new HomeAtHand(world);
    expect(await home.open('ada')).toContain('/invite @gigdesk');
    await invite();
    expect(await home.open('ada')).toMatch(/Next step.*posts nothing yet/u);
    await home.press('ada', 'Set Up');
    await submit({ filter: '101' });
    await submit({});
    expect(await home.open('ada')).toMatch(/Next step.*invitations and proposal updates/u);
    await world.slack.closeView({ user: 'ada', all: true });
    await home.press('ada', 'Set Up');
    expect(openedForm(world).title).toBe('Edit Subscription');
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
    expect(viewWords('ben')).toContain('"react"');
    await submit({ 'more-rules': 'vue' }, 'ben');
    expect(await world.gig('web', 'list')).toContain('`vue`');
    await world.slack.closeView({ user: 'ben', all: true });
    await world.gig('web', 'unsubscribe 101');
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
    await pressOn({ message: menu }, 'All Commands');
    expect(world.slack.ephemerals('ada', 'web').map(wordsOf).join('\n')).toContain('/gig lookup');
    await pressOn({ message: menu }, 'Set Up');
    expect(filterOptions()).toContain('101');
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
