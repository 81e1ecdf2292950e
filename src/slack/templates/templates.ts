/** What other rooms use of templates. */
export {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  templateDraftDiscardedText,
  templateDraftText,
} from './template-list.ts';
export { openTemplateBuilder } from './template-open.ts';
