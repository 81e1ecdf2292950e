/** What other rooms use of settings. */
export { findSettingsChannel, saveChannelPreferences, settingsCommand } from './settings-command.ts';
export {
  densityText,
  LEVEL_LABELS,
  nonDefaultSettingLines,
  quietText,
  type SettingsTextFacts,
} from './settings-text.ts';
