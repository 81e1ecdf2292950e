/** People with fewer rights, and what they get to see. */
import { SECOND } from '../../src/clock.ts';
import { expectDecentMessage, expectDecentView, shownTo } from './healthy.ts';
import type { World } from './world.ts';

/** Adds a viewer (cem), a guest (gus) and a person of another workspace (sam) to the channel. */
export function inviteOthers({ slack }: World): void {
  slack.addUser({ name: 'cem' });
  slack.addUser({ name: 'gus', guest: 'multi' });
  slack.addUser({ name: 'sam', stranger: true });
  for (const name of ['cem', 'gus', 'sam']) slack.invite('web', name);
}

/** A person's new texts: answers and modals, which are closed again. */
export async function shownBy(world: World, user: string, act: () => Promise<unknown>) {
  const before = { own: world.slack.ephemerals(user).length, all: world.slack.messages('web').length };
  await act();
  await world.pass(2 * SECOND);
  const answers = [
    ...world.slack.ephemerals(user).slice(before.own),
    ...world.slack.messages('web').slice(before.all),
  ];
  answers.forEach(expectDecentMessage);
  const isModal = world.slack.view(user) !== undefined;
  const words = shownTo(world, user);
  await closeAll(world, user);
  return { count: answers.length + (isModal ? 1 : 0), isModal, words };
}

/** Closes all of a person's open views. */
export async function closeAll(world: World, user: string): Promise<void> {
  for (let view = world.slack.view(user); view; view = world.slack.view(user)) {
    expectDecentView(view);
    await world.slack.closeView({ user });
    await world.pass(SECOND);
  }
}
