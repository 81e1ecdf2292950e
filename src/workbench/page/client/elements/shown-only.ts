/** Elements that are there to be looked at, and those that the page can't show. */
import type { ShownElement } from '../../protocol.ts';
import { icon, make } from '../dom.ts';

export function drawImage({ url, label }: ShownElement): HTMLElement {
  // The page loads nothing from elsewhere: of such pictures it tells the words.
  if (url?.startsWith('/'))
    return make('img', { class: 'accessory-image', src: url, alt: label, loading: 'lazy' });
  return make(
    'span',
    { class: 'accessory-image no-image', role: 'img', 'aria-label': label },
    icon('picture'),
    label,
  );
}

export function drawNotShown({ label }: ShownElement): HTMLElement {
  const what = "Can't be shown here";
  return make('p', { class: 'not-shown' }, label === '' ? `${what}.` : `${what}: ${label}`);
}
