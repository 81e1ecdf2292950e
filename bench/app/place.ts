/** The workspace and store size of the whole-app parts, the same in each process of a part. */
import { ChannelId, ProfileId, TeamId, UserId } from '../../src/ids.ts';

export const team = TeamId.parse('T0GIGDESK');
export const profile = ProfileId.parse(11);
export const channels = ['C0WEB', 'C0DATA', 'C0OPS', 'C0MOBILE'].map((id) => ChannelId.parse(id));
export const people = Array.from({ length: 20 }, (_, at) => UserId.parse(`U0PERSON${at}`));
/** The user who has claimed every card. */
export const holder = UserId.parse('U0HOLDER');
export const signingSecret = 'benchmark-signing-secret';

export const FILTERS_EACH = 5;
/** Cards in each channel, of its newest projects; all claimed. */
export const CARDS_EACH = 500;

export interface FolderSize {
  readonly proposals: number;
  readonly seen: number;
}

/** Slack's ts of the channel's card of this number. */
export function cardTs(number: number): string {
  return `1760000000.${String(number).padStart(6, '0')}`;
}
