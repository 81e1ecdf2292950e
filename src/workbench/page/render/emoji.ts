/** Emoji characters by name, from the library's table, as the page shows them. */
import { richTextHtml } from './markup.ts';

const NOBODY = { user: () => undefined, channel: () => undefined, group: () => undefined };
const known = new Map<string, string | undefined>();

function look(name: string): string | undefined {
  const html = richTextHtml([{ type: 'rich_text_section', elements: [{ type: 'emoji', name }] }], NOBODY);
  return /<span class="emoji"[^>]*>([^<]+)<\/span>/u.exec(html)?.[1];
}

/** `🚩` for `triangular_flag_on_post`; undefined for an unknown name. */
export function emojiForName(name: string): string | undefined {
  if (!known.has(name)) known.set(name, look(name));
  return known.get(name);
}
