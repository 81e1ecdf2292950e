/** Roles, from the refusal over the request to the grant, and lists of people and user groups. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, refusalFor } from './as-read.ts';
import { startWorld, type World, wordsOf } from './world.ts';

const ADMINS_ONLY = refusalFor('admin');

let world: World;
let ids: Record<'ada' | 'ben' | 'cleo' | 'gus', string>;

beforeAll(async () => {
  world = await startWorld();
  const cleo = world.slack.addUser({ name: 'cleo' });
  const gus = world.slack.addUser({ name: 'gus', guest: 'multi' });
  for (const channel of ['web', 'data'])
    for (const user of ['cleo', 'gus']) world.slack.invite(channel, user);
  const idOf = (name: string) => world.slack.user(name).id;
  ids = { ada: idOf('ada'), ben: idOf('ben'), cleo: cleo.id, gus: gus.id };
});
afterAll(async () => {
  await world.stop();
});

async function press(words: string, user: string, on: SlackMessage): Promise<void> {
  const found = findPressable(on, words) ?? expect.fail(`nothing says “${words}” on: ${wordsOf(on)}`);
  if (found.kind !== 'button') throw new Error(`${words} is no button`);
  await world.slack.press({
    message: on,
    user,
    actionId: found.actionId,
    blockId: found.blockId,
    value: found.value,
  });
  await world.pass(3 * SECOND);
}

const shownTo = (user: string) => world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('nothing shown');
/** A channel sees who changed something; a refusal shows no names. */
const toldOf = (user: keyof typeof ids) => `<@${ids[user]}>`;
const viewOf = (user: string): SlackView => world.slack.view(user) ?? expect.fail('no modal is open');

function fieldsOf(view: SlackView): Record<string, string> {
  return Object.fromEntries(
    view.blocks.flatMap(({ block_id }) => {
      const [field, ...rest] = block_id.split(':');
      return field && rest.length > 0 ? [[field, block_id]] : [];
    }),
  );
}

async function save(user: string, filled: Record<string, readonly string[]>) {
  const view = viewOf(user);
  const fields = fieldsOf(view);
  const values = Object.fromEntries(
    Object.entries(filled).map(([field, chosen]) => [fields[field] ?? expect.fail(`no ${field}`), chosen]),
  );
  const answer = await world.slack.submitView({ user, view, values });
  await world.pass(3 * SECOND);
  return answer;
}

describe('a role', () => {
  it('requested and granted by button, applies at the next press, in that channel only', async () => {
    expect(await world.gig('web', 'pause 1h', 'ben')).toContain(ADMINS_ONLY);
    await press('Request Access', 'ben', shownTo('ben'));
    await world.until('the post', () => world.slack.messages('web').some((it) => findPressable(it, 'Grant')));
    const post = world.slack.messages('web').find((it) => findPressable(it, 'Grant'));
    if (!post) return expect.fail('no request');
    expect(wordsOf(post)).toContain(`<@${ids.ben}>`);
    await press('Grant', 'cleo', post);
    expect(wordsOf(shownTo('cleo'))).toContain(ADMINS_ONLY);
    await press('Grant', 'ada', post);
    await world.pass(MINUTE);
    const decided = world.slack.messages('web').find((it) => it.ts === post.ts);
    expect(decided && asRead(world, wordsOf(decided))).toMatchSnapshot();
    for (const id of [ids.ada, ids.ben]) expect(decided && wordsOf(decided)).toContain(`<@${id}>`);
    expect(decided && findPressable(decided, 'Grant')).toBeUndefined();
    expect(await world.gig('web', 'pause 1h', 'ben')).toContain(toldOf('ben'));
    expect(await world.gig('data', 'pause 1h', 'ben')).toContain(ADMINS_ONLY);
  });

  it('is given in a modal to people and user groups, and taken away there', async () => {
    const group = world.slack.addUserGroup({ handle: 'leads', users: ['cleo', 'gus'] });
    await world.gig('data', 'access');
    await world.pass(SECOND);
    await save('ada', { 'admin-groups': [group.id] });
    expect(await world.gig('data', 'pause', 'cleo')).toContain(toldOf('cleo'));
    expect(await world.gig('data', 'pause off', 'gus')).toContain(refusalFor('admin', 'outsider'));
    expect(await world.gig('web', 'pause off', 'cleo')).toContain(ADMINS_ONLY);
    await world.gig('data', 'access');
    await world.pass(SECOND);
    await save('ada', { 'admin-groups': [] });
    expect(await world.gig('data', 'pause off', 'cleo')).toContain(ADMINS_ONLY);
  });

  it('of one channel changes the list of that channel, and no other', async () => {
    await world.gig('web', 'access', 'ben');
    await world.pass(SECOND);
    expect(JSON.stringify(viewOf('ben'))).not.toContain(actionIds.accessScope);
    const answer = await save('ben', { bidders: [ids.cleo] });
    expect(answer.action).toBe('close');
    expect(wordsOf(shownTo('ben'))).toContain(`<@${ids.cleo}>`);
    expect(asRead(world, wordsOf(shownTo('ben')))).toMatchSnapshot();
  });

  it('stands in the audit log, with who gave and who took it', async () => {
    const log = await world.gig('web', 'audit');
    expect(asRead(world, log)).toMatchSnapshot();
    for (const who of [`<@${ids.ben}>`, `<@${ids.ada}>`, '@leads']) expect(log).toContain(who);
    expect(await world.gig('web', 'audit', 'cleo')).toContain(ADMINS_ONLY);
  });

  it('outlives a crash', async () => {
    await world.crash();
    await world.restart();
    expect(await world.gig('web', 'pause off', 'ben')).toContain(toldOf('ben'));
  });
});
