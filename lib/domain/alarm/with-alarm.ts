import type { CurrentObject } from '../record/current.ts';
import type { AlarmState } from './link.ts';

/** An object with its alarm: facts of two sources, joined on read. */
export interface KnownObject extends CurrentObject {
  readonly alarm: AlarmState;
}
