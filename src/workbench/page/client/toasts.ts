/** Toasts at the bottom of the page, and announcements for screen readers. */
import type { BrowserApi } from './browser.ts';
import { createDomElement, createIcon, getPageElement } from './dom.ts';

const STAYS_MS = 8_000;
const GATHER_MS = 1_500;

export class Toasts {
  readonly #browser: BrowserApi;
  readonly #box = getPageElement('toasts');

  constructor(browser: BrowserApi) {
    this.#browser = browser;
  }

  showToast(words: string, kind: 'notice' | 'problem'): void {
    for (const old of this.#box.children) if (old.textContent === words) old.remove();
    const end = () => toast.remove();
    const toast = createDomElement(
      'div',
      { class: `toast ${kind}`, role: kind === 'problem' ? 'alert' : 'status' },
      createDomElement('span', {}, words),
      createDomElement(
        'button',
        { type: 'button', class: 'tool', 'aria-label': 'Dismiss', onclick: end },
        createIcon('close'),
      ),
    );
    this.#box.append(toast);
    this.#browser.after(STAYS_MS, end);
  }
}

/** Announces at most one message at a time: the newest of several waiting ones. Empty words clear it. */
export function createAnnouncer(browser: BrowserApi): (words: string) => void {
  const region = getPageElement('polite');
  let next: string | undefined;
  const speak = () => {
    if (next !== undefined) region.textContent = next;
    next = undefined;
  };
  return (words) => {
    const isWaiting = next !== undefined;
    next = words;
    if (!isWaiting) browser.after(GATHER_MS, speak);
  };
}
