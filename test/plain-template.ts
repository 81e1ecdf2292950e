import { TemplateId } from '../src/ids.ts';
import type { ProposalTemplate } from '../src/marketplace/schema.ts';

/** A template with only the fields that a test sets. */
export function plainTemplate(id: number, known: Partial<ProposalTemplate> = {}): ProposalTemplate {
  return {
    id: TemplateId.parse(id),
    sender: {},
    hourlyRate: {},
    fixedPrice: {},
    ai: {},
    filters: [],
    setups: [],
    answers: [],
    attachments: [],
    ...known,
  };
}
