/** The menu behind three dots. */
import type { ShownElement } from '../../protocol.ts';
import { icon, make, webAddress } from '../dom.ts';
import { createMenu } from '../menu.ts';
import type { Place } from './place.ts';

export function drawOverflow(element: ShownElement, { surface }: Place): HTMLElement {
  const { node, button } = createMenu(
    [icon('more')],
    {
      className: 'button overflow',
      label: element.accessibilityLabel ?? (element.label || 'More'),
      menuLabel: 'More',
      data: { block: element.blockId, action: element.actionId },
    },
    () =>
      (element.options ?? []).map((option) => ({
        label: option.text,
        ...(option.description === undefined ? {} : { description: option.description }),
        run() {
          const address = webAddress(option.url);
          if (address !== undefined)
            make('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }).click();
          void surface.choose(element, option.value, button);
        },
      })),
  );
  return node;
}
