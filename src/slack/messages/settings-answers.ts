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
  return words ? `Cards leave out ${words}.` : 'Cards have all their buttons.';
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
        ? 'Cards show what decides, and their threads the rest.'
        : 'Details stand on the cards themselves.';
    case 'quiet hours':
      return quiet
        ? `Quiet hours are ${quietText(quiet)} (${zone}): new projects come afterwards, as one summary.`
        : 'There are no quiet hours: new projects come as they are found.';
    case 'time zone':
      return `The time zone is ${zone}.`;
    case 'buttons':
      return buttonsText(hiddenButtons);
    case 'mentions':
      return mentions.length === 0
        ? 'Cards call nobody.'
        : `Cards call people by ${count(mentions.length, 'rule')}; \`/gig list\` shows whom.`;
  }
}

/** For the channel. */
export function settingsChangedMessage(outcome: ChooseOutcome, by: UserId, defaultTimezone: string): Message {
  const calling = outcome.changed.includes('mentions') ? choicesOf(outcome.settings).mentions : [];
  return {
    text: lines(
      `${mention(by)} changed the settings of this channel. It counts for cards from now on.`,
      ...outcome.changed.map((name) => `• ${nowText(name, outcome, defaultTimezone)}`),
      unknownCountriesText(...calling.map(({ rules }) => rules)),
    ),
  };
}

/** For the person: nothing is different. */
export const SETTINGS_SAME: Message = { text: 'The settings are as they were: nothing was changed.' };

/** For the person: somebody else had changed the same meanwhile. */
export function settingsOverruledMessage(names: readonly ChoiceName[]): Message {
  return {
    text: `While your window was open, somebody else had changed the same: ${names.join(', ')}. Yours counts now; \`/gig audit\` tells who it was.`,
  };
}

/** A window that can't be understood any more. */
export const SETTINGS_OUT_OF_DATE =
  'This window is out of date, so nothing was changed. `/gig settings` opens a new one.';
