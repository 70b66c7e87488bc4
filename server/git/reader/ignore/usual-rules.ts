import { type IgnoreRule, readSourceIgnore } from './source-ignore.ts';

/** Files of git itself, which no artifact holds (fluxcd/pkg, sourceignore). */
const ofGit = ['.git/', '.gitignore', '.gitmodules', '.gitattributes'];

/** Files that are left out where nobody says what is (fluxcd/pkg, sourceignore; source-controller, SourceIgnoreFilter). */
const unlessSaid = [
  ...['*.jpg', '*.jpeg', '*.gif', '*.png', '*.wmv', '*.flv', '*.tar.gz', '*.zip'],
  ...['.github/', '.circleci/', '.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml'],
  ...['codeship-services.yml', 'codeship-steps.yml'],
  ...['**/.goreleaser.yml', '**/.sops.yaml', '**/.flux.yaml'],
];

/** Rules that source-controller has of its own: `always`, and those that hold only where neither the repository nor the source has any. */
export interface UsualRules {
  readonly always: readonly IgnoreRule[];
  readonly unlessSaid: readonly IgnoreRule[];
  /** False of a path, segment by segment, of which none of them says anything. */
  mayName(path: readonly string[]): boolean;
}

/** Reads them. */
export function usualRules(): UsualRules {
  const read = (lines: readonly string[]): readonly IgnoreRule[] => readSourceIgnore(lines.join('\n')) ?? [];
  const lines = [...ofGit, ...unlessSaid];
  const names = new Set(lines.map((line) => line.replace(/^\*\*\//, '').replace(/\/$/, '')));
  const endings = lines.filter((line) => line.startsWith('*.')).map((line) => line.slice(1));
  return {
    always: read(ofGit),
    unlessSaid: read(unlessSaid),
    mayName: (path) => path.some((name) => names.has(name) || endings.some((ending) => name.endsWith(ending))),
  };
}
