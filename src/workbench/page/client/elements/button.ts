/** Buttons, with or without a URL. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement, createIcon, safeWebUrl } from '../dom.ts';
import type { ElementContext } from './element-context.ts';

export function drawButton(element: ShownElement, { surface }: ElementContext): HTMLElement {
  const { label, accessibilityLabel, style, blockId, actionId } = element;
  const address = safeWebUrl(element.url);
  const shared = {
    class: ['button', style].filter(Boolean).join(' '),
    'aria-label': accessibilityLabel,
    'data-block': blockId,
    'data-action': actionId,
  };
  const press = (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) void surface.press(element, event.currentTarget);
  };
  // The browser opens the URL, and the app gets the press, too.
  if (address !== undefined)
    return createDomElement(
      'a',
      { ...shared, href: address, target: '_blank', rel: 'noopener noreferrer', onclick: press },
      label,
      createIcon('leave'),
    );
  return createDomElement(
    'button',
    { ...shared, type: 'button', onclick: press },
    createDomElement('span', { class: 'button-label' }, label),
  );
}
