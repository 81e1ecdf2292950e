/** What came of changing a channel's settings. Pure. */
import { type ChoiceName, choicesOf } from '../../feed/choices.ts';
import type { ChooseOutcome } from '../../feed/feed.ts';
import type { UserId } from '../../ids.ts';
import { mention } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { lines } from './parts.ts';
import { BUTTON_WORDS, densityText, quietText, timezoneText } from './settings-words.ts';
import { unknownCountriesText } from './unknown-countries.ts';

function buttonsText(hidden: readonly (keyof typeof BUTTON_WORDS)[]): string {
  const words = hidden.map((each) => BUTTON_WORDS[each]).join(', ');
  return words ? `Cards hide ${words}.` : 'Cards show all buttons.';
}

/** How it is now, for everyone in the channel: nobody is called by it. mrkdwn. */
function nowText(name: ChoiceName, { settings }: ChooseOutcome, defaultTimezone: string): string {
  const { density, threadDetails, quiet, timezone, hiddenButtons, mentions } = choicesOf(settings);
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
        : `Cards mention people by ${count(mentions.length, 'rule')}. See the rules with \`/gig list\`.`;
  }
}

/** For the channel. */
export function settingsChangedMessage(outcome: ChooseOutcome, by: UserId, defaultTimezone: string): Message {
  const calling = outcome.changed.includes('mentions') ? choicesOf(outcome.settings).mentions : [];
  return {
    text: lines(
      `${mention(by)} changed this channel's settings. New cards use them.`,
      ...outcome.changed.map((name) => `• ${nowText(name, outcome, defaultTimezone)}`),
      unknownCountriesText(...calling.map(({ rules }) => rules)),
    ),
  };
}

/** For the person: nothing is different. */
export const SETTINGS_SAME: Message = { text: 'Nothing was changed: the settings are the same as before.' };

/** For the person: somebody else had changed the same meanwhile. */
export function settingsOverruledMessage(names: readonly ChoiceName[]): Message {
  return {
    text: `While your window was open, someone else also changed: ${names.join(', ')}. Your changes replaced theirs. See who it was with \`/gig audit\`.`,
  };
}

/** A window that can't be understood any more. */
export const SETTINGS_OUT_OF_DATE =
  'This window is out of date, so nothing was changed. Open a new one with `/gig settings`.';
