import type { ForeignObject } from '#lib/foreign.ts';

/** One process that the supervisor keeps running. */
export interface ChildSpec {
  /** e.g. collector; for the log and for people. */
  readonly name: string;
  /** Absolute path of its main program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Flags of Node beside the supervisor's own. */
  readonly nodeFlags: readonly string[];
  /** Names of variables of the supervisor's environment that it gets beside those of every child; see child-environment.ts. */
  readonly inherits: readonly string[];
  /** Added to what it inherits. */
  readonly environment: Readonly<Record<string, string>>;
}

/** News of the supervisor about its children. */
export type ChildNews =
  | { readonly type: 'started'; readonly name: string; readonly pid: number }
  /** The child has said { type: 'ready', ... } or { ready: true, ... }; `details` is the whole message. */
  | { readonly type: 'ready'; readonly name: string; readonly details: ForeignObject }
  /** It ended without being asked and is started again in `restartIn` ms. */
  | {
      readonly type: 'crashed';
      readonly name: string;
      readonly code: number | null;
      readonly signal: string | null;
      readonly restartIn: number;
    }
  /** It ended in a way that starting it again cannot mend: everything ends with this code. */
  | { readonly type: 'refused'; readonly name: string; readonly code: number };
