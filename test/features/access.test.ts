/** Roles, from the refusal over the request to the grant, and lists of people and user groups. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { Message, View } from '../../src/workbench/slack/simulated-slack.ts';
import { startWorld, type World, wordsOf } from './world.ts';

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

async function press(words: string, user: string, on: Message): Promise<void> {
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
const viewOf = (user: string): View => world.slack.view(user) ?? expect.fail('no modal is open');

function fieldsOf(view: View): Record<string, string> {
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
  it('is asked for with a button, granted with one, and holds at the next press, in that channel alone', async () => {
    expect(await world.gig('web', 'pause 1h', 'ben')).toContain('This is for admins');
    await press('Request access', 'ben', shownTo('ben'));
    await world.until('the post', () =>
      world.slack.messages('web').some((it) => /asks to be/u.test(it.text)),
    );
    const post = world.slack.messages('web').find((it) => /asks to be an admin/u.test(it.text));
    if (!post) return expect.fail('no request');
    await press('Grant', 'cleo', post);
    expect(wordsOf(shownTo('cleo'))).toContain('This is for admins');
    await press('Grant', 'ada', post);
    await world.pass(MINUTE);
    const decided = world.slack.messages('web').find((it) => it.ts === post.ts);
    expect(decided && wordsOf(decided)).toContain(`<@${ids.ada}> made <@${ids.ben}> an admin in`);
    expect(decided && findPressable(decided, 'Grant')).toBeUndefined();
    expect(await world.gig('web', 'pause 1h', 'ben')).toContain('paused new projects');
    expect(await world.gig('data', 'pause 1h', 'ben')).toContain('This is for admins');
  });

  it('is given in a modal to people and user groups, and taken away there', async () => {
    const group = world.slack.addUserGroup({ handle: 'leads', users: ['cleo', 'gus'] });
    await world.gig('data', 'access');
    await world.pass(SECOND);
    await save('ada', { 'admin-groups': [group.id] });
    expect(await world.gig('data', 'pause', 'cleo')).toContain('paused new projects');
    expect(await world.gig('data', 'resume', 'gus')).toContain('Guests and people of other workspaces');
    expect(await world.gig('web', 'resume', 'cleo')).toContain('This is for admins');
    await world.gig('data', 'access');
    await world.pass(SECOND);
    await save('ada', { 'admin-groups': [] });
    expect(await world.gig('data', 'resume', 'cleo')).toContain('This is for admins');
  });

  it('of one channel changes the list of that channel, and no other', async () => {
    await world.gig('web', 'access', 'ben');
    await world.pass(SECOND);
    expect(JSON.stringify(viewOf('ben'))).not.toContain('Everywhere"');
    const answer = await save('ben', { bidders: [ids.cleo] });
    expect(answer.action).toBe('close');
    expect(wordsOf(shownTo('ben'))).toContain(`now: <@${ids.cleo}>`);
  });

  it('stands in the audit log, with who gave and who took it', async () => {
    const log = await world.gig('web', 'audit');
    expect(log).toContain(`<@${ids.ben}> asked to be an admin`);
    expect(log).toContain(`<@${ids.ada}> granted what <@${ids.ben}> had asked for: to be an admin in <#`);
    expect(log).toContain('made the group @leads admins');
    expect(log).toContain('took the role of admin from the group @leads');
    expect(await world.gig('web', 'audit', 'cleo')).toContain('This is for admins');
  });

  it('outlives a crash', async () => {
    await world.crash();
    await world.restart();
    expect(await world.gig('web', 'resume', 'ben')).toContain('resumed this channel');
  });
});
