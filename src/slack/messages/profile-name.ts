/** How profiles and organizations are called; their names are strangers' words. */
import type { ProfileFeedKind } from '../../profiles/records.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { capitalize } from './block-builders.ts';

interface Named {
  readonly id: number;
  readonly name?: string | undefined;
}

/** What a channel follows of a profile. */
export interface ProfileFeedName {
  readonly feed: ProfileFeedKind;
  readonly profile: Named;
  readonly organization?: Named | undefined;
}

function named(what: string, { id, name }: Named): string {
  return name ? `“${safeLine(name, 80)}” (${id})` : `${what} ${id}`;
}

/** `“Ana's profile” (301)`, or `profile 301` while its name is not known. mrkdwn. */
export function profileName(profile: Named): string {
  return named('profile', profile);
}

/** The same of an organization. mrkdwn. */
export function organizationName(organization: Named): string {
  return named('organization', organization);
}

/** `“Ana” (301) at “Web team” (401)`. mrkdwn. */
export function profileWithOrganizationText({
  profile,
  organization,
}: Omit<ProfileFeedName, 'feed'>): string {
  return organization ? `${profileName(profile)} at ${organizationName(organization)}` : profileName(profile);
}

/** What a feed of a profile delivers, within a sentence. */
export function feedKindText(feed: ProfileFeedKind): string {
  return feed === 'invitations' ? 'invitations' : 'proposal updates';
}

/** At the head of a sentence: `Invitations for “Ana” (301)`, `Proposal updates for “Ana” (301)`. mrkdwn. */
export function profileFeedText(it: ProfileFeedName): string {
  return `${capitalize(feedKindText(it.feed))} for ${profileWithOrganizationText(it)}`;
}

const MOST = 15;

/** Within a sentence: `invitations for “Ana” (301), proposal updates for profile 302`. mrkdwn. */
export function profileFeedListText(feeds: readonly ProfileFeedName[]): string {
  return feeds
    .slice(0, MOST)
    .map((each) => `${feedKindText(each.feed)} for ${profileWithOrganizationText(each)}`)
    .join(', ');
}

/** What begins it, and tries it again, without `/gig`: `subscribe invitations 301`. */
export function subscribeCommandText(it: ProfileFeedName): string {
  return unsubscribeCommandText(it).replace('unsubscribe', 'subscribe');
}

/** What ends it, without `/gig`: `unsubscribe invitations 301`. */
export function unsubscribeCommandText({ feed, profile, organization }: ProfileFeedName): string {
  const narrowed = organization ? ` organization ${organization.id}` : '';
  return `unsubscribe ${feed} ${profile.id}${narrowed}`;
}
