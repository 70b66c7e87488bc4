import { alarmingKind } from '../alarm/alarming/kinds.ts';
import { isLivenessKind } from '../heartbeat/liveness-kinds.ts';
import type { GroupKind } from './ref.ts';

/** True if a kind is read for what it tells of others (signs of life, who is called): no object of it is judged or counted. */
export function isBesideKind(kind: GroupKind): boolean {
  return isLivenessKind(kind) || alarmingKind(kind) !== null;
}
