/** Programs that tell of alarms. Thanos, Mimir and Grafana answer as either of them. */
export type AlarmProgram = 'prometheus' | 'alertmanager';

/** Tells the alarms of a source apart by cluster. */
export interface ClusterAttribution {
  /** Label that names the cluster of a series or an alert. */
  readonly label: string;
  /** Names of clusters by the values of that label, where they differ. */
  readonly aliases: { readonly [value: string]: string };
  /** Clusters that it speaks for; empty: for those that the label names. One alone needs no label. */
  readonly clusters: readonly string[];
}

/** Standing of one program of a source. Times in ms since the epoch. */
export interface ProgramStanding {
  readonly program: AlarmProgram;
  /** Where it is asked, without user information. */
  readonly url: string;
  /** `reading`: asked for the first time. */
  readonly state: 'reading' | 'live' | 'failed';
  /** Since when it is in this state. */
  readonly since: number;
  /** Why it is not live, a sentence for people; null where it is. */
  readonly reason: string | null;
  /** When the last whole reading of it began; null where there is none. */
  readonly readAt: number | null;
  /** Past this time nothing that it told may be believed. */
  readonly validUntil: number;
}

/**
 * Present record of an alarm source: one line of `alarms` in plumbline.yaml, at most one program that evaluates rules and any number
 * of Alertmanagers that it sends to.
 */
export interface AlarmSource {
  readonly name: string;
  readonly attribution: ClusterAttribution;
  readonly programs: readonly ProgramStanding[];
  /** Left out because a bound was reached, a sentence each: while there is any, what is missing is not known to be missing. */
  readonly cut: readonly string[];
}

/** When the rules of a source were read whole last (ms); null where they never were. */
export function rulesReadAt({ programs }: Pick<AlarmSource, 'programs'>): number | null {
  return programs.find(({ program }) => program === 'prometheus')?.readAt ?? null;
}

/** Where a program of a source stands at `now` (ms): what it told is believed only while it is live and its proof holds. */
export function isBelieved(standing: ProgramStanding, now: number): boolean {
  return standing.state === 'live' && now < standing.validUntil;
}
