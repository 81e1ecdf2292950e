/** What other rooms use of templates. */
export {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  openTemplateBuilder,
  templateDraftDiscardedText,
  templateDraftText,
} from './template-drafts.ts';
