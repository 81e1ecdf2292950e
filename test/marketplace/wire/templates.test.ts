import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProposalTemplate } from '../../../src/marketplace/wire/proposals.ts';
import { parseExactText, WIRE_TEXT_LENGTH_LIMITS } from '../../../src/marketplace/wire/values.ts';

/** The server's answer, with this text in every text field of a template. */
function holding(text: string) {
  return {
    id: 12,
    name: text,
    ai: { instructions: text, client_questions: text, additional_context: text, template_structure: true },
    answers: [{ question: text, answer: text, match_type: 'exact' }],
    cover_letters: { variant_a: text, variant_b: text },
  };
}

function textsOf(wire: unknown): (string | undefined)[] {
  const template = parseProposalTemplate(wire);
  const { instructions, clientQuestions, additionalContext } = template?.ai ?? {};
  const [answer] = template?.answers ?? [];
  const { variantA, variantB } = template?.coverLetters ?? {};
  const texts = [template?.name, instructions, clientQuestions, additionalContext, variantA, variantB];
  return [...texts, answer?.question, answer?.answer];
}

describe('the texts of a template', () => {
  test.each([
    ['blanks and line ends', '  Hello,\r\n\r\n\tyou  \n '],
    ['a lone line end', '\r'],
    ['family, flag and skin', '👩‍👩‍👧‍👦 🇳🇴 👍🏽 e\u0301'],
    ['marks of direction, and signs without width', '\u200fשלום\u202c \u200b\ufeff\u2028'],
    ['a null sign', 'a\u0000b'],
    ['markup', '<!channel> &amp; <b> `x` {{name}}'],
  ])('come character for character: %s', (_, text) => {
    expect(textsOf(holding(text))).toEqual(Array.from({ length: 8 }, () => text));
  });

  test('come so whatever was written, as far as one may be written', () => {
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 });
    fc.assert(
      fc.property(any, (text) => {
        const read = textsOf(JSON.parse(JSON.stringify(holding(text))));
        expect(read.every((each) => each === text)).toBe(true);
      }),
    );
  });

  test('a name of 255 emoji comes whole', () => {
    const name = '😀'.repeat(255);
    expect(parseProposalTemplate({ id: 12, name })?.name).toBe(name);
  });

  test('that are empty count as missing, and an answer without words stays one', () => {
    expect(textsOf(holding(''))).toEqual([...Array.from({ length: 6 }, () => undefined), '', '']);
  });

  test.each([null, undefined, true, {}, ['a']])('that are none (%j) are none', (value) => {
    expect(parseExactText(value)).toBeUndefined();
  });

  test('end where they would go beyond all measure, and never with half a character', () => {
    const read = parseProposalTemplate(holding('😀'.repeat(1_000_000)));
    expect(read?.name?.length).toBe(WIRE_TEXT_LENGTH_LIMITS.title);
    expect(read?.ai.instructions?.length).toBe(WIRE_TEXT_LENGTH_LIMITS.text);
    expect(read?.answers[0]?.answer.length).toBe(WIRE_TEXT_LENGTH_LIMITS.answer);
    expect(parseExactText(`a${'😀'.repeat(9)}`, 10)).toBe(`a${'😀'.repeat(4)}`);
    expect(parseExactText('a\ud83db')).toBe('ab');
  });
});
