/** The results of changing a channel's settings. Pure. */
import { extractPreferences, type PreferenceName } from '../../feed/channel-preferences.ts';
import type { ChangePreferencesOutcome } from '../../feed/feed.ts';
import type { UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { unknownCountriesText } from '../kit/words/filters.ts';
import { CARD_BUTTON_LABELS, densityText, quietText, timezoneText } from './settings-text.ts';

function buttonsText(hidden: readonly (keyof typeof CARD_BUTTON_LABELS)[]): string {
  const words = hidden.map((each) => CARD_BUTTON_LABELS[each]).join(', ');
  return words ? `Cards hide ${words}.` : 'Cards show all buttons.';
}

/** The new setting, for everyone in the channel. Mentions notify nobody. mrkdwn. */
function nowText(
  name: PreferenceName,
  { settings }: ChangePreferencesOutcome,
  defaultTimezone: string,
): string {
  const { density, threadDetails, quiet, timezone, hiddenButtons, mentions } = extractPreferences(settings);
  const zone = timezoneText(timezone, defaultTimezone);
  switch (name) {
    case 'density':
      return densityText(density);
    case 'thread details':
      return threadDetails
        ? 'Cards show the key facts. Details go in their threads.'
        : 'Details appear on the cards.';
    case 'quiet hours':
      return quiet
        ? `Quiet hours: ${quietText(quiet)} (${zone}). New projects arrive afterwards in one summary.`
        : 'No quiet hours. New projects are posted as soon as they are found.';
    case 'time zone':
      return `Time zone: ${zone}.`;
    case 'buttons':
      return buttonsText(hiddenButtons);
    case 'mentions':
      return mentions.length === 0
        ? "Cards don't mention anyone."
        : `Cards mention people by ${formatCount(mentions.length, 'rule')}. ` +
            'See the rules with `/gig list`.';
  }
}

/** For the channel. */
export function settingsChangedMessage(
  outcome: ChangePreferencesOutcome,
  by: UserId,
  defaultTimezone: string,
): Message {
  const calling = outcome.changed.includes('mentions') ? extractPreferences(outcome.settings).mentions : [];
  return {
    text: joinLines(
      `${formatMention(by)} changed this channel's settings. New cards use them.`,
      ...outcome.changed.map((name) => `• ${nowText(name, outcome, defaultTimezone)}`),
      unknownCountriesText(...calling.map(({ rules }) => rules)),
    ),
  };
}

/** For the user: nothing changed. */
export const SETTINGS_SAME: Message = { text: 'Nothing was changed: the settings are the same as before.' };

/** For the user: someone else had changed the same settings in the meantime. */
export function settingsOverwrittenMessage(names: readonly PreferenceName[]): Message {
  return {
    text:
      `While your window was open, someone else also changed: ${names.join(', ')}. ` +
      'Your changes replaced theirs. See who it was with `/gig audit`.',
  };
}

/** For a form whose contents are no longer valid. */
export const SETTINGS_OUT_OF_DATE =
  'This window is out of date, so nothing was changed. Open a new one with `/gig settings`.';
