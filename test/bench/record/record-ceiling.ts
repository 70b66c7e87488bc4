// The least that the first report after a start must do: node test/bench/record/record-ceiling.ts PATH reads every row that it is added up from, and does
// nothing with it.
import { DatabaseSync } from 'node:sqlite';

const tables = [
  'SELECT totals FROM rollup',
  'SELECT away FROM rollup',
  'SELECT absences FROM rollup_absences',
  'SELECT lists FROM rollup_union',
  'SELECT figures FROM rollup_calls',
  'SELECT figures FROM incident_hour',
];

const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
// As the reader opens it.
database.exec('PRAGMA cache_size = -16384; PRAGMA mmap_size = 2147418112;');
const since = performance.now();
let bytes = 0;
for (const sql of tables)
  for (const row of database.prepare(sql).iterate())
    for (const cell of Object.values(row)) bytes += cell instanceof Uint8Array ? cell.length : 0;
const ms = performance.now() - since;
database.close();
if (process.send) process.send({ type: 'ceiling', ms, bytes }, () => process.disconnect?.());
else process.stdout.write(`${JSON.stringify({ ms, bytes })}\n`);
