/** Values of the audit log's buttons, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import { jsonValueCodec } from '../kit/json.ts';

const instant = z.number().int().min(0).max(8_640_000_000_000_000);

export const auditPageValueCodec = jsonValueCodec(
  z.object({
    /** The number of days requested, and the start time that resulted from it. */
    days: z.number().int().min(1).max(400),
    from: instant,
    to: z.enum(['older', 'newer']),
    /** The entry at the edge of the current page. */
    at: instant,
    number: z.number().int().min(0).max(1_000_000),
  }),
);
export type AuditPageValue = NonNullable<ReturnType<typeof auditPageValueCodec.read>>;
