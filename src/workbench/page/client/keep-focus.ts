/** Keeps the focus across redraws: it moves to the element for the same field or button. */

function findAgain(root: HTMLElement, block: string, action: string): HTMLElement | undefined {
  const all = root.querySelectorAll<HTMLElement>(`[data-action="${CSS.escape(action)}"]`);
  const same = [...all].find((each) => each.dataset['block'] === block) ?? all[0];
  if (!same) return undefined;
  return same.matches('button, input, textarea, select, a[href]')
    ? same
    : (same.querySelector<HTMLElement>('button, input, textarea, select, a[href]') ?? undefined);
}

function caretOf(node: Element): readonly [number, number] | undefined {
  if (!(node instanceof HTMLTextAreaElement) && !(node instanceof HTMLInputElement)) return undefined;
  const { selectionStart: from, selectionEnd: to } = node;
  return from === null || to === null ? undefined : [from, to];
}

function restoreCaret(node: Element, caret: readonly [number, number] | undefined): void {
  if (caret && (node instanceof HTMLTextAreaElement || node instanceof HTMLInputElement) && caretOf(node))
    node.setSelectionRange(...caret);
}

/** Runs `draw` and restores lost focus and caret. `otherwise` gets the focus if the element is gone. */
export function redrawPreservingFocus(root: HTMLElement, draw: () => void, otherwise?: HTMLElement): void {
  const before = document.activeElement;
  const held = before instanceof HTMLElement && root.contains(before) ? before : undefined;
  const owner = held?.closest<HTMLElement>('[data-action]');
  const caret = held && caretOf(held);
  draw();
  if (!held || document.activeElement === held) return;
  if (held.isConnected) {
    held.focus({ preventScroll: true });
    return;
  }
  const { block = '', action = '' } = owner?.dataset ?? {};
  const again = owner && findAgain(root, block, action);
  (again ?? otherwise)?.focus({ preventScroll: true });
  if (again) restoreCaret(again, caret);
}
