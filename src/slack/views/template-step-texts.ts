/** The third and the fourth step: what the AI is told, and the cover letters. Pure. */
import type { KnownBlock } from '@slack/types';
import { isAsked } from '../../templates/form.ts';
import type { LongText } from '../../templates/records.ts';
import { actionIds } from '../blocks/ids.ts';
import { button, section } from '../messages/parts.ts';
import { STEP_TITLES } from '../messages/template-words.ts';
import { type StepFacts, switchInput, typedInput } from './template-inputs.ts';
import { inputId } from './template-place.ts';
import { type TextsFacts, textBlocks } from './template-texts.ts';

function textsFacts({ draft, place, marks }: StepFacts, required: readonly LongText[] = []): TextsFacts {
  return {
    room: draft.room,
    marks,
    id: (field) => inputId(field, place),
    required: new Set(required),
  };
}

export function aiStep(facts: StepFacts): KnownBlock[] {
  const { ai } = facts.draft.form;
  const texts = textBlocks(
    [
      ['ai.instructions', ai.instructions],
      ['ai.clientQuestions', ai.clientQuestions],
      ['ai.additionalContext', ai.additionalContext],
    ],
    textsFacts(facts, ['ai.instructions']),
  );
  return [
    ...typedInput(facts, 'ai.model', ai.model, { optional: true }),
    ...[...texts.values()].flat(),
    ...switchInput(facts, 'ai.templateStructure', ai.templateStructure),
  ];
}

export function lettersStep(facts: StepFacts): KnownBlock[] {
  const { form } = facts.draft;
  if (!isAsked(form, 'letters.variantA')) {
    const back = button({ id: actionIds.templateStep, label: `Go to ${STEP_TITLES.ai}`, value: 'ai' });
    return [
      section(
        'Without the template structure, the AI ignores cover letters, so this step has no fields. Existing letters stay in the draft.',
        back,
      ),
    ];
  }
  const { variantA, variantB } = form.letters;
  const texts = textBlocks(
    [
      ['letters.variantA', variantA],
      ['letters.variantB', variantB],
    ],
    textsFacts(facts),
  );
  return [...switchInput(facts, 'abTesting', form.abTesting), ...[...texts.values()].flat()];
}
