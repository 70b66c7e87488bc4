import { neighbourKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { say } from '../objects/condition.ts';
import type { StatusCondition } from '../objects/condition.ts';
import { setManagedFields } from '../objects/managed-fields.ts';
import { appliedObject } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import type { Artifacts } from './kustomization-item.ts';
import type { SourceController } from './source-controller.ts';
import { createWorkQueue } from './work-queue.ts';

const { artifactGenerator, externalArtifact } = neighbourKinds;

/** An ArtifactGenerator of one artifact, or the ExternalArtifact that it makes. */
interface Made extends KubeObject {
  spec: object;
  status: {
    conditions: StatusCondition[];
    artifact?: { revision: string; digest: string; lastUpdateTime: string; path: string; url: string };
    inventory?: { name: string; namespace: string; digest: string; filename: string }[];
    observedSourcesDigest?: string;
  };
}

/** Plan of a generator: what it copies out of the control repository. Times in ms. */
export interface GeneratorPlan {
  readonly name: string;
  /** The ExternalArtifact that it makes, in flux-system as itself. */
  readonly makes: string;
  readonly repository: string;
  readonly path: string;
  readonly createdAt: number;
  /** The digest of what is copied at a revision of the repository. */
  digestOf(revision: string): string;
}

/** Simulates source-watcher on one cluster. */
export interface SourceWatcher extends Controller {
  /** Artifacts that can be applied from: the sources of source-controller, and ExternalArtifacts. */
  readonly artifacts: Artifacts;
  /** Takes a generator on; its artifact is there at once, made when the generator was. */
  add(plan: GeneratorPlan): void;
}

interface Item {
  readonly plan: GeneratorPlan;
  readonly generator: Made;
  readonly artifact: Made;
}

/** Starts source-watcher: it writes where what it copies has changed, and nothing otherwise. */
export function startSourceWatcher(plane: ControlPlane, sources: SourceController, random: Random): SourceWatcher {
  const items: Item[] = [];
  const listeners: ((source: KubeObject) => void)[] = [];
  const queue = createWorkQueue<Item>('source-watcher', plane.scheduler, (item) => pass(item, plane.scheduler.now()));

  function pass(item: Item, at: number): void {
    const { plan, generator, artifact } = item;
    const revision = sources.find('GitRepository', 'flux-system', plan.repository)?.status.artifact?.revision;
    if (revision === undefined) return;
    const digest = plan.digestOf(revision);
    if (digest === artifact.status.artifact?.digest) return;
    const filename = `${random.hex(10)}.tar.gz`;
    const path = `externalartifact/flux-system/${plan.makes}/${filename}`;
    artifact.status.artifact = {
      revision: `latest@${digest}`,
      digest,
      lastUpdateTime: kubeTime(at),
      path,
      url: `http://source-watcher.flux-system.svc.cluster.local./${path}`,
    };
    generator.status.inventory = [{ name: plan.makes, namespace: 'flux-system', digest, filename }];
    generator.status.observedSourcesDigest = digest;
    const message = 'reconciliation succeeded, generated 1 artifact(s)';
    write(artifact, externalArtifact, 'Artifact is ready', at);
    write(generator, artifactGenerator, message, at);
    for (const listener of listeners) listener(artifact);
  }

  function write(object: Made, kind: ServedKind, message: string, at: number): void {
    say(object, at, ['Ready', 'True', 'Succeeded', message]);
    setManagedFields(object, { controller: 'source-watcher', statusAt: at });
    plane.store.put(object, kind);
  }

  return {
    ...queue,
    artifacts: {
      find: (kind, namespace, name) =>
        kind === 'ExternalArtifact'
          ? (items.find((item) => item.plan.makes === name)?.artifact ?? null)
          : sources.find(kind, namespace, name),
      onArtifact(listener) {
        listeners.push(listener);
        sources.onArtifact(listener);
      },
    },
    add(plan) {
      const item = { plan, ...objectsOf(plan, random) };
      items.push(item);
      pass(item, plan.createdAt);
      sources.onArtifact(({ metadata }) => {
        if (metadata.name === plan.repository) queue.enqueue(item, random.between(200, 1500));
      });
    },
  };
}

function objectsOf(plan: GeneratorPlan, random: Random): Pick<Item, 'generator' | 'artifact'> {
  const made = (kind: ServedKind, name: string, spec: object): Made => ({
    ...appliedObject(kind, { name, namespace: 'flux-system' }, plan.createdAt, random),
    spec,
    status: { conditions: [] },
  });
  const generator = made(artifactGenerator, plan.name, {
    sources: [{ alias: 'repo', kind: 'GitRepository', name: plan.repository }],
    artifacts: [{ name: plan.makes, copy: [{ from: `@repo/${plan.path}/**`, to: '@artifact/' }] }],
  });
  const { apiVersion: version, kind, metadata } = generator;
  const sourceRef = { apiVersion: version, kind, name: metadata.name, namespace: metadata.namespace };
  return { generator, artifact: made(externalArtifact, plan.makes, { sourceRef }) };
}
