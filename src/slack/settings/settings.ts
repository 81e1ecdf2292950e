/** What other rooms use of settings. */
export { redrawSettings, settingsAction, settingsCommand } from './settings-command.ts';
export { nonDefaultSettingLines, quietText, type SettingsTextFacts } from './settings-text.ts';
