import { causeKey } from '#lib/domain/cause/cause.ts';
import type { Fault } from '#lib/domain/incident/fault.ts';
import type { Incident, Roots, TakenFor } from '#lib/domain/incident/incident.ts';
import { boundedMemo } from '../../../../../runtime/bounded-map.ts';
import { objectTimeBy } from '../../../../record/incident/asked.ts';
import { clustersNamed, rootsNamed, takenForNamed } from '../../../../record/incident/tell-incidents.ts';
import { allRows, firstWhole, oneRow, text, textOrNull, whole } from '../../../rows/cells.ts';
import type { Scopes } from '../record-scope.ts';
import type { FaultReader } from './fault-reader.ts';
import type { Standing, Standings } from './incident-rows.ts';

const idsRemembered = 50_000;

/** Reads the whole of incidents: what a row or a step does not say of them. */
export function openIncidentDetails(scopes: Scopes, { causeOf }: Standings, faults: FaultReader) {
  const publicId = scopes.statement('SELECT public_id FROM incident WHERE id = ?');
  const rowOf = scopes.statement('SELECT id FROM incident WHERE public_id = ?');
  const clusters = scopes.statement('SELECT cluster FROM incident_cluster WHERE incident = ? AND joined_at <= ?');
  const own = scopes.statement(
    `SELECT m.cluster, o.name FROM incident_member m INDEXED BY incident_member_own LEFT JOIN object o ON o.id = m.object
     WHERE m.incident = ? AND m.own = 1 AND m.joined_at <= ? AND m.fault_at <= ?`,
  );
  const changed = scopes.statement(
    `SELECT m.cluster, o.name, m.subject, m.fault
     FROM incident_member m INDEXED BY incident_member_order LEFT JOIN object o ON o.id = m.object
     WHERE m.incident = ? AND m.joined_at <= ? AND m.fault_at > ?`,
  );
  const recognised = scopes.statement(
    `SELECT s.at, s.cause, (
       SELECT p.cause FROM incident_step p INDEXED BY incident_step_of
       WHERE p.incident = s.incident AND p.at <= s.at AND p.id < s.id ORDER BY p.at DESC, p.id DESC LIMIT 1
     )
     FROM incident_step s INDEXED BY incident_step_recognised
     WHERE s.incident = ? AND s.type = 'recognised' AND s.at <= ? ORDER BY s.id DESC LIMIT ${takenForNamed}`,
  );

  const idOf = boundedMemo(idsRemembered, (incident: number) => text(oneRow(publicId, incident)[0]));

  function rootsAt(incident: number, at: number): Roots {
    const found = allRows(own, incident, at, at).map(([cluster, name]) => [whole(cluster), textOrNull(name)] as const);
    if (faults.anyAfter(at)) {
      for (const [cluster, name, subject, fault] of allRows(changed, incident, at, at)) {
        const then: Fault = faults.faultAt(whole(subject), at) ?? faults.faultOf(whole(fault));
        if (then.own) found.push([whole(cluster), textOrNull(name)]);
      }
    }
    const names = [...new Set(found.map(([cluster, name]) => name ?? scopes.clusterName(cluster)))].toSorted();
    const on = new Set(found.map(([cluster]) => cluster));
    return { names: names.slice(0, rootsNamed), count: names.length, clusters: on.size };
  }

  function takenFor(incident: number, at: number): readonly TakenFor[] {
    const steps = allRows(recognised, incident, at).toReversed();
    return steps.flatMap(([until, cause, before]) => {
      const [known, was] = [causeOf(whole(cause)), causeOf(whole(before))];
      return causeKey(known) === causeKey(was) ? [] : [{ cause: was, until: whole(until) }];
    });
  }

  return {
    /** The id in the address of an incident. */
    idOf,
    /** The row of an id; null where there is none. */
    rowOf: (id: string): number | null => firstWhole(rowOf, id),
    /** An incident that stood so at `at` (ms). */
    incidentOf(standing: Standing, at: number): Incident {
      const { incident, openedAt, bound, noticedAt, closedAt, ended, worst, reason, range, cause, returns } = standing;
      const names = allRows(clusters, incident, at).map(([cluster]) => scopes.clusterName(whole(cluster)));
      return {
        id: idOf(incident),
        cause,
        roots: rootsAt(incident, at),
        openedAt,
        bound,
        noticedAt,
        closedAt,
        ended,
        worst,
        reason,
        range,
        now: { objects: standing.objects, clusters: standing.clusters },
        most: { objects: standing.mostObjects, clusters: standing.mostClusters },
        returns,
        takenFor: takenFor(incident, at),
        objectTime: objectTimeBy(standing, at),
        clusters: names.toSorted().slice(0, clustersNamed),
        clusterCount: names.length,
        members: standing.members,
      };
    },
  };
}

/** Reads the whole of incidents. */
export type IncidentDetails = ReturnType<typeof openIncidentDetails>;
