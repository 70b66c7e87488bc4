// Ends when it is asked to, after having kept what it holds.
import { keepWhenAsked } from './keep-when-asked.ts';
import { recordPid } from './record-pid.ts';

const runtime = keepWhenAsked();
recordPid('honest');
runtime.ready();
