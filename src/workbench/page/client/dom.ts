/** Making and finding elements. Text goes in as text; what was rendered by the server has its own function. */

type Listener = (event: Event) => void;
type Attribute = string | number | boolean | undefined | Listener;
export type DomChild = Node | string | undefined | false;

function setAttribute(node: Element, name: string, value: Attribute): void {
  if (value === undefined || value === false) return;
  if (typeof value === 'function') node.addEventListener(name.replace(/^on/u, ''), value);
  else node.setAttribute(name, value === true ? '' : String(value));
}

/** `make('button', { type: 'button', onclick: press }, 'Press')`. Names that begin with "on" are listeners. */
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

/** A picture out of index.html, where all of them stand; says nothing to screen readers. */
export function createIcon(name: string): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  picture.append(use);
  return picture;
}

/** The only way in for html, which the server rendered and escaped. */
export function createElementFromHtml(html: string, className: string): HTMLElement {
  const node = createDomElement('div', { class: className });
  node.innerHTML = html;
  return node;
}

/** An element of the page's frame. @throws Error when index.html lacks it */
export function getPageElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element "${id}"`);
  return found;
}

/** Only addresses of the web may be opened, whatever the app put into a button. */
export function safeWebUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return /^https?:\/\//iu.test(url) ? url : undefined;
}

let made = 0;

/** An id for `aria-…` attributes, used once. */
export function newId(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}
