// Hears nothing: neither the message nor a signal.
import { recordPid } from './record-pid.ts';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', () => undefined);
setInterval(() => undefined, 1000);
recordPid('stubborn');
