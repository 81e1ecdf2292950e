/** A panel next to its control: in the top layer, so that no scrolling box cuts it off. */
const GAP = 4;
const EDGE = 8;

export interface Popup {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  /** Call it after the content changed. */
  reposition(): void;
}

/**
 * `panel` must be next to `anchor` in the document, to work in modals, too. `onClose` runs on every close.
 */
export function createPopup(
  anchor: HTMLElement,
  panel: HTMLElement,
  given: { readonly align: 'start' | 'end'; readonly isWide?: boolean; readonly onClose?: () => void },
): Popup {
  let isOpen = false;
  panel.popover = 'manual';

  const place = () => {
    if (!isOpen) return;
    const box = anchor.getBoundingClientRect();
    if (given.isWide) panel.style.minWidth = `${box.width}px`;
    const { offsetWidth: width, offsetHeight: height } = panel;
    const wanted = given.align === 'start' ? box.left : box.right - width;
    const left = Math.max(EDGE, Math.min(wanted, window.innerWidth - width - EDGE));
    const fitsBelow = box.bottom + GAP + height <= window.innerHeight - EDGE;
    const top = fitsBelow || box.top < height ? box.bottom + GAP : box.top - GAP - height;
    panel.style.left = `${left}px`;
    panel.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - height - EDGE))}px`;
  };
  const closeOutside = (event: Event) => {
    const { target } = event;
    if (target instanceof Node && (panel.contains(target) || anchor.contains(target))) return;
    close();
  };
  const follow = (event: Event) => {
    if (event.target instanceof Node && panel.contains(event.target)) return;
    place();
  };
  const open = () => {
    if (isOpen || !panel.isConnected) return;
    isOpen = true;
    panel.showPopover();
    place();
    document.addEventListener('pointerdown', closeOutside, true);
    window.addEventListener('resize', place);
    document.addEventListener('scroll', follow, true);
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    if (panel.isConnected) panel.hidePopover();
    document.removeEventListener('pointerdown', closeOutside, true);
    window.removeEventListener('resize', place);
    document.removeEventListener('scroll', follow, true);
    given.onClose?.();
  };
  return {
    get isOpen() {
      return isOpen;
    },
    open,
    close,
    reposition: place,
  };
}
