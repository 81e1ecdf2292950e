/** What an element needs to know about its block. */
import type { ShownElement } from '../../protocol.ts';
import type { ElementSurface } from '../surface.ts';

export interface ElementContext {
  readonly surface: ElementSurface;
  /** A change goes to the app at once; otherwise it waits for the submission. */
  readonly sends: boolean;
  /** IDs of the input block's label, hint and error elements. */
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly isRequired?: boolean;
  /** Whether the person can clear the choice. */
  readonly canClear: boolean;
}

/** The attributes of every control: its name, and the element that it represents. */
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
