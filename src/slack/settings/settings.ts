/** What other rooms use of settings. */
export { redrawSettings, settingsCommand } from './settings-command.ts';
export { settingsAction } from './settings-forms.ts';
export { nonDefaultSettingLines, quietText, type SettingsTextFacts } from './settings-text.ts';
