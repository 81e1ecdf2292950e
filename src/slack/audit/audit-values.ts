/** Values of the audit log's buttons, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import type { AuditPageRequest } from '../../audit/audit.ts';

const instant = z.number().int().min(0).max(8_640_000_000_000_000);

const AuditPageValue = z.object({
  /** The number of days requested, and the start time that resulted from it. */
  days: z.number().int().min(1).max(400),
  from: instant,
  to: z.enum(['older', 'newer']),
  /** The entry at the edge of the current page. */
  at: instant,
  number: z.number().int().min(0).max(1_000_000),
});
type AuditPageValue = z.infer<typeof AuditPageValue>;

export const auditPageValueCodec = {
  write: (value: AuditPageValue): string => JSON.stringify(value),
  read(text: string): AuditPageValue | undefined {
    try {
      return AuditPageValue.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  },
};

export function toAuditPagePosition({
  to,
  at,
  number,
}: AuditPageValue): NonNullable<AuditPageRequest['turn']> {
  return { to, than: [at, number] };
}
