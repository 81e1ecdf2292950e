/** Submitting the access modal: replaces the list unless someone changed it since the modal was opened. */

import { hasRoleAtLeast } from '../../access/access.ts';
import { compareAccessLists } from '../../access/create-access.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type {
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { readGroupNames, readUserGroups } from '../core/user-groups.ts';
import { loadingView, noticeView } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { formatNumber } from '../kit/numbers.ts';
import {
  ACCESS_OUT_OF_DATE,
  accessChangedMessage,
  accessListChangedText,
  accessSameMessage,
  accessStaleMessage,
} from './access.ts';
import {
  ACCESS_TITLE,
  type AccessForm,
  type AccessModalMetadata,
  accessFieldBlockId,
  accessModal,
  accessModalMetadataCodec,
  parseAccessForm,
} from './access-modal.ts';

/** A longer list of names is hard to maintain: a group is easier. */
const MOST_PEOPLE = 200;

/**
 * The workspace-wide list is only for workspace-wide admins, whatever role they have where they opened the
 * modal.
 */
async function mayChangeEverywhere({ services, person }: Pick<ViewSubmissionCall, 'services' | 'person'>) {
  const everywhere = await services.resolvePerson(person.user);
  return hasRoleAtLeast(everywhere.role, 'admin');
}

/** Whether the user may change this list; if not, answers why. */
async function admit(
  call: ViewSubmissionCall,
  { scope }: AccessModalMetadata,
  tell: ViewSubmissionCall['answer'],
): Promise<boolean> {
  if (scope !== 'everywhere' || (await mayChangeEverywhere(call))) return true;
  const person = await call.services.resolvePerson(call.person.user);
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
  const { scope, revision: seen } = place;
  const outcome = await services.access.changeAccessList({
    scope,
    ...form,
    by: person.user,
    seenRevision: seen,
  });
  switch (outcome.kind) {
    case 'same':
      return call.answer(accessSameMessage());
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
  const [list, groups, mayChoose] = await Promise.all([
    services.access.readAccessList(scope),
    readUserGroups(services),
    mayChangeEverywhere(call),
  ]);
  const changed = accessListChangedText(list);
  const notice = `${changed}, so your changes weren't saved. Here's the latest version.`;
  const newest = accessModal({ list, channel, groups, canSwitchScope: mayChoose, notice });
  await updateViewIfOpen(services, view.id, newest);
}

async function submitAccess({ view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const place = accessModalMetadataCodec.read(view.privateMetadata);
  const form = place && parseAccessForm(view.values, place);
  if (!place || !form) return { kind: 'update', view: noticeView(ACCESS_TITLE, ACCESS_OUT_OF_DATE) };
  const problem = `Up to ${formatNumber(MOST_PEOPLE)} people. To add more, choose a user group.`;
  const errors = Object.fromEntries([
    ...(form.bidder.users.length > MOST_PEOPLE ? [[accessFieldBlockId('bidders', place), problem]] : []),
    ...(form.admin.users.length > MOST_PEOPLE ? [[accessFieldBlockId('admins', place), problem]] : []),
  ]);
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
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
