// Who may import whom. One table; the longest matching folder decides.

const ui = ['react', 'react-dom', 'next', 'nuqs', 'recharts', '@tanstack/', '@base-ui/', '@fontsource', 'zod'];
const pages = /^(?:react|react-dom|next|nuqs|recharts|@tanstack\/|@base-ui\/)/;
const clusterClient = /^@kubernetes\/client-node/;

/** Packages that only tests may import, from anywhere in lib, server and components, and those that component tests share. */
export const testPackages = ['vitest', '@testing-library/', 'jsdom', 'playwright-core', '@axe-core/'];

/**
 * folder: the zone. may: the zones that it may import besides itself.
 * packages: the only packages (by prefix) that it may import; absent = any but `never`.
 * node: whether it may import Node's own modules. alone: tests in it may import no more than the rest of it.
 */
export const zones = [
  { folder: 'lib', may: [], packages: [], node: false },
  { folder: 'lib/text', may: [], packages: [], node: false },
  { folder: 'lib/domain', may: ['lib/text'], packages: [], node: false },
  // What a rule reads is a rule of the house; the grammar of PromQL is not.
  {
    folder: 'lib/domain/alarm/selector',
    may: ['lib/domain'],
    packages: ['@prometheus-io/lezer-promql', '@lezer/common'],
    node: false,
  },
  { folder: 'lib/git-host', may: ['lib/text'], packages: [], node: false },
  { folder: 'lib/format', may: ['lib/domain'], packages: [], node: false },
  { folder: 'lib/api', may: ['lib/domain', 'lib/format'], packages: ['zod'], node: false },
  { folder: 'lib/report', may: ['lib/api', 'lib/domain', 'lib/format'], packages: [], node: false },
  { folder: 'lib/draw', may: ['lib/api', 'lib/domain', 'lib/format', 'lib/report'], packages: [], node: false },
  { folder: 'components', may: ['lib'], packages: ui, node: false },
  { folder: 'components/ui', may: ['lib', 'components/queries', 'components/shell'], packages: ui, node: false },
  { folder: 'components/testing', may: ['components', 'lib'], packages: [...ui, ...testPackages], node: false },
  { folder: 'app', may: ['components', 'lib', 'server/web'], packages: ui, node: false },
  { folder: 'server/runtime', may: ['lib'], never: [pages, clusterClient], node: true },
  { folder: 'server/config', may: ['lib', 'server/runtime'], never: [pages, clusterClient], node: true },
  { folder: 'server/store', may: ['lib', 'server/runtime'], never: [pages, clusterClient], node: true },
  // It holds the credentials of repositories, and nothing else knows it but by what may be asked of it.
  { folder: 'server/git', may: ['lib', 'server/config', 'server/runtime'], never: [pages, clusterClient], node: true },
  { folder: 'server/git/port', may: ['lib'], never: [pages, clusterClient], node: true },
  { folder: 'server/simulator', may: ['lib', 'server/runtime'], never: [pages, clusterClient], node: true },
  {
    folder: 'server/supervisor',
    may: ['lib', 'server/config', 'server/runtime'],
    never: [pages, clusterClient],
    node: true,
  },
  {
    folder: 'server/collector',
    may: ['lib', 'server/config', 'server/runtime', 'server/store'],
    never: [pages],
    node: true,
  },
  {
    folder: 'server/web',
    may: ['lib', 'server/config', 'server/git/port', 'server/runtime', 'server/store'],
    never: [pages, clusterClient],
    node: true,
  },
  { folder: 'server/cli', may: ['lib', 'server'], never: [pages], node: true },
  // It counts again what the product says, and shares no code with it.
  { folder: 'test/referee', may: [], packages: ['zod'], node: true, alone: true },
];

/** The one file of the server that knows Next: it mounts it. */
export const nextEntry = 'server/web/next-mount.ts';

/** Folders that only tests may import besides what their zone may. */
export const testZones = ['test', 'server/simulator', 'components/testing'];

/** Folders that are one thing: code outside of one imports its door, and nothing else of it. Tests may look inside. */
export const doors = [
  'server/collector/clusters/kubeconfig/kubeconfig.ts',
  'server/collector/clusters/signs/signs.ts',
  'server/collector/clusters/transport/transport.ts',
  'server/collector/clusters/watch/watches.ts',
  'server/store/reader-thread/reader-thread.ts',
];

/** Folders of components/ that features share, and that know none of them; every other one is a feature. */
export const sharedComponents = ['queries', 'record', 'shell', 'suspects', 'ui'];

/** The doors of features: other features import nothing else of one. Pages (app/) open the screens and filters at its top. */
export const featureDoors = [
  'components/exemptions/conflict-table.tsx',
  'components/history/history-section.tsx',
  'components/absences/absence-section.tsx',
  'components/incidents/incident-section.tsx',
];

/** Top-level folders that are reached through an alias only. */
export const aliased = ['lib', 'server', 'components', 'test'];
