/** Draws one element of a block, by its type. */
import type { ShownElement } from '../../protocol.ts';
import { drawButton } from './button.ts';
import { drawCheckGroup } from './check-group.ts';
import { drawDateTimeInput } from './date-time.ts';
import type { ElementContext } from './element-context.ts';
import { drawFileInput } from './files.ts';
import { drawOverflow } from './overflow.ts';
import { drawSelect } from './select.ts';
import { drawImageElement, drawUnsupportedElement } from './static-elements.ts';
import { drawTextInput } from './text.ts';

export function drawElement(element: ShownElement, place: ElementContext): HTMLElement {
  switch (element.type) {
    case 'button':
      return drawButton(element, place);
    case 'overflow':
      return drawOverflow(element, place);
    case 'select':
    case 'multi-select':
    case 'external-select':
    case 'multi-external-select':
      return drawSelect(element, place);
    case 'radio':
    case 'checkboxes':
      return drawCheckGroup(element, place);
    case 'date':
    case 'time':
    case 'date-time':
      return drawDateTimeInput(element, element.type, place);
    case 'text':
    case 'number':
      return drawTextInput(element, place);
    case 'image':
      return drawImageElement(element);
    case 'file':
      return drawFileInput(element, place);
    case 'unknown':
      return drawUnsupportedElement(element);
  }
}
