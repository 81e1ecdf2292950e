/**
 * Values of the App Home's buttons, written here and parsed back as untrusted input: they only identify a
 * record. Pure.
 */
import { z } from 'zod';
import {
  ChannelId,
  DraftId,
  FilterId,
  InvitationUid,
  OrganizationId,
  ProfileId,
  ProjectKey,
} from '../../ids.ts';
import { ProfileFeedKind } from '../../profiles/records.ts';
import { jsonValueCodec } from '../kit/json.ts';

const channel = z
  .string()
  .regex(/^[CG][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

/** A project's or an invitation's card in a channel. */
export const homeClaimValueCodec = jsonValueCodec(
  z.union([z.object({ channel, project: ProjectKey }), z.object({ channel, uid: InvitationUid })]),
);
/** `channel`: where the user may build templates; missing: in none of the channels shown. */
export const homeTemplateValueCodec = jsonValueCodec(
  z.object({ draft: DraftId, channel: channel.optional() }),
);
export const homeChannelValueCodec = jsonValueCodec(z.object({ channel }));
export const followedFilterValueCodec = jsonValueCodec(z.object({ channel, filter: FilterId }));
export const followedProfileValueCodec = jsonValueCodec(
  z.object({
    channel,
    feed: ProfileFeedKind,
    profile: ProfileId,
    organization: OrganizationId.optional(),
  }),
);
