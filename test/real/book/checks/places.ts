import type { Check } from '../situation.ts';

/** The state of a cluster as its page says it. */
export function clusterIs(name: string, states: readonly string[]): Check {
  return {
    expects: `cluster ${name}: ${states.join(' or ')}`,
    async find(stage) {
      const cluster = await stage.plumbline.cluster(name);
      if (cluster === null) return { fits: false, got: `cluster ${name}: the API knows none` };
      const why = cluster.reason === null ? '' : ` (${cluster.reason})`;
      return { fits: states.includes(cluster.state), got: `cluster ${name}: ${cluster.state}${why}` };
    },
  };
}

/** The state of one feed of a cluster. */
export function feedIs(name: string, kind: string, state: string): Check {
  const title = `feed of ${kind} on ${name}`;
  return {
    expects: `${title}: ${state}`,
    async find(stage) {
      const feed = (await stage.plumbline.cluster(name))?.feeds.find((one) => one.kind === kind);
      if (feed === undefined) return { fits: false, got: `${title}: there is none` };
      const why = feed.reason === null ? '' : ` (${feed.reason})`;
      return { fits: feed.state === state, got: `${title}: ${feed.state}${why}` };
    },
  };
}

/** The state of one controller of a cluster. */
export function controllerIs(name: string, controller: string, state: string): Check {
  const title = `${controller} on ${name}`;
  return {
    expects: `${title}: ${state}`,
    async find(stage) {
      const found = (await stage.plumbline.cluster(name))?.controllers.find((one) => one.name === controller);
      return { fits: found?.state === state, got: `${title}: ${found?.state ?? 'not known'}` };
    },
  };
}

/** The lease of a controller was seen to move after the act. */
export function leaseMoves(name: string, controller: string): Check {
  const title = `${controller} on ${name}`;
  return {
    expects: `${title}: alive, its lease moves`,
    async find(stage, since) {
      const found = (await stage.plumbline.cluster(name))?.controllers.find((one) => one.name === controller);
      const moved = found?.lastMovedAt ?? null;
      return {
        fits: found?.state === 'alive' && moved !== null && Date.parse(moved) > since,
        got: `${title}: ${found?.state ?? 'not known'}, its lease moved ${moved ?? 'never'}`,
      };
    },
  };
}

/** Nothing of a cluster is shown as good. */
export function nothingGreenOn(name: string): Check {
  return {
    expects: `cluster ${name}: nothing is shown as converged`,
    async find(stage) {
      const good = (await stage.plumbline.objects()).filter(
        (object) => object.cluster === name && object.verdict === 'converged',
      );
      return {
        fits: good.length === 0,
        got: `cluster ${name}: ${good.map(({ kind, name: of }) => `${kind} ${of}`).join(', ') || 'nothing'} is shown as converged`,
      };
    },
  };
}
