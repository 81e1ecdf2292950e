/** What one check found, and how findings are printed. Pure. */

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What was found, in a few words. */
  readonly detail: string;
  /** What to do about it: where `ok` is false, and where Gigdesk works but something should change. */
  readonly remedy?: string;
}

function labelOf({ ok, remedy }: Finding): string {
  if (!ok) return 'FAIL';
  return remedy === undefined ? 'ok  ' : 'WARN';
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}

function summarize(findings: readonly Finding[]): string {
  const failed = findings.filter((finding) => !finding.ok).length;
  const warned = findings.filter((finding) => finding.ok && finding.remedy !== undefined).length;
  if (failed > 0) return `${failed} of ${count(findings.length, 'check')} failed.`;
  return warned === 0 ? 'All checks passed.' : `All checks passed, with ${count(warned, 'warning')}.`;
}

/** One line a finding, its remedy below, and how many failed at the end. `findings` has at least one. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map((finding) => finding.check.length));
  const lines = findings.flatMap((finding) => [
    `${labelOf(finding)}  ${finding.check.padEnd(width)}  ${finding.detail}`,
    ...(finding.remedy ? [`      ${''.padEnd(width)}  -> ${finding.remedy}`] : []),
  ]);
  return [...lines, '', summarize(findings)].join('\n');
}
