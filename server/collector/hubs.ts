import type { Hubs } from '#server/config/schema.ts';

/** Says whose word is taken on objects of other clusters, and what stands on the row of a cluster that delivers there. */
export function hubsBy(hubs: Hubs) {
  const named = new Set(typeof hubs === 'string' ? [] : hubs);
  const caution = typeof hubs === 'string' ? cautionWhere[hubs] : null;
  return {
    isHub: (cluster: string): boolean => hubs === 'chosen' || named.has(cluster),
    /** Cautions on a cluster; none where it reaches over to no other, or somebody has said which may. */
    cautions: (reachesOver: boolean): readonly string[] => (reachesOver && caution !== null ? [caution] : []),
  };
}

const cautionWhere: Readonly<Record<Exclude<Hubs, readonly string[]>, string>> = {
  chosen:
    'It delivers to other clusters, and is believed about what runs there, for its context was chosen by name: with security.hubs of plumbline.yaml only those are that it names.',
  unsaid:
    'It delivers to other clusters, and is not believed about what runs there: that is unconfirmed until security.hubs of plumbline.yaml names it.',
};
