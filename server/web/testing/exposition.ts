/** One sample of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A family of metrics as a scrape gives it. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /^([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/;

/**
 * Reads Prometheus' text format (version 0.0.4) as strictly as it is described: each family once, with HELP and TYPE before its samples,
 * no sample twice. Throws at the first line that is not so.
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = '';
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === 'HELP') {
      if (families.has(name)) throw new Error(`${name} comes twice`);
      families.set(name, { type: '', help: rest, samples: [] });
      current = name;
      continue;
    }
    const family = families.get(current);
    if (family === undefined) throw new Error(`no family before: ${line}`);
    if (comment === 'TYPE') {
      if (name !== current || family.type !== '' || family.samples.length > 0) throw new Error(`misplaced: ${line}`);
      family.type = rest;
      continue;
    }
    const sample = sampleOf(line);
    const suffix = /^(?:histogram|summary)$/.test(family.type) ? /^(?:_bucket|_sum|_count)?$/ : /^$/;
    if (!sample.name.startsWith(current) || !suffix.test(sample.name.slice(current.length)))
      throw new Error(`not of ${current}: ${line}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    if (seen.has(key)) throw new Error(`comes twice: ${line}`);
    seen.add(key);
    family.samples.push(sample);
  }
  return families;
}

function sampleOf(line: string): Sample {
  const [, name = '', written = '', number = ''] = sampleLine.exec(line) ?? [];
  const value = number === '+Inf' ? Infinity : number === '-Inf' ? -Infinity : Number(number);
  if (name === '' || (Number.isNaN(value) && !/^nan$/i.test(number))) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = written; rest !== '';) {
    const [whole, label = '', text = ''] = labelPair.exec(rest) ?? [];
    if (whole === undefined || Object.hasOwn(labels, label)) throw new Error(`labels of: ${line}`);
    labels[label] = text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value };
}
