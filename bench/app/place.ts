/** Where the whole app is measured: who is in the workspace, and how much is stored. The same in each process of a part. */
import { ChannelId, ProfileId, TeamId, UserId } from '../../src/ids.ts';

export const team = TeamId.parse('T0GIGDESK');
export const profile = ProfileId.parse(11);
export const channels = ['C0WEB', 'C0DATA', 'C0OPS', 'C0MOBILE'].map((id) => ChannelId.parse(id));
export const people = Array.from({ length: 20 }, (_, at) => UserId.parse(`U0PERSON${at}`));
/** Holds every claimed card. */
export const holder = UserId.parse('U0HOLDER');
export const signingSecret = 'benchmark-signing-secret';

export const FILTERS_EACH = 5;
/** Of each channel, from its newest projects; all claimed. */
export const CARDS_EACH = 500;

export interface FolderSize {
  readonly proposals: number;
  readonly seen: number;
}

/** Slack's name of the message in which a channel's card of that number stands. */
export function cardTs(number: number): string {
  return `1760000000.${String(number).padStart(6, '0')}`;
}
