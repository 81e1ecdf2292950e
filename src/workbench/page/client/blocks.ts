/** The blocks of a message or a view. Each is redrawn only when it changes. */
import type { ShownBlock } from '../protocol.ts';
import { drawDataTable } from './data-table.ts';
import { createDomElement, createElementFromHtml, createUniqueDomId } from './dom.ts';
import { drawElement } from './elements/draw.ts';
import { redrawPreservingFocus } from './keep-focus.ts';
import { KeyedDomList, type KeyedDomListItem } from './keyed-list.ts';
import type { ElementSurface } from './surface.ts';

type ContainerBlock = Extract<ShownBlock, { kind: 'container' }>;
type InputBlock = Extract<ShownBlock, { kind: 'input' }>;

function drawInput(block: InputBlock, surface: ElementSurface): HTMLElement {
  const { label, hint, optional, dispatches, element } = block;
  const [labelId, hintId, errorId] = [
    createUniqueDomId('label'),
    createUniqueDomId('hint'),
    createUniqueDomId('error'),
  ];
  const place = {
    surface,
    sends: dispatches,
    labelledBy: labelId,
    describedBy: hint === undefined ? errorId : `${hintId} ${errorId}`,
    isRequired: !optional,
    canClear: optional,
  };
  const control = drawElement(element, place);
  const focusControl = () => control.querySelector<HTMLElement>('input, textarea')?.focus();
  const isOneField = element.type !== 'radio' && element.type !== 'checkboxes';
  return createDomElement(
    'div',
    { class: 'block input', 'data-input': block.blockId },
    createDomElement(
      'div',
      { class: 'input-label', id: labelId, onclick: isOneField ? focusControl : undefined },
      label,
      optional && createDomElement('span', { class: 'optional' }, ' (optional)'),
    ),
    control,
    createDomElement('p', { class: 'error', id: errorId, hidden: true }),
    hint !== undefined && createDomElement('p', { class: 'hint', id: hintId }, hint),
  );
}

/** A group of blocks; its title opens and closes it, if the app lets it. */
function drawContainer(block: ContainerBlock, surface: ElementSurface): HTMLElement {
  const children = block.blocks.map((child) => drawBlock(child, surface));
  if (!block.canFold) {
    const title = createDomElement('p', { class: 'container-title' }, block.title);
    return createDomElement('div', { class: 'block container' }, title, ...children);
  }
  return createDomElement(
    'details',
    { class: 'block container', open: !block.isFolded },
    createDomElement('summary', { class: 'container-title' }, block.title),
    ...children,
  );
}

function drawBlock(block: ShownBlock, surface: ElementSurface): HTMLElement {
  const place = { surface, sends: true, canClear: false };
  switch (block.kind) {
    case 'html':
      return createElementFromHtml(block.html, 'block rich');
    case 'section':
      return createDomElement(
        'div',
        { class: 'block section' },
        createElementFromHtml(block.html, 'rich'),
        block.accessory &&
          createDomElement('div', { class: 'accessory' }, drawElement(block.accessory, place)),
      );
    case 'actions':
      return createDomElement(
        'div',
        { class: 'block actions' },
        ...block.elements.map((each) => drawElement(each, place)),
      );
    case 'input':
      return drawInput(block, surface);
    case 'data-table':
      return drawDataTable(block);
    case 'container':
      return drawContainer(block, surface);
  }
}

interface Numbered {
  readonly key: string;
  readonly block: ShownBlock;
}

/** Blocks without an ID are identified by their position. */
function numbered(blocks: readonly ShownBlock[]): readonly Numbered[] {
  return blocks.map((block, at) => ({ key: block.blockId === '' ? `at ${at}` : block.blockId, block }));
}

export class BlockList {
  readonly #list: KeyedDomList<Numbered>;
  readonly #parent: HTMLElement;
  readonly #surface: ElementSurface;
  #blocks: readonly ShownBlock[] = [];

  constructor(parent: HTMLElement, surface: ElementSurface) {
    this.#parent = parent;
    this.#surface = surface;
    this.#list = new KeyedDomList<Numbered>(parent, {
      keyOf: ({ key }) => key,
      draw: ({ block }) => this.#draw(block),
    });
  }

  get blocks(): readonly ShownBlock[] {
    return this.#blocks;
  }

  /** `otherwise` gets the focus when the focused element is gone. */
  show(blocks: readonly ShownBlock[], otherwise?: HTMLElement): void {
    this.#surface.carryInputOver(this.#blocks, blocks);
    this.#blocks = blocks;
    redrawPreservingFocus(this.#parent, () => this.#list.show(numbered(blocks)), otherwise);
  }

  /** A wrapper with `display: contents` keeps the position while its content is redrawn. */
  #draw(first: ShownBlock): KeyedDomListItem<Numbered> {
    const node = createDomElement('div', { class: 'slot' }, drawBlock(first, this.#surface));
    return { node, update: ({ block }) => node.replaceChildren(drawBlock(block, this.#surface)) };
  }
}
