/**
 * The value of the button that ends a profile's feed, written here and parsed back as untrusted input. Pure.
 */
import { z } from 'zod';
import { OrganizationId, ProfileId } from '../../ids.ts';
import { ProfileFeedKind } from '../../profiles/records.ts';
import { jsonValueCodec } from '../kit/json.ts';

export const profileFeedValueCodec = jsonValueCodec(
  z.object({
    feed: ProfileFeedKind,
    profile: ProfileId,
    organization: OrganizationId.optional(),
  }),
);
