import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireLink } from '#lib/api/embed.ts';
import { type EmbedForm, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { day } from '#lib/domain/time/length.ts';
import { isForeignObject, listAt, textAt } from '#lib/foreign.ts';
import { outline } from '#test/outline.ts';
import { newKey, writeKeyFile } from './embeds/key-file.ts';
import { signedLink } from './embeds/signed-link.ts';
import { runningWeb, type RunningWeb } from './testing/running-web.ts';
import { helmGroup, kustomizeGroup, sampleNow } from './testing/sample.ts';
import { fillTroubled } from './testing/troubled-fleet.ts';

let web: RunningWeb;
let folder: string;
const key = newKey(sampleNow);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-answers-'));
  const keys = join(folder, 'keys.yaml');
  await writeKeyFile(keys, [key]);
  web = await runningWeb(null, { keys, frameAncestors: [] });
  fillTroubled(web.store);
  await web.advance(500);
});
afterAll(async () => {
  await web.stop();
  await rm(folder, { recursive: true, force: true });
});

const checkout = `cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=checkout`;
const kept = '../../test/fixtures/kept/answers';

// What pages and scripts are told of one fleet. A change that is meant is written with `vitest run -u` and read in the diff.
describe('the API tells of a troubled fleet what is kept of', () => {
  it.each([
    ['fleet', 'fleet'],
    ['fleet-by-kind', 'fleet?columns=kind&label=environment%3Dproduction'],
    ['clusters', 'clusters'],
    ['cluster', 'clusters/eu-west-3'],
    ['cluster-in-part', 'clusters/us-east-1'],
    ['cluster-unseen', 'clusters/ap-south-1'],
    ['objects', 'objects?limit=5'],
    ['objects-silent', 'objects?silent=true&cluster=eu-west-3'],
    ['object', `object?${checkout}`],
    ['neighbours', `neighbours?${checkout}`],
    ['exemptions', 'exemptions'],
    ['conflicts', 'conflicts'],
    ['changes', 'changes?limit=20'],
    ['incidents', 'incidents?last=7d'],
    ['absences', 'absences?last=7d'],
    ['corrections', 'corrections?last=7d'],
    ['transitions', 'transitions?last=7d'],
    ['spans', 'spans?period=last-7-days'],
    ['arrivals', 'arrivals?period=last-7-days'],
    ['history', `history?last=7d&${checkout}`],
    ['go', 'go?cluster=eu-west-3&kind=kustomizations&exported_namespace=flux-system&name=checkout'],
    ['go-inferred', 'go?kind=Kustomization&namespace=monitoring&name=checkout&k8s_cluster=eu-west-3'],
    ['go-none', 'go?cluster=ap-south-1&kind=Kustomization&name=chekout&at=soon'],
    ['history-of-the-fleet', 'history?last=7d'],
  ])('%s', async (name, path) => {
    const response = await web.get(`/api/v1/${path}`);
    expect(response.status).toBe(200);
    const sent = [...response.headers].filter(([header]) => !/^(date|etag|content-length)$/.test(header));
    const headers = sent.map(([header, value]) => [header, value.replace(/nonce-[^']+/, 'nonce-')]);
    await expect(
      outline({ headers: Object.fromEntries(headers), ...(await response.json()) }, { once: false }),
    ).toMatchFileSnapshot(`${kept}/${name}.txt`);
  });

  it.each(['exemptions', 'conflicts', 'incidents', 'absences', 'corrections', 'history'])('%s as CSV', async (list) => {
    const response = await web.get(`/api/v1/${list}?format=csv`);
    expect(response.status).toBe(200);
    await expect((await response.text()).replaceAll('\r\n', '\n')).toMatchFileSnapshot(`${kept}/${list}.csv`);
  });

  it('the metrics that an operator reads: name, sort and help', async () => {
    const text = await web.scrape();
    const own = text.split('\n').filter((line) => /^# (HELP|TYPE) plumbline_(?!web_(nodejs|process)_)/.test(line));
    await expect(`${own.join('\n')}\n`).toMatchFileSnapshot(`${kept}/metrics.txt`);
  });
});

/** Every object and resource that an answer names, as "kind namespace/name", each once. */
function named(answer: unknown): string {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isForeignObject(value)) return;
    const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((part) => textAt(value, part));
    if (kind && name && typeof namespace === 'string') found.add(`${kind} ${namespace}/${name}`);
    else Object.values(value).forEach(visit);
  };
  visit(answer);
  return found.size === 0 ? 'nothing' : [...found].toSorted().join(', ');
}

it('lists hold the objects that their filters name', async () => {
  const filters = [
    ...[
      '',
      'cluster=us-east-1',
      'cluster=us-east-1,eu-west-3',
      'kind=Kustomization',
      'kind=Namespace',
      'name=checkout',
    ],
    ...[
      'namespace=web',
      'namespace=-',
      `kind=HelmRelease&group=${helmGroup}`,
      `kind=HelmRelease&group=${kustomizeGroup}`,
    ],
    ...['kind=Namespace&group=-', 'kind=Kustomization&namespace=web&name=is-stale'],
  ];
  const lines: string[] = [];
  for (const list of ['objects', 'exemptions', 'conflicts', 'absences'])
    for (const filter of filters) {
      const response = await web.get(`/api/v1/${list}?${filter}`);
      lines.push(`${list}?${filter}: ${response.status} ${named(await response.json())}`);
    }
  for (const filter of ['kind=Namespace&group=-', `kind=HelmRelease&group=${helmGroup}`])
    lines.push(`spans?${filter}: ${named(await (await web.get(`/api/v1/spans?${filter}`)).json())}`);
  const lanes = [
    'name=checkout',
    'name=payments',
    'kind=HelmRelease',
    'namespace=web',
    'kind=Kustomization&name=control',
  ];
  for (const filter of [...lanes, `kind=HelmRelease&group=${kustomizeGroup}`]) {
    const history: unknown = await (await web.get(`/api/v1/history?${filter}`)).json();
    lines.push(
      `history?${filter}: ${listAt(history, 'lanes')
        .map((lane) => textAt(lane, 'key'))
        .join(', ')}`,
    );
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${kept}/filters.txt`);
});

/** Text that a reader reads, and where its links lead. */
function words(html: string): string {
  return html
    .replaceAll(/<(style|script|title|noscript)>[^]*?<\/\1>/g, '')
    .replaceAll(/<a [^>]*href="([^"]*)"[^>]*>/g, ' ($1) ')
    .replaceAll(/<[^>]+(?:aria-label|title)="([^"]*)"[^>]*>/g, ' [$1] ')
    .replaceAll(/<\/(?:p|li|tr|h1|dl|div)>/g, '\n')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}

/** Links as whoever holds the key signs them, to what is there or not. */
function linkByKey(text: string) {
  const scope = parseScope(text);
  if (scope === null) throw new Error(`${text} is no scope`);
  const order = { scope, theme: 'auto', expires: sampleNow + day, id: null } as const;
  const signed = (form: EmbedForm) => signedLink({ ...order, form }, key);
  return { type: 'by-key', embed: signed('embed'), badge: signed('badge') } as const;
}

const asReader = { headers: { 'Plumbline-Link': 'sign' } };

it('embeds and badges of every scope say what is kept', async () => {
  const scopes = [
    ...['fleet', 'label:environment=production', 'column:Kustomization/payments', 'column:sources/control'],
    ...['eu-west-3', 'us-east-1', 'ap-south-1', 'sa-east-1', 'af-south-1', 'stacks', 'nowhere'].map(
      (name) => `cluster:${name}`,
    ),
    ...['checkout', 'is-suspended', 'is-unconfirmed'].map(
      (name) => `object:eu-west-3/${kustomizeGroup}/Kustomization/flux-system/${name}`,
    ),
    ...['converged', 'incidents', 'overdue', 'arrival'].map((figure) => `figure:${figure}/last-7-days/fleet`),
  ];
  const said: string[] = [];
  for (const scope of scopes) {
    const asked = await web.get(`/api/v1/link?scope=${encodeURIComponent(scope)}`, asReader);
    const link = asked.status === 404 ? linkByKey(scope) : WireLink.parse(await asked.json());
    if (link.type === 'not-signed') throw new Error(link.why);
    const page = await web.get(link.embed);
    const badge = await web.get(link.badge);
    const found = link.type === 'signed' ? `${link.title}, ${link.page}` : 'none for readers';
    said.push(
      `== ${scope} (${found}): ${page.status} ${badge.status}`,
      words(await page.text()),
      words(await badge.text()),
    );
  }
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(`${kept}/embeds.txt`);
});
