import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';

const [path = ''] = process.argv.slice(2);
const writer = openSqliteWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);

// Carries stored history over, and says so after each step.
while ((await writer.keep(null, 0)).pressing) process.stdout.write('step\n');
process.stdout.write('done\n');
