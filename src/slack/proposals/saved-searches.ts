/** Saved searches in `/gig proposals`: the menu that runs one, the form that saves one, and deleting. */
import type { ActionsBlockElement, Button, ModalView } from '@slack/types';
import {
  deleteSavedSearch,
  MAX_SAVED_SEARCH_NAME,
  MAX_SAVED_SEARCHES,
  type SavedSearch,
  saveSearch,
} from '../../proposals/saved-searches.ts';
import { translateEverydayWords } from '../../query/everyday-words.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';
import { parseProposalSearch } from '../../query/proposal-search.ts';
import type {
  ActionCall,
  ActionRoute,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
} from '../core/routes.ts';
import {
  buttonElement,
  confirmDialog,
  joinLines,
  menuOption,
  noticeView,
  plainTextObject,
} from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { cleanLine, codeText, safeLine } from '../kit/mrkdwn.ts';

/** The person's saved searches, and the one that is shown. */
export interface SavedSearchFacts {
  readonly all: readonly SavedSearch[];
  readonly shown?: SavedSearch;
}

/** A menu that runs a saved search; nothing without one. */
export function savedSearchMenu({ all }: SavedSearchFacts): readonly ActionsBlockElement[] {
  if (all.length === 0) return [];
  return [
    {
      type: 'static_select',
      action_id: actionIds.proposalsSaved,
      placeholder: plainTextObject('Saved searches'),
      options: all.slice(0, MAX_SAVED_SEARCHES).map(({ id, name }) => menuOption(name, id)),
    },
  ];
}

/** @param query as typed, so that dates such as "last month" stay relative */
export function saveOrDeleteButton(query: string, { shown }: SavedSearchFacts): readonly Button[] {
  if (shown)
    return [
      buttonElement({
        id: actionIds.proposalsForget,
        label: 'Delete Search',
        value: shown.id,
        accessibilityLabel: `Delete the saved search ${shown.name}`,
        confirm: confirmDialog(
          'Delete this search?',
          `“${cleanLine(shown.name)}” is deleted from your saved searches.`,
          'Delete',
        ),
      }),
    ];
  if (query === '') return [];
  return [
    buttonElement({
      id: actionIds.proposalsSave,
      label: 'Save Search',
      value: query,
      accessibilityLabel: 'Save this search under a name',
    }),
  ];
}

const TITLE = 'Save Search';
const NAME_FIELD = 'name';
const QUERY_FIELD = 'query';

function saveSearchModal(query: string): ModalView {
  return {
    type: 'modal',
    callback_id: viewIds.saveSearch,
    title: plainTextObject(TITLE),
    submit: plainTextObject('Save'),
    close: plainTextObject('Cancel'),
    blocks: [
      textInput({
        id: NAME_FIELD,
        label: 'Name',
        placeholder: 'Hires last month',
        maxLength: MAX_SAVED_SEARCH_NAME,
      }),
      textInput({
        id: QUERY_FIELD,
        label: 'Search',
        hint: 'Dates such as "last month" count from the day you run it.',
        initial: query,
        maxLength: MAX_QUERY_LENGTH,
      }),
    ],
  };
}

async function openSaveForm({ services, triggerId, value }: ActionCall): Promise<void> {
  await services.slack.openView(triggerId, saveSearchModal(value.slice(0, MAX_QUERY_LENGTH)));
}

async function submit({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const { store, team, clock, random } = services;
  const name = cleanLine(view.values.get(NAME_FIELD)?.text ?? '').slice(0, MAX_SAVED_SEARCH_NAME);
  const query = cleanLine(view.values.get(QUERY_FIELD)?.text ?? '');
  const read = parseProposalSearch(translateEverydayWords(query, clock.now()));
  const errors = {
    ...(name === '' ? { [NAME_FIELD]: 'Enter a name.' } : {}),
    ...(query === '' ? { [QUERY_FIELD]: 'Enter a search, such as hired last month.' } : {}),
    ...(read.kind === 'mistake' ? { [QUERY_FIELD]: read.message } : {}),
  };
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  const saved = await store.transact((tx) =>
    saveSearch(tx, { team, user }, { name, query }, { at: clock.now(), random }),
  );
  if (saved.kind === 'full')
    return {
      kind: 'errors',
      errors: { [NAME_FIELD]: `You have ${MAX_SAVED_SEARCHES} saved searches. Delete one first.` },
    };
  const text = joinLines(
    `${saved.kind === 'saved' ? 'Saved' : 'Replaced'} “${safeLine(name, MAX_SAVED_SEARCH_NAME)}”.`,
    `Run it with ${codeText(`${SLASH_COMMAND} proposals ${name}`)}, ` +
      'or choose it below your search results. Only you see your saved searches.',
  );
  return { kind: 'update', view: noticeView(TITLE, text) };
}

/** Any role may save: the search itself checks what the person may see. */
export const saveSearchView: ViewRoute = { id: viewIds.saveSearch, needs: 'viewer', submit };

async function deleteSearch(call: ActionCall): Promise<void> {
  const { store, team } = call.services;
  const owner = { team, user: call.person.user };
  const gone = await store.transact((tx) => deleteSavedSearch(tx, owner, call.value));
  await call.answer({
    text: gone
      ? `Deleted “${safeLine(gone.name, MAX_SAVED_SEARCH_NAME)}” from your saved searches.`
      : 'This search was already deleted.',
  });
}

export const savedSearchActions: readonly ActionRoute[] = [
  { id: actionIds.proposalsSave, needs: 'viewer', run: openSaveForm },
  { id: actionIds.proposalsForget, needs: 'viewer', hasSideEffects: true, run: deleteSearch },
];
