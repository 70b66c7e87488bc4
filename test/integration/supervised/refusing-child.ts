// Finds its configuration wrong.
import { exitCode } from '#server/runtime/exit-code.ts';

process.exit(exitCode.config);
