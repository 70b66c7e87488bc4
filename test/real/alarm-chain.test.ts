// The chain of an alarm on real programs: each link broken, then mended by what `plumbline rules` writes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireAlarm } from '#lib/api/object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { minute } from '#lib/domain/time/length.ts';
import { type ChainBed, type ChainPrograms, type Side, startChainBed } from './alarms/chain/bed.ts';
import { platform, type Team, teams } from './alarms/chain/objects.ts';
import { type BuildResult, buildPrograms } from './build.ts';
import type { ProgramName } from './programs.ts';
import { notRun } from './report.ts';

const needed: readonly ProgramName[] = [
  'etcd',
  'kube-apiserver',
  'source-controller',
  'kustomize-controller',
  'provider-nop',
  'kube-state-metrics',
];
/** Versions of Prometheus and Alertmanager that are played, as a cluster each. */
const versions = [
  { cluster: 'debian', said: 'Prometheus 2.42 and Alertmanager 0.25', of: ['prometheus-2', 'alertmanager-0.25'] },
  { cluster: 'current', said: 'Prometheus 3.16 and Alertmanager 0.31', of: ['prometheus', 'alertmanager'] },
] as const;

const results = await buildPrograms(
  (line) => void process.stdout.write(`  ${line}\n`),
  [...needed, ...versions.flatMap(({ of }) => of)],
);

function refusalsOf(names: readonly ProgramName[]): string {
  const refused = names.flatMap((name) => whyOf(results.get(name), name));
  return refused.join('; ');
}

function whyOf(result: BuildResult | undefined, name: ProgramName): readonly string[] {
  if (result?.type === 'built') return [];
  return [`${name} could not be had: ${result?.why ?? 'it is not known'}`];
}

const played = versions.filter(({ of }) => refusalsOf([...needed, ...of]) === '');
await notRun(
  versions.flatMap(({ said, of }) => {
    const reason = refusalsOf([...needed, ...of]);
    return reason === '' ? [] : [{ name: `each link of an alarm with ${said}`, reason }];
  }),
);

function binary(name: ProgramName): string {
  const result = results.get(name);
  return result?.type === 'built' ? result.binary : '';
}

function withCrds(name: ProgramName): { readonly binary: string; readonly crds: string } {
  const result = results.get(name);
  return { binary: binary(name), crds: result?.type === 'built' ? (result.crds ?? '') : '' };
}

const programs: ChainPrograms = {
  etcd: binary('etcd'),
  apiServer: binary('kube-apiserver'),
  sourceController: withCrds('source-controller'),
  kustomizeController: withCrds('kustomize-controller'),
  providerNop: withCrds('provider-nop'),
  stateMetrics: binary('kube-state-metrics'),
};
const sides = played.map(({ cluster, of: [prometheus, alertmanager] }): Side => ({
  cluster,
  programs: { prometheus: binary(prometheus), alertmanager: binary(alertmanager) },
}));

/** An object without its cluster. */
type Named = Omit<ObjectRef, 'cluster'>;

const flux = (group: string, kind: string, namespace: string, name: string): Named => ({
  group: `${group}.toolkit.fluxcd.io`,
  kind,
  namespace,
  name,
});
const checkout = (team: Team): Named => flux('kustomize', 'Kustomization', team, 'checkout');
const charts = flux('source', 'HelmRepository', platform, 'gone');
const repository = flux('source', 'GitRepository', platform, 'gone');
const paused = flux('kustomize', 'Kustomization', platform, 'paused');
const bucket: Named = { group: 'nop.crossplane.io', kind: 'NopResource', namespace: platform, name: 'bucket' };

/** A fault, the object whose alarm it breaks, the link that is named, and its words. */
const brokenLinks: readonly (readonly [what: string, object: Named, link: string, words: RegExp])[] = [
  ['series not exported', charts, 'series', /^No target exports a series of this HelmRepository to monitoring-/],
  ['metric renamed', bucket, 'rule', /^Its series are there, and no rule that monitoring-\w+ has loaded reads them\.$/],
  ['rule deleted', repository, 'rule', /no rule that monitoring-\w+ has loaded reads them/],
  ['wrong namespace matcher of a rule', checkout('elsewhere'), 'rule', /no rule that monitoring-\w+ has loaded reads/],
  [
    'rule that fails to evaluate',
    checkout('fails'),
    'evaluation',
    /^Rule TeamFailure_fails cannot be evaluated: .*many-to-many/,
  ],
  ['rule that asks for another state', checkout('asleep'), 'condition', /^Rule TeamFailure_asleep reads it, and/],
  [
    'for: that is too long',
    checkout('late'),
    'hold',
    /^The condition of TeamFailure_late is true and must stay so for 1 h/,
  ],
  [
    'alert dropped on its way',
    checkout('undelivered'),
    'delivery',
    /^TeamFailure_undelivered fires, and no Alertmanager/,
  ],
  ['silence', checkout('silenced'), 'silence', /^A silence by ada holds it back until 20.* UTC: migration\.$/],
  ['inhibition', checkout('inhibited'), 'inhibition', /^Another alert inhibits TeamFailure_inhibited\.$/],
  ['null receiver', checkout('unheard'), 'receiver', /^TeamFailure_unheard is routed to null, which calls nobody\.$/],
  ['wrong namespace matcher of a route', checkout('unrouted'), 'receiver', /^TeamFailure_unrouted is routed to null,/],
];

/** Objects that are away; all sound once all is mended. */
const away: readonly Named[] = [
  ...teams.map(checkout),
  flux('kustomize', 'Kustomization', 'fails', 'cart'),
  charts,
  repository,
  bucket,
];

const within = { timeout: 2 * minute, interval: 500 };
const silentBy = (broken: string) => ({ state: 'silent', broken, since: null, by: null, why: null });
const unknown = (why: string) => ({ state: 'unknown', broken: null, since: null, by: null, why });
const sounding = { state: 'sounding', broken: null, since: expect.any(String), by: 'own', why: null };

let bed: ChainBed;

async function alarm(cluster: string, named: Named): Promise<WireAlarm | null> {
  return (await bed.object({ ...named, cluster }))?.object.alarm ?? null;
}

describe.skipIf(played.length === 0)('an alarm, link by link', () => {
  beforeAll(async () => {
    bed = await startChainBed(programs, sides);
  }, 5 * minute);
  afterAll(() => bed?.stop());

  describe.each(played)('broken, with $said', ({ cluster }) => {
    it.each(brokenLinks)('%s', async (_what, named, link, words) => {
      await expect.poll(() => alarm(cluster, named), within).toEqual(silentBy(link));
      const ref = { ...named, cluster };
      const told = await bed.object(ref);
      const broken = told?.chain.steps.filter(({ state }) => state === 'broken') ?? [];
      expect(broken).toEqual([expect.objectContaining({ link, text: expect.stringMatching(words) })]);
      const page = await bed.page(ref);
      for (const text of [broken[0]?.text, told?.chain.mend]) expect(page).toContain(asHtml(text ?? 'none'));
    });

    it('a time interval that mutes', async () => {
      // Alertmanager 0.25 does not say what a time interval mutes.
      const expected = cluster === 'debian' ? unknown('mutes-untold') : silentBy('mute');
      await expect.poll(() => alarm(cluster, checkout('muted')), within).toEqual(expected);
    });

    it('a for: that resets never sounds, and is found', async () => {
      const looks: (string | null)[] = [];
      await expect
        .poll(() => alarm(cluster, checkout('resets')).then((it) => looks.push(it?.broken ?? null)), within)
        .toBeGreaterThan(15);
      expect(new Set(looks).difference(new Set(['hold', 'condition']))).toEqual(new Set());
      const { findings } = await bed.alarms();
      const resets = findings.find(({ type }) => type === 'clock-resets')?.findings ?? [];
      expect(resets).toContainEqual(
        expect.objectContaining({ source: `monitoring-${cluster}`, rule: 'TeamFailure_resets' }),
      );
    });

    it('the one that is whole calls, and no other', async () => {
      expect(await alarm(cluster, checkout('called'))).toEqual(sounding);
      await expect
        .poll(() => called(cluster), within)
        .toEqual([
          `FluxSuspended Kustomization ${platform}/paused`,
          'TeamFailure_called Kustomization called/checkout',
        ]);
    });

    it('a rule on a metric that was renamed is dead', async () => {
      const { findings } = await bed.alarms();
      const dead = findings.find(({ type }) => type === 'dead-rule')?.findings ?? [];
      expect(dead).toContainEqual(
        expect.objectContaining({ source: `monitoring-${cluster}`, rule: 'CloudResourceDesynced' }),
      );
    });

    it('what is suspended asks for no alarm', async () => {
      expect((await alarm(cluster, paused))?.state).toBe('not-due');
    });
  });

  describe('mended by what plumbline rules writes', () => {
    beforeAll(() => bed.mend(), minute);

    describe.each(played)('with $said', ({ cluster }) => {
      it.each(away.map((named) => [`${named.kind} ${named.namespace}/${named.name}`, named] as const))(
        '%s is sounding',
        async (_what, named) => {
          await expect.poll(() => alarm(cluster, named), within).toEqual(sounding);
          const told = await bed.object({ ...named, cluster });
          expect(told?.chain.steps.map(({ state }) => state)).not.toContain('broken');
          expect(told?.chain.steps.at(-1)).toMatchObject({
            link: 'receiver',
            text: 'It is routed to oncall (webhook).',
          });
        },
      );

      it('somebody is called for each of them, and for nothing else', async () => {
        const expected = [
          ...away.map((named) => `${alertOf(named)} ${named.kind} ${named.namespace}/${named.name}`),
          `FluxSuspended Kustomization ${platform}/paused`,
          `CloudResourceNotReady NopResource ${platform}/bucket`,
        ];
        await expect.poll(() => called(cluster), within).toEqual(expected.toSorted());
      });

      it('an Alertmanager that is down: nobody knows', async () => {
        const { alerting, ready } = bed.side(cluster);
        await alerting.stop();
        await expect.poll(() => alarm(cluster, checkout('called')), within).toEqual(unknown('not-read'));
        alerting.start();
        await ready();
        await expect.poll(() => alarm(cluster, checkout('called')), within).toEqual(sounding);
      });
    });
  });
});

/** Alerts for which somebody was called, of those that name an object; each once. */
function called(cluster: string): readonly string[] {
  return [...new Set(bed.pager.calls(cluster))].filter((call) => !call.endsWith(' /')).toSorted();
}

function alertOf({ kind }: Named): string {
  switch (kind) {
    case 'Kustomization':
      return 'FluxReconciliationFailure';
    case 'NopResource':
      return 'CloudResourceDesynced';
    default:
      return 'FluxSourceNotReady';
  }
}

function asHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}
