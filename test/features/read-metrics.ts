/** Reads `/metrics` as a collector does. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricsPage {
  readonly text: string;
  /** In output order. */
  readonly names: readonly string[];
  /** Every sample of a metric. */
  all(name: string): readonly Sample[];
  /** The one sample with these labels. @throws Error when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
  /** The sum of the samples with these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

function readNumber(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

function parsePage(text: string): MetricsPage {
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value = '']) => ({
      name,
      labels: readLabels(labels),
      value: readNumber(value),
    }),
  );
  const matching = (name: string, wanted: Readonly<Record<string, string>> = {}) =>
    samples.filter(
      (it) =>
        it.name === name && Object.entries(wanted).every(([label, value]) => it.labels[label] === value),
    );
  return {
    text,
    names: [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name),
    all: matching,
    value: (name, labels) => {
      const [found, ...more] = matching(name, labels);
      if (!found || more.length > 0) throw new Error(`not one ${name}: ${JSON.stringify([found, ...more])}`);
      return found.value;
    },
    sum: (name, labels) => matching(name, labels).reduce((sum, { value }) => sum + value, 0),
  };
}

/** @throws Error when the answer isn't a page of metrics. */
export async function readMetrics(address: string): Promise<MetricsPage> {
  const answer = await globalThis.fetch(`${address}/metrics`);
  const type = answer.headers.get('content-type');
  if (answer.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`${answer.status} ${type}`);
  return parsePage(await answer.text());
}
