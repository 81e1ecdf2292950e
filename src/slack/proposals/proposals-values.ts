/** Values of the proposal search's buttons, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import { ProposalId } from '../../ids.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';
import { PageNumber } from '../kit/button-values.ts';
import { jsonValueCodec } from '../kit/json.ts';

export const proposalsPageValueCodec = jsonValueCodec(
  z.object({
    /** As the user typed it. Always fits a button's value, since longer queries are invalid. */
    query: z.string().max(MAX_QUERY_LENGTH),
    page: PageNumber,
  }),
);
export type ProposalsPageValue = NonNullable<ReturnType<typeof proposalsPageValueCodec.read>>;

export function parseProposalId(text: string): ProposalId | undefined {
  return /^\d{1,15}$/u.test(text) ? ProposalId.safeParse(Number(text)).data : undefined;
}
