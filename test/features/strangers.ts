/** People with fewer rights. */
import type { World } from './world.ts';

/** Adds a viewer (cem), a guest (gus) and a person of another workspace (sam) to the channel. */
export function inviteOthers({ slack }: World): void {
  slack.addUser({ name: 'cem' });
  slack.addUser({ name: 'gus', guest: 'multi' });
  slack.addUser({ name: 'sam', stranger: true });
  for (const name of ['cem', 'gus', 'sam']) slack.invite('web', name);
}
