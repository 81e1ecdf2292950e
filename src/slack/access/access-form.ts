/** The access modal's metadata and field values; both are untrusted input. Pure. */
import { z } from 'zod';
import { type AccessList, AccessScope, type Grantees, toAccessScope } from '../../access/access.ts';
import { ChannelId } from '../../ids.ts';
import type { ViewValues } from '../core/routes.ts';
import { jsonValueCodec } from '../kit/json.ts';

const AccessModalMetadata = z
  .object({
    /** Where the modal was opened: the user's role there applies. */
    channel: z
      .string()
      .regex(/^[CGDUW][A-Z0-9]{1,30}$/u)
      .pipe(ChannelId),
    scope: AccessScope,
    /** Of the list shown. */
    revision: z.number().int().min(0),
  })
  .refine(({ channel, scope }) => scope === 'everywhere' || scope === toAccessScope(channel));
export type AccessModalMetadata = z.infer<typeof AccessModalMetadata>;

export const accessModalMetadataCodec = jsonValueCodec(AccessModalMetadata);

export type AccessField = 'bidders' | 'bidder-groups' | 'admins' | 'admin-groups';

/**
 * A field's block ID. Slack keeps input by block while a view updates, and another list must not inherit it.
 * So each revision of each list has its own block IDs.
 */
export function accessFieldBlockId(
  field: AccessField,
  { scope, revision }: Omit<AccessModalMetadata, 'channel'>,
): string {
  return `${field}:${scope}:${revision}`;
}

const groupIds = z.array(z.string().regex(/^S[A-Z0-9]{1,30}$/u)).max(100);

export type AccessForm = Pick<AccessList, 'bidder' | 'admin'>;

/** @returns undefined for values that the form can't produce. */
export function parseAccessForm(values: ViewValues, place: AccessModalMetadata): AccessForm | undefined {
  const read = (people: AccessField, groups: AccessField): Grantees | undefined => {
    const chosen = groupIds.safeParse(values.get(accessFieldBlockId(groups, place))?.options ?? []);
    const users = [...(values.get(accessFieldBlockId(people, place))?.users ?? [])];
    return chosen.success ? { users, groups: chosen.data } : undefined;
  };
  const bidder = read('bidders', 'bidder-groups');
  const admin = read('admins', 'admin-groups');
  return bidder && admin && { bidder, admin };
}
