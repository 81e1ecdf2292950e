/** Radio buttons and checkboxes. */
import type { ShownElement, ShownOption } from '../../protocol.ts';
import { createDomElement, createUniqueDomId } from '../dom.ts';
import { toggleOption } from '../options.ts';
import { currentElementValues } from '../unsent-input.ts';
import { controlAttributes, type ElementContext } from './element-context.ts';

export function drawCheckGroup(element: ShownElement, place: ElementContext): HTMLElement {
  const isRadio = element.type === 'radio';
  const name = createUniqueDomId('ticks');
  let chosen = currentElementValues(element, place.surface.typed);
  const { 'aria-required': required, ...shared } = controlAttributes(element, place);
  const group = createDomElement('div', {
    ...shared,
    class: 'ticks',
    role: isRadio ? 'radiogroup' : 'group',
    'aria-required': isRadio ? required : undefined,
  });

  const show = () => {
    for (const input of group.querySelectorAll('input')) input.checked = chosen.includes(input.value);
  };
  const change = async (value: string) => {
    const before = chosen;
    chosen = isRadio ? [value] : toggleOption(chosen, value);
    const now = isRadio ? value : chosen;
    if (!place.sends) return place.surface.setValue(element, now);
    if (await place.surface.choose(element, now, group)) place.surface.setValue(element, now);
    else chosen = before;
    show();
  };
  const draw = ({ text, value, description }: ShownOption) => {
    const moreId = createUniqueDomId('more');
    const input = createDomElement('input', {
      type: isRadio ? 'radio' : 'checkbox',
      name,
      value,
      'aria-describedby': description === undefined ? undefined : moreId,
      onchange: () => void change(value),
    });
    return createDomElement(
      'label',
      { class: 'tick' },
      input,
      createDomElement(
        'span',
        { class: 'tick-words' },
        createDomElement('span', {}, text),
        description !== undefined &&
          createDomElement('span', { class: 'tick-more', id: moreId }, description),
      ),
    );
  };
  group.append(...(element.options ?? []).map(draw));
  show();
  return group;
}
