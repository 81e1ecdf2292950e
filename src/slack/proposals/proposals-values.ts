/** Values of the proposal search's buttons, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import { ProposalId } from '../../ids.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';

const ProposalsPageValue = z.object({
  /** As the user typed it. Always fits a button's value, since longer queries are invalid. */
  query: z.string().max(MAX_QUERY_LENGTH),
  /** From 1. */
  page: z.number().int().min(1).max(1_000_000),
});
export type ProposalsPageValue = z.infer<typeof ProposalsPageValue>;

export const proposalsPageValueCodec = {
  write: ({ query, page }: ProposalsPageValue): string => JSON.stringify({ query, page }),
  read(text: string): ProposalsPageValue | undefined {
    try {
      return ProposalsPageValue.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  },
};

export function parseProposalId(text: string): ProposalId | undefined {
  return /^\d{1,15}$/u.test(text) ? ProposalId.safeParse(Number(text)).data : undefined;
}
