import { largeFrom } from '#lib/domain/incident/cause-figures.ts';
import { day } from '#lib/domain/time/length.ts';
import type { IncidentQuestion } from '../../../../port/incident-port.ts';
import { firstWhole } from '../../../rows/cells.ts';
import type { Condition, Scopes } from '../record-scope.ts';
import { incidentsAbout, longIncidents } from './incident-moments.ts';
import type { IncidentScope } from './incident-scope.ts';

/** Where incidents `i` are looked for, each from FROM on, with WHERE. */
export interface IncidentSources {
  /** Some of them, by an index that makes it quick; ever more of them, if there are several. */
  readonly quick: readonly SomeIncidents[];
  readonly all: readonly Condition[];
}

/** Where some incidents are looked for. */
interface SomeIncidents {
  readonly sources: readonly Condition[];
  /** All that are not among them rank no higher; null where there are none. */
  readonly others: number | null;
}

/** Numbers of the worst incidents that are looked at, one after the other, before all of a period are. */
const worstWalked = [1_000, 10_000];

/** Conditions that hold together, behind one another. */
export function all(...conditions: readonly Condition[]): Condition {
  const told = conditions.filter(({ sql }) => sql !== 'TRUE');
  return { sql: told.map(({ sql }) => sql).join(' AND ') || 'TRUE', parameters: told.flatMap((one) => one.parameters) };
}

/** Where the incidents of a scope are looked for: of a narrow one by what is in it, else by their order. */
export function sourcesOf(scopes: Scopes, { order, period }: IncidentQuestion, scope: IncidentScope): IncidentSources {
  if (scope.isNarrow) {
    const own = [all({ sql: 'FROM incident i WHERE i.merged_into IS NULL', parameters: [] }, scope)];
    return { quick: [{ sources: own, others: null }], all: own };
  }
  const { late, older } = incidentsAbout(period);
  const quick = quickestOf(scopes, order, late, period.from);
  const inScope = (sources: readonly Condition[]): readonly Condition[] => sources.map((source) => all(source, scope));
  return {
    quick: quick.map(({ sources, others }) => ({ sources: inScope(sources), others })),
    all: inScope([late, older]),
  };
}

function quickestOf(
  scopes: Scopes,
  order: IncidentQuestion['order'],
  late: Condition,
  from: number,
): readonly SomeIncidents[] {
  switch (order) {
    case 'newest':
      return [{ sources: [late], others: from - day - 1 }];
    case 'longest':
      return [{ sources: [{ sql: longIncidents, parameters: [] }], others: day }];
    case 'largest':
      return [{ sources: [{ sql: large, parameters: [] }], others: largeFrom - 1 }];
    case 'worst': {
      const lasting = { sql: `${longIncidents} AND i.closed_at IS NULL`, parameters: [] };
      return worstWalked.map((count) => ({
        sources: [worstOf(count), lasting],
        others: firstWhole(scopes.statement(`SELECT object_time ${byObjectTime} LIMIT 1 OFFSET ${count - 1}`)),
      }));
    }
  }
}

const large = `FROM incident i INDEXED BY incident_large WHERE i.merged_into IS NULL AND i.most_objects >= ${largeFrom}`;

const byObjectTime = `FROM incident INDEXED BY incident_worst WHERE merged_into IS NULL AND closed_at IS NOT NULL
  ORDER BY object_time DESC`;

function worstOf(count: number): Condition {
  return {
    sql: `FROM (SELECT id ${byObjectTime} LIMIT ${count}) w CROSS JOIN incident i ON i.id = w.id WHERE i.id > 0`,
    parameters: [],
  };
}
