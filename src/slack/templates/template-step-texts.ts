/** The third and fourth step: the AI's instructions, and the cover letters. Pure. */
import type { KnownBlock } from '@slack/types';
import { isFieldApplicable } from '../../templates/form.ts';
import type { MultiInputTextField } from '../../templates/records.ts';
import { buttonElement, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { type StepFacts, templateSwitchInput, templateTextInput } from './template-inputs.ts';
import { STEP_TITLES } from './template-labels.ts';
import { templateInputBlockId } from './template-metadata.ts';
import { type LongTextFacts, longTextBlocks } from './template-texts.ts';

function textsFacts(
  { draft, place, marks }: StepFacts,
  required: readonly MultiInputTextField[] = [],
): LongTextFacts {
  return {
    room: draft.room,
    marks,
    id: (field) => templateInputBlockId(field, place),
    required: new Set(required),
  };
}

export function aiStepBlocks(facts: StepFacts): KnownBlock[] {
  const { ai } = facts.draft.form;
  const texts = longTextBlocks(
    [
      ['ai.instructions', ai.instructions],
      ['ai.clientQuestions', ai.clientQuestions],
      ['ai.additionalContext', ai.additionalContext],
    ],
    textsFacts(facts, ['ai.instructions']),
  );
  return [
    ...templateTextInput(facts, 'ai.model', ai.model, { optional: true }),
    ...[...texts.values()].flat(),
    ...templateSwitchInput(facts, 'ai.templateStructure', ai.templateStructure),
  ];
}

export function lettersStepBlocks(facts: StepFacts): KnownBlock[] {
  const { form } = facts.draft;
  if (!isFieldApplicable(form, 'letters.variantA')) {
    const back = buttonElement({ id: actionIds.templateStep, label: `Go to ${STEP_TITLES.ai}`, value: 'ai' });
    return [
      sectionBlock(
        'Without the template structure, the AI ignores cover letters, so this step has no fields. ' +
          'Existing letters stay in the draft.',
        back,
      ),
    ];
  }
  const { variantA, variantB } = form.letters;
  const texts = longTextBlocks(
    [
      ['letters.variantA', variantA],
      ['letters.variantB', variantB],
    ],
    textsFacts(facts),
  );
  return [...templateSwitchInput(facts, 'abTesting', form.abTesting), ...[...texts.values()].flat()];
}
