/** Slack's markup as plain text: names for mentions, URLs for links. */

/** The name for a user's or channel's ID; undefined if unknown. */
export type NameResolver = (id: string) => string | undefined;

export function unescapeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function special(inside: string, label: string | undefined): string {
  const [kind = '', ...rest] = inside.split('^');
  if (kind === 'date') return label ?? rest.join(' ');
  if (kind === 'subteam') return label ?? `@${rest[0] ?? 'group'}`;
  return `@${kind}`;
}

function link(url: string, label: string | undefined): string {
  if (label === undefined || label === '' || label === url) return url;
  return `${label} (${url})`;
}

function entity(inside: string, nameOf: NameResolver): string {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : inside.slice(bar + 1);
  const id = target.slice(1);
  if (target.startsWith('@')) return `@${nameOf(id) ?? label ?? id}`;
  if (target.startsWith('#')) return `#${nameOf(id) ?? label ?? id}`;
  if (target.startsWith('!')) return special(id, label);
  return link(target, label);
}

/** `*bold*` and similar marks stay: they are readable as text. */
export function mrkdwnToPlainText(text: string, nameOf: NameResolver): string {
  return unescapeEntities(text.replaceAll(/<([^<>\n]+)>/g, (_all, inside: string) => entity(inside, nameOf)));
}
