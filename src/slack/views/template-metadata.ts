/** What the template builder carries with it, and the names of its inputs; all of it comes back as input from outside. Pure. */
import { z } from 'zod';
import { ChannelId, DraftId } from '../../ids.ts';
import { FIELD_STEPS, TEMPLATE_STEPS, type TemplateField } from '../../templates/form.ts';

/** Menus of what the marketplace lists, beside the inputs for typed ids. */
const MENUS = { 'menu.organization': true, 'menu.contractor': true } as const;

/** What an input stands for: the field of the form, or a menu that fills it. */
export type TemplateInputName = TemplateField | keyof typeof MENUS;

const TemplateInputName = z.custom<TemplateInputName>(
  (it) => typeof it === 'string' && (Object.hasOwn(FIELD_STEPS, it) || Object.hasOwn(MENUS, it)),
);

const revision = z.number().int().min(1);
const channel = z
  .string()
  .regex(/^[CGDUW][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

export const BuilderMetadata = z.object({
  draft: DraftId,
  /** Where the builder was opened: the role there decides, looked up anew for each press. */
  channel,
  step: z.enum(TEMPLATE_STEPS),
  /** Of the draft on the screen. */
  revision,
  /** The revision at which the step was entered. */
  since: revision,
  /** The inputs on the screen: what has none there is not emptied by a press. */
  inputs: z.array(TemplateInputName).max(30),
  /** Whether ids are typed although a menu offers some. */
  typing: z.object({ organization: z.boolean(), contractor: z.boolean() }),
  /** Whether mistakes are shown that nobody has asked for by pressing Next. */
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
  /** Tells whether the list is still the one that was opened: this answer, and those around it. */
  list: z.string().max(64),
});
export type AnswerMetadata = z.infer<typeof AnswerMetadata>;

function readJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function parseBuilderMetadata(privateMetadata: string): BuilderMetadata | undefined {
  return readJson(BuilderMetadata, privateMetadata);
}

export function parseAnswerMetadata(privateMetadata: string): AnswerMetadata | undefined {
  return readJson(AnswerMetadata, privateMetadata);
}

/**
 * Inputs that a press lays out anew. Slack keeps what stands in a block while a view is updated: what was moved between inputs
 * by us would stand there twice.
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
 * An input's block. It stays the same while the step is on the screen, so that Slack keeps what is typed while a press is
 * carried out; a step that is entered again shows what is stored.
 */
export function templateInputBlockId(
  name: TemplateInputName,
  { since, revision: now }: Pick<BuilderMetadata, 'since' | 'revision'>,
) {
  return `${name}:${LAID_OUT.has(name) ? now : since}`;
}

/** The input that a block is, or is a part of. */
export function parseTemplateInputName(blockId: string): TemplateInputName | undefined {
  return TemplateInputName.safeParse(blockId.split(':', 1)[0]).data;
}
