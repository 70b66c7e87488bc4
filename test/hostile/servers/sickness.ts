import { gzipSync } from 'node:zlib';
import {
  added,
  apiVersion,
  discoveryOf,
  floods,
  group,
  isList,
  isWatch,
  kustomization,
  listOf,
  lists,
  refusesStreams,
  streams,
  synced,
  type Asked,
  type Sickness,
} from './answers.ts';
import {
  joiningFailures,
  manyErrors,
  manyRevisions,
  newDependencies,
  newImages,
  newKinds,
  newListedKinds,
} from './growing.ts';

/** Kustomizations that all hold the same thousands of objects, and then again and again another one each. */
function sameInventories(owners: number, ids: number): Sickness {
  const entries = Array.from(
    { length: ids },
    (_, n) => `{"id":"apps_deployment-number-${n}_apps_Deployment","v":"v1"}`,
  );
  const event = (type: string, number: number): string => {
    const object = JSON.stringify(kustomization(`k-${number % owners}`, number + 3));
    const own = `{"id":"apps_own-${number}__ConfigMap","v":"v1"}`;
    const inventory = `"inventory":{"entries":[${own},${entries.join(',')}]}`;
    return `{"type":"${type}","object":${object.replace('"status":{', `"status":{${inventory},`)}}\n`;
  };
  return streams((number) => {
    if (number <= owners) return event('ADDED', number);
    return number === owners + 1 ? `${synced}\n` : event('MODIFIED', number);
  });
}

/** A Kustomization that lists so many objects that are not there, again and again. */
function longInventory(ids: number): Sickness {
  const entries = Array.from({ length: ids }, (_, n) => `{"id":"flux-system_k-${n}_${group}_Kustomization","v":"v1"}`);
  const object = (number: number): string =>
    JSON.stringify(kustomization('k', number + 3)).replace(
      '"status":{',
      `"status":{"inventory":{"entries":[${entries.join(',')}]},`,
    );
  return floods((number) => `{"type":"MODIFIED","object":${object(number)}}`);
}

/** As many ids as one may list, others each time. */
function changingInventory(ids: number): Sickness {
  const events = ['a', 'b'].map((round) => {
    const entries = Array.from(
      { length: ids },
      (_, n) => `{"id":"flux-${round}_k-${n}_${group}_Kustomization","v":"v1"}`,
    );
    return `"status":{"inventory":{"entries":[${entries.join(',')}]},`;
  });
  return floods((number) => {
    const object = JSON.stringify(kustomization('k', number + 3)).replace('"status":{', events[number % 2] ?? '');
    return `{"type":"MODIFIED","object":${object}}`;
  });
}

/** In each of `namespaces` as many Leases as one answer may hold, others each time. */
function newLeases(namespaces: number, leases: number): Sickness {
  let round = 0;
  const listed = (item: (n: number) => string, count: number): string =>
    `{"kind":"List","metadata":{"resourceVersion":"1"},"items":[${Array.from({ length: count }, (_, n) => item(n)).join()}]}`;
  return ({ path, query, json }) => {
    if (path.endsWith('/deployments') && query.has('labelSelector'))
      json(
        200,
        listed((n) => `{"metadata":{"name":"d","namespace":"n${n}"}}`, namespaces),
      );
    else if (path.endsWith('/leases')) {
      const [, , , , , namespace = ''] = path.split('/');
      const id = `${namespace}-${(round += 1)}`;
      const spec = `{"holderIdentity":"h_x","leaseDurationSeconds":15,"renewTime":"2026-11-21T08:00:00.000000Z"}`;
      json(
        200,
        listed(
          (n) => `{"metadata":{"name":"l-${id}-${n}-leader-election","namespace":"${namespace}"},"spec":${spec}}`,
          leases,
        ),
      );
    } else return false;
    return true;
  };
}

/** A Kustomization that waits for another, ready or not. */
function dependent(name: string, version: number, on: string, isReady: boolean): string {
  const text = JSON.stringify(kustomization(name, version)).replace(
    '"spec":{',
    `"spec":{"dependsOn":[{"name":"${on}"}],`,
  );
  return isReady ? text : text.replace('"status":"True"', '"status":"False"');
}

/** So many Kustomizations that depend on each other as `on` says; then one of them breaks and mends without a pause. */
function dependents(count: number, on: (number: number) => number): Sickness {
  return streams((number) => {
    if (number <= count)
      return `{"type":"ADDED","object":${dependent(`k-${number - 1}`, 3, `k-${on(number - 1)}`, true)}}\n`;
    if (number === count + 1) return `${synced}\n`;
    return `{"type":"MODIFIED","object":${dependent('k-0', number + 3, `k-${on(0)}`, number % 2 === 0)}}\n`;
  });
}

function pages(page: (number: number) => string): Sickness {
  let number = 0;
  return (asked) => {
    if (refusesStreams(asked)) return true;
    if (!isList(asked)) return false;
    number += 1;
    asked.json(200, page(number));
    return true;
  };
}

/** `bytes` of the smallest objects that there are, as the items of a list. */
function emptyItems(bytes: number): string {
  return `${'{},'.repeat(bytes / 3)}{}`;
}

function bomb(items: string): Sickness {
  let body: Buffer | null = null;
  return (asked) => {
    if (refusesStreams(asked)) return true;
    if (!isList(asked)) return false;
    body ??= gzipSync(listOf(items, ''));
    asked.json(200, body, { 'content-encoding': 'gzip' });
    return true;
  };
}

/** Lists within lists: parsing them takes longer than anything else of their length. */
function nestedLists(bytes: number): string {
  return '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
}

/** Every GET is answered with 8 MB of `values`, whatever is asked for. */
function everywhere(values: (bytes: number) => string): Sickness {
  const body = gzipSync(`{"kind":"List","items":[${values(7_900_000)}]}`);
  return ({ path, json }) => {
    if (path === '/version' || path === '/apis') return false;
    json(200, body, { 'content-encoding': 'gzip' });
    return true;
  };
}

/** One object in a list, and this answer to each watch of it. */
function brokenWatches(answer: (asked: Asked) => void): Sickness {
  const list = listOf(JSON.stringify(kustomization('k', 1)), '');
  return (asked) => {
    if (refusesStreams(asked)) return true;
    if (isList(asked)) asked.json(200, list);
    else if (isWatch(asked)) answer(asked);
    else return false;
    return true;
  };
}

/** A Kustomization of which everything is more than a reader can expect: keys that mean something, numbers, owners in a circle. */
function odd(number: number): string {
  const uid = (of: number): string => `0b1c2d3e-0000-4000-8000-k-${of}`;
  const owner = `{"apiVersion":"${apiVersion}","kind":"Kustomization","name":"k-${(number + 1) % 50}","uid":"${uid((number + 1) % 50)}"}`;
  const keys = `"__proto__":{"namespace":"x"},"constructor":{"prototype":{"name":"x"}},"toString":1,"labels":{"__proto__":"x"}`;
  return JSON.stringify(kustomization(`k-${number % 50}`, number))
    .replace('"metadata":{', `"__proto__":{"kind":"Secret"},"metadata":{${keys},"ownerReferences":[${owner},${owner}],`)
    .replaceAll('"generation":1', '"generation":1e400,"generation":9007199254740993')
    .replaceAll('"observedGeneration":1', '"observedGeneration":-9223372036854775808');
}

const wide = 'x'.repeat(1_000);

/** Words that every rule of the redaction looks at. */
function dear(length: number, number: number): string {
  return `p${number}: password=x token: "a" https://u:p@h/ Authorization Basic YWJj `.repeat(40).slice(0, length);
}

/** A PrometheusRule of these rules, all in a group whose name is dear to clean, again and again. */
function ruleFile(rules: readonly unknown[]): Sickness {
  const own = 'monitoring.coreos.com';
  const object = (version: number): object => ({
    ...{ apiVersion: `${own}/v1`, kind: 'PrometheusRule' },
    metadata: { name: 'r', namespace: 'n', uid: '0b1c2d3e-0000-4000-8000-r', resourceVersion: String(version) },
    spec: { groups: [{ name: dear(2_000, 0), rules }] },
  });
  let number = 2;
  return ({ path, query, json, pour }) => {
    if (path === '/apis') json(200, discoveryOf(0, [[own, 'PrometheusRule']]));
    else if (path !== `/apis/${own}/v1/prometheusrules`) return false;
    else if (query.get('sendInitialEvents') === 'true')
      json(400, '{"kind":"Status","code":400,"message":"sendInitialEvents"}');
    else if (query.get('watch') === 'true')
      pour(() => `${JSON.stringify({ type: 'MODIFIED', object: object((number += 1)) })}\n`);
    else
      json(200, JSON.stringify({ kind: 'PrometheusRuleList', metadata: { resourceVersion: '2' }, items: [object(1)] }));
    return true;
  };
}

const blankNames = 'names of kinds that no path holds';

const farClock = 'a clock of the year 9,900';

/** Time (ms) by which the Date of each answer is ahead, of those whose clock is off. */
export const clocksAhead: Readonly<Record<string, number>> = { [farClock]: Date.UTC(9900, 0) - Date.UTC(2026, 0) };

/** Those that speak HTTP/1.1 only. */
export const overHttp1: readonly string[] = [blankNames];

/** Every way to be hostile that is known, by its name. */
export const sicknesses: Readonly<Record<string, () => Sickness>> = {
  'pages of new objects without end': () =>
    pages((number) =>
      listOf(
        Array.from({ length: 500 }, (_, n) => JSON.stringify(kustomization(`k-${number}-${n}`, number))).join(),
        `page-${number}`,
      ),
    ),
  'empty pages without end': () => pages((number) => listOf('', `page-${number}`)),
  'a continue token that no URL holds': () => pages(() => listOf('', String.raw`\ud800`)),
  [blankNames]: () => (asked) => {
    if (asked.path !== '/apis') return false;
    asked.json(
      200,
      discoveryOf(2).replace('"thing0s"', '"thing 0s"').replace('"many.example.org"', '"many example.org"'),
    );
    return true;
  },
  'a small gzip of 60 MB of {}': () => bomb(emptyItems(60_000_000)),
  'a small gzip of 7 MB of {}': () => bomb(emptyItems(7_000_000)),
  'a first list that streams without end': () => streams((number) => added(kustomization(`k-${number}`, number))),
  'objects that say too much': () => streams((number) => added(kustomization(`k-${number}`, number, wide, 60))),
  'a line without an end': () =>
    streams((number) => (number === 1 ? '{"type":"ADDED","object":{"x":"' : wide.repeat(60))),
  'nested lists in every answer': () => everywhere(nestedLists),
  'a line of nested lists': () => streams(() => `{"type":"ADDED","object":${nestedLists(7_900_000)}}\n`),
  'waits that no timer holds': () => (asked) => {
    if (asked.path !== lists) return false;
    asked.json(429, '{"kind":"Status","code":429,"message":"later"}', { 'retry-after': '99999999999999' });
    return true;
  },
  'too many kinds': () => (asked) => {
    if (asked.path !== '/apis') return false;
    asked.json(200, discoveryOf(20_000), { 'content-type': 'application/json' });
    return true;
  },
  'a discovery document without bounds': () => (asked) => {
    if (asked.path !== '/apis') return false;
    asked.json(200, gzipSync(discoveryOf(200_000)), { 'content-encoding': 'gzip' });
    return true;
  },
  'controllers without number': () => {
    const item = (n: number): string => `{"metadata":{"name":"d","namespace":"n${n}"}}`;
    const body = gzipSync(`{"kind":"List","items":[${Array.from({ length: 100_000 }, (_, n) => item(n)).join()}]}`);
    return ({ path, json }) => {
      if (!/\/(?:deployments|leases|statefulsets)$/.test(path)) return false;
      json(200, body, { 'content-encoding': 'gzip' });
      return true;
    };
  },
  'an inventory of sixty thousand': () => longInventory(60_000),
  'an inventory that changes without a pause': () => changingInventory(20_000),
  'leases without number': () => newLeases(64, 2_000),
  'a circle of a thousand': () => dependents(1_000, (number) => (number + 1) % 1_000),
  'twenty thousand that depend on one': () => dependents(20_000, () => 0),
  'everybody holds everything': () => sameInventories(150, 8_000),
  'lines of nested lists without a pause': () => {
    const nested = nestedLists(240_000);
    const event = (number: number): string =>
      `{"type":"MODIFIED","object":${JSON.stringify(kustomization('k', number)).replace('"spec":{', `"x":${nested},"spec":{`)}}`;
    return floods(event);
  },
  'bookmarks that go back without a pause': () =>
    floods((number) =>
      synced.replace('"2"', String(2 ** 60 - number)).replace('"k8s.io/initial-events-end":"true"', ''),
    ),
  'a hundred thousand conditions': () =>
    floods((number) => `{"type":"MODIFIED","object":${JSON.stringify(kustomization('k', number, 'm', 40_000))}}`),
  'keys and numbers that mean something else': () => floods((number) => `{"type":"MODIFIED","object":${odd(number)}}`),
  'a rule file of a hundred thousand rules': () => ruleFile(Array.from({ length: 100_000 }, () => 0)),
  'an expression of nothing but mistakes': () => ruleFile([{ alert: 'A', expr: '() '.repeat(43_000) }]),
  'an expression as dear as it may be': () => ruleFile([{ alert: 'A', expr: 'and '.repeat(32_000) }]),
  'managers without number': () => {
    const managers = Array.from({ length: 40_000 }, (_, at) => ({
      ...{ manager: dear(80, at), subresource: dear(40, at), time: '2026-11-21T08:00:00Z' },
      fieldsV1: { 'f:spec': {} },
    }));
    const kept = `"metadata":{"managedFields":${JSON.stringify(managers)},`;
    return floods(
      (number) =>
        `{"type":"MODIFIED","object":${JSON.stringify(kustomization('k', number)).replace('"metadata":{', kept)}}`,
    );
  },
  'watches that end at once': () => brokenWatches((asked) => asked.json(200, '')),
  'watches that are gone at once': () =>
    brokenWatches((asked) =>
      asked.json(200, '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"gone"}}\n'),
    ),
  'connections that go away with each answer': () => (asked) => {
    asked.goAway();
    return false;
  },
  [farClock]: () => {
    const list = listOf(JSON.stringify(kustomization('k', 1)), '');
    return (asked) => {
      if (refusesStreams(asked)) return true;
      if (!isList(asked)) return false;
      asked.json(200, list);
      return true;
    };
  },
  'other kinds in each answer': () => newKinds(4_999),
  'an inventory of other kinds each time': () => newListedKinds(20_000),
  'package revisions of other images each time': () => newImages(500),
  'package revisions without number': () => manyRevisions(8_000, 20),
  'as many errors as resources': () => manyErrors(40_000),
  'dependencies on others each time': () => newDependencies(500, 256),
  'failures that join one by one': () => joiningFailures(5_000),
  'changes without a pause': () => {
    const first = `${added(kustomization('k', 1))}${synced}\n`;
    return streams((number) =>
      number === 1
        ? first
        : `${JSON.stringify({ type: 'MODIFIED', object: kustomization('k', number + 2, `pass ${number}`) })}\n`,
    );
  },
};
