'use client';

import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { WireCluster, WireController } from '#lib/api/cluster.ts';
import { formatCount } from '#lib/format/number.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { Section } from '../ui/page/page.tsx';
import { controllerAppearance, controllerRun, controllerWhy } from './trust-text.ts';
import { FeedSection } from './feed-section.tsx';

import { Age, Sign } from './feed-section.tsx';

/** Trust in the cluster: one line for every controller and every kind that is read. */
export function TrustBand({ cluster }: { readonly cluster: WireCluster }) {
  const past = useMoment() !== null;
  return (
    <>
      <Section
        id="controllers"
        title="Controllers"
        note="by their leases and Deployments: how many objects depend on it, and how long ago its lease moved"
      >
        {cluster.controllers.length === 0 ? (
          <p className="text-mute">
            {past ? 'Which controllers ran then is not kept.' : 'No controller has been seen here.'}
          </p>
        ) : (
          <ul className="trust">
            {cluster.controllers.toSorted(byState).map((controller) => (
              <ControllerLine
                key={`${controller.namespace}/${controller.name}`}
                controller={controller}
                seen={cluster.state === 'live'}
              />
            ))}
          </ul>
        )}
      </Section>
      <FeedSection cluster={cluster} />
    </>
  );
}

function ControllerLine({ controller, seen }: { readonly controller: WireController; readonly seen: boolean }) {
  const appearance = controllerAppearance(controller);
  const { lastMovedAt, objects } = controller;
  const why = controllerWhy(controller);
  const run = controllerRun(controller);
  return (
    <li className={appearance.loud && seen && objects !== 0 ? 'trust-line loud' : 'trust-line'}>
      <Sign appearance={appearance} />
      <span className="trust-name" title={`${controller.namespace}/${controller.name}`}>
        {controller.name} <span className="text-mute">{controller.namespace}</span>
      </span>
      <span className="trust-word">{appearance.word}</span>
      <span className="trust-count">{objects === null ? '' : formatCount(objects)}</span>
      <span className="trust-age">
        <Age at={lastMovedAt} />
      </span>
      {why !== null && seen && <span className="trust-why">{why}</span>}
      {run !== '' && <span className="trust-why">{run}</span>}
    </li>
  );
}

const worstFirst: readonly WireController['state'][] = ['dead', 'unknown', 'alive'];

function byState(a: WireController, b: WireController): number {
  return (
    worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state) ||
    (b.objects ?? 0) - (a.objects ?? 0) ||
    compareText(a.name, b.name)
  );
}
