import { isForeignObject } from '#lib/foreign.ts';

/** A token of a known shape, made up. */
export const token = `ghp_${'aB3dE6gH'.repeat(5)}`;

/** Words of a cluster that spoil what shows them: each is put in the place of an honest one. */
export const hostileWords: Readonly<Record<string, string>> = {
  'too long for any page': 'long '.repeat(60_000),
  'too long, without a space': 'x'.repeat(300_000),
  'a name that is too long': `a${'-b'.repeat(500)}`,
  'that steer a terminal': 'a\u001b[31mred\u001b]0;title\u0007\u009b2J\u007f',
  'that turn the direction of a text': 'gpj.\u202eexe\u2066\u200f',
  'of no width': 'pay\u200bload\ufeff\u00ad\u2060',
  'with breaks of lines and nothing': 'a\r\nb\u2028c\u2029d\u0085e\u0000f',
  'of half characters': '\ud800a\udc00',
  'that hold a token': `failed with ${token} as its token`,
  'that is a token': token,
  'that mean something in a pattern': '(a+)+$[^]*{1,99999}\\',
};

/** A copy of a value in which every text is another, but those at the named keys. */
export function withWords(value: unknown, word: string, honest: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return word;
  if (Array.isArray(value)) return value.map((entry) => withWords(entry, word, honest));
  if (!isForeignObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, honest.has(key) ? field : withWords(field, word, honest)]),
  );
}

/** Durations that the patterns of Flux's CRDs admit, longer than any loop runs and than what a number holds. */
export const hostileDurations: readonly string[] = [
  '9007199254741s',
  '99999999999999999999h',
  `${'9'.repeat(250)}h`,
  '2562048h',
  '1000000h1000000m',
];

/** Times that can be read, and of which nothing can be reckoned or shown. */
export const hostileTimes: readonly string[] = [
  '+275760-09-13T00:00:00.000Z',
  '+010000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0001-01-01T00:00:00Z',
];

/** A copy of a value in which every list has so many entries more, each like its last. */
export function withLongLists(value: unknown, more: number): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => withLongLists(entry, 0));
    const last: unknown = entries.at(-1);
    return last === undefined ? entries : [...entries, ...Array.from({ length: more }, () => last)];
  }
  if (!isForeignObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withLongLists(field, more)]));
}
