/** The result of a check, and how results are printed. Pure. */
export interface DoctorFinding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do: if the check failed, or if Gigdesk works but something should change (a warning). */
  readonly remedy?: string;
}

export function passed(check: string, detail: string): DoctorFinding {
  return { check, ok: true, detail };
}

/** Gigdesk works, but something should change. */
export function warned(check: string, detail: string, remedy: string): DoctorFinding {
  return { check, ok: true, detail, remedy };
}

export function failed(check: string, detail: string, remedy: string): DoctorFinding {
  return { check, ok: false, detail, remedy };
}

function labelOf({ ok, remedy }: DoctorFinding): string {
  if (!ok) return 'FAIL';
  return remedy === undefined ? 'ok  ' : 'WARN';
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}

function summarize(findings: readonly DoctorFinding[]): string {
  const failed = findings.filter((finding) => !finding.ok).length;
  const warned = findings.filter((finding) => finding.ok && finding.remedy !== undefined).length;
  if (failed > 0) return `${failed} of ${count(findings.length, 'check')} failed.`;
  return warned === 0 ? 'All checks passed.' : `All checks passed, with ${count(warned, 'warning')}.`;
}

/** One line per finding with its remedy below, then a summary. `findings` has at least one. */
export function formatDoctorFindings(findings: readonly DoctorFinding[]): string {
  const width = Math.max(...findings.map((finding) => finding.check.length));
  const lines = findings.flatMap((finding) => [
    `${labelOf(finding)}  ${finding.check.padEnd(width)}  ${finding.detail}`,
    ...(finding.remedy ? [`      ${''.padEnd(width)}  -> ${finding.remedy}`] : []),
  ]);
  return [...lines, '', summarize(findings)].join('\n');
}
