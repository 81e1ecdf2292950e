/** Saves the template builder's values before any decision about them. */
import type { ProposalSender } from '../../marketplace/client.ts';
import { EMPTY_TEMPLATE_FORM } from '../../templates/form.ts';
import type { TemplateDraft, TextInputCounts } from '../../templates/records.ts';
import type { SaveDraftRequest, SaveDraftResult } from '../../templates/template-service.ts';
import type { PressedView } from '../core/routes.ts';
import { type BuilderMetadata, parseBuilderMetadata } from './template-metadata.ts';
import { isTemplateDraftLocked, type TemplateBuilderContext } from './template-show.ts';
import { type FilledBuilderStep, parseManualIdEntry, parseTemplateForm } from './template-values.ts';

export interface SavedBuilderInput {
  readonly kind: 'kept';
  readonly draft: TemplateDraft;
  readonly place: BuilderMetadata;
  /** The place's value, updated by the choices in the view. */
  readonly typing: BuilderMetadata['typing'];
}

export type BuilderSaveResult =
  | SavedBuilderInput
  | { readonly kind: 'closed' | 'too-large'; readonly draft: TemplateDraft; readonly place: BuilderMetadata }
  | { readonly kind: 'gone' };

export interface BuilderSaveChanges {
  /** Set if the marketplace's list is known. */
  readonly senders?: readonly ProposalSender[];
  /** Applied over the view's values. */
  readonly over?: SaveDraftRequest['change'];
  readonly room?: TextInputCounts;
}

/** Finds the view's draft under the person's own ID, and saves the view's values. */
export async function saveBuilderInput(
  { services, user }: TemplateBuilderContext,
  view: PressedView,
  { senders, over, room }: BuilderSaveChanges = {},
): Promise<BuilderSaveResult> {
  const place = parseBuilderMetadata(view.privateMetadata);
  if (!place) return { kind: 'gone' };
  if (place.inputs.length === 0 && !over && !room) return keptAsItIs({ services, user }, place);
  const filled: FilledBuilderStep = { values: view.values, place, ...(senders ? { senders } : {}) };
  let before = EMPTY_TEMPLATE_FORM;
  const save = await services.templates.drafts.save({
    user,
    draft: place.draft,
    change(form) {
      before = form;
      const read = parseTemplateForm(form, filled);
      return over?.(read) ?? read;
    },
    ...(room ? { room } : {}),
  });
  if (save.kind === 'gone') return save;
  if (save.kind !== 'saved') return { kind: closedKind(save), draft: save.draft, place };
  const { draft } = save;
  const typing = parseManualIdEntry(before.sender, draft.form.sender, filled);
  return { kind: 'kept', draft, place, typing };
}

/** A view without inputs changes nothing, so its revision stays current. */
async function keptAsItIs(
  { services, user }: TemplateBuilderContext,
  place: BuilderMetadata,
): Promise<BuilderSaveResult> {
  const draft = await services.templates.drafts.read({ user, draft: place.draft });
  if (!draft) return { kind: 'gone' };
  if (isTemplateDraftLocked(draft)) return { kind: 'closed', draft, place };
  return { kind: 'kept', draft, place, typing: place.typing };
}

/** Without `seen` no draft is stale. */
function closedKind({ kind }: Exclude<SaveDraftResult, { kind: 'saved' | 'gone' }>): 'closed' | 'too-large' {
  return kind === 'too-large' ? 'too-large' : 'closed';
}
