/** Checks Node's version, and that charts can be drawn. */
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import type { FunnelChartData } from '../pictures/chart-renderer.ts';
import { createChartRenderer } from '../pictures/create-chart-renderer.ts';
import type { DoctorFinding } from './finding.ts';

/** The same as `engines` in package.json. */
const OLDEST_NODE = [20, 19] as const;

/** @param version for example 24.1.0 */
export function checkNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const ok = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (ok) return { check: 'Node.js', ok, detail: version };
  const remedy = `install Node.js ${OLDEST_NODE.join('.')} or newer (the Docker image includes it)`;
  return { check: 'Node.js', ok, detail: `${version} is too old`, remedy };
}

const SAMPLE: FunnelChartData = { kind: 'funnel', days: 7, sent: 9, viewed: 5, interviewed: 2, hired: 1 };

/**
 * Draws a chart in a worker, as digests do.
 * @param workerUrl the compiled worker, if it isn't at the default path
 */
export async function checkChartRendering(clock: Clock, workerUrl?: URL): Promise<DoctorFinding> {
  const pictures = createChartRenderer({ clock, ...(workerUrl ? { workerUrl } : {}) });
  try {
    const { width, height } = await pictures.renderChart(SAMPLE);
    return { check: 'charts', ok: true, detail: `can be drawn (${width} x ${height})` };
  } catch (thrown) {
    const { message, cause } = asError(thrown);
    const why = cause === undefined ? '' : `: ${asError(cause).message}`;
    return {
      check: 'charts',
      ok: false,
      detail: `can't be drawn: ${message}${why}`,
      remedy:
        'run `npm ci` again on this machine; the drawing library depends on its platform. ' +
        'Until then, digests have no charts',
    };
  } finally {
    await pictures.close();
  }
}
