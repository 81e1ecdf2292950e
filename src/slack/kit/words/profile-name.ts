/** How profiles and organizations are named. Their names are strangers' text. Pure. */
import type { ProfileFeedKind } from '../../../profiles/records.ts';
import { capitalize } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';

interface Named {
  readonly id: number;
  readonly name?: string | undefined;
}

export interface ProfileFeedName {
  readonly feed: ProfileFeedKind;
  readonly profile: Named;
  readonly organization?: Named | undefined;
}

function named(what: string, { id, name }: Named): string {
  return name ? `“${safeLine(name, 80)}” (${id})` : `${what} ${id}`;
}

/** `“Ana's profile” (301)`, or `profile 301` while its name is unknown. mrkdwn. */
export function profileName(profile: Named): string {
  return named('profile', profile);
}

/** Like `profileName`, for an organization. mrkdwn. */
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

/** What a profile's feed delivers, for use within a sentence. */
export function feedKindText(feed: ProfileFeedKind): string {
  return feed === 'invitations' ? 'invitations' : 'proposal updates';
}

/** For the start of a sentence: `Invitations for “Ana” (301)`, `Proposal updates for “Ana” (301)`. mrkdwn. */
export function profileFeedText(it: ProfileFeedName): string {
  return `${capitalize(feedKindText(it.feed))} for ${profileWithOrganizationText(it)}`;
}

const MOST = 15;

/** For use within a sentence: `invitations for “Ana” (301), proposal updates for profile 302`. mrkdwn. */
export function profileFeedListText(feeds: readonly ProfileFeedName[]): string {
  return feeds
    .slice(0, MOST)
    .map((each) => `${feedKindText(each.feed)} for ${profileWithOrganizationText(each)}`)
    .join(', ');
}

/** The command that subscribes or retries, without `/gig`: `subscribe invitations 301`. */
export function subscribeCommandText(it: ProfileFeedName): string {
  return unsubscribeCommandText(it).replace('unsubscribe', 'subscribe');
}

/** The command that unsubscribes, without `/gig`: `unsubscribe invitations 301`. */
export function unsubscribeCommandText({ feed, profile, organization }: ProfileFeedName): string {
  const narrowed = organization ? ` organization ${organization.id}` : '';
  return `unsubscribe ${feed} ${profile.id}${narrowed}`;
}
