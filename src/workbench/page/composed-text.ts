/**
 * Turns typed text into the text that Slack's client sends to an app: escaped characters, entities for
 * people, channels and URLs. Pure.
 */
import type { SlackUser } from '../slack/objects.ts';
import { listPeople, listVisibleChannels, type SlackControlsAndContents } from './visibility.ts';

/** URLs in a text, without the punctuation of the sentence around them. */
const ADDRESS = /https?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]]/giu;
const NAME = /(?<![\p{L}\p{N}/&])([@#])([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu;

function escapeSigns(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Unknown names stay text. */
function nameEntities(slack: SlackControlsAndContents, person: SlackUser, text: string): string {
  return text.replaceAll(NAME, (all, sign: string, name: string) => {
    const channel =
      sign === '#' ? listVisibleChannels(slack, person).find((each) => each.name === name) : undefined;
    if (sign === '@' && name === slack.bot.name) return `<@${slack.bot.userId}|${name}>`;
    if (channel) return `<#${channel.id}|${channel.name}>`;
    const user = sign === '@' ? listPeople(slack).find((each) => each.name === name) : undefined;
    if (user) return `<@${user.id}|${user.name}>`;
    const group = sign === '@' ? slack.userGroups().find((each) => each.handle === name) : undefined;
    if (group) return `<!subteam^${group.id}|@${group.handle}>`;
    return all;
  });
}

export interface ComposedText {
  readonly text: string;
  /** The URLs in it. */
  readonly urls: readonly string[];
}

export function parseComposedText(
  slack: SlackControlsAndContents,
  person: SlackUser,
  typed: string,
): ComposedText {
  const escaped = escapeSigns(typed);
  const urls: string[] = [];
  let text = '';
  let from = 0;
  for (const { 0: url, index } of escaped.matchAll(ADDRESS)) {
    text += `${nameEntities(slack, person, escaped.slice(from, index))}<${url}>`;
    urls.push(url.replaceAll('&amp;', '&'));
    from = index + url.length;
  }
  return { text: text + nameEntities(slack, person, escaped.slice(from)), urls };
}
