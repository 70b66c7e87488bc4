import { readFileSync } from 'node:fs';

/** Usage of a process by the kernel. Bytes; CPU in seconds since its start, all threads together. */
export interface ProcessUsage {
  readonly cpu: number;
  readonly resident: number;
  /** The most that was ever resident (VmHWM). */
  readonly mostResident: number;
}

/** Ticks a second in /proc/PID/stat: USER_HZ, 100 on every architecture that Node runs on. */
const ticks = 100;

/** Reads /proc; every figure is NaN where there is none (macOS, Windows) or the process is gone. */
export function usageOf(pid: number): ProcessUsage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    return {
      cpu: (Number(fields[11]) + Number(fields[12])) / ticks,
      resident: kilobytes('VmRSS') * 1024,
      mostResident: kilobytes('VmHWM') * 1024,
    };
  } catch {
    return { cpu: Number.NaN, resident: Number.NaN, mostResident: Number.NaN };
  }
}
