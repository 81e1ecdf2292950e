/** Reads `/metrics` as a collector does. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Labels = Sample['labels'];

function parseSample(line: string): Sample[] {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/u.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gu)];
  const read = Object.fromEntries(pairs.map(([, label = '', of = '']) => [label, of]));
  return [{ name, labels: read, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) }];
}

/** @throws Error when the answer isn't a page of metrics */
export async function readMetrics(address: string) {
  const answer = await globalThis.fetch(`${address}/metrics`);
  const type = answer.headers.get('content-type');
  if (answer.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`${answer.status} ${type}`);
  const samples = (await answer.text()).split('\n').flatMap(parseSample);
  /** Every sample of a metric with these labels. */
  const all = (name: string, wanted: Labels = {}): readonly Sample[] =>
    samples.filter(
      (it) =>
        it.name === name && Object.entries(wanted).every(([label, value]) => it.labels[label] === value),
    );
  return {
    all,
    /** The only one's value. @throws Error when there is none, or are several */
    value: (name: string, labels?: Labels): number => {
      const [found, ...more] = all(name, labels);
      if (!found || more.length > 0) throw new Error(`not one ${name}: ${JSON.stringify([found, ...more])}`);
      return found.value;
    },
    sum: (name: string, labels?: Labels) => all(name, labels).reduce((sum, { value }) => sum + value, 0),
  };
}
