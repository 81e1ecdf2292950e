/** Creates and finds elements. Strings become text; only `createElementFromHtml` takes the server's HTML. */

type Listener = (event: Event) => void;
type Attribute = string | number | boolean | undefined | Listener;
export type DomChild = Node | string | undefined | false;

function setAttribute(node: Element, name: string, value: Attribute): void {
  if (value === undefined || value === false) return;
  if (typeof value === 'function') node.addEventListener(name.replace(/^on/u, ''), value);
  else node.setAttribute(name, value === true ? '' : String(value));
}

/**
 * `createDomElement('button', { type: 'button', onclick: press }, 'Press')`. An "on…" name adds a listener.
 */
export function createDomElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly DomChild[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...children.filter((child) => child !== undefined && child !== false));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An icon from index.html; hidden from screen readers. */
export function createIcon(name: string): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  picture.append(use);
  return picture;
}

/** The only way to insert HTML, which the server rendered and escaped. */
export function createElementFromHtml(html: string, className: string): HTMLElement {
  const node = createDomElement('div', { class: className });
  node.innerHTML = html;
  return node;
}

/** An element of index.html. @throws Error when it is missing */
export function getPageElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element "${id}"`);
  return found;
}

/** Only web addresses may open, whatever URL the app put into a button. */
export function safeWebUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return /^https?:\/\//iu.test(url) ? url : undefined;
}

let made = 0;

/** A unique ID for `aria-…` attributes. */
export function createUniqueDomId(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}
