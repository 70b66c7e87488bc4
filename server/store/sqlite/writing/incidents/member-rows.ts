import type { DatabaseSync } from 'node:sqlite';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { incidentEndOf } from '../../../codec/incident-words.ts';
import { boundOf } from '../../../codec/traits.ts';
import type { FaultSubject, MemberBook, MemberState } from '../../../record/incident/book.ts';
import { prepare } from '../../database.ts';
import {
  allRows,
  firstRow,
  firstWhole,
  milliseconds,
  millisecondsOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
  type Row,
} from '../../rows/cells.ts';
import type { FaultTexts } from './fault-texts.ts';

type Members = Omit<MemberBook, 'shift'>;

const copied =
  'subject, cluster, object, objects, from_at, bound, noticed_at, to_at, ended, own, hash, fault, fault_at';
const columns = `id, incident, joined_at, ${copied}`;

function subjectOf(row: Row): FaultSubject {
  return {
    id: whole(row[3]),
    cluster: whole(row[4]),
    object: whole(row[5]),
    objects: whole(row[6]),
    bound: boundOf(text(row[8])),
    noticedAt: whole(row[9]),
  };
}

function prepareMembers(database: DatabaseSync) {
  const newest = prepare(
    database,
    `SELECT ${columns} FROM incident_member WHERE subject = ? ORDER BY to_at IS NULL DESC, to_at DESC, id DESC LIMIT 1`,
  );
  const was = prepare(database, 'SELECT 1 FROM incident_member WHERE subject = ? AND incident = ? LIMIT 1');
  const named = prepare(
    database,
    `SELECT 1 FROM object o JOIN fact_source s ON s.id = o.cluster JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
     JOIN incident_member m ON m.object = o.id
     WHERE s.type = 'cluster' AND s.name = ? AND k.text = ? AND n.text = ? AND o.name = ? AND m.incident = ? AND m.to_at IS NULL LIMIT 1`,
  );
  const beneath = prepare(
    database,
    `SELECT ${columns} FROM incident_member INDEXED BY incident_member_beneath
     WHERE incident = ? AND hash = ? AND to_at IS NULL ORDER BY subject`,
  );
  const last = prepare(
    database,
    `SELECT ended FROM incident_member INDEXED BY incident_member_order WHERE incident = ? AND ended <> 'moved'
     ORDER BY to_at DESC, id DESC LIMIT 1`,
  );
  const add = database.prepare(
    `INSERT INTO incident_member (incident, joined_at, ${copied}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const put = database.prepare(
    'UPDATE incident_member SET to_at = ?, ended = ?, own = ?, hash = ?, fault = ?, fault_at = ? WHERE id = ?',
  );
  const copy = database.prepare(
    `INSERT INTO incident_member (incident, joined_at, ${copied})
     SELECT ?1, ?2, ${copied} FROM incident_member WHERE incident = ?3 AND ended IS NOT 'moved' ORDER BY id`,
  );
  const close = database.prepare(
    `UPDATE incident_member SET to_at = MAX(?1, from_at), ended = 'moved' WHERE incident = ?2 AND to_at IS NULL`,
  );
  return { newest, was, named, beneath, last, add, put, copy, close };
}

/** Prepares the statements over an open database. Call it within a transaction only. */
export function openMembers(database: DatabaseSync, texts: FaultTexts, hashOf: (key: string) => number) {
  const { newest, was, named, beneath, last, add, put, copy, close } = prepareMembers(database);

  function memberOf(row: Row): MemberState {
    return {
      row: whole(row[0]),
      incident: whole(row[1]),
      joinedAt: whole(row[2]),
      subject: subjectOf(row),
      from: whole(row[7]),
      to: wholeOrNull(row[10]),
      ended: incidentEndOf(textOrNull(row[11])),
      fault: texts.faultOf(whole(row[14])),
      faultAt: whole(row[15]),
    };
  }

  function faultValues({ fault, faultAt }: Pick<MemberState, 'fault' | 'faultAt'>): readonly number[] {
    return [fault.own ? 1 : 0, hashOf(fault.keys[0] ?? ''), texts.idOf(fault), milliseconds(faultAt)];
  }

  const members: Members = {
    timeOf(subject) {
      const row = firstRow(newest, subject);
      return row === null ? null : memberOf(row);
    },
    wasMember: (incident, subject) => firstWhole(was, subject, incident) !== null,
    isMember: (incident, ref) =>
      firstWhole(named, ref.cluster, kindKey(ref), ref.namespace, ref.name, incident) !== null,
    membersBeneath: (incident, key) => allRows(beneath, incident, hashOf(key)).map(memberOf),
    lastEnd(incident) {
      const row = firstRow(last, incident);
      return row === null ? null : incidentEndOf(textOrNull(row[0]));
    },
    addMember(member) {
      const { subject, from, joinedAt, to, ended } = member;
      add.run(
        member.incident,
        milliseconds(joinedAt),
        subject.id,
        subject.cluster,
        subject.object,
        subject.objects,
        milliseconds(from),
        subject.bound,
        milliseconds(subject.noticedAt),
        millisecondsOrNull(to),
        ended,
        ...faultValues(member),
      );
    },
    putMember(member) {
      put.run(millisecondsOrNull(member.to), member.ended, ...faultValues(member), member.row);
    },
  };
  return {
    ...members,
    /** All members of one incident are in another from `at` (ms) on; gives how many came. */
    handOver(from: number, into: number, at: number): number {
      const { changes } = copy.run(into, milliseconds(at), from);
      close.run(milliseconds(at), from);
      return Number(changes);
    },
  };
}
