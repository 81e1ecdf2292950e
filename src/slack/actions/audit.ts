import { actionIds } from '../blocks/ids.ts';
import { renderAuditLog } from '../commands/audit.ts';
import { auditPageValueCodec, toAuditPagePosition } from '../messages/audit-values.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';

async function turnPage(call: ActionCall): Promise<void> {
  const asked = auditPageValueCodec.read(call.value);
  if (!asked) return call.answer({ text: 'This list is out of date. Use `/gig audit` to get a new one.' });
  const { days, from } = asked;
  await call.replace(await renderAuditLog(call, { days, from, turn: toAuditPagePosition(asked) }));
}

/** Each button's value names its target page. */
export const auditActions: readonly ActionRoute[] = [
  { id: actionIds.auditPage, needs: 'admin', run: turnPage },
  { id: actionIds.auditBack, needs: 'admin', run: turnPage },
];
