/**
 * Stores what the settings window or one of its forms showed, so that two people only overwrite what each
 * changed; and builds the actions of the window's buttons.
 */
import { z } from 'zod';
import { ChannelPreferences } from '../../feed/channels.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { SETTINGS_OUT_OF_DATE } from './settings-text.ts';

const SettingsForm = z.object({ ...personalWindowShape, shown: ChannelPreferences });
export type SettingsForm = z.infer<typeof SettingsForm>;

export const settingsFormWindows = createPersonalWindows('settings-forms', SettingsForm);
export const settingsForms = settingsFormWindows.collection;

/**
 * The action of a button in the settings window, for admins of its channel. `run` isn't called for a window
 * that Gigdesk no longer knows: it would act on another channel.
 */
export function settingsAction(
  id: string,
  run: (call: ActionCall, form: SettingsForm) => Promise<void>,
): ActionRoute {
  return {
    id,
    needs: 'admin',
    findChannel: settingsFormWindows.findChannel,
    async run(call) {
      const { services, person, view } = call;
      const form = view && (await settingsFormWindows.find({ services, user: person.user, view }));
      if (!form) return call.answer({ text: SETTINGS_OUT_OF_DATE });
      await run(call, form);
    },
  };
}
