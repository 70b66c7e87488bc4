import { expect, it, describe } from 'vitest';
import type { WireCommitCluster, WireCommitPage } from '#lib/api/commit.ts';
import type { Clock } from '../../runtime/clock.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { runCommandLine } from '../program.ts';
import type { Answer, Ask } from './ask.ts';
import { checkCommit, type CommitOptions } from './check-commit.ts';

const sha = '2d81a0c4'.repeat(5);
const made = '2026-11-21T02:00:00.000Z';
const second = 1_000;

function cluster(name: string, more: Partial<WireCommitCluster> = {}): WireCommitCluster {
  const counts = {
    stuck: 0,
    'failed-later': 0,
    unknown: 0,
    'on-its-way': 0,
    superseded: 0,
    converged: 1,
    'not-concerned': 0,
  };
  const times = { since: null, offeredAt: null, firstAt: null, lastAt: null, notKnown: null };
  return { cluster: name, environment: 'staging', state: 'converged', why: '', objects: [], counts, ...times, ...more };
}

/** Counts from which an outcome follows. */
function countsFor(outcome: WireCommitPage['outcome']): WireCommitPage['counts'] {
  return {
    stuck: outcome === 'failed' ? 1 : 0,
    'failed-later': 0,
    unknown: outcome === 'unknown' ? 1 : 0,
    'on-its-way': outcome === 'waiting' ? 1 : 0,
    superseded: 0,
    converged: outcome === 'arrived' ? 1 : 0,
    'not-concerned': 1,
  };
}

function page(outcome: WireCommitPage['outcome'], more: Partial<WireCommitPage> = {}): WireCommitPage {
  const commit = { sha, subject: 'Raise checkout (#12)', author: 'Ada', at: made, pullRequest: null, signed: false };
  return {
    asOf: made,
    commit: { ...commit, tags: [], href: null, self: `/commits/${sha}`, repository: 'git.example.org/acme/control' },
    url: 'https://git.example.org/acme/control.git',
    mirroredAt: made,
    files: null,
    branches: ['main'],
    outcome,
    sentence: `It is ${outcome}.`,
    counts: countsFor(outcome),
    clusters: [cluster('eu-west-3')],
    environments: [],
    ...more,
  };
}

function status(code: number, body: object | string = '', location: string | null = null): Answer {
  return { type: 'answer', status: code, text: typeof body === 'string' ? body : JSON.stringify(body), location };
}

const given = (outcome: WireCommitPage['outcome'], more: Partial<WireCommitPage> = {}): Answer =>
  status(200, page(outcome, more));
const problem = (code: number, detail: string, more: object = {}): Answer =>
  status(code, { type: '/problems/x', title: 'x', status: code, detail, ...more });
const notHeld = problem(404, 'No repository that is mirrored holds a commit 2d81a0c.');
const lost = (code: string): Answer => ({ type: 'lost', why: code, code });

/** An answer, and after which part of the wait that was asked for it comes (1: all of it). */
type Scripted = Answer | readonly [Answer, number];

/** Runs the command against answers in turn, of which the last one stays; time passes only by waiting. */
async function run(script: readonly Scripted[], options: Partial<CommitOptions> & { readonly output?: 'json' } = {}) {
  const time = fakeClock();
  const clock: Clock = {
    now: time.now,
    after(delay, task) {
      const timer = time.after(delay, task);
      queueMicrotask(() => time.advance(delay));
      return timer;
    },
  };
  const [out, said, asked]: [string[], string[], URL[]] = [[], [], []];
  const ask: Ask = async (address) => {
    const url = new URL(address);
    const next = script[Math.min(asked.length, script.length - 1)];
    asked.push(url);
    if (next === undefined || asked.length > 2_000) throw new Error('It asks for ever.');
    const [answer, part] = 'type' in next ? [next, 0] : next;
    time.advance(Number(url.searchParams.get('wait')) * second * part);
    return answer;
  };
  const began = time.now();
  const code = await checkCommit(
    { commit: sha, url: 'https://plumbline.example.org', output: 'table', ...options },
    {},
    { out: (line) => void out.push(line), say: (line) => void said.push(line) },
    { clock, ask },
  );
  const waits = asked.map(({ searchParams }) => Number(searchParams.get('wait')));
  return { code, out, said, asked: asked.map(String), waits, took: time.now() - began };
}

describe('the end of a commit', () => {
  it.each([
    ['arrived', 0, 'Arrived: 2d81a0c is out.'],
    ['failed', 1, 'Failed: 2d81a0c is stuck.'],
    ['unknown', 2, 'Unknown: of some that 2d81a0c concerns nothing is known.'],
    ['nothing', 2, 'Nothing: no object here is known to be concerned by 2d81a0c.'],
    ['waiting', 3, 'Not arrived: 2d81a0c is on its way.'],
  ] as const)('%s is exit code %i, asked once where nothing is waited for', async (outcome, code, words) => {
    const ran = await run([given(outcome)]);
    expect([ran.code, ran.said, ran.took]).toEqual([code, [words], 0]);
    expect(ran.asked).toEqual([`https://plumbline.example.org/api/v1/commits/${sha}?wait=0`]);
    expect(ran.out.slice(0, 2)).toEqual(['2d81a0c Raise checkout (#12), by Ada', `It is ${outcome}.`]);
  });

  it.each([
    ['arrived', { stuck: 3 }],
    ['arrived', { converged: 0 }],
    ['nothing', { unknown: 1 }],
  ] as const)('%s beside %j is not believed', async (outcome, counts) => {
    const ran = await run([given(outcome, { counts: { ...countsFor(outcome), ...counts } })], { wait: '15m' });
    expect([ran.code, ran.said, ran.out]).toEqual([69, [expect.stringContaining('The answer contradicts itself')], []]);
  });

  it('is failed where it came and something failed later, and says so', async () => {
    const counts = { ...page('failed').counts, stuck: 0, 'failed-later': 1 };
    const clusters = [
      cluster('us', { state: 'failed-later', why: 'HealthCheckFailed', lastAt: '2026-11-21T02:04:00.000Z' }),
    ];
    const ran = await run([given('failed', { counts, clusters })], { wait: '15m' });
    expect([ran.code, ran.said, ran.took]).toEqual([
      1,
      ['Failed: 2d81a0c came, and something that runs it failed later.'],
      0,
    ]);
    expect(ran.out.at(-1)).toBe('failed later  us       staging      after 4 min  HealthCheckFailed');
    const both = await run([given('failed', { counts: { ...counts, stuck: 1 } })]);
    expect(both.said).toEqual(['Failed: 2d81a0c is stuck.']);
  });

  it('has a line for each cluster', async () => {
    const clusters = [
      cluster('us', { state: 'stuck', why: 'BuildFailed', environment: '' }),
      cluster('eu-west-3', { firstAt: '2026-11-21T02:03:00.000Z', lastAt: '2026-11-21T02:04:00.000Z' }),
    ];
    const ran = await run([given('failed', { clusters })]);
    expect(ran.out.slice(3)).toEqual([
      'STATE      CLUSTER    ENVIRONMENT  CAME',
      'stuck      us                                   BuildFailed',
      'converged  eu-west-3  staging      after 4 min',
    ]);
  });

  it('is the answer of the API, on one line, where JSON is asked for', async () => {
    const pretty = status(200, JSON.stringify(page('arrived'), null, 2));
    const ran = await run([pretty], { output: 'json' });
    expect(ran.out.length).toBe(1);
    expect(JSON.parse(ran.out.join())).toEqual(page('arrived'));
  });

  it('is asked of some clusters', async () => {
    const ran = await run([given('arrived')], { cluster: 'a,b', label: 'environment=production' });
    expect(ran.asked[0]).toContain('?cluster=a%2Cb&label=environment%3Dproduction&wait=0');
  });
});

describe('waiting', () => {
  it.each([
    ['waiting', 3, 'Not arrived within 2m: 2d81a0c is on its way.'],
    ['unknown', 2, 'Unknown: of some that 2d81a0c concerns nothing is known.'],
  ] as const)('asks in pieces until the time is over, and tells what stays once: %s', async (outcome, code, words) => {
    const ran = await run([[given(outcome), 1]], { wait: '2m' });
    expect([ran.code, ran.waits, ran.took]).toEqual([code, [50, 50, 20, 0], 120_000]);
    expect(ran.said).toEqual([`Waiting: It is ${outcome}.`, words]);
  });

  it('ends as soon as it has come or failed', async () => {
    for (const [outcome, code] of [
      ['arrived', 0],
      ['failed', 1],
    ] as const) {
      const ran = await run([[given('waiting'), 1], given(outcome)], { wait: '15m' });
      expect([ran.code, ran.took]).toEqual([code, 50_000]);
    }
  });

  it('waits for a commit that no mirror holds yet, and says at the end that none does', async () => {
    const came = await run([[notHeld, 1], [problem(503, 'It sleeps.'), 0.1], given('arrived')], { wait: '5m' });
    expect([came.code, came.said]).toEqual([
      0,
      [
        'Waiting: No repository that is mirrored holds a commit 2d81a0c.',
        'Waiting: It sleeps.',
        'Arrived: 2d81a0c is out.',
      ],
    ]);
    const never = await run([[notHeld, 1]], { wait: '1m' });
    expect([never.code, never.out, never.said.at(-1)]).toEqual([
      2,
      [],
      'Unknown: No repository that is mirrored holds a commit 2d81a0c.',
    ]);
  });

  it('waits where nothing is read of its repository yet: then it is not known to concern nothing', async () => {
    const none = page('nothing').counts;
    const early = given('nothing', { counts: { ...none, 'not-concerned': 0 } });
    const ran = await run([early, given('nothing')], { wait: '5m' });
    expect([ran.code, ran.asked.length]).toEqual([2, 2]);
  });

  it('does not ask without a pause where the other side does not wait', async () => {
    const ran = await run([given('waiting')], { wait: '60s' });
    expect([ran.code, ran.asked.length, ran.took]).toEqual([3, 31, 60_000]);
  });
});

describe('a connection that is lost', () => {
  it.each([
    ['cut by a proxy', lost('UND_ERR_SOCKET')],
    ['ended by a proxy', status(504, '<html>')],
  ])('%s is made again with a smaller wait, said once, and does not end it', async (_name, cut) => {
    const ran = await run([[cut, 0.6], [cut, 0.6], [given('waiting'), 1], given('arrived')], { wait: '15m' });
    expect([ran.code, ran.waits]).toEqual([0, [50, 25, 12, 12]]);
    expect(ran.said).toEqual([
      expect.stringMatching(/^https:\/\/plumbline.example.org cannot be asked now \(.*\): trying again until the time/),
      'https://plumbline.example.org answers again.',
      'Waiting: It is waiting.',
      'Arrived: 2d81a0c is out.',
    ]);
  });

  it.each([lost('ECONNREFUSED'), lost('ENOTFOUND'), status(500), status(502, '<html>'), status(503, ''), status(429)])(
    'goes on until the time is over, and is no verdict then: %o',
    async (answer) => {
      const ran = await run([[given('waiting'), 1], answer], { wait: '2m' });
      expect([ran.code, ran.out, ran.took]).toEqual([69, [], 120_000]);
      expect(ran.said.length).toBe(3);
      expect(ran.asked.length).toBeLessThan(12);
    },
  );

  it('ends at once in one line where nobody named a Plumbline and none runs here', async () => {
    const ran = await run([lost('ECONNREFUSED')], { url: undefined, wait: '15m' });
    expect([ran.code, ran.took, ran.asked[0]]).toEqual([69, 0, `http://127.0.0.1:3000/api/v1/commits/${sha}?wait=50`]);
    expect(ran.said).toEqual([
      'No Plumbline runs at http://127.0.0.1:3000: name the one that does by --url, such as --url https://plumbline.example.org.',
    ]);
  });

  it('goes on where the Plumbline of this machine had answered before', async () => {
    const ran = await run([given('waiting'), lost('ECONNREFUSED'), given('arrived')], { url: undefined, wait: '15m' });
    expect(ran.code).toBe(0);
  });
});

describe('an answer that ends it', () => {
  it.each([
    ['several commits', problem(400, 'sha: is the beginning of several commits'), 64, 'several commits'],
    [
      'a cluster that is not there',
      problem(404, 'There is no cluster nope.', {
        notThere: [{ parameter: 'cluster', value: 'nope', nearest: [] }],
      }),
      64,
      'There is no cluster nope.',
    ],
    ['another host', problem(421, 'The host is not served here.'), 69, 'not served here'],
    ['a login', status(302, '', 'https://login.example.org/'), 69, 'sends on to https://login.example.org/'],
    ['no right', status(403, 'Forbidden'), 69, 'answers 403'],
    ['another program', status(404, '<html>'), 69, 'is no Plumbline'],
    ['something else', status(200, { all: 'fine', outcome: 'arrived' }), 69, 'is no Plumbline'],
    ['no JSON', status(200, 'arrived'), 69, 'is no Plumbline'],
    ['another commit', given('arrived', { commit: { ...page('arrived').commit, sha: 'f'.repeat(40) } }), 69, 'another'],
    ['too much', { type: 'too-large' }, 69, 'larger'],
  ] as const)('%s', async (_name, answer, code, words) => {
    const ran = await run([answer], { wait: '15m' });
    expect([ran.code, ran.out, ran.took, ran.said.length]).toEqual([code, [], 0, 1]);
    expect(ran.said[0]).toContain(words);
  });
});

describe('words that are hostile', () => {
  // To see where it does harm: hide, move the cursor, turn the direction, end the line.
  const evil = '\u001B[2J\u001B]0;x\u0007\u202Eok\r\nArrived\u2028';
  const commit = { ...page('arrived').commit, subject: evil, author: evil };
  const clusters = [cluster(evil, { state: 'stuck', why: evil, environment: evil })];

  it.each([
    ['of a page', given('failed', { sentence: evil, commit, clusters })],
    ['of a page that is waited for', [given('waiting', { sentence: evil, commit, clusters }), 1]],
    ['of a refusal', problem(400, evil)],
    ['of a redirection', status(302, '', evil)],
    ['of what is not there yet', notHeld.type === 'answer' ? problem(404, evil) : notHeld],
  ] as const)('steer no terminal and make no line of their own: %s', async (_name, answer) => {
    const ran = await run([answer], { wait: '1s' });
    const lines = [...ran.out, ...ran.said];
    expect(lines.join('')).toContain('\\u{1b}');
    expect(lines.filter((line) => /[\p{Cc}\u202E\u2028]/u.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('Arrived'))).toEqual([]);
  });

  it('steer nothing in JSON either, and mean the same', async () => {
    const ran = await run([given('failed', { sentence: evil })], { output: 'json' });
    expect(/[\p{Cc}\u202E\u2028]/u.test(ran.out.join(''))).toBe(false);
    expect(JSON.parse(ran.out.join(''))).toMatchObject({ sentence: evil });
  });

  it('are cut where they are long, and of many clusters the first are printed', async () => {
    const long = 'x'.repeat(5_000);
    const many = Array.from({ length: 1_002 }, () => cluster(long, { why: long, environment: long }));
    const ran = await run([given('failed', { sentence: long, clusters: many })]);
    expect(Math.max(...ran.out.map(({ length }) => length))).toBeLessThan(1_300);
    expect([ran.out.length, ran.out.at(-1)]).toEqual([1_005, 'and 2 clusters more']);
  });
});

describe('options', () => {
  it.each([
    [{ commit: '' }, '--commit must be 7 to 64 hex digits of a commit.'],
    [{ commit: 'HEAD' }, '--commit must be 7 to 64 hex digits of a commit.'],
    [{ commit: '../../x' }, '--commit must be 7 to 64 hex digits of a commit.'],
    [{ wait: '900' }, '"900" is no time to wait: a duration such as 15m, at most 1d.'],
    [{ wait: '2d' }, '"2d" is no time to wait: a duration such as 15m, at most 1d.'],
    [{ label: 'production' }, '--label must be key=value, comma-separated.'],
    [{ url: 'plumbline' }, '--url: "plumbline" is no address such as https://plumbline.example.org.'],
  ])('that are wrong are refused before anything is asked: %o', async (options, words) => {
    const ran = await run([given('arrived')], options);
    expect([ran.code, ran.said, ran.asked]).toEqual([64, [words], []]);
  });

  it.each([
    [['--wait', '5m'], '--wait goes with --commit.'],
    [['--url', 'https://plumbline.example.org'], '--url goes with --commit.'],
    [['--commit', sha, '--context', 'a'], 'cannot be used with'],
    [['--commit', sha, '--timeout', '5'], 'cannot be used with'],
  ])('go together or are refused: %j', async (args, words) => {
    const said: string[] = [];
    const output = { out: () => undefined, say: (line: string) => void said.push(line) };
    expect(await runCommandLine(['check', ...args], output)).toBe(64);
    expect(said.join()).toContain(words);
  });
});
