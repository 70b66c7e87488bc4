import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { grantForms } from '#lib/domain/access/grant-text.ts';
import { reportFormats } from '#lib/api/report.ts';
import { scopeForms } from '#lib/domain/matrix/embed-scope.ts';
import { periodPresets } from '#lib/domain/time/report-period.ts';
import { settingOf } from '../config/process-settings.ts';
import { systemClock } from '../runtime/clock.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { readVersion } from '../runtime/version.ts';
import { sessionKey, type SessionKeyOptions } from './access/session-key.ts';
import { token, type TokenOptions } from './access/token.ts';
import { backup, type BackupOptions } from './record/backup.ts';
import { check, type CheckOptions } from './check.ts';
import { askOverHttp } from './commit/ask.ts';
import { checkCommit, type CommitOptions, withoutCommit } from './commit/check-commit.ts';
import { demo } from './serving/demo.ts';
import { link, type LinkOptions } from './link.ts';
import { links, type LinksOptions } from './links.ts';
import type { Output } from './output.ts';
import { purge, type PurgeOptions } from './record/purge.ts';
import { rbac, type RbacOptions } from './rbac.ts';
import { report, type ReportOptions } from './report.ts';
import { restore, type RestoreOptions } from './record/restore.ts';
import { rulesFormats } from './rules/documents.ts';
import { rules, type RulesOptions } from './rules/rules.ts';
import type { ClusterOptions } from './select-clusters.ts';
import type { ServeOptions } from './serving/serve-options.ts';
import { start } from './serving/start.ts';

const exits = `
Exit codes:
  0   as it should be
  1   check: an object is neither converged nor suspended; of a commit: it is stuck somewhere, or failed later;
      rules --check: no alarm would sound for some object, or a rule is dead
  2   check: something could not be observed or confirmed; of a commit: that is not known, or it concerns nothing;
      rules: no object is known; with --check: nothing can be said of something
  3   check --commit: it has not arrived in time
  64  wrong usage
  69  the port is taken, the store cannot be read, or the Plumbline that runs cannot be asked
  70  a fault of Plumbline's own
  78  the configuration is wrong or missing, or a bind beyond this machine without auth and publicUrl`;

const environment = `
Environment:
  PLUMBLINE_CONFIG     the configuration file, as --config
  PLUMBLINE_DATA       the data directory, as --data
  PLUMBLINE_HOST       the address to serve on, as --host
  PORT                 the port to serve on, as --port
  PLUMBLINE_COLLECTOR_PORT
                       a port of loopback for the collector's own /healthz, /readyz and /metrics
  PLUMBLINE_METRICS_PORT
                       a port of loopback for /metrics of the pages, and their /readyz with the clusters that are lost
  PLUMBLINE_TOKEN      the token by which check --commit asks, where the pages ask who comes
  PLUMBLINE_LOG_LEVEL  debug, info, warn or error (info)
  KUBECONFIG           the default kubeconfig, as kubectl reads it`;

/** Runs one command line (without node and the program's own name). Gives the exit code. */
export async function runCommandLine(args: readonly string[], output: Output): Promise<number> {
  let code: number = exitCode.ok;
  const program = commands(output, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    throw error;
  }
}

function commands(output: Output, done: Done): Command {
  const program = new Command('plumbline')
    .description('A read-only observatory for fleets that are run from git.')
    .version(readVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.say(text.trimEnd()),
    })
    .addHelpText('after', `${environment}\n${exits}`);

  serveOptions(clusterOptions(program.command('start')))
    .description('watch real clusters and serve the pages')
    .action(async (options: ClusterOptions & ServeOptions) => done(await start(options, output)));

  serveOptions(program.command('demo'))
    .description('the same with a simulated fleet, to look at')
    .action(async (options: ServeOptions) => done(await demo(options, output)));

  commandsOfClusters(program, output, done);
  commandsOfLinks(program, output, done);
  commandsOfAccess(program, output, done);
  commandsOfTheRecord(program, output, done);
  commandsOfAlarms(program, output, done);

  // In place of Commander's, which answers a name that it does not know with all of its help.
  program
    .command('help [command]')
    .description('display help for command')
    .action((name: string | undefined) => {
      const about = name === undefined ? program : program.commands.find((command) => command.name() === name);
      return about === undefined ? program.error(`error: unknown command '${name}'`) : about.help();
    });
  return program;
}

type Done = (code: number) => void;

function commandsOfClusters(program: Command, output: Output, done: Done): void {
  clusterOptions(program.command('check'))
    .description('look once, judge every object, print it; or ask the Plumbline that runs where a commit has come')
    .addOption(
      new Option('--output <format>', "table, or json: one line per object, or the API's answer on the commit")
        .choices(['table', 'json'])
        .default('table'),
    )
    .option('--timeout <seconds>', 'how long clusters may take to answer', wholeSeconds, 60)
    .addOption(
      new Option('--commit <sha>', 'where this commit has come, by 7 of its digits or more').conflicts([
        'config',
        'context',
        'allContexts',
        'timeout',
      ]),
    )
    .option('--wait <duration>', 'with --commit: until it has arrived or failed, at most so long, e.g. 15m')
    .option(
      '--url <address>',
      'with --commit: the Plumbline to ask (PLUMBLINE_HOST and PORT of this machine)',
      something,
    )
    .option('--cluster <names>', 'with --commit: these clusters only, separated by commas', something)
    .option(
      '--label <labels>',
      'with --commit: clusters with all of these labels, e.g. environment=production',
      something,
    )
    .action(async (options: CheckOptions & CommitOptions) => {
      const lone = withoutCommit(options);
      if (lone !== null) {
        output.say(lone);
        return done(exitCode.usage);
      }
      return done(
        await (options.commit === undefined
          ? check(options, output)
          : checkCommit(options, process.env, output, {
              clock: systemClock,
              ask: askOverHttp(settingOf(process.env, 'PLUMBLINE_TOKEN') ?? null),
            })),
      );
    });

  program
    .command('rbac')
    .description('print the read-only ClusterRole that Plumbline needs on a cluster')
    .option('--context <name>', 'ask the cluster of this context which groups its Crossplane serves, and add them')
    .option('--provider-group <group...>', 'API groups of Crossplane providers to add, e.g. s3.aws.upbound.io')
    .action(async (options: RbacOptions) => done(await rbac(options, output)));
}

function commandsOfTheRecord(program: Command, output: Output, done: Done): void {
  program
    .command('report')
    .description('make a report over a period from what is recorded, whether Plumbline runs or not')
    .option(
      '--config <file>',
      'configuration file, for its policy (PLUMBLINE_CONFIG; plumbline.yaml where it is here)',
      something,
    )
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .addOption(new Option('--period <name>', 'last-30-days where nothing is said').choices(periodPresets))
    .option('--from <day>', 'beginning: a UTC day, or an RFC 3339 time')
    .option('--to <day>', 'end, which does not belong to it; now where absent')
    .option('--scope <part...>', 'fleet, cluster:A,B, label:KEY=VALUE or kind:GROUP/KIND; fleet where absent')
    .addOption(new Option('--format <format>', "md, or what the output file's name ends in").choices(reportFormats))
    .option('--output <file>', 'where to write it; standard output where absent', something)
    .option('--url <address>', 'where readers reach the pages, for links, e.g. https://plumbline.example.org')
    .action(async (options: ReportOptions) => done(await report(options, output)));

  program
    .command('backup')
    .description('copy the record, whole, into a folder, whether Plumbline runs or not')
    .requiredOption('--output <dir>', 'folder for the copies; nothing in it is written over', something)
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .action((options: BackupOptions) => done(backup(options, process.env, output)));

  program
    .command('restore')
    .description('put a backup in place of the record, whole or not at all; no collector may run meanwhile')
    .requiredOption('--from <dir>', 'folder that plumbline backup wrote', something)
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .option('--replace', 'even where a record is there: it is gone then')
    .action((options: RestoreOptions) => done(restore(options, process.env, systemClock.now(), output)));

  program
    .command('purge')
    .description('remove a cluster, an object or a text from the record for good; no collector may run meanwhile')
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .option('--cluster <name>', 'a cluster with everything of it')
    .option('--object <ref>', 'an object: cluster/group/kind/namespace/name, or the address of its page')
    .option('--text <text>', 'a text, wherever it stands')
    .action((options: PurgeOptions) => done(purge(options, process.env, systemClock.now(), output)));
}

function commandsOfAlarms(program: Command, output: Output, done: Done): void {
  clusterOptions(program.command('rules'))
    .description('write the alarms for the kinds that the fleet has: of the record, or of clusters that are read once')
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .addOption(
      new Option('--format <format>', 'yaml: objects for the Prometheus operator; prometheus: plain files')
        .choices(rulesFormats)
        .default('yaml'),
    )
    .option('--output <dir>', 'folder for the files; standard output where absent', something)
    .addOption(
      new Option('--check', 'write nothing: compare what the alarm sources have loaded with these kinds').conflicts([
        'format',
        'output',
        'allKinds',
        'source',
        // What names alarm sources is the configuration, and contexts take its place.
        'context',
        'allContexts',
      ]),
    )
    .option('--cluster <name>', 'for the Prometheus of this cluster alone', something)
    .option(
      '--source <name>',
      'for this alarm source alone: with its label of clusters, and the clusters that it speaks for',
      something,
    )
    .option('--all-kinds', 'with the kinds of which there is no object yet: those of Flux, and all that are served')
    .option('--timeout <seconds>', 'how long clusters may take to answer, and alarm sources', wholeSeconds, 60)
    .action(async (options: RulesOptions) => done(await rules(options, output)));
}

function commandsOfLinks(program: Command, output: Output, done: Done): void {
  program
    .command('link')
    .description('sign a link to an embed or a badge, and look after the keys that sign')
    .option('--config <file>', 'configuration file (PLUMBLINE_CONFIG; plumbline.yaml where it is here)', something)
    .option('--scope <scope>', `what it shows: ${scopeForms}`)
    .option('--badge', 'a badge instead of a page to frame')
    .option('--expires <duration>', 'how long it opens', '90d')
    .option('--theme <theme>', 'auto, light or dark', 'auto')
    .option('--url <address>', 'where readers reach the pages, e.g. https://plumbline.example.org')
    .option('--data <dir>', 'data directory, where the link is kept (PLUMBLINE_DATA)', something)
    .option('--new-key', 'make a key; it signs from then on')
    .option('--revoke <id>', 'close every link that this key has signed')
    .action(async (options: LinkOptions) => done(await link(options, process.env, systemClock.now(), output)));

  program
    .command('links')
    .description('list the signed links that have not ended, or revoke some, where Plumbline runs')
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .option('--revoke <link...>', 'close these for good: their ids, or the links themselves')
    .action((options: LinksOptions) => done(links(options, process.env, systemClock.now(), output)));
}

function commandsOfAccess(program: Command, output: Output, done: Done): void {
  program
    .command('token')
    .description('make, list or revoke tokens by which machines ask, where Plumbline runs with auth')
    .option('--new <name>', 'make one for what this names; it is printed once')
    .option('--grant <grant...>', `what it opens, one or several: ${grantForms}`)
    .option('--role <role...>', 'viewer (the default), link-maker, auditor')
    .option('--expires <duration>', 'how long it opens, e.g. 30d; at most 400d')
    .option('--list', 'those that have not ended, without their secrets')
    .option('--revoke <id...>', 'close these for good')
    .option(
      '--config <file>',
      'configuration file, for its teams (PLUMBLINE_CONFIG; plumbline.yaml where it is here)',
      something,
    )
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .action(async (options: TokenOptions) => done(await token(options, process.env, systemClock.now(), output)));

  program
    .command('session-key')
    .description('look after the keys that seal the sessions of people')
    .option('--new', 'make a key; it seals from then on, and the older ones still open')
    .option('--list', 'the keys, without their secrets')
    .option('--revoke <id>', 'end every session that this key has sealed')
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .action(async (options: SessionKeyOptions) =>
      done(await sessionKey(options, process.env, systemClock.now(), output)),
    );
}

/** Text of an option that must say something. */
function something(text: string): string {
  if (text === '') throw new InvalidArgumentError('It names nothing.');
  return text;
}

/** A whole number of seconds from 1 to 3,600. */
function wholeSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 3600) throw new InvalidArgumentError('must be a whole number of seconds from 1 to 3600');
  return seconds;
}

function clusterOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (PLUMBLINE_CONFIG; plumbline.yaml where it is here)', something)
    .option('--context <names>', 'contexts of the default kubeconfig, separated by commas')
    .option('--all-contexts', 'every context of the default kubeconfig');
}

function serveOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'data directory (PLUMBLINE_DATA)', something)
    .option('--port <number>', 'port to serve on (PORT; 3000)')
    .option('--host <address>', 'address to serve on (PLUMBLINE_HOST; 127.0.0.1)')
    .addOption(new Option('--before-build').hideHelp())
    .option('--dry-run', 'check the configuration and the port, start nothing');
}
