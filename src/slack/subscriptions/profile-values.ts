/**
 * The value of the button that ends a profile's feed, written here and parsed back as untrusted input. Pure.
 */
import { z } from 'zod';
import { OrganizationId, ProfileId } from '../../ids.ts';
import { ProfileFeedKind } from '../../profiles/records.ts';

const ProfileFeedValue = z.object({
  feed: ProfileFeedKind,
  profile: ProfileId,
  organization: OrganizationId.optional(),
});
type ProfileFeedValue = z.infer<typeof ProfileFeedValue>;

export const profileFeedValueCodec = {
  write: (value: ProfileFeedValue): string => JSON.stringify(value),
  read(text: string): ProfileFeedValue | undefined {
    try {
      return ProfileFeedValue.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  },
};
