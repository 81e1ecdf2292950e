/** What other rooms use of templates. */
export { fixedPriceText, hourlyRateText } from './template-details.ts';
export {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  openTemplateBuilder,
  templateDraftDiscardedText,
  templateDraftText,
} from './template-drafts.ts';
