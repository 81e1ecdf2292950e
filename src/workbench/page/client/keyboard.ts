/** Keys that work everywhere, and the dialog that lists them. */
import { createDomElement, createIcon } from './dom.ts';

export interface KeyboardActions {
  /** The channel above (-1) or below (1). */
  moveToChannel(by: number): void;
  focusComposer(): void;
  jumpToNewest(): void;
  focusMessages(): void;
  /** Escape: closes the drawer or the thread. False when nothing was open. */
  closeSide(): boolean;
}

const KEYS = [
  ['F6', 'Next section (Shift+F6: previous section)'],
  ['Alt ↑ / Alt ↓', 'Previous or next channel'],
  ['/', 'Type a command'],
  ['↑ / ↓', 'Previous or next message (Tab: its buttons)'],
  ['Alt M', 'Go to the newest message'],
  ['End', 'Jump to newest while reading messages'],
  ['Enter', 'Send (Shift+Enter: new line)'],
  ['↑', 'In an empty message box: your last message'],
  ['Escape', 'Close a menu, a window, or the thread'],
] as const;

export function showKeyboardHelp(): void {
  const shut = () => dialog.close();
  const dialog = createDomElement(
    'dialog',
    { class: 'dialog keys', 'aria-labelledby': 'keys-title' },
    createDomElement(
      'header',
      { class: 'modal-head' },
      createDomElement('h2', { id: 'keys-title' }, 'Keyboard Shortcuts'),
      createDomElement(
        'button',
        { type: 'button', class: 'tool', 'aria-label': 'Close', onclick: shut },
        createIcon('close'),
      ),
    ),
    createDomElement(
      'dl',
      { class: 'modal-body' },
      ...KEYS.map(([keys, words]) =>
        createDomElement(
          'div',
          {},
          createDomElement('dt', {}, createDomElement('kbd', {}, keys)),
          createDomElement('dd', {}, words),
        ),
      ),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const REGIONS = '#channels, #main, #side aside:not([hidden]), header.topbar';
/** The first choice for the focus in a part of the page. */
const WANTED = '[aria-current="page"], .message[tabindex="0"]';
const REACHABLE = 'button, textarea, input, summary, [tabindex="0"]';

function isVisible(node: HTMLElement): boolean {
  return node.checkVisibility({ visibilityProperty: true }) && node.closest('[inert]') === null;
}

function firstIn(region: HTMLElement): HTMLElement | undefined {
  const all = [WANTED, REACHABLE].flatMap((each) => [...region.querySelectorAll<HTMLElement>(each)]);
  return all.find(isVisible);
}

function nextRegion(by: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isVisible);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions.at((at + by + regions.length) % regions.length);
  if (next) firstIn(next)?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

function withAlt(event: KeyboardEvent, deeds: KeyboardActions): boolean {
  if (event.key === 'ArrowUp') deeds.moveToChannel(-1);
  else if (event.key === 'ArrowDown') deeds.moveToChannel(1);
  else if (event.key.toLowerCase() === 'm') deeds.focusMessages();
  else return false;
  return true;
}

function plain(event: KeyboardEvent, deeds: KeyboardActions): boolean {
  if (event.key === 'F6') nextRegion(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape') return deeds.closeSide();
  else if (isTyping(event.target)) return false;
  else if (event.key === '/') deeds.focusComposer();
  else if (event.key === '?') showKeyboardHelp();
  else if (event.key === 'End') deeds.jumpToNewest();
  else return false;
  return true;
}

export function listenForKeys(deeds: KeyboardActions): void {
  document.addEventListener('keydown', (event) => {
    // An open modal handles its own keys.
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) return;
    const isTaken = event.altKey ? withAlt(event, deeds) : plain(event, deeds);
    if (isTaken) event.preventDefault();
  });
}
