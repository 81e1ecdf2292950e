/** What other rooms use of settings. */
export { settingsCommand } from './settings-command.ts';
export { densityText, nonDefaultSettingLines, quietText, type SettingsTextFacts } from './settings-text.ts';
