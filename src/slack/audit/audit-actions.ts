import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { renderAuditLog } from './audit-command.ts';
import { auditPageValueCodec } from './audit-values.ts';

async function turnPage(call: ActionCall): Promise<void> {
  const asked = auditPageValueCodec.read(call.value);
  if (!asked) return call.answer({ text: 'This list is out of date. Use `/gig audit` to get a new one.' });
  const { days, from, to, at, number } = asked;
  await call.replace(await renderAuditLog(call, { days, from, turn: { to, than: [at, number] } }));
}

/** Each button's value names its target page. */
export const auditActions: readonly ActionRoute[] = [
  { id: actionIds.auditPage, needs: 'admin', run: turnPage },
  { id: actionIds.auditBack, needs: 'admin', run: turnPage },
];
