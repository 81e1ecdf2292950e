/** The menu behind the three dots. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement, createIcon, safeWebUrl } from '../dom.ts';
import { createMenu } from '../menu.ts';
import type { ElementContext } from './element-context.ts';

export function drawOverflow(element: ShownElement, { surface }: ElementContext): HTMLElement {
  const { node, button } = createMenu(
    [createIcon('more')],
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
        onSelect() {
          const address = safeWebUrl(option.url);
          if (address !== undefined)
            createDomElement('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }).click();
          void surface.choose(element, option.value, button);
        },
      })),
  );
  return node;
}
