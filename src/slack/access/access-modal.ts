/**
 * The form for roles, and what comes back from it, which is untrusted input. Opens at once from stored
 * data, and updates when Slack has sent the user groups. Pure.
 */
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AccessList,
  AccessScope,
  type GrantedRole,
  type Grantees,
  toAccessScope,
} from '../../access/access.ts';
import { ChannelId } from '../../ids.ts';
import type { ViewValues } from '../core/routes.ts';
import { type UserGroups, userGroupChoices, userGroupsBlocks } from '../core/user-groups.ts';
import { contextBlock, formView, menuOption, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { multiSelectInput, usersInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { alertBlock } from '../kit/rich-blocks.ts';

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

type AccessField = 'bidders' | 'bidder-groups' | 'admins' | 'admin-groups';

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

export const ACCESS_TITLE = 'Access';

/** Values of the menu that chooses the list. */
export const accessScopeChoices = { here: 'here', everywhere: 'everywhere' } as const;

export interface AccessModalFacts {
  readonly list: AccessList;
  /** Where the modal was opened. */
  readonly channel: ChannelId;
  /** Whether the user may change the workspace-wide list as well as this channel's. */
  readonly canSwitchScope: boolean;
  readonly groups: UserGroups;
  /** A notice at the top; safe mrkdwn. */
  readonly notice?: string;
}

function scopeSection({ list, channel, canSwitchScope }: AccessModalFacts): SectionBlock {
  const isEverywhere = list.scope === 'everywhere';
  const where = isEverywhere ? '*Roles everywhere*' : `*Roles in ${channelLink(channel)}*`;
  if (!canSwitchScope || toAccessScope(channel) === 'everywhere') return sectionBlock(where);
  const here = menuOption('In this channel', accessScopeChoices.here);
  const everywhere = menuOption('Everywhere', accessScopeChoices.everywhere);
  return sectionBlock(
    `${where}\nRoles here and roles everywhere are saved separately. Save before you switch.`,
    {
      type: 'static_select',
      action_id: actionIds.accessScope,
      options: [here, everywhere],
      initial_option: isEverywhere ? everywhere : here,
    },
  );
}

const ROLES: readonly {
  readonly role: GrantedRole;
  readonly people: AccessField;
  readonly groups: AccessField;
  readonly label: string;
  readonly hint: string;
}[] = [
  {
    role: 'bidder',
    people: 'bidders',
    groups: 'bidder-groups',
    label: 'Bidders',
    hint: 'Bidders send and approve bids, which spends connects.',
  },
  {
    role: 'admin',
    people: 'admins',
    groups: 'admin-groups',
    label: 'Admins',
    hint: 'Admins can also bid, set budgets, pause the feed, read the audit log and change this list.',
  },
];

function fieldsOf(facts: AccessModalFacts): KnownBlock[] {
  const { list, groups: known } = facts;
  const choices = userGroupChoices(known, [...list.bidder.groups, ...list.admin.groups]);
  return ROLES.flatMap(({ role, people, groups, label, hint }) => [
    usersInput({
      id: accessFieldBlockId(people, list),
      label,
      hint,
      initial: list[role].users,
      optional: true,
    }),
    ...(choices.length > 0
      ? [
          multiSelectInput({
            id: accessFieldBlockId(groups, list),
            label: `${label}: user groups`,
            choices,
            initial: list[role].groups,
            optional: true,
          }),
        ]
      : []),
  ]);
}

const ALWAYS =
  "Workspace admins and owners, and people in Gigdesk's setting `ADMIN_USER_IDS`, are always admins. " +
  'Guests and external members can only read. Every change is logged in `/gig audit`.';

export function accessModal(facts: AccessModalFacts): ModalView {
  const { list, channel, groups, notice } = facts;
  const place: AccessModalMetadata = { channel, scope: list.scope, revision: list.revision };
  return formView(
    {
      id: viewIds.access,
      carries: accessModalMetadataCodec.write(place),
      title: ACCESS_TITLE,
      submit: 'Save',
    },
    [
      ...(notice ? [alertBlock('warning', notice)] : []),
      scopeSection(facts),
      ...fieldsOf(facts),
      ...userGroupsBlocks(groups, 'Groups with a role are shown by their ID.'),
      contextBlock(
        list.scope === 'everywhere' ? ALWAYS : `Roles granted everywhere also apply here. ${ALWAYS}`,
      ),
    ],
  );
}
