/** Blocks of a message or a view, each redrawn only when it changed. */
import type { ShownBlock } from '../protocol.ts';
import { make, newId, rendered } from './dom.ts';
import { drawElement } from './elements/draw.ts';
import { keepFocus } from './keep-focus.ts';
import { type Drawn, KeyedList } from './keyed-list.ts';
import type { Surface } from './surface.ts';

type InputBlock = Extract<ShownBlock, { kind: 'input' }>;

function drawInput(block: InputBlock, surface: Surface): HTMLElement {
  const { label, hint, optional, dispatches, element } = block;
  const [labelId, hintId, errorId] = [newId('label'), newId('hint'), newId('error')];
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
  return make(
    'div',
    { class: 'block input', 'data-input': block.blockId },
    make(
      'div',
      { class: 'input-label', id: labelId, onclick: isOneField ? focusControl : undefined },
      label,
      optional && make('span', { class: 'optional' }, ' (optional)'),
    ),
    control,
    make('p', { class: 'error', id: errorId, hidden: true }),
    hint !== undefined && make('p', { class: 'hint', id: hintId }, hint),
  );
}

function drawBlock(block: ShownBlock, surface: Surface): HTMLElement {
  const place = { surface, sends: true, canClear: false };
  switch (block.kind) {
    case 'html':
      return rendered(block.html, 'block rich');
    case 'section':
      return make(
        'div',
        { class: 'block section' },
        rendered(block.html, 'rich'),
        block.accessory && make('div', { class: 'accessory' }, drawElement(block.accessory, place)),
      );
    case 'actions':
      return make(
        'div',
        { class: 'block actions' },
        ...block.elements.map((each) => drawElement(each, place)),
      );
    case 'input':
      return drawInput(block, surface);
  }
}

interface Numbered {
  readonly key: string;
  readonly block: ShownBlock;
}

/** Blocks without an id of their own are told apart by their place. */
function numbered(blocks: readonly ShownBlock[]): readonly Numbered[] {
  return blocks.map((block, at) => ({ key: block.blockId === '' ? `at ${at}` : block.blockId, block }));
}

export class BlockList {
  readonly #list: KeyedList<Numbered>;
  readonly #parent: HTMLElement;
  readonly #surface: Surface;
  #blocks: readonly ShownBlock[] = [];

  constructor(parent: HTMLElement, surface: Surface) {
    this.#parent = parent;
    this.#surface = surface;
    this.#list = new KeyedList<Numbered>(parent, {
      keyOf: ({ key }) => key,
      draw: ({ block }) => this.#draw(block),
    });
  }

  get blocks(): readonly ShownBlock[] {
    return this.#blocks;
  }

  /** `otherwise`: takes the focus when what had it is gone. */
  show(blocks: readonly ShownBlock[], otherwise?: HTMLElement): void {
    this.#surface.updateBlocks(this.#blocks, blocks);
    this.#blocks = blocks;
    keepFocus(this.#parent, () => this.#list.show(numbered(blocks)), otherwise);
  }

  /** A wrapper that is laid out as if it were not there holds the place while its content is drawn anew. */
  #draw(first: ShownBlock): Drawn<Numbered> {
    const node = make('div', { class: 'slot' }, drawBlock(first, this.#surface));
    return { node, update: ({ block }) => node.replaceChildren(drawBlock(block, this.#surface)) };
  }
}
