import { TemplateId } from '../src/ids.ts';
import type { ProposalTemplate } from '../src/marketplace/schema.ts';

/** A template of which nothing is known but what a test says. */
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
