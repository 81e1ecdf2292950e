/** What other rooms use of templates. */

export { openTemplateBuilder } from './template-drafts.ts';
export {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  templateDraftDiscardedText,
  templateDraftText,
} from './template-list.ts';
