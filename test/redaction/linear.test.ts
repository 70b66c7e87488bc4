import { describe, expect, it } from 'vitest';
import { gitleaksRules } from '#lib/domain/observation/redaction/gitleaks-rules.ts';
import { secretSpans } from '#lib/domain/observation/redaction/secret-spans.ts';

/** Beginnings and ends of what the rules look for: repeated, each may be the beginning of a match at every place. */
const pumps: readonly string[] = [
  ...[
    '://',
    '://u:',
    'u:p@',
    'u:',
    '@',
    'a@b:',
    'invalid port ":',
    'jdbc:oracle:thin:a',
    'mongosh a ',
    'unzip a ',
    '/hooks/',
    'password was ',
    'password: &a ',
    'a:5432:b:',
    'password',
    'password=',
    'password="',
    "password='",
  ],
  ...[
    'password: |\n  ',
    'password: |\n',
    'token-',
    '--token ',
    'pass=',
    'A_KEY=',
    'password "',
    'login a password ',
    ' -u a:',
    ' -u ',
  ],
  ...[
    '<password>',
    '<password',
    'a("token", "',
    '"auth":"',
    'auth: ',
    '_auth=',
    'authorization:',
    'authorization: a=b, ',
    'authorization: a ',
  ],
  ...[
    'bearer ',
    'x-a-key: ',
    'cookie: a=b; ',
    'cookie: a=',
    'kind: secret data:',
    'data:{',
    '"data":{"',
    'data:[',
    '[]byte{',
    '[]byte("',
  ],
  ...[
    'name: token value: ',
    '"name":"token","value":"',
    'Invalid value: ',
    'Invalid value: "',
    'a.b: Invalid value: ',
    'Invalid value: {',
    'Invalid value: [a',
    'Invalid value: map[string]interface {}{',
    '<a ',
    '<a="',
    '<key ',
    'password a1',
    'password is ',
    'password=a,',
    'password=a,b',
    'password(a) ',
    'arn:aws:secret:',
    'stringData:\n ',
    '"value":"a",',
    '//u:p@h',
    'a:b:',
    '1:2@',
    'data: map[',
    '-----BEGIN',
  ],
  ...[
    '-----BEGIN -----',
    'eyJ',
    '-eyJ',
    '_eyJ',
    '.eyJ',
    'eyJabc.',
    'aB3',
    'Ab1/',
    '$2y$',
    'a1b2c3.',
    '0f',
    'a',
    'A',
    '1',
    '=',
    '/',
  ],
  ...[
    '-',
    '_',
    '.',
    ':',
    ';',
    ',',
    '"',
    "'",
    ' ',
    '\n',
    '{',
    '[',
    '\\',
    '\\"',
    '\\\\',
    '%3D',
    '%',
    '&quot;',
    '&',
    '\\u003d',
    '\\n',
  ],
  ...[
    `password${' '.repeat(64)}`,
    'password: [',
    'password: {',
    'password: (',
    'password: ("',
    'password: <a ',
    'password: b(',
    'password=a;',
    'password=a}',
    'password="""',
    "password='a''",
    'password="a"" ',
    'password = a -> ',
    'password = (a) -> ',
    'password:\n  ',
    'password: a b\n',
    'A_KEY=a b\n',
    'credentials:{',
    'credentials:{secretRef:{',
    '"credentials":["',
    'tokenName="',
    'PUBLIC_KEY=',
    'token: a(token:1(',
    'password: {"tokenName":{',
    '"--token","',
    'invalid token "',
    'identified with a ',
    '?key=',
  ],
  ...[
    'redis-cli ',
    'docker login ',
    'docker login a ',
    'mysql ',
    'mysql a ',
    'ldapsearch a ',
    '--from-literal=',
    '"name":"token","a":null,',
    '"value":1,"a":1,',
    '"value":"a","a":"a",',
    'error found in #1 byte of ...|',
    'a.b: expected map, got &{',
    'a@b.c:',
    'a@b.',
    'a:b@tcp',
    '://a:b c ',
    '://a:b',
    'api.telegram.org/bot',
    '/hook/0',
    'k3v9x2q7',
    '\u001B[1m',
    '\u001B[',
    '\u00A0',
  ],
  ...gitleaksRules.flatMap(({ words }) => words.flatMap((word) => [word, `-${word}a`, `_${word.toUpperCase()}`])),
];
/** Signs that may end a value, and stand within it all the same. */
const signs: readonly string[] = [
  '=',
  '_',
  '-',
  '_=',
  '.',
  '/',
  '+',
  ':',
  ' ',
  '\t',
  '*',
  '%',
  '&',
  '\\',
  '"',
  ')',
  '>',
  '0',
  'A',
];
const length = 65_536;
const factor = 4;
/** ms for a text of `length`. Linear rules need a third of it at most; one that is quadratic needs seconds. */
const patience = 60;
/** ms of the processor's time, which is counted in steps of some ms, that make a measurement. */
const enough = 120;

/** True if one of a few looks is quick. The machine may be busy with other things: then its ms say little, and growth decides. */
function isQuick(text: string): boolean {
  for (let tries = 0; tries < 5; tries += 1) {
    const started = performance.now();
    secretSpans(text);
    if (performance.now() - started < patience) return true;
  }
  return false;
}

/** ms of this thread's own time for one go, from as many goes as make a measurement. */
function cpuTime(go: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let goes = 1; ; goes += 1) {
    go();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > enough * 1000) return (user + system) / 1000 / goes;
  }
}

/** By what factor the time grows from a text to one `factor` times as long: about 4 where it is linear, 16 where it is quadratic. */
function growth(pump: string, look: (text: string) => unknown): number {
  const long = pump.length < length ? textOf(pump) : pump;
  const middle = long.length / factor / 2;
  const short = long.slice(0, middle) + long.slice(-middle);
  return cpuTime(() => look(long)) / cpuTime(() => look(short));
}

function textOf(pump: string): string {
  return pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
}

/** A run of a sign that ends nothing, for a letter is behind it: alone, in a web token, and as the value of a name. */
function surrounded(sign: string): readonly string[] {
  const run = textOf(sign);
  return [`a${run}a`, `eyJaaaaaaaa.${run}a`, `password=${run}a`, `"${run}`];
}

describe('the time that redaction takes', () => {
  it('grows as the text does, whatever it repeats', { timeout: 180_000 }, () => {
    const slow = pumps.filter((pump) => !isQuick(textOf(pump)));
    expect(slow.filter((pump) => growth(pump, secretSpans) > 8)).toEqual([]);
  });

  it('grows as the text does, whatever it repeats between two words', { timeout: 180_000 }, () => {
    const slow = signs.flatMap((sign) => surrounded(sign)).filter((text) => !isQuick(text));
    expect(slow.filter((text) => growth(text, secretSpans) > 8).map((text) => text.slice(0, 20))).toEqual([]);
  });

  it('of ordinary pumps grows by the factor', { timeout: 60_000 }, () => {
    for (const pump of ['password=', 'eyJ', '-eyJ', 'https://u:', 'glpat-', '\\"'])
      expect(growth(pump, secretSpans)).toBeLessThan(8);
  });

  it('is measured: a rule that goes over the rest of the text from every place is seen', { timeout: 60_000 }, () => {
    expect(growth('a', (text) => /a[^b]*b/.test(text))).toBeGreaterThan(8);
  });
});
