import { actionIds } from '../blocks/ids.ts';
import { SETTINGS_OUT_OF_DATE } from '../messages/settings-answers.ts';
import type { ActionCall, ActionRoute, ViewPlace } from '../routes.ts';
import { addMentionRow, readSettingsForm } from '../settings-forms.ts';
import { readUserGroups } from '../user-groups.ts';
import { settingsModal } from '../views/settings-modal.ts';
import { putView } from './bid-show.ts';

function readForm({ services, user, view }: ViewPlace) {
  const { store, team } = services;
  return store.read((tx) => readSettingsForm(tx, { team, user }, view.privateMetadata));
}

/** Room for one rule more. What is filled in stays: Slack keeps it, field by field. */
async function addRow(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const { store, timezone } = services;
  const before = view && (await readForm({ services, user: person.user, view }));
  const form = before && (await store.transact((tx) => addMentionRow(tx, before)));
  if (!form) return call.answer({ text: SETTINGS_OUT_OF_DATE });
  const groups = await readUserGroups(services);
  const own = person.timezone === undefined ? {} : { ownTimezone: person.timezone };
  await putView(services, view.id, settingsModal({ form, groups, timezone, ...own }));
}

export const settingsActions: readonly ActionRoute[] = [
  {
    id: actionIds.settingsMention,
    needs: 'admin',
    place: async (press) => (await readForm(press))?.channel,
    inForm: true,
    run: addRow,
  },
];
