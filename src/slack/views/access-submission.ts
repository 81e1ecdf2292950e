/** The access modal, submitted: the list is replaced where nobody has changed it since it was opened. */
import { compareLists } from '../../access/lists.ts';
import { mayAct } from '../../access/roles.ts';
import { viewIds } from '../blocks/ids.ts';
import { number } from '../blocks/numbers.ts';
import {
  ACCESS_OUT_OF_DATE,
  accessChangedMessage,
  accessSameMessage,
  accessStaleMessage,
  changedMeanwhileText,
} from '../messages/access-answers.ts';
import { notAllowedMessage } from '../messages/boundary-answers.ts';
import type { SubmissionAnswer, ViewCall, ViewPlace, ViewRoute } from '../routes.ts';
import { readGroupNames, readUserGroups } from '../user-groups.ts';
import { ACCESS_TITLE, accessModal } from './access-modal.ts';
import {
  type AccessForm,
  type AccessPlace,
  accessField,
  readAccessForm,
  readAccessPlace,
} from './access-place.ts';
import { loadingView, noticeView } from './plain-view.ts';

/** More by name than anybody can oversee: a group is easier to keep. */
const MOST_PEOPLE = 200;

/** The list of everywhere is for admins of everywhere, whatever role they have where they opened the modal. */
async function mayChangeEverywhere({ services, person }: Pick<ViewCall, 'services' | 'person'>) {
  const everywhere = await services.whoIs(person.user);
  return mayAct(everywhere.role, 'admin');
}

/** Whether the person may change this list; told so when not. */
async function admit(call: ViewCall, { scope }: AccessPlace, tell: ViewCall['answer']): Promise<boolean> {
  if (scope !== 'everywhere' || (await mayChangeEverywhere(call))) return true;
  const person = await call.services.whoIs(call.person.user);
  const hint = "As a channel admin, you can only change that channel's roles.";
  await tell(notAllowedMessage(person, 'admin', { mayAsk: false, hint }));
  return false;
}

async function save(call: ViewCall, place: AccessPlace, form: AccessForm, before: AccessForm): Promise<void> {
  if (!(await admit(call, place, (message) => call.answer(message)))) return;
  const { services, person } = call;
  const { scope, revision: seen } = place;
  const outcome = await services.access.change({ scope, ...form, by: person.user, seen });
  switch (outcome.kind) {
    case 'same':
      return call.answer(accessSameMessage());
    case 'stale':
      return call.answer(accessStaleMessage(outcome.list));
    case 'changed': {
      const changes = compareLists(before, outcome.list);
      const ids = changes.flatMap(({ added, removed }) => [...added.groups, ...removed.groups]);
      return call.answer(accessChangedMessage(scope, changes, await readGroupNames(services, ids)));
    }
  }
}

async function showNewest(call: ViewCall, place: AccessPlace): Promise<void> {
  const { channel, scope } = place;
  const { services, view } = call;
  const show = (words: string) => services.slack.updateView(view.id, noticeView(ACCESS_TITLE, words));
  if (!(await admit(call, place, ({ text }) => show(text)))) return;
  const [list, groups, mayChoose] = await Promise.all([
    services.access.list(scope),
    readUserGroups(services),
    mayChangeEverywhere(call),
  ]);
  const notice = `:warning: ${changedMeanwhileText(list)}, so your changes weren't saved. Here's the latest version.`;
  await services.slack.updateView(view.id, accessModal({ list, channel, groups, mayChoose, notice }));
}

function tooMany(form: AccessForm, place: AccessPlace): Record<string, string> {
  const problem = `Up to ${number(MOST_PEOPLE)} people. To add more, choose a user group.`;
  return Object.fromEntries([
    ...(form.bidder.users.length > MOST_PEOPLE ? [[accessField('bidders', place), problem]] : []),
    ...(form.admin.users.length > MOST_PEOPLE ? [[accessField('admins', place), problem]] : []),
  ]);
}

async function submit({ view, services }: ViewPlace): Promise<SubmissionAnswer> {
  const place = readAccessPlace(view.privateMetadata);
  const form = place && readAccessForm(view.values, place);
  if (!place || !form) return { kind: 'update', view: noticeView(ACCESS_TITLE, ACCESS_OUT_OF_DATE) };
  const errors = tooMany(form, place);
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  const { channel } = place;
  const list = await services.access.list(place.scope);
  // What others may do is shown only to whom may see it: that is known behind the acknowledgement.
  if (list.revision !== place.revision)
    return {
      kind: 'update',
      view: loadingView(ACCESS_TITLE),
      channel,
      after: (call) => showNewest(call, place),
    };
  return { kind: 'close', channel, after: (call) => save(call, place, form, list) };
}

export const accessView: ViewRoute = { id: viewIds.access, needs: 'admin', submit };
