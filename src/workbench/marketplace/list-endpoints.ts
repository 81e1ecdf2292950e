/** The lists that the description knows by name only: absent as a rule; in the mode `lists`, in one of several frames. */
import { type Answer, ok, refuse } from './answers.ts';
import type { World } from './world.ts';

type Plural = 'profiles' | 'organizations' | 'filters';

function answer(world: World, plural: Plural, items: readonly unknown[]): Answer {
  switch (world.modes.lists) {
    case 'absent':
      return refuse(404, 'Not found');
    case 'data':
      return ok({ data: items });
    case 'plural':
      return ok({ success: true, count: items.length, [plural]: items });
    case 'bare':
      return ok(items);
  }
}

/** `GET /profiles` */
export function profiles(world: World): Answer {
  const items = world.profiles.all().map(({ id, label, type }) => ({ id, label, type }));
  return answer(world, 'profiles', items);
}

/** `GET /organizations` */
export function organizations(world: World): Answer {
  const items = world.organizations.all().map(({ id, label, type }) => ({ id, label, type }));
  return answer(world, 'organizations', items);
}

/** `GET /filters` */
export function filters(world: World): Answer {
  const items = world.filters.all().map(({ id, name }) => ({ id, name }));
  return answer(world, 'filters', items);
}
