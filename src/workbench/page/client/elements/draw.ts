/** One element of a block, by its type. */
import type { ShownElement } from '../../protocol.ts';
import { drawButton } from './button.ts';
import { drawFiles } from './files.ts';
import { drawMoment } from './moments.ts';
import { drawOverflow } from './overflow.ts';
import { drawPick } from './pick.ts';
import type { Place } from './place.ts';
import { drawImage, drawNotShown } from './shown-only.ts';
import { drawText } from './text.ts';
import { drawTicks } from './ticks.ts';

export function drawElement(element: ShownElement, place: Place): HTMLElement {
  switch (element.type) {
    case 'button':
      return drawButton(element, place);
    case 'overflow':
      return drawOverflow(element, place);
    case 'select':
    case 'multi-select':
    case 'external-select':
    case 'multi-external-select':
      return drawPick(element, place);
    case 'radio':
    case 'checkboxes':
      return drawTicks(element, place);
    case 'date':
    case 'time':
    case 'date-time':
      return drawMoment(element, element.type, place);
    case 'text':
    case 'number':
      return drawText(element, place);
    case 'image':
      return drawImage(element);
    case 'file':
      return drawFiles(element, place);
    case 'unknown':
      return drawNotShown(element);
  }
}
