/** The template builder's metadata and input names; all of it comes back as untrusted input. Pure. */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { ChannelId, DraftId } from '../../ids.ts';
import { isTemplateField, TEMPLATE_STEPS, type TemplateField } from '../../templates/form.ts';
import type { ViewValues } from '../core/routes.ts';
import { jsonValueCodec } from '../kit/button-values.ts';

/** Menus from the marketplace's lists, next to the inputs for typed IDs. */
const MENUS = { 'menu.organization': true, 'menu.contractor': true } as const;

/** A field of the form, or a menu that fills it. */
export type TemplateInputName = TemplateField | keyof typeof MENUS;

const TemplateInputName = z.custom<TemplateInputName>(
  (it) => typeof it === 'string' && (isTemplateField(it) || Object.hasOwn(MENUS, it)),
);

const revision = z.number().int().min(1);
const channel = z
  .string()
  .regex(/^[CGDUW][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

export const BuilderMetadata = z.object({
  draft: DraftId,
  /** Where the builder was opened: the user's role there applies, looked up for each action. */
  channel,
  step: z.enum(TEMPLATE_STEPS),
  /** Of the draft shown. */
  revision,
  /** The revision at which the user entered the step. */
  since: revision,
  /** The inputs that the view shows: an action must not clear fields without an input. */
  inputs: z.array(TemplateInputName).max(30),
  /** Whether the user types IDs although a menu offers some. */
  typing: z.object({ organization: z.boolean(), contractor: z.boolean() }),
  /** Whether mistakes show that the user did not request by pressing Next. */
  marks: z.boolean(),
});
export type BuilderMetadata = z.infer<typeof BuilderMetadata>;

/** The window of one answer, on top of the list. */
export const AnswerMetadata = z.object({
  draft: DraftId,
  channel,
  revision,
  /** Counted from 0; the length of the list for a new one. */
  index: z.number().int().min(0).max(10_000),
  inputs: z.array(TemplateInputName).max(5),
  /** A hash that detects changes to this answer and the others in the list. */
  list: z.string().max(64),
});
export type AnswerMetadata = z.infer<typeof AnswerMetadata>;

export const { read: parseBuilderMetadata } = jsonValueCodec(BuilderMetadata);
export const { read: parseAnswerMetadata } = jsonValueCodec(AnswerMetadata);

/**
 * Inputs that an action rearranges. Slack keeps a block's input while a view updates, so text that we move
 * between inputs would appear twice.
 */
const LAID_OUT: ReadonlySet<TemplateInputName> = new Set<TemplateInputName>([
  'ai.instructions',
  'ai.clientQuestions',
  'ai.additionalContext',
  'letters.variantA',
  'letters.variantB',
  'answers.answer',
  'sender.contractorUid',
  'menu.contractor',
]);

/**
 * An input's block ID. It stays the same while the step is open, so that Slack keeps the user's text during
 * an action. Entering the step again shows the stored values.
 */
export function templateInputBlockId(
  name: TemplateInputName,
  { since, revision: now }: Pick<BuilderMetadata, 'since' | 'revision'>,
) {
  return `${name}:${LAID_OUT.has(name) ? now : since}`;
}

/** The input that a block belongs to. */
export function parseTemplateInputName(blockId: string): TemplateInputName | undefined {
  return TemplateInputName.safeParse(blockId.split(':', 1)[0]).data;
}

/** Where to show an error about the whole view. */
export function firstInputId(values: ViewValues): string | undefined {
  return [...values.keys()].find((id) => parseTemplateInputName(id) !== undefined);
}

/** Slack may not send the typed values of a closed view; the last press has saved the most then. */
export function hasTypedValues(values: ViewValues): boolean {
  return [...values.values()].some(({ text }) => text !== undefined);
}

/** The inputs that a view shows. */
export function inputsOf(blocks: readonly KnownBlock[]): TemplateInputName[] {
  const names = blocks.flatMap((block) =>
    block.type === 'input' ? (parseTemplateInputName(block.block_id ?? '') ?? []) : [],
  );
  return [...new Set(names)];
}
