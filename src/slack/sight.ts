/**
 * What a person may see: what belongs to the channel where they ask, to a channel that they are in, or to a public one. A press
 * or a command says nothing of that: the thing's own record names its channel, and Slack says who is in it.
 */
import { mayAct } from '../access/roles.ts';
import type { ChannelId } from '../ids.ts';
import { isIn, placesNow, publicChannels } from './home/places.ts';
import type { Person, Services } from './routes.ts';
import { isDirect } from './views/home-facts.ts';

/** Who asks, and where: `channel` is Slack's own word, or that of our record of the view. */
export interface Reader {
  readonly services: Services;
  readonly person: Person;
  readonly channel: ChannelId;
}

/** `unsure`: Slack does not say; nothing may be shown or done then. */
export type Sight = 'open' | 'closed' | 'unsure';

/** Whether a full member may see what belongs to a channel. */
export async function sightOf(
  { services, person, channel: here }: Reader,
  channel: ChannelId,
): Promise<Sight> {
  if (channel === here) return 'open';
  if (isDirect(channel)) {
    // Nobody is a member there: the role everywhere decides, as on the Home.
    const everywhere = await services.whoIs(person.user);
    return mayAct(everywhere.role, 'bidder') ? 'open' : 'closed';
  }
  if (services.homes.placesOf(person.user)?.some(({ id }) => id === channel)) return 'open';
  const open = await publicChannels(services);
  if (open?.has(channel)) return 'open';
  const place = await isIn(services, person.user, channel);
  if (place === 'in') return 'open';
  return place === 'out' && open ? 'closed' : 'unsure';
}

/** Which of many channels the reader may see. */
export interface Outlook {
  readonly sees: (channel: ChannelId) => boolean;
  /** Slack did not say of all of them: the others stay closed for now. */
  readonly isUnsure?: true;
}

/** One look for any number of `channels`; Slack is asked only where there is more among them than the reader's own. */
export async function readOutlook(
  { services, person, channel: here }: Reader,
  channels: readonly ChannelId[],
): Promise<Outlook> {
  if (channels.every((channel) => channel === here)) return { sees: (channel) => channel === here };
  const [open, own] = await Promise.all([publicChannels(services), placesNow(services, person.user)]);
  const ids = new Set(own.places.map(({ id }) => id));
  const sees = (channel: ChannelId) => channel === here || ids.has(channel) || open?.has(channel) === true;
  return open && own.kind === 'known' ? { sees } : { sees, isUnsure: true };
}
