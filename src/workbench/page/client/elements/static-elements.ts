/** Static elements, and those that the page can't show. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement, createIcon } from '../dom.ts';

export function drawImageElement({ url, label }: ShownElement): HTMLElement {
  // The page loads nothing from other sites: it shows their alt text instead.
  if (url?.startsWith('/'))
    return createDomElement('img', { class: 'accessory-image', src: url, alt: label, loading: 'lazy' });
  return createDomElement(
    'span',
    { class: 'accessory-image no-image', role: 'img', 'aria-label': label },
    createIcon('picture'),
    label,
  );
}

export function drawUnsupportedElement({ label }: ShownElement): HTMLElement {
  const what = "Can't be shown here";
  return createDomElement('p', { class: 'not-shown' }, label === '' ? `${what}.` : `${what}: ${label}`);
}
