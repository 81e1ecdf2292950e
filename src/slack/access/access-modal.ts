/**
 * The form for roles. Opens at once from stored data, and updates when Slack has sent the user groups. What
 * comes back from it is untrusted input: it replaces the list unless someone changed that since.
 */
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AccessList,
  AccessScope,
  type GrantedRole,
  type Grantees,
  hasRoleAtLeast,
  toAccessScope,
} from '../../access/access.ts';
import { compareAccessLists } from '../../access/create-access.ts';
import { ChannelId } from '../../ids.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type {
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
  ViewValues,
} from '../core/routes.ts';
import {
  readGroupNames,
  readUserGroups,
  type UserGroups,
  userGroupChoices,
  userGroupsBlocks,
} from '../core/user-groups.ts';
import {
  contextBlock,
  formView,
  loadingView,
  menuOption,
  noticeView,
  sectionBlock,
} from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { multiSelectInput, usersInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import {
  ACCESS_OUT_OF_DATE,
  accessChangedMessage,
  accessListChangedText,
  accessStaleMessage,
} from './access.ts';

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
type AccessModalMetadata = z.infer<typeof AccessModalMetadata>;

export const accessModalMetadataCodec = jsonValueCodec(AccessModalMetadata);

/** Slack keeps input by block while a view updates: another revision or list must not inherit it. */
function accessFieldBlockId(
  field: `${GrantedRole}s` | `${GrantedRole}-groups`,
  { scope, revision }: Omit<AccessModalMetadata, 'channel'>,
): string {
  return `${field}:${scope}:${revision}`;
}

const groupIds = z.array(z.string().regex(/^S[A-Z0-9]{1,30}$/u)).max(100);

type AccessForm = Pick<AccessList, 'bidder' | 'admin'>;

/** @returns undefined for values that the form can't produce. */
function parseAccessForm(values: ViewValues, place: AccessModalMetadata): AccessForm | undefined {
  const read = (role: GrantedRole): Grantees | undefined => {
    const chosen = groupIds.safeParse(values.get(accessFieldBlockId(`${role}-groups`, place))?.options ?? []);
    const users = [...(values.get(accessFieldBlockId(`${role}s`, place))?.users ?? [])];
    return chosen.success ? { users, groups: chosen.data } : undefined;
  };
  const bidder = read('bidder');
  const admin = read('admin');
  return bidder && admin && { bidder, admin };
}

const ACCESS_TITLE = 'Access';

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

const ROLES = [
  { role: 'bidder', label: 'Bidders', hint: 'Bidders send and approve bids, which spends connects.' },
  {
    role: 'admin',
    label: 'Admins',
    hint: 'Admins can also bid, set budgets, pause the feed, read the audit log and change this list.',
  },
] as const;

function fieldsOf(facts: AccessModalFacts): KnownBlock[] {
  const { list, groups } = facts;
  const choices = userGroupChoices(groups, [...list.bidder.groups, ...list.admin.groups]);
  return ROLES.flatMap(({ role, label, hint }) => [
    usersInput({
      id: accessFieldBlockId(`${role}s`, list),
      label,
      hint,
      initial: list[role].users,
      optional: true,
    }),
    ...(choices.length > 0
      ? [
          multiSelectInput({
            id: accessFieldBlockId(`${role}-groups`, list),
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
  const carries = accessModalMetadataCodec.write({ channel, scope: list.scope, revision: list.revision });
  const foot = list.scope === 'everywhere' ? ALWAYS : `Roles granted everywhere also apply here. ${ALWAYS}`;
  return formView({ id: viewIds.access, carries, title: ACCESS_TITLE, submit: 'Save' }, [
    ...(notice ? [alertBlock('warning', notice)] : []),
    scopeSection(facts),
    ...fieldsOf(facts),
    ...userGroupsBlocks(groups, 'Groups with a role are shown by their ID.'),
    contextBlock(foot),
  ]);
}

/** A longer list of names is hard to maintain: a group is easier. */
const MOST_PEOPLE = 200;

/** The workspace-wide list is only for workspace-wide admins, whatever role they have in the channel. */
async function admit(
  call: ViewSubmissionCall,
  { scope }: AccessModalMetadata,
  tell: ViewSubmissionCall['answer'],
): Promise<boolean> {
  if (scope !== 'everywhere') return true;
  const person = await call.services.resolvePerson(call.person.user);
  if (hasRoleAtLeast(person.role, 'admin')) return true;
  const hint = "As a channel admin, you can only change that channel's roles.";
  await tell(notAllowedMessage(person, 'admin', { mayAsk: false, hint }));
  return false;
}

async function saveAccess(
  call: ViewSubmissionCall,
  place: AccessModalMetadata,
  form: AccessForm,
  before: AccessForm,
): Promise<void> {
  if (!(await admit(call, place, (message) => call.answer(message)))) return;
  const { services, person } = call;
  const { scope, revision: seenRevision } = place;
  const outcome = await services.access.changeAccessList({ scope, ...form, by: person.user, seenRevision });
  switch (outcome.kind) {
    case 'same':
      return call.answer({ text: 'Nothing changed: access is the same as before.' });
    case 'stale':
      return call.answer(accessStaleMessage(outcome.list));
    case 'changed': {
      const changes = compareAccessLists(before, outcome.list);
      const ids = changes.flatMap(({ added, removed }) => [...added.groups, ...removed.groups]);
      return call.answer(accessChangedMessage(scope, changes, await readGroupNames(services, ids)));
    }
  }
}

async function showNewest(call: ViewSubmissionCall, place: AccessModalMetadata): Promise<void> {
  const { channel, scope } = place;
  const { services, view } = call;
  const show = async ({ text }: Message) => {
    await updateViewIfOpen(services, view.id, noticeView(ACCESS_TITLE, text));
  };
  if (!(await admit(call, place, show))) return;
  const [list, groups, everywhere] = await Promise.all([
    services.access.readAccessList(scope),
    readUserGroups(services),
    services.resolvePerson(call.person.user),
  ]);
  const changed = accessListChangedText(list);
  const notice = `${changed}, so your changes weren't saved. Here's the latest version.`;
  const canSwitchScope = hasRoleAtLeast(everywhere.role, 'admin');
  await updateViewIfOpen(services, view.id, accessModal({ list, channel, groups, canSwitchScope, notice }));
}

async function submitAccess({ view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const place = accessModalMetadataCodec.read(view.privateMetadata);
  const form = place && parseAccessForm(view.values, place);
  if (!place || !form) return { kind: 'update', view: noticeView(ACCESS_TITLE, ACCESS_OUT_OF_DATE) };
  const tooLong = ROLES.filter(({ role }) => form[role].users.length > MOST_PEOPLE);
  const problem = `Up to ${formatNumber(MOST_PEOPLE)} people. To add more, choose a user group.`;
  const errors = tooLong.map(({ role }) => [accessFieldBlockId(`${role}s`, place), problem] as const);
  if (errors.length > 0) return { kind: 'errors', errors: Object.fromEntries(errors) };
  const { channel } = place;
  const list = await services.access.readAccessList(place.scope);
  // Loads the list after the acknowledgement: only then is it known whether the user may see it.
  if (list.revision !== place.revision)
    return {
      kind: 'update',
      view: loadingView(ACCESS_TITLE),
      channel,
      after: (call) => showNewest(call, place),
    };
  return { kind: 'close', channel, after: (call) => saveAccess(call, place, form, list) };
}

export const accessView: ViewRoute = { id: viewIds.access, needs: 'admin', submit: submitAccess };
