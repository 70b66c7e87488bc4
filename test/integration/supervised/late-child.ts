// Is busy while its supervisor asks it to end and closes the channel; then it says that it is ready.
import { keepWhenAsked } from './keep-when-asked.ts';
import { recordPid } from './record-pid.ts';

const runtime = keepWhenAsked();
recordPid('late');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
runtime.ready();
