/** Rich text as plain lines. */
import type { Json } from '../objects.ts';
import { objectOf, objectsOf, textOf } from '../reading.ts';
import type { NameOf } from './mrkdwn.ts';

function inline(element: Json, nameOf: NameOf): string {
  const field = (name: string) => textOf(element[name]) ?? '';
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

function words(part: Json, nameOf: NameOf): string {
  return objectsOf(part['elements'])
    .map((each) => inline(each, nameOf))
    .join('');
}

function listLines(part: Json, nameOf: NameOf): string {
  const indent = '  '.repeat(Number(part['indent'] ?? 0));
  return objectsOf(part['elements'])
    .map(
      (item, index) =>
        `${indent}${part['style'] === 'ordered' ? `${index + 1}.` : '•'} ${words(item, nameOf)}`,
    )
    .join('\n');
}

export function plainRichText(block: unknown, nameOf: NameOf): string {
  const parts = objectsOf(objectOf(block)['elements']);
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
