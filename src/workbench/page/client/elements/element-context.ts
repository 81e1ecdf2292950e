/** Where an element stands, for those that draw it. */
import type { ShownElement } from '../../protocol.ts';
import type { ElementSurface } from '../surface.ts';

export interface ElementContext {
  readonly surface: ElementSurface;
  /** A change is sent to the app at once; otherwise it waits for the submission. */
  readonly sends: boolean;
  /** Of an input block: its label, hint and error, by the ids of their elements. */
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly isRequired?: boolean;
  /** What is chosen may be taken back. */
  readonly canClear: boolean;
}

/** What every control bears: its name, and which element it stands for. */
export function controlAttributes(
  element: ShownElement,
  place: ElementContext,
): Readonly<Record<string, string | undefined>> {
  const label = element.accessibilityLabel ?? (element.label || element.placeholder || 'Choose');
  return {
    'data-block': element.blockId,
    'data-action': element.actionId,
    'aria-label': place.labelledBy === undefined ? label : undefined,
    'aria-labelledby': place.labelledBy,
    'aria-describedby': place.describedBy,
    'aria-required': place.isRequired ? 'true' : undefined,
  };
}
