/** A channel's settings: from opening the form to their effect on cards. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { unknownCountriesText } from '../../src/slack/kit/words/filters.ts';
import { densityText, SETTINGS_SAME } from '../../src/slack/settings/settings-text.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, refusalFor, viewAsRead } from './as-read.ts';
import { expectDecentMessage, expectDecentView, expectHealthy } from './healthy.ts';
import { readBidBooks } from './read-bid-books.ts';
import {
  addMention,
  changeSettings,
  openedForm,
  openPart,
  openSettings,
  submitSettings,
} from './settings-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

async function begin(): Promise<World> {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(30 * SECOND);
  return world;
}

async function newCard(title: string, more: { readonly description?: string } = {}): Promise<SlackMessage> {
  const before = new Set(world.cards('web').map(({ ts }) => ts));
  world.marketplace.publishProject(101, { title, ...more });
  await world.until('the card', () => world.cards('web').some(({ ts }) => !before.has(ts)), MINUTE);
  await world.pass(5 * SECOND);
  return world.cards('web').find(({ ts }) => !before.has(ts)) ?? expect.fail('no card');
}

const channelWords = () => world.slack.messages('web').map(wordsOf).join('\n');

describe('the form', () => {
  it('tells each mistake at its field', async () => {
    await begin();
    await openSettings(world, 'web');
    const answer = await submitSettings(world, {
      quiet: ['daily'],
      'quiet-from': '20:00',
      'quiet-to': '20:00',
      timezone: 'Berln',
      'mention-rules-0': 'react budget:>lots',
      'mention-users-0': [world.slack.user('ben').id],
    });
    expect(answer.action).toBe('errors');
    const errors = answer.action === 'errors' ? answer.errors : {};
    expect(Object.keys(errors).sort()).toEqual(['mention-rules-0', 'quiet-to', 'timezone']);
    expect(errors['timezone']).toMatch(/“Berln”.*Europe\/Berlin/u);
    expect(errors['mention-rules-0']).toContain('“lots”');
    expect(errors['mention-rules-0']).toContain('react budget:>500');
    expect(errors).toMatchSnapshot();
    expect(await world.gig('web', 'list')).not.toContain('20:00');
  });

  it('keeps what is filled in while another mention is added, five at the most', async () => {
    await begin();
    await openSettings(world, 'web');
    await openPart(world, 'Mentions');
    const ben = world.slack.user('ben').id;
    await addMention(world, { 'mention-rules-0': 'react', 'mention-users-0': [ben] });
    for (let rows = 2; rows < 5; rows++) await addMention(world);
    expect(findPressable(openedForm(world), 'Add Mention')).toBeUndefined();
    expect((await submitSettings(world, { 'mention-rules-4': 'vue', 'mention-users-4': [ben] })).action).toBe(
      'close',
    );
    const list = await world.gig('web', 'list');
    for (const rules of ['react', 'vue']) expect(list).toMatch(new RegExp(`\`${rules}\`.*<@${ben}>`, 'u'));
  });

  it('is for admins; everyone else sees what is set, without buttons', async () => {
    await begin();
    await changeSettings(world, 'web', { timezone: 'new york', buttons: ['bid', 'claim', 'more'] });
    const view = await openSettings(world, 'web', 'ben');
    expectDecentView(view);
    expect(JSON.stringify(view.blocks)).toContain('America/New_York');
    expect(viewAsRead(world, view)).toMatchSnapshot();
    expect(JSON.stringify(view.blocks)).not.toMatch(/"type":"(?:input|button)"/u);
  });

  it('of a person who has lost the role meanwhile changes nothing, and says so', async () => {
    await begin();
    const makeAdmins = async (users: readonly string[]) => {
      await world.gig('web', 'access');
      await world.pass(SECOND);
      const field = openedForm(world).blocks.find(({ block_id }) => block_id.startsWith('admins:'));
      await submitSettings(world, { [field?.block_id ?? '']: users });
    };
    await makeAdmins([world.slack.user('ben').id]);
    await openSettings(world, 'web', 'ben');
    await openPart(world, 'Updates', 'ben');
    await makeAdmins([]);
    await submitSettings(world, { density: 'compact' }, 'ben');
    expect(world.slack.ephemerals('ben').map(wordsOf).join('\n')).toContain(refusalFor('admin'));
    expect(await world.gig('web', 'list')).not.toContain(densityText('compact'));
  });

  it('of two admins changes what each of them changed, and tells who comes last', async () => {
    await begin();
    world.slack.addUser({ name: 'cleo', admin: true });
    world.slack.invite('web', 'cleo');
    for (const user of ['ada', 'cleo']) {
      await openSettings(world, 'web', user);
      await openPart(world, 'Quiet Hours', user);
    }
    await submitSettings(world, { timezone: 'Tokyo', quiet: ['weekends'] });
    await submitSettings(world, { density: 'compact' });
    await submitSettings(world, { timezone: 'Berlin' }, 'cleo');
    const list = await world.gig('web', 'list');
    expect(list).toContain(densityText('compact'));
    expect(list).toMatch(/Saturday and Sunday.*Europe\/Berlin/u);
    const told = world.slack.ephemerals('cleo', 'web').map(wordsOf).join('\n');
    expect(asRead(world, told)).toMatchSnapshot();
    expect(asRead(world, await world.gig('web', 'audit'))).toMatchSnapshot();
    const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
    const changed = audit.flatMap(({ act }) => (act.kind === 'settings' ? [act.changed.length] : []));
    expect(changed.toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
  });

  it('saved with an unknown country counts, and the channel gets a suggested correction', async () => {
    await begin();
    const calling = { 'mention-rules-0': 'country:Germny', 'mention-users-0': [world.slack.user('ben').id] };
    await changeSettings(world, 'web', calling);
    const unknown = unknownCountriesText('country:Germny') ?? expect.fail('it is known');
    expect(unknown).toMatch(/`Germny`.*`Germany`/u);
    expect(channelWords()).toContain(unknown);
    await changeSettings(world, 'web', { timezone: 'Europe/Paris' });
    expect(channelWords().split(unknown)).toHaveLength(2);
  });

  it('saved as it was changes nothing and says so', async () => {
    await begin();
    const before = world.slack.messages('web').length;
    await openSettings(world, 'web');
    await openPart(world, 'Quiet Hours');
    await submitSettings(world, {});
    expect(world.slack.ephemerals('ada', 'web').map(wordsOf).join('\n')).toContain(SETTINGS_SAME.text);
    expect(world.slack.messages('web')).toHaveLength(before);
  });
});

describe('a card', () => {
  it('calls whom the rules name, once: the line stays as it is whatever becomes of the card', async () => {
    await begin();
    const ben = world.slack.user('ben').id;
    const group = world.slack.addUserGroup({ handle: 'leads', users: ['ben'] });
    await changeSettings(world, 'web', {
      'mention-rules-0': 'react',
      'mention-users-0': [ben],
      'mention-groups-0': [group.id],
    });
    expectDecentMessage(world.slack.messages('web').at(-1) ?? expect.fail());
    const called = await newCard('A React shop <@U00000001> <!channel>');
    expect(called.text).toMatch(new RegExp(`A React shop.*<@${ben}> <!subteam\\^${group.id}>$`, 'u'));
    expect(wordsOf(called)).not.toContain('<!channel>');
    const other = await newCard('A Vue shop');
    expect(wordsOf(other)).not.toContain('<@');
    await changeSettings(world, 'web', {
      'mention-rules-0': null,
      'mention-users-0': null,
      'mention-groups-0': null,
    });
    const press = findPressable(called, 'Claim');
    if (press?.kind !== 'button') return expect.fail('no Claim');
    const { actionId, blockId, value } = press;
    await world.slack.press({ message: called, user: 'ada', actionId, blockId, value });
    await world.pass(10 * SECOND);
    const now = world.cards('web').find(({ ts }) => ts === called.ts) ?? expect.fail();
    expect(wordsOf(now)).toContain(`<@${world.slack.user('ada').id}>`);
    expect(wordsOf(now)).toContain(`<@${ben}> <!subteam^${group.id}>`);
    expectHealthy(world);
  });

  it('leaves its details to the thread where the channel wants it', async () => {
    await begin();
    await changeSettings(world, 'web', { 'thread-details': ['details'] });
    const description = 'We sell garden furniture and lose every third customer at the checkout.';
    const card = await newCard('A shop', { description });
    await world.pass(10 * SECOND);
    expect(wordsOf(card)).not.toContain('garden furniture');
    const [, ...below] = world.slack.thread('web', card.ts);
    expect(below.map(wordsOf).join('\n')).toContain(description);
    await changeSettings(world, 'web', { 'thread-details': [] });
    expect(wordsOf(await newCard('Another shop', { description }))).toContain('garden furniture');
    expectHealthy(world);
  });

  it('leaves out hidden buttons, but never the way back', async () => {
    await begin();
    const open = await newCard('A shop');
    const claim = findPressable(open, 'Claim');
    if (claim?.kind !== 'button') return expect.fail('no Claim');
    await changeSettings(world, 'web', { buttons: [] });
    const bare = await newCard('Another shop');
    for (const label of ['Bid', 'Details', 'Claim', 'Skip'])
      expect(findPressable(bare, label)).toBeUndefined();
    await world.slack.press({
      message: open,
      user: 'ada',
      actionId: claim.actionId,
      blockId: claim.blockId,
      value: claim.value,
    });
    await world.pass(10 * SECOND);
    const claimed = world.cards('web').find(({ ts }) => ts === open.ts) ?? expect.fail();
    expect(findPressable(claimed, 'Release')).toBeDefined();
    expect(findPressable(claimed, 'Claim')).toBeUndefined();
    expectHealthy(world);
  });
});
