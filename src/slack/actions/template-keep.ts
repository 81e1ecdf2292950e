/** Keeps what stands in the template builder before anything is decided of it. */
import type { ProposalSender } from '../../marketplace/client.ts';
import { EMPTY_TEMPLATE_FORM } from '../../templates/form.ts';
import type { TemplateDraft, TextRoom } from '../../templates/records.ts';
import type { DraftChange, DraftSave } from '../../templates/templates.ts';
import type { PressedView } from '../routes.ts';
import { type BuilderPlace, readBuilderPlace } from '../views/template-place.ts';
import { type Filled, readFilled, readTyping } from '../views/template-values.ts';
import { type BuilderCall, isClosed } from './template-show.ts';

export interface Kept {
  readonly kind: 'kept';
  readonly draft: TemplateDraft;
  readonly place: BuilderPlace;
  /** Of the place, with what was chosen in it since. */
  readonly typing: BuilderPlace['typing'];
}

export type Keeping =
  | Kept
  | { readonly kind: 'closed' | 'too-large'; readonly draft: TemplateDraft; readonly place: BuilderPlace }
  | { readonly kind: 'gone' };

export interface Changes {
  /** Where the marketplace's list is known. */
  readonly senders?: readonly ProposalSender[];
  /** Put over what stands in the view. */
  readonly over?: DraftChange['change'];
  readonly room?: TextRoom;
}

/** Finds the draft of a view under the person's own id, with all that stands in the view stored. */
export async function keepFilled(
  { services, user }: BuilderCall,
  view: PressedView,
  { senders, over, room }: Changes = {},
): Promise<Keeping> {
  const place = readBuilderPlace(view.privateMetadata);
  if (!place) return { kind: 'gone' };
  if (place.inputs.length === 0 && !over && !room) return keptAsItIs({ services, user }, place);
  const filled: Filled = { values: view.values, place, ...(senders ? { senders } : {}) };
  let before = EMPTY_TEMPLATE_FORM;
  const save = await services.templates.drafts.save({
    user,
    draft: place.draft,
    change(form) {
      before = form;
      const read = readFilled(form, filled);
      return over?.(read) ?? read;
    },
    ...(room ? { room } : {}),
  });
  if (save.kind === 'gone') return save;
  if (save.kind !== 'saved') return { kind: closedKind(save), draft: save.draft, place };
  const { draft } = save;
  const typing = readTyping(before.sender, draft.form.sender, filled);
  return { kind: 'kept', draft, place, typing };
}

/** A view without inputs changes nothing, so what it shows stays the newest. */
async function keptAsItIs({ services, user }: BuilderCall, place: BuilderPlace): Promise<Keeping> {
  const draft = await services.templates.drafts.read({ user, draft: place.draft });
  if (!draft) return { kind: 'gone' };
  if (isClosed(draft)) return { kind: 'closed', draft, place };
  return { kind: 'kept', draft, place, typing: place.typing };
}

/** Without `seen` nothing is stale. */
function closedKind({ kind }: Exclude<DraftSave, { kind: 'saved' | 'gone' }>): 'closed' | 'too-large' {
  return kind === 'too-large' ? 'too-large' : 'closed';
}
