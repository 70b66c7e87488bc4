import { z } from 'zod';
import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import { defaultPolicy, type Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import { day } from '#lib/domain/time/length.ts';
import { authSchema } from './access/auth-schema.ts';
import type { AuthSettings } from './access/auth-settings.ts';
import { alarmEntry, type AlarmEntry } from './alarms-schema.ts';
import { type DeclaredStack, stackEntry } from './declared-stack.ts';
import { durationSchema } from './duration.ts';
import { type ExecAllowance, execAllowance } from './exec-allowance.ts';
import { clusterName, labels, text } from './field-schemas.ts';
import { compareSettings } from './git/compare-schema.ts';
import { type GitSettings, gitSettings, type RepositoryEntry, repository } from './git/repository-schema.ts';

const clusterEntry = z
  .strictObject({
    name: clusterName.optional().meta({ description: 'How the cluster is called on every page and in every link.' }),
    kubeconfig: text.optional().meta({ description: 'A kubeconfig file; the default kubeconfig where absent.' }),
    context: text.optional().meta({ description: 'The context in it; its current context where absent.' }),
    directory: text.optional().meta({ description: 'A folder of kubeconfig files, one cluster per file, watched.' }),
    trusted: z.boolean().optional().meta({
      description: 'Kubeconfigs of the directory may be, and may name, files outside of it. False where absent.',
    }),
    labels: labels.default({}).meta({ description: 'For grouping and filtering, e.g. environment, region.' }),
  })
  .superRefine((entry, context) => {
    if (entry.name === undefined && entry.directory === undefined) {
      context.addIssue({ code: 'custom', message: 'needs a name, or a directory of kubeconfig files' });
    }
    if (entry.directory === undefined) {
      if (entry.trusted !== undefined)
        context.addIssue({ code: 'custom', path: ['trusted'], message: 'trusted goes with directory' });
      return;
    }
    for (const key of ['name', 'kubeconfig', 'context'] as const) {
      if (entry[key] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: `${key} does not go with directory` });
    }
  });

const maintenance = z.strictObject({
  clusters: z.array(clusterName).min(1),
  until: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-21T06:00:00Z' }),
  reason: text,
});

const policy = z.strictObject({
  alarmWithin: durationSchema
    .prefault('15m')
    .meta({ description: 'How soon an alarm must sound for an object that is away.' }),
  staleAfterIntervals: z.number().min(1).max(100).default(defaultPolicy.staleAfterIntervals),
  behindAfter: durationSchema
    .prefault('10m')
    .meta({ description: 'Grace between a newer artifact and the verdict behind.' }),
  maintenance: z.array(maintenance).default([]).meta({ description: 'Planned work, shown and counted apart.' }),
  alarms: z
    .strictObject({
      notifications: z.enum(['count', 'show']).default(defaultPolicy.notifications).meta({
        description:
          'Whether what Flux tells (Alert, Provider) holds the guarantee (count), or only stands beside the alarms (show).',
      }),
    })
    .prefault({})
    .meta({ description: 'What counts as an alarm.' }),
  incidents: z
    .strictObject({
      quiet: durationSchema
        .prefault('10m')
        .meta({ description: 'What comes back by the same cause within this time of its end is the same incident.' }),
    })
    .prefault({})
    .meta({ description: 'What is one incident: all that is away by one cause.' }),
});

const record = z.strictObject({
  spans: durationSchema
    .refine((ms) => ms >= day, 'must be 1d or more')
    .prefault('400d')
    .meta({
      description: 'How long the record is kept, 1d at least: verdicts, coverage, absences, changes, corrections.',
    }),
  messages: durationSchema
    .prefault('30d')
    .meta({ description: 'How long the messages are kept with which verdicts began.' }),
});

const security = z.strictObject({
  execPlugins: z
    .array(execAllowance)
    .default([])
    .meta({ description: 'Credential plugins that kubeconfigs may run: path, arguments and environment, exactly.' }),
  hubs: z.array(clusterName).optional().meta({
    description:
      'The clusters that may deliver to others (spec.kubeConfig). What any other says to have applied elsewhere is not believed. None where absent.',
  }),
});

const frameOrigin = z
  .string()
  .regex(
    /^https?:\/\/(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/,
    'must be an origin such as https://wiki.example.org, without a path',
  );

const embeds = z.strictObject({
  keys: text
    .optional()
    .meta({ description: 'A file with the keys that sign links; plumbline link --new-key makes it.' }),
  frameAncestors: z
    .array(frameOrigin)
    .default([])
    .meta({ description: 'The sites that may frame embeds. Nobody may frame anything else.' }),
  links: z.enum(['cli', 'api']).default('cli').meta({
    description: 'Who makes links: plumbline link alone (cli), or every reader of the pages too (api).',
  }),
  mostDays: z
    .int()
    .min(1)
    .max(400)
    .default(90)
    .meta({ description: 'For how many days a link opens at most that a reader of the pages makes.' }),
});

const publicUrl = z
  .string()
  .regex(
    /^https?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?\/?$/,
    'must be where people reach the pages, such as https://plumbline.example.org, without a path',
  )
  .refine((url) => !url.startsWith('http') || URL.canParse(url), 'is no address');

/** plumbline.yaml as it is written. Durations become ms; everything else is kept as it stands. */
export const fileSchema = z.strictObject({
  publicUrl: publicUrl.optional().meta({
    description:
      'Where people reach the pages, through a proxy: its host is served beside the names of this machine, and links begin so.',
  }),
  auth: authSchema
    .optional()
    .meta({ description: 'Who is asked for, and who may see what. Everybody sees everything where absent.' }),
  clusters: z.array(clusterEntry).default([]),
  repositories: z.array(repository).default([]),
  compare: compareSettings.meta({ description: 'Directories that /compare lays beside each other.' }),
  git: gitSettings.meta({ description: 'How repositories are mirrored.' }),
  alarms: z
    .array(alarmEntry)
    .max(100)
    .default([])
    .meta({ description: 'Where alarms are read: what evaluates rules, and the Alertmanagers that it sends to.' }),
  stacks: z
    .array(stackEntry)
    .default([])
    .meta({ description: 'What no loop reports on: shown as unobserved, so that it is not forgotten.' }),
  policy: policy.prefault({}),
  record: record.prefault({}).meta({ description: 'How long what was is kept. Older than that it is deleted.' }),
  security: security.prefault({}),
  embeds: embeds.prefault({}).meta({ description: 'Embeds and badges for other pages, opened by signed links only.' }),
  messages: z
    .strictObject({ keep: z.enum(['full', 'reason-only']).default('full') })
    .prefault({})
    .meta({ description: 'Whether the messages of conditions and events are kept, or only their reasons.' }),
});

/** Output of `fileSchema`. */
export type ConfigFile = z.output<typeof fileSchema>;

/** One line of `clusters`, resolved: paths are absolute, null means the default of kubectl. */
export type ClusterEntry =
  | {
      readonly type: 'cluster';
      readonly name: string;
      readonly kubeconfig: string | null;
      readonly context: string | null;
      readonly labels: Readonly<Record<string, string>>;
      /** as-kubectl: chosen by name on the command line, may run any; allow-list: only those of security.execPlugins. */
      readonly execPlugin: 'as-kubectl' | 'allow-list';
    }
  | DirectoryEntry;

/** A folder of kubeconfigs. */
export interface DirectoryEntry {
  readonly type: 'directory';
  readonly directory: string;
  /** True: its kubeconfigs may be, and may name, files outside of it. */
  readonly trusted: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** Settings that open embeds and badges, and say who may frame them. */
export interface EmbedSettings {
  /** Absolute path of the file with the keys that sign links; null where none is named. */
  readonly keys: string | null;
  /** Origins, as they stand in a Content-Security-Policy. */
  readonly frameAncestors: readonly string[];
  /** For how many days a link opens at most that a reader of the pages has signed; null where readers may sign none. */
  readonly readersSign: number | null;
}

/**
 * Names of the clusters that are believed about what they have delivered to others. chosen: all, for a person chose the context of each by
 * name; unsaid: none, for nobody has said which.
 */
export type Hubs = readonly string[] | 'chosen' | 'unsaid';

/** The whole configuration, checked and resolved. Durations in ms, times in ms since the epoch. */
export interface PlumblineConfig {
  /** Origin by which people reach the pages, e.g. https://plumbline.example.org; null where only this machine does. */
  readonly publicUrl: string | null;
  /** null where nobody is asked. */
  readonly auth: AuthSettings | null;
  readonly clusters: readonly ClusterEntry[];
  readonly repositories: readonly RepositoryEntry[];
  readonly pairs: readonly NamedPair[];
  readonly git: GitSettings;
  readonly alarms: readonly AlarmEntry[];
  readonly stacks: readonly DeclaredStack[];
  readonly policy: Policy;
  readonly incidents: IncidentPolicy;
  /** ms. */
  readonly record: { readonly spans: number; readonly messages: number };
  readonly security: {
    readonly execPlugins: readonly ExecAllowance[];
    readonly hubs: Hubs;
  };
  readonly embeds: EmbedSettings;
  readonly messages: { readonly keep: 'full' | 'reason-only' };
}
