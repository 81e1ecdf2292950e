/** Asks before an action that can't be undone. */
import type { ShownConfirm } from '../protocol.ts';
import { createDomElement, createElementFromHtml, createUniqueDomId } from './dom.ts';

/** True when confirmed. Escape, a click outside and the other button mean no. The focus returns. */
export function askToConfirm(question: ShownConfirm): Promise<boolean> {
  return new Promise((resolve) => {
    const titleId = createUniqueDomId('confirm');
    const end = (answer: boolean) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const yes = createDomElement(
      'button',
      {
        type: 'button',
        class: question.danger ? 'button danger' : 'button primary',
        onclick: () => end(true),
      },
      question.confirm,
    );
    const no = createDomElement(
      'button',
      { type: 'button', class: 'button', onclick: () => end(false) },
      question.deny,
    );
    const dialog = createDomElement(
      'dialog',
      { class: 'dialog confirm', 'aria-labelledby': titleId },
      createDomElement('h2', { id: titleId }, question.title),
      createElementFromHtml(question.html, 'rich'),
      createDomElement('div', { class: 'dialog-buttons' }, no, yes),
    );
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      end(false);
    });
    dialog.addEventListener('pointerdown', (event) => {
      if (event.target === dialog) end(false);
    });
    document.body.append(dialog);
    dialog.showModal();
    // For a destructive action, a stray Enter must not confirm.
    (question.danger ? no : yes).focus();
  });
}
