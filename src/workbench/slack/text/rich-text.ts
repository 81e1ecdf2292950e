/** Rich text as plain lines. */

import { objectOrEmpty, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import type { NameResolver } from './mrkdwn.ts';

function inline(element: JsonObject, nameOf: NameResolver): string {
  const field = (name: string) => stringOrUndefined(element[name]) ?? '';
  const named = (name: string) => nameOf(field(name)) ?? field(name);
  switch (element['type']) {
    case 'text':
      return field('text');
    case 'link':
      return field('text') === '' ? field('url') : `${field('text')} (${field('url')})`;
    case 'emoji':
      return `:${field('name')}:`;
    case 'user':
      return `@${named('user_id')}`;
    case 'usergroup':
      return `@${named('usergroup_id')}`;
    case 'channel':
      return `#${named('channel_id')}`;
    case 'broadcast':
      return `@${field('range')}`;
    case 'date':
      return field('fallback');
    default:
      return field('value');
  }
}

function words(part: JsonObject, nameOf: NameResolver): string {
  return objectsInList(part['elements'])
    .map((each) => inline(each, nameOf))
    .join('');
}

function listLines(part: JsonObject, nameOf: NameResolver): string {
  const indent = '  '.repeat(Number(part['indent'] ?? 0));
  return objectsInList(part['elements'])
    .map(
      (item, index) =>
        `${indent}${part['style'] === 'ordered' ? `${index + 1}.` : '•'} ${words(item, nameOf)}`,
    )
    .join('\n');
}

export function richTextToPlainText(block: unknown, nameOf: NameResolver): string {
  const parts = objectsInList(objectOrEmpty(block)['elements']);
  return parts
    .map((part) => {
      if (part['type'] === 'rich_text_list') return listLines(part, nameOf);
      const said = words(part, nameOf);
      if (part['type'] === 'rich_text_quote') return said.replaceAll(/^/gm, '> ');
      if (part['type'] === 'rich_text_preformatted') return said.replaceAll(/^/gm, '    ');
      return said;
    })
    .join('\n');
}
