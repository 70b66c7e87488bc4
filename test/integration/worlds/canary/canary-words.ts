/** Words that stand in everything that lies in a part of the fleet: on another cluster, in another namespace, and in the one that is seen itself. */
export const canaries = { elsewhere: 'canary-far', beside: 'canary-near', home: 'canary-home' } as const;
export type Canary = (typeof canaries)[keyof typeof canaries];

/** A cluster of which some viewers see all, others one namespace. */
export const here = 'eu-west-3';
export const there = `us-${canaries.elsewhere}`;
/** Namespaces on `here`, each seen by a viewer who does not see the other. */
export const apps = `apps-${canaries.home}`;
export const ops = `ops-${canaries.beside}`;

/** The address of the repository from which a part of the fleet is built. */
export const repositoryOf = (canary: Canary): string => `https://github.com/acme/${canary}`;

/** Commits of the repository of a part of the fleet, the oldest first, by their digit (`fakeSha`). */
export const digitsOf: Readonly<Record<Canary, readonly [string, string, string]>> = {
  'canary-home': ['1', '2', '3'],
  'canary-near': ['4', '5', '6'],
  'canary-far': ['7', '8', '9'],
};
