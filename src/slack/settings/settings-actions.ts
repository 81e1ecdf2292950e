import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, ViewInteraction } from '../core/routes.ts';
import { readUserGroups } from '../core/user-groups.ts';
import { actionIds } from '../kit/ids.ts';
import { SETTINGS_OUT_OF_DATE } from './settings-answers.ts';
import { addMentionRow, readSettingsForm } from './settings-forms.ts';
import { settingsModal } from './settings-modal.ts';

function readForm({ services, user, view }: ViewInteraction) {
  const { store, team } = services;
  return store.read((tx) => readSettingsForm(tx, { team, user }, view.privateMetadata));
}

/** Adds a row for one more rule. Slack keeps the typed values, field by field. */
async function addRow(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const { store, timezone } = services;
  const before = view && (await readForm({ services, user: person.user, view }));
  const form = before && (await store.transact((tx) => addMentionRow(tx, before)));
  if (!form) return call.answer({ text: SETTINGS_OUT_OF_DATE });
  const groups = await readUserGroups(services);
  const own = person.timezone === undefined ? {} : { ownTimezone: person.timezone };
  await updateViewIfOpen(services, view.id, settingsModal({ form, groups, timezone, ...own }));
}

export const settingsActions: readonly ActionRoute[] = [
  {
    id: actionIds.settingsMention,
    needs: 'admin',
    findChannel: async (press) => (await readForm(press))?.channel,
    isInForm: true,
    run: addRow,
  },
];
