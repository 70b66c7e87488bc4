import { hash } from 'node:crypto';
import type { DeploymentState } from '#lib/domain/record/current.ts';
import { at, listAt, numberAt, timeAt, type ForeignObject } from '#lib/foreign.ts';
import { nameAt, wordAt, wordsAt } from '#lib/foreign-words.ts';
import { lastStatusWrite } from '../../reconcilers/managers.ts';
import { controllerOf } from '../../reconcilers/references.ts';
import { isNamedController } from '../../reconcilers/registry.ts';
import type { DeploymentRuns, ObservedDeployment, FeedState } from '../cluster-event.ts';
import { resourcePath } from '../api-path.ts';
import type { SignReader } from './sign-reader.ts';

/** Containers that hold the loop, by name: Flux's and tofu-controller's, Crossplane packages', Crossplane's own. */
const mainContainers = ['manager', 'package-runtime', 'crossplane'];

/**
 * An apps/v1 Deployment; nothing where it runs no controller that is of interest. Of its environment nothing but
 * LEADER_ELECTION is read. Sources: flux2 manifests/bases, crossplane cluster/charts/crossplane and
 * internal/controller/pkg/runtime (owner reference and container of a provider), fluxcd/pkg runtime/controller (flags).
 */
export function readDeployment(deployment: unknown): ObservedDeployment[] {
  return readWorkload(deployment, runsOf);
}

/** An apps/v1 Deployment or StatefulSet; nothing where `runs` finds no controller in it. */
export function readWorkload(deployment: unknown, runsIn: typeof runsOf): ObservedDeployment[] {
  const namespace = nameAt(deployment, 'metadata', 'namespace');
  const name = nameAt(deployment, 'metadata', 'name');
  if (namespace === null || name === null) return [];
  const containers = listAt(deployment, 'spec', 'template', 'spec', 'containers');
  const main =
    containers.find((container) => mainContainers.includes(nameAt(container, 'name') ?? '')) ?? containers[0] ?? {};
  const args = [...wordsAt(main, 'command'), ...wordsAt(main, 'args')];
  const image = imageOf(main);
  const runs = runsIn(deployment, namespace, image.program, args);
  if (runs === null) return [];
  return [
    {
      namespace,
      name,
      runs,
      state: stateOf(deployment),
      version: image.tag ?? label(deployment, 'version') ?? image.digest ?? null,
      selector: flag(args, 'watch-label-selector') ?? '',
      ownNamespaceOnly: flag(args, 'watch-all-namespaces') === 'false',
      elects: electsLeader(main, args),
      downSince: downSince(deployment),
      statusAt: lastStatusWrite(deployment),
      ...(flag(args, 'no-cross-namespace-refs') === 'true' ? { ownReferencesOnly: true } : {}),
      ...((flag(args, 'events-addr') ?? '') === '' ? {} : { sendsEvents: true }),
    },
  ];
}

function label(deployment: unknown, name: string): string | null {
  return nameAt(deployment, 'metadata', 'labels', `app.kubernetes.io/${name}`);
}

/** Crossplane's own Deployments run one image: `core start` is core, `rbac start` its RBAC manager. */
function runsOf(deployment: unknown, namespace: string, named: string, args: readonly string[]): DeploymentRuns | null {
  const owner = controllerOf(listAt(deployment, 'metadata', 'ownerReferences'), '', namespace);
  if (owner?.kind === 'ProviderRevision') return { type: 'revision', name: owner.name };
  const component = label(deployment, 'part-of') === 'flux' ? label(deployment, 'component') : null;
  const program = component ?? named;
  if (program === 'crossplane' && !args.includes('core')) return null;
  return component !== null || isNamedController(program) ? { type: 'controller', name: program } : null;
}

/** The last part of an image's path: program, tag and the begin of its digest: "kustomize-controller:v1.9.4@sha256:0123456789ab". */
const lastPart = /(?:^|\/)([^/:@]*)(?::([^/:@]*))?(?:@(sha256:[0-9a-f]{12})?.*)?$/;

function imageOf(container: unknown) {
  const [, program, tag, digest] = lastPart.exec(wordAt(container, 'image') ?? '') ?? [];
  return { program: program ?? '', tag, digest };
}

/** The pods, by the Deployment's own controller; a status that speaks of a former spec says nothing of this one. */
function stateOf(deployment: unknown): DeploymentState {
  if (numberAt(deployment, 'spec', 'replicas') === 0) return 'scaled-to-zero';
  const observed = numberAt(deployment, 'status', 'observedGeneration') ?? 0;
  if (observed < (numberAt(deployment, 'metadata', 'generation') ?? 0)) return 'unknown';
  return (numberAt(deployment, 'status', 'availableReplicas') ?? 0) > 0 ? 'available' : 'unavailable';
}

function downSince(deployment: unknown): number | null {
  const available = listAt(deployment, 'status', 'conditions').find((one) => nameAt(one, 'type') === 'Available');
  return nameAt(available, 'status') === 'False' ? timeAt(available, 'lastTransitionTime') : null;
}

/** The value of a flag, `--name=value` or `--name value`; the last one counts. A flag alone is "true". */
function flag(args: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (const [index, arg] of args.entries()) {
    if (arg === `--${name}`) {
      const next = args[index + 1];
      found = next === undefined || next.startsWith('-') ? 'true' : next;
    } else if (arg.startsWith(`--${name}=`)) {
      found = arg.slice(name.length + 3);
    }
  }
  return found;
}

/**
 * Flux's flag is off where it is not given; Crossplane and its providers have a flag and an environment variable; leader-elect is
 * kubebuilder's.
 */
function electsLeader(container: unknown, args: readonly string[]): boolean | null {
  const asked = flag(args, 'enable-leader-election') ?? flag(args, 'leader-election') ?? flag(args, 'leader-elect');
  if (asked !== null) return asked !== 'false';
  const variable = listAt(container, 'env').find((entry) => at(entry, 'name') === 'LEADER_ELECTION');
  if (variable !== undefined) return nameAt(variable, 'value') === 'true';
  return nameAt(container, 'name') === 'manager' ? false : null;
}

interface Known {
  readonly deployments: readonly ObservedDeployment[];
  /** Its digest: a table may be as long as an answer is. */
  readonly table: string;
  reads: number;
}

const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';
/** A change that leaves the table as it is (an argument, a label) is found within so many reads. */
const wholeEach = 10;

/** Digest of the rows of a metav1.Table, without the age, which changes by itself; null where it is none. */
function rowsOf(body: ForeignObject): string | null {
  if (nameAt(body, 'kind') !== 'Table') return null;
  const names = listAt(body, 'columnDefinitions').map((column) => nameAt(column, 'name'));
  const rows = listAt(body, 'rows').map((row) => listAt(row, 'cells').filter((_cell, index) => names[index] !== 'Age'));
  return hash('sha256', JSON.stringify(rows), 'base64');
}

/**
 * Reads the Deployments of namespaces gently; null where they could not be read. A Deployment is some 6 KB, a row of the
 * table that kubectl prints some 200 bytes (measured): the whole is read only where the table (pods, images) is another
 * than before, and now and then.
 */
export function createDeploymentList(read: SignReader['read']) {
  const known = new Map<string, Known>();

  return {
    /** Forgets other namespaces than these. */
    keep(namespaces: readonly string[]): void {
      for (const namespace of known.keys()) if (!namespaces.includes(namespace)) known.delete(namespace);
    },
    async list(
      namespace: string,
    ): Promise<{ readonly feed: FeedState; readonly deployments: readonly ObservedDeployment[] | null }> {
      const resource = { group: 'apps', version: 'v1', resource: 'deployments' };
      const path = `${resourcePath(resource, namespace)}?resourceVersion=0`;
      const first = await read(`${path}&includeObject=None`, asTable);
      if (first.body === null) return { feed: first.feed, deployments: null };
      const table = rowsOf(first.body);
      const before = known.get(namespace);
      if (before && before.table === table && before.reads < wholeEach) {
        before.reads += 1;
        return { feed: first.feed, deployments: before.deployments };
      }
      // What answers with a list instead has answered already.
      const { feed, body } = table === null ? first : await read(path);
      if (body === null) return { feed, deployments: null };
      const deployments = listAt(body, 'items').flatMap(readDeployment);
      if (table !== null) known.set(namespace, { deployments, table, reads: 1 });
      return { feed, deployments };
    },
  };
}
