/** Buttons, with an address or without. */
import type { ShownElement } from '../../protocol.ts';
import { icon, make, webAddress } from '../dom.ts';
import type { Place } from './place.ts';

export function drawButton(element: ShownElement, { surface }: Place): HTMLElement {
  const { label, accessibilityLabel, style, blockId, actionId } = element;
  const address = webAddress(element.url);
  const shared = {
    class: ['button', style].filter(Boolean).join(' '),
    'aria-label': accessibilityLabel,
    'data-block': blockId,
    'data-action': actionId,
  };
  const press = (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) void surface.press(element, event.currentTarget);
  };
  // An address opens by itself, and the app hears of the press, too.
  if (address !== undefined)
    return make(
      'a',
      { ...shared, href: address, target: '_blank', rel: 'noopener noreferrer', onclick: press },
      label,
      icon('leave'),
    );
  return make(
    'button',
    { ...shared, type: 'button', onclick: press },
    make('span', { class: 'button-label' }, label),
  );
}
