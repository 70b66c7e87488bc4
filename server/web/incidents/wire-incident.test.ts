import { describe, expect, it } from 'vitest';
import { WireIncident, WireIncidentNews, WireMember } from '#lib/api/incident.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { knownCluster } from '../testing/moment.ts';
import { badCommit, sampleDiverged, sampleNow, sampleRange, sampleRef } from '../testing/sample.ts';
import { sampleIncident, sampleMember, sampleNews } from '../testing/sample-incident.ts';
import { linksOf } from '../wire/wire-context.ts';
import { incidentWire, wireMember, wireNews } from './wire-incident.ts';

function cluster(name: string, labels: KnownCluster['labels'], isPlanned = false): KnownCluster {
  const plannedWork = isPlanned ? { clusters: [name], until: sampleNow + hour, reason: 'upgrade' } : null;
  return { ...knownCluster(name, []), labels, plannedWork };
}

const wireCalled = incidentWire({
  clusters: [
    cluster('eu-west-3', { environment: 'production' }, true),
    cluster('eu-west-4', { environment: 'production' }),
    cluster('stg', { environment: 'staging' }, true),
    cluster('lab', {}),
  ],
  find: (ref: ObjectRef) => (ref.name === 'checkout' ? sampleDiverged(ref) : null),
  context: { policy: defaultPolicy, now: sampleNow, links: linksOf([]) },
});
const wireOf = (incident: Incident) => wireCalled({ incident, calls: null });
const on = (...clusters: string[]) => ({ clusters, clusterCount: clusters.length });

describe('an incident on the wire', () => {
  it('has its words, times, reach and links', () => {
    const taken = { cause: sampleMember().cause, until: sampleNow - 1 };
    const wire = wireOf(sampleIncident({ takenFor: [taken], range: sampleRange }));
    expect(WireIncident.parse(wire)).toEqual(wire);
    expect(wire).toMatchObject({
      title: 'checkout on eu-west-3',
      takenFor: [{ title: 'checkout on eu-west-3', until: '2026-11-21T01:59:59.999Z' }],
      openedAt: '2026-11-21T01:00:00.000Z',
      closedAt: null,
      now: { objects: 3, clusters: 1, environments: 1 },
      most: { objects: 5, clusters: 2, environments: 1 },
      links: { self: '/incidents/abcdefgh0001', cause: wire.cause.href },
    });
    expect(wire.range?.firstBad?.href).toBe(`https://github.com/acme/control-repo/commit/${badCommit}`);
  });

  it.each<[string, ReturnType<typeof on>, number | null]>([
    ['each once', on('eu-west-3', 'eu-west-4'), 1],
    ['all of them', on('eu-west-3', 'lab', 'stg'), 2],
    ['none where no cluster carries the label', on('lab'), null],
    ['none where its clusters are not there any more', on('gone'), null],
    ['none where not all clusters are named', { clusters: ['eu-west-3'], clusterCount: 2 }, null],
  ])('counts environments, %s', (_what, clusters, environments) => {
    expect(wireOf(sampleIncident(clusters)).most.environments).toBe(environments);
  });

  it.each([
    [2, 2],
    [1, null],
  ])('counts environments now where all of its clusters are in it: %i of 2, %s', (clusters, environments) => {
    const now = { objects: 3, clusters };
    expect(wireOf(sampleIncident({ ...on('eu-west-3', 'stg'), now })).now).toEqual({ ...now, environments });
  });

  it.each<[string, ReturnType<typeof on>, number | null, boolean]>([
    ['all of its clusters are', on('eu-west-3', 'stg'), null, true],
    ['one is not', on('eu-west-3', 'eu-west-4'), null, false],
    ['one is not there', on('eu-west-3', 'gone'), null, false],
    ['not all are named', { clusters: ['eu-west-3'], clusterCount: 2 }, null, false],
    ['it is over', on('eu-west-3'), sampleNow - 1, false],
  ])(
    'is planned where it lasts and all of its clusters are under planned work: %s',
    (_what, clusters, closedAt, planned) => {
      expect(wireOf(sampleIncident({ ...clusters, closedAt })).planned).toBe(planned);
    },
  );

  it('names 20 clusters and counts all', () => {
    const clusters = Array.from({ length: 21 }, (_, n) => `c${n}`);
    const wire = wireOf(sampleIncident(on(...clusters)));
    expect([wire.clusters.length, wire.clusterCount]).toEqual([20, 21]);
  });

  it('leads to no one cause where several fail alike', () => {
    const wire = wireOf(sampleIncident({ roots: { names: ['checkout'], count: 1, clusters: 2 } }));
    expect([wire.title, wire.links.cause]).toEqual(['checkout on 2 clusters', null]);
  });
});

describe('a member on the wire', () => {
  it('that fails itself names no cause and leads to its object', () => {
    const wire = wireMember(sampleMember());
    expect(WireMember.parse(wire)).toEqual(wire);
    expect(wire).toMatchObject({ cause: null, to: null, ref: { name: 'checkout' } });
    expect(wire.links.self).toMatch(/^\/clusters\/eu-west-3\/.*\/checkout$/);
  });

  it('beneath another names that', () => {
    const cause = { type: 'object', ref: sampleRef({ name: 'control' }) } as const;
    expect(wireMember(sampleMember({ own: false, cause })).cause).toMatchObject({ title: 'control on eu-west-3' });
  });

  it('that is a cluster leads to that', () => {
    const wire = wireMember(sampleMember({ ref: null, objects: 12, to: sampleNow, ended: 'seen' }));
    expect(wire).toMatchObject({ ref: null, objects: 12, ended: 'seen', to: '2026-11-21T02:00:00.000Z' });
    expect(wire.links.self).toBe('/clusters/eu-west-3');
  });
});

it('news on the wire have the step, its place and what it became part of', () => {
  const wire = wireNews(sampleNews({ type: 'merged', into: 'other', position: 7 }));
  expect(WireIncidentNews.parse(wire)).toEqual(wire);
  expect(wire).toEqual({
    position: 7,
    incident: 'abcdefgh0001',
    type: 'merged',
    into: 'other',
    at: '2026-11-21T01:01:00.000Z',
    objects: 1,
    clusters: 1,
    title: 'checkout on eu-west-3',
    worst: 'diverged',
    reason: 'BuildFailed',
    ended: null,
  });
});
